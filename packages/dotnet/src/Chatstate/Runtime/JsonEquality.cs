using System;

namespace Chatstate;

/// <summary>Values that are compared, and shown, as the JSON that they are.</summary>
internal static class JsonEquality
{
    /// <summary>How many characters of a document are shown.</summary>
    private const int ShownLength = 200;

    /// <summary>Whether two values are equal as JSON. What cannot be written equals only itself.</summary>
    public static bool AreEqual<T>(T value, T? other)
        where T : class, IJsonWritable
    {
        if (other is null || ReferenceEquals(value, other))
        {
            return other is not null;
        }

        return Written(value) is { } text && Written(other) is { } otherText
            && (text == otherText || Canonical(text) == Canonical(otherText));
    }

    /// <summary>The canonical text of a value, in which a text may begin or end with half a character.</summary>
    public static string CanonicalOf(IJsonWritable value) => Canonical(value.ToJson());

    /// <summary>One number for equal values.</summary>
    public static int HashOf(IJsonWritable value) =>
        Written(value) is { } text ? StringComparer.Ordinal.GetHashCode(Canonical(text)) : 0;

    /// <summary>The document of a value, cut where it is long, or why it has none.</summary>
    public static string Shown(IJsonWritable value)
    {
        try
        {
            var text = value.ToJson();
            if (text.Length <= ShownLength)
            {
                return text;
            }

            // A pair of surrogates is not to be cut in two.
            var length = char.IsHighSurrogate(text[ShownLength - 1]) ? ShownLength - 1 : ShownLength;
            return text[..length] + "…";
        }
        catch (RejectionException rejection)
        {
            return $"not valid: {rejection.Message}";
        }
    }

    private static string Canonical(string text) => CanonicalJson.Of(JsonText.Parse(text));

    /// <summary>The document of a value, if it has one.</summary>
    private static string? Written(IJsonWritable value)
    {
        try
        {
            return value.ToJson();
        }
        catch (RejectionException)
        {
            return null;
        }
    }
}
