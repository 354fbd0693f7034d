using System;
using System.Collections.Generic;
using System.Text;

namespace Chatstate;

/// <summary>Text with half of a surrogate pair at an end as bytes: each half as three.</summary>
internal static class HalfText
{
    public static byte[] Encode(string text)
    {
        var bytes = new List<byte>();
        for (var index = 0; index < text.Length; index++)
        {
            var isPair = index + 1 < text.Length && char.IsSurrogatePair(text[index], text[index + 1]);
            var unit = (int)text[index];
            byte[] encoded = char.IsSurrogate(text[index]) && !isPair
                ? [(byte)(0xe0 | (unit >> 12)), (byte)(0x80 | ((unit >> 6) & 63)), (byte)(0x80 | (unit & 63))]
                : Encoding.UTF8.GetBytes(text.Substring(index, isPair ? 2 : 1));
            bytes.AddRange(encoded);
            index += isPair ? 1 : 0;
        }

        return bytes.ToArray();
    }

    /// <summary>The text of such bytes; null where they are none.</summary>
    public static string? Decode(ReadOnlySpan<byte> bytes)
    {
        var first = HalfIn(bytes, 0) is { } low && char.IsLowSurrogate(low) ? low.ToString() : "";
        var last = bytes.Length - 3 >= 3 * first.Length && HalfIn(bytes, bytes.Length - 3) is { } high && char.IsHighSurrogate(high)
            ? high.ToString()
            : "";
        var body = bytes[(3 * first.Length)..(bytes.Length - (3 * last.Length))];
        return System.Text.Unicode.Utf8.IsValid(body) ? first + Encoding.UTF8.GetString(body) + last : null;
    }

    private static char? HalfIn(ReadOnlySpan<byte> bytes, int at) =>
        at >= 0 && at + 3 <= bytes.Length && bytes[at] == 0xed && bytes[at + 1] is >= 0xa0 and <= 0xbf && bytes[at + 2] >> 6 == 2
            ? (char)(0xd000 | ((bytes[at + 1] & 63) << 6) | (bytes[at + 2] & 63))
            : null;
}
