using System;
using System.Collections.Generic;
using System.Globalization;
using System.Runtime.InteropServices;
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

    public const string DuplicateSentence =
        "a member name occurs twice in one object; readers disagree about which one counts, so remove one";

    /// <summary>The longest exponent of a number, in digits.</summary>
    private const int MaxExponentDigits = 18;

    /// <summary>From so many names on, those of an object are looked up in a set.</summary>
    private const int ManyNames = 16;

    private readonly ReadOnlySpan<byte> text;

    /// <summary>The arrays and objects that are open.</summary>
    private readonly List<Frame> frames;

    /// <summary>The names of their members so far, the innermost object's last.</summary>
    private readonly List<Name> names;

    private Utf8JsonReader reader;

    private JsonChecker(ReadOnlySpan<byte> utf8Json)
    {
        text = utf8Json;
        frames = [];
        names = [];
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
                Close();
                EndValue();
                break;
            case JsonTokenType.PropertyName:
                Member();
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

        frames.Add(new Frame(reader.TokenType == JsonTokenType.StartObject, names.Count));
    }

    private readonly void Close()
    {
        var first = frames[^1].FirstName;
        names.RemoveRange(first, names.Count - first);
        frames.RemoveAt(frames.Count - 1);
    }

    private readonly void EndValue()
    {
        if (frames.Count > 0)
        {
            CollectionsMarshal.AsSpan(frames)[^1].Index++;
        }
    }

    private readonly void Member()
    {
        // The name begins behind its quote.
        var name = new Name((int)reader.TokenStartIndex + 1, reader.ValueSpan.Length, reader.ValueIsEscaped);
        if (name.IsEscaped && !JsonStrings.IsWhole(Decoded(name)))
        {
            throw Reject(
                RejectionClass.Syntax, "unpaired-surrogate", JsonStrings.UnpairedSentence, PathTo(frames.Count - 1));
        }

        var isNew = IsNew(name);
        names.Add(name);
        if (!isNew)
        {
            throw Reject(RejectionClass.Syntax, "duplicate-member", DuplicateSentence);
        }
    }

    private readonly bool IsNew(Name name)
    {
        ref var frame = ref CollectionsMarshal.AsSpan(frames)[^1];
        var before = CollectionsMarshal.AsSpan(names)[frame.FirstName..];
        if (before.Length < ManyNames)
        {
            foreach (var other in before)
            {
                if (AreEqual(name, other))
                {
                    return false;
                }
            }

            return true;
        }

        if (frame.Many is null)
        {
            frame.Many = [];
            foreach (var other in before)
            {
                frame.Many.Add(Decoded(other));
            }
        }

        return frame.Many.Add(Decoded(name));
    }

    private readonly bool AreEqual(Name one, Name two) => one.IsEscaped || two.IsEscaped
        ? Decoded(one) == Decoded(two)
        : Spelling(one).SequenceEqual(Spelling(two));

    private readonly ReadOnlySpan<byte> Spelling(Name name) => text.Slice(name.Start, name.Length);

    private readonly string Decoded(Name name) => JsonStrings.Decode(Spelling(name));

    private readonly void CheckText(ReadOnlySpan<byte> text, bool isEscaped)
    {
        // Unpaired surrogates can only be written as escapes.
        if (isEscaped && text.IndexOf("\\u"u8) >= 0 && !JsonStrings.IsSplit(JsonStrings.Decode(text)))
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
        Reject(rejectionClass, rule, sentence, PathTo(frames.Count));

    private static RejectionException Reject(RejectionClass rejectionClass, string rule, string sentence, string at) =>
        new(rejectionClass, rule, sentence, at);

    /// <summary>The JSON Pointer to what is read now, of so many steps.</summary>
    private readonly string PathTo(int depth)
    {
        var path = new System.Text.StringBuilder();
        for (var level = 0; level < depth; level++)
        {
            path.Append(Step(level));
        }

        return path.ToString();
    }

    /// <summary>The step to what is read now from an open array or object; none to one whose first name is to come.</summary>
    private readonly string Step(int level)
    {
        var frame = frames[level];
        if (!frame.IsObject)
        {
            return $"/{frame.Index.ToString(CultureInfo.InvariantCulture)}";
        }

        var end = level + 1 < frames.Count ? frames[level + 1].FirstName : names.Count;
        return end == frame.FirstName ? "" : $"/{RejectionException.Escape(Decoded(names[end - 1]))}";
    }

    /// <summary>A name of a member, by its place in the text.</summary>
    private readonly record struct Name(int Start, int Length, bool IsEscaped);

    /// <summary>An open array or object.</summary>
    private struct Frame(bool isObject, int firstName)
    {
        public readonly bool IsObject => isObject;

        /// <summary>The number of names that objects around it have so far.</summary>
        public readonly int FirstName => firstName;

        /// <summary>The number of items or members that have been read.</summary>
        public int Index;

        /// <summary>The names, where they are many.</summary>
        public HashSet<string>? Many;
    }
}
