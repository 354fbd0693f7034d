using System;
using System.Collections.Generic;
using System.Text.Json;

namespace Chatstate;

/// <summary>Writes values and members.</summary>
internal static class JsonWrite
{
    /// <summary>
    /// Text. The writer of the base class library spells characters beyond the first plane as two escapes, which take
    /// three times their room, so that they are written here.
    /// </summary>
    public static void Text(Utf8JsonWriter writer, string value)
    {
        if (value.AsSpan().IndexOfAnyInRange('\ud800', '\udfff') >= 0 && JsonStrings.IsSplit(value))
        {
            writer.WriteRawValue(CanonicalJson.Quoted(value), skipInputValidation: true);
        }
        else
        {
            writer.WriteStringValue(value);
        }
    }

    /// <summary>Text that may begin or end with an unpaired surrogate, which stays as its escape.</summary>
    public static void SplitText(Utf8JsonWriter writer, string value) => Text(writer, value);

    public static void Boolean(Utf8JsonWriter writer, bool value) => writer.WriteBooleanValue(value);

    public static void Integer(Utf8JsonWriter writer, long value) => writer.WriteNumberValue(value);

    public static void Number(Utf8JsonWriter writer, JsonNumber value) =>
        writer.WriteRawValue(value.ToString(), skipInputValidation: true);

    public static void Any(Utf8JsonWriter writer, JsonElement value) => value.WriteTo(writer);

    public static void OpenObject(Utf8JsonWriter writer, IDictionary<string, JsonElement> value) =>
        Map(writer, value, Any);

    public static void Value<T>(Utf8JsonWriter writer, T value)
        where T : IJsonType<T> => value.WriteTo(writer);

    /// <summary>Writes with a function that is not known by a name.</summary>
    public static void Item<T>(Utf8JsonWriter writer, T value, Action<Utf8JsonWriter, T> write) => write(writer, value);

    public static void List<T>(Utf8JsonWriter writer, IList<T> value, Action<Utf8JsonWriter, T> write)
    {
        writer.WriteStartArray();
        foreach (var item in value)
        {
            write(writer, item);
        }

        writer.WriteEndArray();
    }

    public static void Map<T>(Utf8JsonWriter writer, IDictionary<string, T> value, Action<Utf8JsonWriter, T> write)
    {
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
        write(writer, value);
    }

    public static void NullOr<T>(
        Utf8JsonWriter writer, ReadOnlySpan<byte> name, T? value, Action<Utf8JsonWriter, T> write)
        where T : class
    {
        writer.WritePropertyName(name);
        NullOr(writer, value, write);
    }

    public static void NullOr<T>(
        Utf8JsonWriter writer, ReadOnlySpan<byte> name, T? value, Action<Utf8JsonWriter, T> write)
        where T : struct
    {
        writer.WritePropertyName(name);
        NullOr(writer, value, write);
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
    public static void Rest<T>(Utf8JsonWriter writer, IDictionary<string, T>? rest, Action<Utf8JsonWriter, T> write)
    {
        if (rest is null)
        {
            return;
        }

        foreach (var (name, value) in rest)
        {
            writer.WritePropertyName(name);
            write(writer, value);
        }
    }
}
