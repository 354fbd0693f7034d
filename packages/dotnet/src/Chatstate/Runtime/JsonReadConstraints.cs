using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.InteropServices;
using System.Text.Json;
using System.Text.RegularExpressions;

namespace Chatstate;

/// <content>What a schema asks of a value beyond its type. Each rejection names the keyword that asks.</content>
internal static partial class JsonRead
{
    private static readonly ConcurrentDictionary<string, System.Text.RegularExpressions.Regex> Patterns = new();

    public static string Constant(JsonElement element, string expected) =>
        element.ValueKind == JsonValueKind.String && IsText(element, expected)
            ? expected
            : throw NoConstant($"the text `{expected}`");

    public static bool Constant(JsonElement element, bool expected) =>
        element.ValueKind == (expected ? JsonValueKind.True : JsonValueKind.False)
            ? expected
            : throw NoConstant(expected ? "`true`" : "`false`");

    public static long Constant(JsonElement element, long expected) =>
        element.ValueKind == JsonValueKind.Number && Number(element) == expected
            ? expected
            : throw NoConstant($"`{expected}`");

    private static bool IsText(JsonElement element, string expected)
    {
        var text = JsonMarshal.GetRawUtf8Value(element)[1..^1];
        return text.Contains((byte)'\\') ? SplitText(element) == expected : element.ValueEquals(expected);
    }

    /// <summary>A constant that may be absent: what is there has to be of its kind first.</summary>
    public static string OptionalConstant(JsonElement element, string expected)
    {
        Expect(element, JsonValueKind.String);
        return Constant(element, expected);
    }

    /// <inheritdoc cref="OptionalConstant(JsonElement, string)"/>
    public static bool OptionalConstant(JsonElement element, bool expected)
    {
        _ = Boolean(element);
        return Constant(element, expected);
    }

    /// <inheritdoc cref="OptionalConstant(JsonElement, string)"/>
    public static long OptionalConstant(JsonElement element, long expected)
    {
        Expect(element, JsonValueKind.Number);
        return Constant(element, expected);
    }

    public static string UnknownTag(JsonElement element, params string[] known)
    {
        var tag = Text(element);
        return known.Contains(tag)
            ? throw RejectionException.Schema("not", $"`{tag}` is known, so its own definition applies")
            : tag;
    }

    public static string LimitedText(
        JsonElement element, long minimum = 0, long maximum = long.MaxValue, string? pattern = null)
    {
        var text = Text(element);
        if (pattern is not null && !IsMatch(text, pattern))
        {
            throw RejectionException.Schema("pattern", $"must match the pattern `{pattern}`");
        }

        var length = text.EnumerateRunes().Count();
        if (length < minimum)
        {
            throw RejectionException.Schema("minLength", $"must be at least {minimum} character(s) long");
        }

        return length > maximum
            ? throw RejectionException.Schema("maxLength", $"must be at most {maximum} character(s) long")
            : text;
    }

    /// <summary>A number within bounds, which are JSON numbers.</summary>
    public static JsonElement Limited(
        JsonElement element,
        string? minimum = null,
        string? maximum = null,
        string? exclusiveMinimum = null,
        string? exclusiveMaximum = null,
        string? multipleOf = null)
    {
        var number = Number(element);
        CheckBound("minimum", "at least", minimum, bound => number >= bound);
        CheckBound("maximum", "at most", maximum, bound => number <= bound);
        CheckBound("exclusiveMinimum", "greater than", exclusiveMinimum, bound => number > bound);
        CheckBound("exclusiveMaximum", "less than", exclusiveMaximum, bound => number < bound);
        CheckBound("multipleOf", "a multiple of", multipleOf, number.IsMultipleOf);
        return element;
    }

    public static RejectionException NoSuchValue<T>(T found, IReadOnlyList<T> known) =>
        RejectionException.Schema("enum", $"must be one of {Quoted(known)}, but is `{found}`");

    public static ArgumentException NoSuchArgument<T>(T found, IReadOnlyList<T> known) =>
        new($"must be one of {Quoted(known)}, but is `{found}`");

    public static RejectionException NoSuchTag(JsonElement element, ReadOnlySpan<byte> tag, params string[] known)
    {
        var found = Tag(element, tag);
        var rejection = RejectionException.Schema("oneOf", $"must be one of {Quoted(known)}, but is `{found}`");
        rejection.Within(tag);
        return rejection;
    }

    public static RejectionException NoSuchKind(JsonElement element, params string[] known)
    {
        var words = string.Join(", ", known);
        return RejectionException.Schema("oneOf", $"must be one of {words}, but is {Word(element.ValueKind)}");
    }

    /// <summary>Whether a text matches a pattern somewhere.</summary>
    public static bool IsMatch(string text, string pattern)
    {
        try
        {
            return Patterns.GetOrAdd(pattern, Compiled).IsMatch(text);
        }
        catch (RegexMatchTimeoutException)
        {
            throw new RejectionException(
                RejectionClass.Limit, "pattern", $"takes too long to compare with the pattern `{pattern}`");
        }
    }

    /// <summary>
    /// A pattern that takes no longer than the text is long. One that looks around or back cannot be so,
    /// and gets a second at most.
    /// </summary>
    private static System.Text.RegularExpressions.Regex Compiled(string pattern)
    {
        try
        {
            return new(pattern, RegexOptions.CultureInvariant | RegexOptions.NonBacktracking);
        }
        catch (NotSupportedException)
        {
            return new(pattern, RegexOptions.CultureInvariant, System.TimeSpan.FromSeconds(1));
        }
    }

    private static void CheckBound(string keyword, string words, string? bound, Func<JsonNumber, bool> holds)
    {
        if (bound is not null && !holds(JsonNumber.OfGrammatical(bound)))
        {
            throw RejectionException.Schema(keyword, $"must be {words} {bound}");
        }
    }

    private static void CheckLength(int length, long minimum, long maximum)
    {
        if (length < minimum)
        {
            throw RejectionException.Schema("minItems", $"must hold at least {minimum} item(s), but holds {length}");
        }

        if (length > maximum)
        {
            throw RejectionException.Schema("maxItems", $"must hold at most {maximum} item(s), but holds {length}");
        }
    }

    private static void CheckUnique(JsonElement element)
    {
        var seen = new HashSet<string>();
        if (!element.EnumerateArray().All(item => seen.Add(CanonicalJson.Of(item))))
        {
            throw RejectionException.Schema("uniqueItems", "must not hold two equal items");
        }
    }

    private static RejectionException WrongKind(string expected, JsonElement element) =>
        RejectionException.Schema("type", $"must be of type {expected}, but is {Word(element.ValueKind)}");

    internal static RejectionException NoConstant(string expected) =>
        RejectionException.Schema("const", $"must be {expected}");

    internal static RejectionException Unpaired() =>
        new(RejectionClass.Syntax, "unpaired-surrogate", JsonStrings.UnpairedSentence);

    private static string Quoted<T>(IEnumerable<T> values) =>
        string.Join(", ", values.Select(value => $"`{value}`"));

    /// <summary>The kind of a value in the words of JSON Schema.</summary>
    private static string Word(JsonValueKind kind) => kind switch
    {
        JsonValueKind.Object => "object",
        JsonValueKind.Array => "array",
        JsonValueKind.String => "string",
        JsonValueKind.Number => "number",
        JsonValueKind.True or JsonValueKind.False => "boolean",
        _ => "null",
    };
}
