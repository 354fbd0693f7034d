using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Globalization;
using System.Numerics;
using System.Text;

namespace Chatstate;

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
