using System;
using System.Buffers.Binary;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Numerics;
using System.Text;
using System.Text.Json;

namespace Chatstate;

/// <summary>
/// The second form of documents: CBOR (RFC 8949), with the same values, in the one way of its section 4.2.1. It does not
/// keep the order of members or the spelling of numbers.
/// </summary>
public static class Cbor
{
    internal const int MaxDigits = 100_000;

    internal const int Positive = 2;

    internal const int Negative = 3;

    internal const int Decimal = 4;

    internal const int SplitText = 273;

    /// <summary>A document in CBOR.</summary>
    /// <exception cref="RejectionException">The document is not JSON.</exception>
    public static byte[] FromJson(string json) => CborWriter.Write(JsonText.Parse(json));

    /// <inheritdoc cref="FromJson(string)"/>
    public static byte[] FromJson(ReadOnlySpan<byte> utf8Json) => CborWriter.Write(JsonText.Parse(utf8Json));

    /// <summary>
    /// The document in CBOR as JSON text. Integers and floats of any width are read, and names in any order.
    /// </summary>
    /// <exception cref="RejectionException">
    /// JSON does not have it; the rejection says the place and the byte where it begins.
    /// </exception>
    public static string ToJson(ReadOnlySpan<byte> encoded) => CborReader.Read(encoded.ToArray());

    internal static RejectionException TooManyDigits() => new(
        RejectionClass.Limit, "number-digits", $"a number has more than {MaxDigits} digits; write it as text");
}

/// <summary>Writes values as CBOR.</summary>
internal sealed class CborWriter
{
    private static readonly BigInteger Beyond = BigInteger.One << 64;

    private readonly MemoryStream bytes = new();

    public static byte[] Write(JsonElement element)
    {
        var writer = new CborWriter();
        writer.Value(element);
        return writer.bytes.ToArray();
    }

    private void Value(JsonElement element)
    {
        switch (element.ValueKind)
        {
            case JsonValueKind.Object:
                Members(element);
                break;
            case JsonValueKind.Array:
                Head(4, (ulong)element.GetArrayLength());
                foreach (var item in element.EnumerateArray())
                {
                    Value(item);
                }

                break;
            case JsonValueKind.String:
                Text(JsonRead.SplitText(element));
                break;
            case JsonValueKind.Number:
                Number(CanonicalJson.Of(element));
                break;
            case JsonValueKind.True:
                Head(7, 21);
                break;
            case JsonValueKind.False:
                Head(7, 20);
                break;
            default:
                Head(7, 22);
                break;
        }
    }

    /// <summary>The head of a value: its kind and a number, in the shortest form.</summary>
    private void Head(int major, ulong count)
    {
        var width = count < 24 ? 0 : count <= byte.MaxValue ? 1 : count <= ushort.MaxValue ? 2 : count <= uint.MaxValue ? 4 : 8;
        bytes.WriteByte((byte)((major << 5) | (width == 0 ? (int)count : 24 + BitOperations.Log2((uint)width))));
        for (var place = width - 1; place >= 0; place--)
        {
            bytes.WriteByte((byte)(count >> (8 * place)));
        }
    }

    private void Members(JsonElement element)
    {
        var members = element.EnumerateObject().Select(member => (Name: member.Name, Bytes: Encoding.UTF8.GetBytes(member.Name), member.Value)).ToList();
        Head(5, (ulong)members.Count);

        // The head of a shorter name is less than that of a longer one.
        members.Sort((one, two) => one.Bytes.Length != two.Bytes.Length
            ? one.Bytes.Length.CompareTo(two.Bytes.Length)
            : one.Bytes.AsSpan().SequenceCompareTo(two.Bytes));
        foreach (var (name, _, value) in members)
        {
            Text(name);
            Value(value);
        }
    }

    private void Text(string text)
    {
        var isWhole = JsonStrings.IsWhole(text);
        var encoded = isWhole ? Encoding.UTF8.GetBytes(text) : HalfText.Encode(text);
        if (!isWhole)
        {
            Head(6, Cbor.SplitText);
        }

        Head(isWhole ? 3 : 2, (ulong)encoded.Length);
        bytes.Write(encoded);
    }

    /// <summary>A number by its canonical text, so that the spellings of one value have one encoding.</summary>
    private void Number(string text)
    {
        var isInteger = text.AsSpan(text[0] == '-' ? 1 : 0).IndexOfAnyExceptInRange('0', '9') < 0;
        BigInteger? integer = isInteger ? BigInteger.Parse(text, CultureInfo.InvariantCulture) : null;
        if (integer is { } value && IsInHead(value))
        {
            Integer(value);
        }
        else if (DoubleOf(text) is { } number)
        {
            Float(number);
        }
        else if (text.Length > Cbor.MaxDigits)
        {
            throw Cbor.TooManyDigits();
        }
        else if (integer is { } big)
        {
            Big(big);
        }
        else
        {
            Pair(text);
        }
    }

    private static bool IsInHead(BigInteger value) => -Beyond <= value && value < Beyond;

    /// <summary>The double that a canonical text is the one spelling of.</summary>
    private static double? DoubleOf(string text)
    {
        var number = double.Parse(text, NumberStyles.Float, CultureInfo.InvariantCulture);
        return double.IsFinite(number) && DecimalText.Read(number.ToString("R", CultureInfo.InvariantCulture)).ToCanonical(number) == text
            ? number
            : null;
    }

    private void Integer(BigInteger value) => Head(value.Sign < 0 ? 1 : 0, (ulong)(value.Sign < 0 ? -1 - value : value));

    private void Big(BigInteger value)
    {
        var magnitude = (value.Sign < 0 ? -1 - value : value).ToByteArray(isUnsigned: true, isBigEndian: true);
        Head(6, (ulong)(value.Sign < 0 ? Cbor.Negative : Cbor.Positive));
        Head(2, (ulong)magnitude.Length);
        bytes.Write(magnitude);
    }

    /// <summary>A decimal: an exponent of ten and an integer.</summary>
    private void Pair(string text)
    {
        var parts = text.Split('e');
        var mantissa = parts[0].Split('.');
        var fraction = mantissa.Length > 1 ? mantissa[1] : "";
        Head(6, Cbor.Decimal);
        Head(4, 2);
        Integer(BigInteger.Parse(parts[1], NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture) - fraction.Length);
        var digits = BigInteger.Parse(mantissa[0] + fraction, CultureInfo.InvariantCulture);
        if (IsInHead(digits))
        {
            Integer(digits);
        }
        else
        {
            Big(digits);
        }
    }

    /// <summary>A double in the shortest form that has its value.</summary>
    private void Float(double value)
    {
        Span<byte> encoded = stackalloc byte[9];
        if ((double)(Half)value == value)
        {
            encoded = encoded[..3];
            encoded[0] = 0xf9;
            BinaryPrimitives.WriteHalfBigEndian(encoded[1..], (Half)value);
        }
        else if ((double)(float)value == value)
        {
            encoded = encoded[..5];
            encoded[0] = 0xfa;
            BinaryPrimitives.WriteSingleBigEndian(encoded[1..], (float)value);
        }
        else
        {
            encoded[0] = 0xfb;
            BinaryPrimitives.WriteDoubleBigEndian(encoded[1..], value);
        }

        bytes.Write(encoded);
    }
}
