using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;
using System.Text.Json;

namespace Chatstate;

/// <summary>
/// Writes values and members, and rejects what the readers reject, with the same rule and the place.
/// </summary>
internal static class JsonWrite
{
    /// <summary>
    /// Text. The writer of the base class library spells characters beyond the first plane as two escapes, which take
    /// three times their room, so that they are written here.
    /// </summary>
    /// <exception cref="RejectionException">It is null, or holds an unpaired surrogate.</exception>
    public static void Text(Utf8JsonWriter writer, string value)
    {
        NotNull(value, "string");
        if (!HasSurrogates(value))
        {
            writer.WriteStringValue(value);
        }
        else if (JsonStrings.IsWhole(value))
        {
            writer.WriteRawValue(CanonicalJson.Quoted(value), skipInputValidation: true);
        }
        else
        {
            throw JsonRead.Unpaired();
        }
    }

    /// <summary>Text that may begin or end with an unpaired surrogate, which stays as its escape.</summary>
    /// <exception cref="RejectionException">It is null, or holds an unpaired surrogate elsewhere.</exception>
    public static void SplitText(Utf8JsonWriter writer, string value)
    {
        NotNull(value, "string");
        if (!HasSurrogates(value))
        {
            writer.WriteStringValue(value);
        }
        else if (JsonStrings.IsSplit(value))
        {
            writer.WriteRawValue(CanonicalJson.Quoted(value), skipInputValidation: true);
        }
        else
        {
            throw JsonRead.Unpaired();
        }
    }

    /// <summary>A text that may only be one.</summary>
    /// <exception cref="RejectionException">It is another.</exception>
    public static void Constant(Utf8JsonWriter writer, string value, string expected)
    {
        NotNull(value, "string");
        if (value != expected)
        {
            throw JsonRead.NoConstant($"the text `{expected}`");
        }

        Text(writer, value);
    }

    /// <inheritdoc cref="Constant(Utf8JsonWriter, string, string)"/>
    public static void Constant(Utf8JsonWriter writer, bool value, bool expected) =>
        writer.WriteBooleanValue(value == expected ? value : throw JsonRead.NoConstant(expected ? "`true`" : "`false`"));

    /// <inheritdoc cref="Constant(Utf8JsonWriter, string, string)"/>
    public static void Constant(Utf8JsonWriter writer, long value, long expected) =>
        writer.WriteNumberValue(value == expected ? value : throw JsonRead.NoConstant($"`{expected}`"));

    public static void Boolean(Utf8JsonWriter writer, bool value) => writer.WriteBooleanValue(value);

    public static void Integer(Utf8JsonWriter writer, long value) => writer.WriteNumberValue(value);

    public static void Number(Utf8JsonWriter writer, JsonNumber value) =>
        writer.WriteRawValue(value.ToString(), skipInputValidation: true);

    /// <summary>Any value. One that a program made may hold what no reader takes.</summary>
    /// <exception cref="RejectionException">It is none, or one that no reader takes.</exception>
    public static void Any(Utf8JsonWriter writer, JsonElement value)
    {
        if (value.ValueKind == JsonValueKind.Undefined)
        {
            throw RejectionException.Schema("type", "there is no value; set one, or leave the member out");
        }

        if (value.ValueKind is JsonValueKind.Array or JsonValueKind.Object)
        {
            JsonChecker.Check(JsonMarshal.GetRawUtf8Value(value));
        }

        JsonRead.Any(value).WriteTo(writer);
    }

    public static void OpenObject(Utf8JsonWriter writer, IDictionary<string, JsonElement> value) =>
        Map(writer, value, Any);

    public static void Value<T>(Utf8JsonWriter writer, T value)
        where T : IJsonType<T>
    {
        NotNull(value, "value");
        value.WriteTo(writer);
    }

    /// <summary>Writes with a function that is not known by a name.</summary>
    public static void Item<T>(Utf8JsonWriter writer, T value, Action<Utf8JsonWriter, T> write) => write(writer, value);

    public static void List<T>(Utf8JsonWriter writer, IList<T> value, Action<Utf8JsonWriter, T> write)
    {
        NotNull(value, "array");
        writer.WriteStartArray();
        var index = 0;
        foreach (var item in value)
        {
            try
            {
                write(writer, item);
            }
            catch (RejectionException rejection) when (rejection.Within(index))
            {
                throw;
            }

            index++;
        }

        writer.WriteEndArray();
    }

    public static void Map<T>(Utf8JsonWriter writer, IDictionary<string, T> value, Action<Utf8JsonWriter, T> write)
    {
        NotNull(value, "object");
        writer.WriteStartObject();
        Rest(writer, value, write);
        writer.WriteEndObject();
    }

    public static void NullOr<T>(Utf8JsonWriter writer, T? value, Action<Utf8JsonWriter, T> write)
        where T : class
    {
        if (value is null)
        {
            writer.WriteNullValue();
        }
        else
        {
            write(writer, value);
        }
    }

    public static void NullOr<T>(Utf8JsonWriter writer, T? value, Action<Utf8JsonWriter, T> write)
        where T : struct
    {
        if (value is null)
        {
            writer.WriteNullValue();
        }
        else
        {
            write(writer, value.Value);
        }
    }

    public static void Required<T>(
        Utf8JsonWriter writer, ReadOnlySpan<byte> name, T value, Action<Utf8JsonWriter, T> write)
    {
        writer.WritePropertyName(name);
        try
        {
            write(writer, value);
        }
        catch (RejectionException rejection) when (rejection.Within(name))
        {
            throw;
        }
    }

    public static void NullOr<T>(
        Utf8JsonWriter writer, ReadOnlySpan<byte> name, T? value, Action<Utf8JsonWriter, T> write)
        where T : class
    {
        if (value is null)
        {
            writer.WriteNull(name);
        }
        else
        {
            Required(writer, name, value, write);
        }
    }

    public static void NullOr<T>(
        Utf8JsonWriter writer, ReadOnlySpan<byte> name, T? value, Action<Utf8JsonWriter, T> write)
        where T : struct
    {
        if (value is null)
        {
            writer.WriteNull(name);
        }
        else
        {
            Required(writer, name, value.Value, write);
        }
    }

    public static void Optional<T>(
        Utf8JsonWriter writer, ReadOnlySpan<byte> name, T? value, Action<Utf8JsonWriter, T> write)
        where T : class
    {
        if (value is not null)
        {
            Required(writer, name, value, write);
        }
    }

    public static void Optional<T>(
        Utf8JsonWriter writer, ReadOnlySpan<byte> name, T? value, Action<Utf8JsonWriter, T> write)
        where T : struct
    {
        if (value is not null)
        {
            Required(writer, name, value.Value, write);
        }
    }

    public static void Presence<T>(
        Utf8JsonWriter writer, ReadOnlySpan<byte> name, Optional<T> value, Action<Utf8JsonWriter, T> write)
        where T : notnull
    {
        if (value.IsNull)
        {
            writer.WriteNull(name);
        }
        else if (value.TryGetValue(out var held))
        {
            Required(writer, name, held, write);
        }
    }

    /// <summary>The members that the schema does not name.</summary>
    /// <param name="writer">Where they are written.</param>
    /// <param name="rest">The members.</param>
    /// <param name="write">What writes a value.</param>
    /// <param name="isNamed">Whether the schema names a member, which has a property of its own then.</param>
    /// <exception cref="RejectionException">
    /// The schema names a member, or the name or the value is one that no reader takes.
    /// </exception>
    public static void Rest<T>(
        Utf8JsonWriter writer,
        IDictionary<string, T>? rest,
        Action<Utf8JsonWriter, T> write,
        Func<string, bool>? isNamed = null)
    {
        if (rest is null)
        {
            return;
        }

        foreach (var (name, value) in rest)
        {
            try
            {
                Member(writer, name, value, write, isNamed);
            }
            catch (RejectionException rejection) when (rejection.Within(name))
            {
                throw;
            }
        }
    }

    private static void Member<T>(
        Utf8JsonWriter writer, string name, T value, Action<Utf8JsonWriter, T> write, Func<string, bool>? isNamed)
    {
        if (isNamed is not null && isNamed(name))
        {
            throw new RejectionException(
                RejectionClass.Syntax,
                "duplicate-member",
                $"the member `{name}` has a property of its own; set that, and remove the member from the others");
        }

        if (!JsonStrings.IsWhole(name))
        {
            throw JsonRead.Unpaired();
        }

        writer.WritePropertyName(name);
        write(writer, value);
    }

    private static bool HasSurrogates(string value) => value.AsSpan().IndexOfAnyInRange('\ud800', '\udfff') >= 0;

    /// <summary>Rejects null where the type of C# says that there is none.</summary>
    private static void NotNull<T>([NotNull] T value, string kind)
    {
        if (value is null)
        {
            throw RejectionException.Schema("type", $"must be of type {kind}, but is null; set it");
        }
    }
}
