using System;
using System.Collections.Generic;
using System.Numerics;
using System.Runtime.InteropServices;
using System.Text.Json;

namespace Chatstate;

/// <summary>
/// A short name of a value, which lives as long as the process. Values that are equal have one, whatever the order of
/// their members and their spelling; that two others have one is as good as impossible.
/// </summary>
internal readonly record struct ValueDigest(ulong First, ulong Second)
{
    // Odd numbers without a pattern: the fractional digits of square roots of primes.
    private const ulong One = 0x6a09e667f3bcc909;
    private const ulong Two = 0xbb67ae8584caa73b;
    private const ulong Three = 0x3c6ef372fe94f82b;
    private const ulong Four = 0xa54ff53a5f1d36f1;

    /// <summary>The digest of bytes as they are.</summary>
    public static ValueDigest OfBytes(ReadOnlySpan<byte> bytes)
    {
        var (first, second) = ((ulong)bytes.Length ^ One, (ulong)bytes.Length ^ Three);
        var words = MemoryMarshal.Cast<byte, ulong>(bytes);
        for (; words.Length > 1; words = words[2..])
        {
            (first, second) = (Mixed(first ^ words[0], words[1] ^ Two), Mixed(second ^ words[1], words[0] ^ Four));
        }

        Span<ulong> rest = [0, 0];
        bytes[(bytes.Length & ~15)..].CopyTo(MemoryMarshal.AsBytes(rest));
        return new(Mixed(first ^ rest[0], rest[1] ^ Two), Mixed(second ^ rest[1], rest[0] ^ Four));
    }

    public static ValueDigest OfText(ReadOnlySpan<char> text) => OfBytes(MemoryMarshal.AsBytes(text)).Tagged('s');

    /// <summary>The digest of a number, whatever its spelling.</summary>
    public static ValueDigest OfNumber(JsonNumber number) =>
        OfText(number.Decimal.ToCanonical(number.ToDouble())).Tagged('n');

    /// <summary>The digest of a truth value or of null.</summary>
    public static ValueDigest OfWord(JsonValueKind kind) => default(ValueDigest).Tagged((char)kind);

    /// <summary>The digest of a parsed value.</summary>
    public static ValueDigest Of(JsonElement element)
    {
        switch (element.ValueKind)
        {
            case JsonValueKind.Object:
                var members = default(ValueDigest);
                foreach (var member in element.EnumerateObject())
                {
                    members = members.WithMember(OfText(member.Name), Of(member.Value));
                }

                return members.Tagged('o');
            case JsonValueKind.Array:
                var items = default(ValueDigest);
                foreach (var item in element.EnumerateArray())
                {
                    items = items.WithItem(Of(item));
                }

                return items.Tagged('a');
            case JsonValueKind.String:
                return OfText(JsonRead.SplitText(element));
            case JsonValueKind.Number:
                return OfNumber(JsonRead.Number(element));
            default:
                return OfWord(element.ValueKind);
        }
    }

    /// <summary>The digest of an object with these members.</summary>
    public static ValueDigest OfMembers(IEnumerable<KeyValuePair<string, JsonTree>> members)
    {
        var digest = default(ValueDigest);
        foreach (var (name, value) in members)
        {
            digest = digest.WithMember(OfText(name), value.Digest());
        }

        return digest.Tagged('o');
    }

    /// <summary>The digest of an array with these items.</summary>
    public static ValueDigest OfItems(IEnumerable<JsonTree> items)
    {
        var digest = default(ValueDigest);
        foreach (var item in items)
        {
            digest = digest.WithItem(item.Digest());
        }

        return digest.Tagged('a');
    }

    /// <summary>Members have no order, so they are added up.</summary>
    public ValueDigest WithMember(ValueDigest name, ValueDigest value) => new(
        First + Mixed(name.First ^ value.First, value.Second ^ Two),
        Second + Mixed(name.Second ^ value.Second, value.First ^ Four));

    /// <summary>The items so far and one more.</summary>
    public ValueDigest WithItem(ValueDigest item) =>
        new(Mixed(First ^ item.First, item.Second ^ One), Mixed(Second ^ item.Second, item.First ^ Three));

    /// <summary>The digest of a value of a kind, which tells it from others that are made of the same.</summary>
    public ValueDigest Tagged(char kind) => new(Mixed(First ^ kind, Two), Mixed(Second ^ kind, Four));

    private static ulong Mixed(ulong left, ulong right)
    {
        var high = Math.BigMul(left, right, out var low);
        // A factor of zero would forget the other one.
        return high ^ low ^ BitOperations.RotateLeft(left, 23) ^ right;
    }
}
