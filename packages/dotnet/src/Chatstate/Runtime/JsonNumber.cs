using System;
using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Chatstate;

/// <summary>
/// A JSON number of any size and precision. It keeps the spelling it was read with, and compares by
/// its decimal value.
/// </summary>
[Serializable]
[JsonConverter(typeof(GeneratedConverter<JsonNumber>))]
public readonly struct JsonNumber : IJsonType<JsonNumber>, IEquatable<JsonNumber>, IComparable<JsonNumber>
{
    private readonly string? text;

    private JsonNumber(string text) => this.text = text;

    /// <summary>Whether the value has no fractional part; <c>1.0</c> and <c>1e2</c> have none.</summary>
    public bool IsInteger => Decimal.IsInteger;

    /// <summary>The value as canonical JSON text, which is the same for equal values.</summary>
    public string CanonicalText => Decimal.ToCanonical(ToDouble());

    internal DecimalText Decimal => DecimalText.Read(ToString());

    /// <summary>The number that an integer is.</summary>
    public static implicit operator JsonNumber(long value) => new(value.ToString(CultureInfo.InvariantCulture));

    /// <summary>The number that a decimal is.</summary>
    public static implicit operator JsonNumber(decimal value) => new(value.ToString(CultureInfo.InvariantCulture));

    /// <summary>
    /// The number that a double is. It is no operator, since serializers that read every number as a double would find
    /// that, and round.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">It is not finite.</exception>
    public static JsonNumber FromDouble(double value) =>
        double.IsFinite(value)
            ? new(value.ToString("R", CultureInfo.InvariantCulture))
            : throw new ArgumentOutOfRangeException(nameof(value), value, "JSON has no such number");

    /// <summary>The nearest double.</summary>
    public static explicit operator double(JsonNumber number) => number.ToDouble();

    /// <summary>The integer.</summary>
    /// <exception cref="OverflowException">The number has a fractional part, or is out of range.</exception>
    public static explicit operator long(JsonNumber number) =>
        number.TryGetInt64(out var value) ? value : throw new OverflowException($"`{number}` is no such integer");

    /// <summary>Whether two numbers have one value.</summary>
    public static bool operator ==(JsonNumber left, JsonNumber right) => left.Equals(right);

    /// <summary>Whether two numbers have different values.</summary>
    public static bool operator !=(JsonNumber left, JsonNumber right) => !left.Equals(right);

    /// <summary>Whether a number is less than another.</summary>
    public static bool operator <(JsonNumber left, JsonNumber right) => left.CompareTo(right) < 0;

    /// <summary>Whether a number is greater than another.</summary>
    public static bool operator >(JsonNumber left, JsonNumber right) => left.CompareTo(right) > 0;

    /// <summary>Whether a number is at most another.</summary>
    public static bool operator <=(JsonNumber left, JsonNumber right) => left.CompareTo(right) <= 0;

    /// <summary>Whether a number is at least another.</summary>
    public static bool operator >=(JsonNumber left, JsonNumber right) => left.CompareTo(right) >= 0;

    /// <summary>Reads a number as JSON spells it.</summary>
    /// <exception cref="RejectionException">The text is not a JSON number.</exception>
    public static JsonNumber Parse(string text) => JsonText.Read(text, JsonRead.Number);

    /// <inheritdoc cref="Parse"/>
    public static JsonNumber FromJson(string json) => Parse(json);

    /// <inheritdoc/>
    public static JsonNumber FromElement(JsonElement element) => JsonRead.Number(element);

    /// <summary>Gives the value if it is an integer in range.</summary>
    public bool TryGetInt64(out long value) => Decimal.TryGetInt64(out value);

    /// <summary>The nearest finite double.</summary>
    public double ToDouble()
    {
        var value = double.Parse(ToString(), NumberStyles.Float, CultureInfo.InvariantCulture);
        return System.Math.Clamp(value, double.MinValue, double.MaxValue);
    }

    /// <inheritdoc/>
    public int CompareTo(JsonNumber other) => Decimal.CompareTo(other.Decimal);

    /// <inheritdoc/>
    public bool Equals(JsonNumber other) => Decimal == other.Decimal;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is JsonNumber other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => Decimal.GetHashCode();

    /// <summary>The spelling it was read with.</summary>
    public override string ToString() => text ?? "0";

    /// <inheritdoc/>
    public string ToJson() => ToString();

    /// <inheritdoc/>
    public void WriteTo(Utf8JsonWriter writer) => JsonWrite.Number(writer, this);

    /// <summary>The number that a text is, which is known to be one.</summary>
    internal static JsonNumber OfGrammatical(string text) => new(text);

    /// <summary>Whether this is an integer times another number.</summary>
    internal bool IsMultipleOf(JsonNumber other) => Decimal.IsMultipleOf(other.Decimal);
}
