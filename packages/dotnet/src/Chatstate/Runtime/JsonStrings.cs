using System;
using System.Globalization;
using System.Text;

namespace Chatstate;

/// <summary>
/// Strings of JSON as strings of C#, which may hold unpaired surrogates. The parser of the base
/// class library reads no such strings, so they are decoded here.
/// </summary>
internal static class JsonStrings
{
    public const string UnpairedSentence =
        "text holds an unpaired surrogate; only a text delta may begin or end with one";

    /// <summary>The text of a string without its quotes, which is grammatical.</summary>
    public static string Decode(ReadOnlySpan<byte> escaped)
    {
        var start = escaped.IndexOf((byte)'\\');
        if (start < 0)
        {
            return System.Text.Encoding.UTF8.GetString(escaped);
        }

        var text = new StringBuilder(escaped.Length);
        while (start >= 0)
        {
            text.Append(System.Text.Encoding.UTF8.GetString(escaped[..start]));
            escaped = Unescape(escaped[start..], text);
            start = escaped.IndexOf((byte)'\\');
        }

        return text.Append(System.Text.Encoding.UTF8.GetString(escaped)).ToString();
    }

    /// <summary>Whether there is no unpaired surrogate.</summary>
    public static bool IsWhole(ReadOnlySpan<char> text) => FirstUnpaired(text) < 0;

    /// <summary>Whether unpaired surrogates are only at the ends.</summary>
    public static bool IsSplit(ReadOnlySpan<char> text) => IsWhole(Body(text));

    /// <summary>The text without the unpaired surrogates at its ends.</summary>
    public static ReadOnlySpan<char> Body(ReadOnlySpan<char> text)
    {
        if (text.Length > 0 && char.IsLowSurrogate(text[0]))
        {
            text = text[1..];
        }

        return text.Length > 0 && char.IsHighSurrogate(text[^1]) ? text[..^1] : text;
    }

    private static int FirstUnpaired(ReadOnlySpan<char> text)
    {
        for (var index = 0; index < text.Length; index++)
        {
            if (!char.IsSurrogate(text[index]))
            {
                continue;
            }

            if (index + 1 == text.Length || !char.IsSurrogatePair(text[index], text[index + 1]))
            {
                return index;
            }

            index++;
        }

        return -1;
    }

    /// <summary>Appends what an escape stands for, and gives what follows it.</summary>
    private static ReadOnlySpan<byte> Unescape(ReadOnlySpan<byte> escape, StringBuilder text)
    {
        if (escape[1] == 'u')
        {
            text.Append((char)ushort.Parse(escape[2..6], NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture));
            return escape[6..];
        }

        text.Append((char)escape[1] switch
        {
            'b' => '\b',
            'f' => '\f',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            var other => other,
        });
        return escape[2..];
    }
}
