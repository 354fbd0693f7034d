using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.InteropServices;
using System.Text.Json;

namespace Chatstate;

/// <summary>Reads one value as a type of C#, and rejects it where the schema does.</summary>
internal static partial class JsonRead
{
    public static void Expect(JsonElement element, JsonValueKind kind)
    {
        if (element.ValueKind != kind)
        {
            throw WrongKind(Word(kind), element);
        }
    }

    public static string Text(JsonElement element)
    {
        var text = Decoded(element, out var isEscaped);
        return !isEscaped || JsonStrings.IsWhole(text) ? text : throw Unpaired();
    }

    /// <summary>Text that may begin or end with an unpaired surrogate.</summary>
    public static string SplitText(JsonElement element)
    {
        var text = Decoded(element, out var isEscaped);
        return !isEscaped || JsonStrings.IsSplit(text) ? text : throw Unpaired();
    }

    public static bool Boolean(JsonElement element) => element.ValueKind switch
    {
        JsonValueKind.True => true,
        JsonValueKind.False => false,
        _ => throw WrongKind("boolean", element),
    };

    public static JsonNumber Number(JsonElement element)
    {
        Expect(element, JsonValueKind.Number);
        return JsonNumber.OfGrammatical(element.GetRawText());
    }

    public static JsonNumber WholeNumber(JsonElement element)
    {
        var number = Number(element);
        return number.IsInteger
            ? number
            : throw RejectionException.Schema("type", "must be of type integer, but has a fraction");
    }

    /// <summary>An integer between bounds, both of which are in the range of the type.</summary>
    public static long Integer(JsonElement element, long minimum, long maximum)
    {
        if (element.ValueKind == JsonValueKind.Number
            && element.TryGetInt64(out var plain)
            && plain >= minimum
            && plain <= maximum)
        {
            return plain;
        }

        var number = WholeNumber(element);
        var isSmall = number.TryGetInt64(out var value) ? value < minimum : number < 0;
        if (isSmall)
        {
            throw RejectionException.Schema("minimum", $"must be at least {minimum}");
        }

        return number > maximum ? throw RejectionException.Schema("maximum", $"must be at most {maximum}") : value;
    }

    /// <summary>An integer of an enumeration; one beyond the type is none of its values.</summary>
    public static long EnumerationInteger(JsonElement element) =>
        WholeNumber(element).TryGetInt64(out var value)
            ? value
            : throw RejectionException.Schema("enum", "must be one of the values of the schema");

    /// <summary>Any value; texts inside of it are whole.</summary>
    public static JsonElement Any(JsonElement element)
    {
        // Unpaired surrogates can only be written as escapes.
        if (JsonMarshal.GetRawUtf8Value(element).IndexOf("\\u"u8) >= 0)
        {
            CheckWhole(element);
        }

        return element;
    }

    /// <summary>The name of a member that is spelled so, which is whole.</summary>
    public static string Name(ReadOnlySpan<byte> spelling)
    {
        if (!spelling.Contains((byte)'\\'))
        {
            return System.Text.Encoding.UTF8.GetString(spelling);
        }

        var name = JsonStrings.Decode(spelling);
        return JsonStrings.IsWhole(name)
            ? name
            : throw new RejectionException(RejectionClass.Syntax, "unpaired-surrogate", JsonStrings.UnpairedSentence);
    }

    public static JsonElement NotNull(JsonElement element) =>
        element.ValueKind == JsonValueKind.Null
            ? throw RejectionException.Schema("type", "must be any value but null")
            : Any(element);

    public static IDictionary<string, JsonElement> OpenObject(JsonElement element) => Map(element, Any);

    public static T? NullOr<T>(JsonElement element, Func<JsonElement, T> read)
        where T : class => element.ValueKind == JsonValueKind.Null ? null : read(element);

    public static T? NullOrValue<T>(JsonElement element, Func<JsonElement, T> read)
        where T : struct => element.ValueKind == JsonValueKind.Null ? null : read(element);

    /// <summary>The value of a member that is there, and may be null.</summary>
    public static Optional<T> Presence<T>(JsonElement element, Func<JsonElement, T> read)
        where T : notnull => element.ValueKind == JsonValueKind.Null ? Optional<T>.Null : read(element);

    public static IList<T> List<T>(
        JsonElement element,
        Func<JsonElement, T> read,
        long minimum = 0,
        long maximum = long.MaxValue,
        bool unique = false)
    {
        Expect(element, JsonValueKind.Array);
        var list = new List<T>(element.GetArrayLength());
        foreach (var item in element.EnumerateArray())
        {
            list.Add(At(list.Count, item, read));
        }

        CheckLength(list.Count, minimum, maximum);
        if (unique)
        {
            CheckUnique(element);
        }

        return list;
    }

    public static IDictionary<string, T> Map<T>(JsonElement element, Func<JsonElement, T> read) =>
        new ObjectReader(element).Rest(read) ?? new OrderedDictionary<string, T>();

    /// <summary>One item of an array with exactly so many.</summary>
    public static T Item<T>(JsonElement element, int index, int count, Func<JsonElement, T> read)
    {
        Expect(element, JsonValueKind.Array);
        CheckLength(element.GetArrayLength(), count, count);
        return At(index, element[index], read);
    }

    /// <summary>An array without items.</summary>
    public static ValueTuple Nothing(JsonElement element)
    {
        Expect(element, JsonValueKind.Array);
        CheckLength(element.GetArrayLength(), 0, 0);
        return default;
    }

    /// <summary>What the first reader gives that takes the value.</summary>
    public static T First<T>(JsonElement element, params Func<JsonElement, T>[] readers)
    {
        foreach (var read in readers)
        {
            try
            {
                return read(element);
            }
            catch (RejectionException)
            {
                // The next one may take it.
            }
        }

        throw RejectionException.Schema("anyOf", "is none of what it may be here");
    }

    /// <summary>The discriminator of a union with a discriminator.</summary>
    public static string Tag(JsonElement element, ReadOnlySpan<byte> name)
    {
        Expect(element, JsonValueKind.Object);
        return ObjectReader.Read(name, ObjectReader.Needed(element, name), Text);
    }

    private static T At<T>(int index, JsonElement item, Func<JsonElement, T> read)
    {
        try
        {
            return read(item);
        }
        catch (RejectionException rejection) when (rejection.Within(index))
        {
            throw;
        }
    }

    /// <summary>The text of a string, which has no unpaired surrogates if it has no escapes.</summary>
    private static string Decoded(JsonElement element, out bool isEscaped)
    {
        Expect(element, JsonValueKind.String);
        var text = JsonMarshal.GetRawUtf8Value(element)[1..^1];
        isEscaped = text.Contains((byte)'\\');
        return isEscaped ? JsonStrings.Decode(text) : System.Text.Encoding.UTF8.GetString(text);
    }

    private static void CheckWhole(JsonElement element)
    {
        switch (element.ValueKind)
        {
            case JsonValueKind.String:
                _ = Text(element);
                break;
            case JsonValueKind.Array:
                foreach (var (index, item) in element.EnumerateArray().Index())
                {
                    _ = At(index, item, Any);
                }

                break;
            case JsonValueKind.Object:
                _ = OpenObject(element);
                break;
        }
    }
}
