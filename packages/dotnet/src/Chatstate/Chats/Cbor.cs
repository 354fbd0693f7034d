using System;
using System.Buffers.Binary;
using System.Collections.Generic;
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

/// <summary>Reads CBOR as JSON text.</summary>
internal sealed class CborReader
{
    private readonly byte[] encoded;

    private readonly StringBuilder json = new();

    private int position;

    private CborReader(byte[] encoded) => this.encoded = encoded;

    public static string Read(byte[] encoded)
    {
        var reader = new CborReader(encoded);
        reader.Value(0);
        return reader.position == encoded.Length
            ? reader.json.ToString()
            : throw Rejection("cbor", reader.position, "there are bytes after the value");
    }

    private void Value(int depth)
    {
        var at = position;
        var (major, code, count) = Head();
        switch (major)
        {
            case 0:
                json.Append(count);
                break;
            case 1:
                json.Append(-1 - (BigInteger)count);
                break;
            case 2:
                throw NoJson(at, "a byte string");
            case 3:
                json.Append(CanonicalJson.Quoted(Text(at, count)));
                break;
            case 4 or 5 when depth == JsonChecker.MaxDepth:
                throw new RejectionException(
                    RejectionClass.Limit, "depth", $"the document nests deeper than {depth} levels (byte {at})");
            case 4:
                Items(count, depth + 1);
                break;
            case 5:
                Members(count, depth + 1);
                break;
            case 6:
                Tagged(at, count);
                break;
            default:
                Simple(at, code, count);
                break;
        }
    }

    /// <summary>A head: the kind, how the number is written, and the number.</summary>
    private (int Major, int Code, ulong Count) Head()
    {
        var at = position;
        var first = Bytes(at, 1)[0];
        var (major, code) = (first >> 5, first & 31);
        if (code < 24)
        {
            return (major, code, (ulong)code);
        }

        if (code == 31 && major is >= 2 and <= 5)
        {
            throw Rejection("cbor.indefinite", at, "a length is left open; write it with definite lengths");
        }

        if (code > 27)
        {
            throw Rejection("cbor", at, "this byte begins no value");
        }

        var count = 0UL;
        foreach (var one in Bytes(at, 1UL << (code - 24)))
        {
            count = (count << 8) | one;
        }

        return (major, code, count);
    }

    private ReadOnlySpan<byte> Bytes(int at, ulong count)
    {
        if (count > (ulong)(encoded.Length - position))
        {
            throw Rejection("cbor", at, "the document ends in the middle of a value");
        }

        var taken = encoded.AsSpan(position, (int)count);
        position += (int)count;
        return taken;
    }

    private string Text(int at, ulong count)
    {
        var taken = Bytes(at, count);
        return System.Text.Unicode.Utf8.IsValid(taken)
            ? Encoding.UTF8.GetString(taken)
            : throw Rejection("utf-8", at, "a text is not UTF-8");
    }

    private void Items(ulong count, int depth)
    {
        json.Append('[');

        // The length is a claim: there may be fewer items.
        for (var index = 0UL; index < count; index++)
        {
            json.Append(index == 0 ? "" : ",");
            Inside(index.ToString(CultureInfo.InvariantCulture), depth);
        }

        json.Append(']');
    }

    private void Members(ulong count, int depth)
    {
        json.Append('{');
        var names = new HashSet<string>(StringComparer.Ordinal);
        for (var index = 0UL; index < count; index++)
        {
            var at = position;
            var (major, _, length) = Head();
            var name = major == 3 ? Text(at, length) : throw Rejection("cbor.key", at, "a key is not text, and JSON has keys of text only");
            if (!names.Add(name))
            {
                throw Within(Rejection("duplicate-member", at, $"the member `{name}` appears more than once"), name);
            }

            json.Append(index == 0 ? "" : ",").Append(CanonicalJson.Quoted(name)).Append(':');
            Inside(name, depth);
        }

        json.Append('}');
    }

    private void Inside(string step, int depth)
    {
        try
        {
            Value(depth);
        }
        catch (RejectionException rejection)
        {
            throw Within(rejection, step);
        }
    }

    private void Simple(int at, int code, ulong count)
    {
        if (code >= 25)
        {
            var taken = encoded.AsSpan(position - (1 << (code - 24)));
            var number = code switch
            {
                25 => (double)BinaryPrimitives.ReadHalfBigEndian(taken),
                26 => BinaryPrimitives.ReadSingleBigEndian(taken),
                _ => BinaryPrimitives.ReadDoubleBigEndian(taken),
            };
            var text = double.IsFinite(number) ? number.ToString("R", CultureInfo.InvariantCulture) : throw Rejection("cbor.value", at, "JSON has no such number");
            json.Append(DecimalText.Read(text).ToCanonical(number));
            return;
        }

        json.Append(code switch
        {
            20 => "false",
            21 => "true",
            22 => "null",
            _ => throw NoJson(at, $"the simple value {count}"),
        });
    }

    private void Tagged(int at, ulong tag)
    {
        switch (tag)
        {
            case Cbor.Positive or Cbor.Negative:
                Number(Big(tag).ToString(CultureInfo.InvariantCulture));
                break;
            case Cbor.Decimal:
                var (major, _, count) = Head();
                if (major != 4 || count != 2)
                {
                    throw NoPair(at);
                }

                var exponent = IntegerOfPair(withTags: false);
                Number(string.Create(CultureInfo.InvariantCulture, $"{IntegerOfPair(withTags: true)}e{exponent}"));
                break;
            case Cbor.SplitText:
                var text = HalfText.Decode(BytesAfterTag());
                json.Append(CanonicalJson.Quoted(
                    text is not null && !JsonStrings.IsWhole(text) && JsonStrings.IsSplit(text)
                        ? text
                        : throw Rejection("utf-8", at, "no unpaired surrogate is at an end")));
                break;
            default:
                throw Rejection("cbor.tag", at, $"the tag {tag} has no meaning in JSON; convert it before");
        }
    }

    private ReadOnlySpan<byte> BytesAfterTag()
    {
        var at = position;
        var (major, _, count) = Head();
        return major == 2 ? Bytes(at, count) : throw Rejection("cbor.tag", at, "the tag is not followed by bytes");
    }

    private BigInteger Big(ulong tag)
    {
        var taken = BytesAfterTag();

        // Five bytes have twelve digits.
        if (taken.Length / 5 * 12 > Cbor.MaxDigits)
        {
            throw Cbor.TooManyDigits();
        }

        var magnitude = new BigInteger(taken, isUnsigned: true, isBigEndian: true);
        return tag == Cbor.Positive ? magnitude : -1 - magnitude;
    }

    private BigInteger IntegerOfPair(bool withTags)
    {
        var at = position;
        var (major, _, count) = Head();
        return (major, count) switch
        {
            (0, _) => count,
            (1, _) => -1 - (BigInteger)count,
            (6, Cbor.Positive or Cbor.Negative) when withTags => Big(count),
            _ => throw NoPair(at),
        };
    }

    /// <summary>A number from its text, which the reader of JSON judges: its exponent has a limit.</summary>
    private void Number(string text)
    {
        _ = JsonText.Parse(text);
        json.Append(text);
    }

    private static RejectionException Rejection(string rule, int at, string sentence) =>
        new(RejectionClass.Syntax, rule, $"{sentence} (byte {at})");

    private static RejectionException NoJson(int at, string what) =>
        Rejection("cbor.value", at, $"this is {what}, which JSON does not have");

    private static RejectionException NoPair(int at) => Rejection("cbor.tag", at, "a decimal is a pair of two integers");

    private static RejectionException Within(RejectionException rejection, string step) =>
        new(rejection.Class, rejection.Rule, rejection.Sentence, $"/{RejectionException.Escape(step)}{rejection.At}");
}

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
