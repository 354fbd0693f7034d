using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text.Json;

namespace Chatstate;

/// <summary>
/// One pass over a text before it is parsed: grammar, depth, duplicate names, and unpaired
/// surrogates inside of texts. Those at the ends of texts pass, since only the schema knows where they
/// are allowed.
/// </summary>
internal ref struct JsonChecker
{
    /// <summary>The deepest nesting of arrays and objects that is read.</summary>
    public const int MaxDepth = 512;

    /// <summary>The longest exponent of a number, in digits.</summary>
    private const int MaxExponentDigits = 18;

    private readonly List<Frame> frames;
    private Utf8JsonReader reader;

    private JsonChecker(ReadOnlySpan<byte> utf8Json)
    {
        frames = [];
        reader = new Utf8JsonReader(utf8Json, new JsonReaderOptions { MaxDepth = MaxDepth + 1 });
    }

    /// <summary>Rejects a text that is not to be parsed.</summary>
    public static void Check(ReadOnlySpan<byte> utf8Json)
    {
        var checker = new JsonChecker(utf8Json);
        try
        {
            while (checker.reader.Read())
            {
                checker.Token();
            }
        }
        catch (JsonException exception) when (exception is not RejectionException)
        {
            throw checker.NotJson(exception);
        }
    }

    private readonly void Token()
    {
        switch (reader.TokenType)
        {
            case JsonTokenType.StartObject:
            case JsonTokenType.StartArray:
                Open();
                break;
            case JsonTokenType.EndObject:
            case JsonTokenType.EndArray:
                frames.RemoveAt(frames.Count - 1);
                EndValue();
                break;
            case JsonTokenType.PropertyName:
                Name();
                break;
            case JsonTokenType.String:
                CheckText(reader.ValueSpan, reader.ValueIsEscaped);
                EndValue();
                break;
            case JsonTokenType.Number:
                CheckNumber(reader.ValueSpan);
                EndValue();
                break;
            default:
                EndValue();
                break;
        }
    }

    private readonly void Open()
    {
        if (frames.Count == MaxDepth)
        {
            throw Reject(
                RejectionClass.Limit,
                "depth",
                $"the document is nested deeper than {MaxDepth} levels, which is as deep as this reader goes");
        }

        var names = reader.TokenType == JsonTokenType.StartObject ? new HashSet<string>() : null;
        frames.Add(new Frame(names));
    }

    private readonly void EndValue()
    {
        if (frames.Count > 0)
        {
            frames[^1].Index++;
        }
    }

    private readonly void Name()
    {
        var name = JsonStrings.Decode(reader.ValueSpan);
        var frame = frames[^1];
        frame.Name = null;
        if (!JsonStrings.IsWhole(name))
        {
            throw Unpaired();
        }

        frame.Name = name;
        if (!frame.Names!.Add(name))
        {
            throw Reject(
                RejectionClass.Syntax,
                "duplicate-member",
                "a member name occurs twice in one object; readers disagree about which one counts, so remove one");
        }
    }

    private readonly void CheckText(ReadOnlySpan<byte> text, bool isEscaped)
    {
        if (isEscaped && !JsonStrings.IsSplit(JsonStrings.Decode(text)))
        {
            throw Unpaired();
        }
    }

    private readonly void CheckNumber(ReadOnlySpan<byte> number)
    {
        var exponent = number.IndexOfAny((byte)'e', (byte)'E');
        if (exponent < 0)
        {
            return;
        }

        var digits = number[(exponent + 1)..].TrimStart("+-"u8).TrimStart((byte)'0');
        if (digits.Length > MaxExponentDigits)
        {
            throw Reject(
                RejectionClass.Limit,
                "number-exponent",
                $"a number's exponent has more than {MaxExponentDigits} digits");
        }
    }

    private readonly RejectionException Unpaired() =>
        Reject(RejectionClass.Syntax, "unpaired-surrogate", JsonStrings.UnpairedSentence);

    private readonly RejectionException NotJson(JsonException exception)
    {
        var (line, column) = (exception.LineNumber + 1, exception.BytePositionInLine + 1);
        var place = line is null ? "" : string.Create(CultureInfo.InvariantCulture, $" (line {line}, byte {column})");
        return Reject(RejectionClass.Syntax, "json", $"not JSON{place}: correct the text there");
    }

    private readonly RejectionException Reject(RejectionClass rejectionClass, string rule, string sentence) =>
        new(rejectionClass, rule, sentence, string.Concat(frames.Select(frame => frame.Step)));

    /// <summary>An open array or object.</summary>
    private sealed class Frame(HashSet<string>? names)
    {
        public HashSet<string>? Names => names;

        public string? Name { get; set; }

        public int Index { get; set; }

        /// <summary>The step of a JSON Pointer to what is read now.</summary>
        public string Step => Names is null
            ? $"/{Index.ToString(CultureInfo.InvariantCulture)}"
            : Name is null ? "" : $"/{RejectionException.Escape(Name)}";
    }
}
