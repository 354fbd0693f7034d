using System;
using System.Buffers;
using System.Globalization;

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
        // No text has more units than its spelling has bytes.
        var room = ArrayPool<char>.Shared.Rent(escaped.Length);
        try
        {
            return new(room.AsSpan(0, Decode(escaped, room)));
        }
        finally
        {
            ArrayPool<char>.Shared.Return(room);
        }
    }

    /// <summary>Writes the text to where there is room for it, and gives its length.</summary>
    private static int Decode(ReadOnlySpan<byte> escaped, Span<char> text)
    {
        var length = 0;
        for (var start = escaped.IndexOf((byte)'\\'); start >= 0; start = escaped.IndexOf((byte)'\\'))
        {
            length += System.Text.Encoding.UTF8.GetChars(escaped[..start], text[length..]);
            text[length++] = Unescaped(escaped[start..], out var used);
            escaped = escaped[(start + used)..];
        }

        return length + System.Text.Encoding.UTF8.GetChars(escaped, text[length..]);
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
        var passed = 0;
        while (text[passed..].IndexOfAnyInRange('\ud800', '\udfff') is >= 0 and var next)
        {
            var index = passed + next;
            if (index + 1 == text.Length || !char.IsSurrogatePair(text[index], text[index + 1]))
            {
                return index;
            }

            passed = index + 2;
        }

        return -1;
    }

    /// <summary>What an escape stands for, and the number of bytes that spell it.</summary>
    private static char Unescaped(ReadOnlySpan<byte> escape, out int used)
    {
        if (escape[1] == 'u')
        {
            used = 6;
            return (char)ushort.Parse(escape[2..6], NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture);
        }

        used = 2;
        return (char)escape[1] switch
        {
            'b' => '\b',
            'f' => '\f',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            var other => other,
        };
    }
}
