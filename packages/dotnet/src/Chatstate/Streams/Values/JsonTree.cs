using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.Json;

namespace Chatstate;

/// <summary>
/// A JSON value that can be changed. What was parsed stays as it is until it is looked into, so
/// that a change costs what it reaches and not what the document holds.
/// </summary>
internal sealed class JsonTree
{
    /// <summary>A parsed value, a text, a text that is built, a list, or the members of an object.</summary>
    private object content;

    private JsonTree(object content) => this.content = content;

    /// <summary>The members if this is an object.</summary>
    public OrderedDictionary<string, JsonTree>? Members
    {
        get
        {
            if (content is JsonElement { ValueKind: JsonValueKind.Object } element)
            {
                content = Opened(element);
            }

            return content as OrderedDictionary<string, JsonTree>;
        }
    }

    /// <summary>The items if this is an array.</summary>
    public List<JsonTree>? Items
    {
        get
        {
            if (content is JsonElement { ValueKind: JsonValueKind.Array } element)
            {
                content = element.EnumerateArray().Select(Of).ToList();
            }

            return content as List<JsonTree>;
        }
    }

    /// <summary>The text if this is one. It may begin or end with an unpaired surrogate.</summary>
    public string? Text
    {
        get
        {
            if (content is JsonElement { ValueKind: JsonValueKind.String } element)
            {
                content = JsonRead.SplitText(element);
            }

            return content as string ?? (content as StringBuilder)?.ToString();
        }
    }

    /// <summary>The value as it was parsed, if it was not looked into.</summary>
    public JsonElement? Parsed => content as JsonElement?;

    public static JsonTree Of(JsonElement element) => new(element);

    public static JsonTree Of(string text) => new((object)text);

    /// <summary>A value of a generated type.</summary>
    public static JsonTree Of<T>(T value)
        where T : IJsonType<T> => new(JsonWriting.Element(value, JsonWrite.Value));

    public static JsonTree OfItems(IEnumerable<JsonTree> items) => new(items.ToList());

    /// <summary>An object of texts. A member without a text is left out.</summary>
    public static JsonTree OfTexts(params (string Name, string? Text)[] texts)
    {
        var members = new OrderedDictionary<string, JsonTree>();
        foreach (var (name, text) in texts)
        {
            if (text is not null)
            {
                members[name] = Of(text);
            }
        }

        return new(members);
    }

    public JsonTree? Member(string name) =>
        Members is { } members && members.TryGetValue(name, out var value) ? value : null;

    /// <summary>The text of a member if it is one.</summary>
    public string? TextOf(string name) => Member(name)?.Text;

    public void Set(string name, JsonTree value)
    {
        if (Members is { } members)
        {
            members[name] = value;
        }
    }

    public void Set(string name, string text) => Set(name, Of(text));

    public void Remove(string name) => Members?.Remove(name);

    /// <summary>
    /// Appends to a text; what is not text begins again. An unpaired surrogate that a failed run left at the end
    /// cannot be completed any more when the text continues, and U+FFFD takes its place. The surrogate that the text
    /// ends in stays, for what follows.
    /// </summary>
    public void Append(string text)
    {
        if (content is StringBuilder built && SurrogatesMeet(built, text))
        {
            built.Append(text);
            return;
        }

        var before = Text ?? "";
        if (before.Length == 0)
        {
            content = text;
        }
        else if (text.Length == 0 || char.IsHighSurrogate(before[^1]) == char.IsLowSurrogate(text[0]))
        {
            content = new StringBuilder(before).Append(text);
        }
        else
        {
            var start = char.IsLowSurrogate(text[0]) ? $"\uFFFD{text[1..]}" : text;
            content = WithoutSplitEnds(before) + start;
        }
    }

    /// <summary>A value of its own. What is not opened yet never changes and is shared.</summary>
    public JsonTree Copy() => content switch
    {
        StringBuilder text => Of(text.ToString()),
        List<JsonTree> items => OfItems(items.Select(item => item.Copy())),
        OrderedDictionary<string, JsonTree> members => new(Copied(members)),
        _ => new(content),
    };

    /// <summary>Whether two values are equal: neither the order of members nor spelling makes a difference.</summary>
    public bool IsEqualTo(JsonTree other)
    {
        if (ReferenceEquals(this, other))
        {
            return true;
        }

        if (Members is { } members)
        {
            return other.Members is { } others && AreEqual(members, others);
        }

        if (Items is { } items)
        {
            return other.Items is { } others
                && items.Count == others.Count
                && items.Zip(others).All(pair => pair.First.IsEqualTo(pair.Second));
        }

        return Text is { } text ? text == other.Text : IsSameLeaf(other);
    }

    /// <summary>How deep arrays and objects are nested in this value.</summary>
    public int Depth() => content switch
    {
        List<JsonTree> items => 1 + DepthOf(items),
        OrderedDictionary<string, JsonTree> members => 1 + DepthOf(members.Values),
        JsonElement element => DepthOf(element),
        _ => 0,
    };

    /// <summary>The number of bytes of the compact text.</summary>
    public long Length() => Encoding.UTF8.GetByteCount(ToJson());

    /// <summary>Rejects a value in which a program's own value is left that no reader takes.</summary>
    public void Check()
    {
        switch (content)
        {
            case List<JsonTree> items:
                foreach (var (index, item) in items.Index())
                {
                    Check(item, rejection => rejection.Within(index));
                }

                break;
            case OrderedDictionary<string, JsonTree> members:
                foreach (var (name, value) in members)
                {
                    Check(value, rejection => rejection.Within(name));
                }

                break;
            case JsonElement { ValueKind: JsonValueKind.Array or JsonValueKind.Object } element:
                JsonChecker.Check(JsonMarshal.GetRawUtf8Value(element));
                break;
        }
    }

    /// <summary>The compact text.</summary>
    public string ToJson() => JsonText.Write(this, static (writer, tree) => tree.WriteTo(writer));

    public void WriteTo(Utf8JsonWriter writer)
    {
        switch (content)
        {
            case string text:
                JsonWrite.SplitText(writer, text);
                break;
            case StringBuilder text:
                JsonWrite.SplitText(writer, text.ToString());
                break;
            case List<JsonTree> items:
                writer.WriteStartArray();
                items.ForEach(item => item.WriteTo(writer));
                writer.WriteEndArray();
                break;
            case OrderedDictionary<string, JsonTree> members:
                writer.WriteStartObject();
                foreach (var (name, value) in members)
                {
                    writer.WritePropertyName(name);
                    value.WriteTo(writer);
                }

                writer.WriteEndObject();
                break;
            default:
                WriteElement(writer, (JsonElement)content);
                break;
        }
    }

    /// <summary>The value as one that does not change any more.</summary>
    public JsonElement ToElement() =>
        content is JsonElement element ? element : JsonWriting.Element(this, static (writer, tree) => tree.WriteTo(writer));

    /// <summary>The members of an object, which a program may have made with names that no reader takes.</summary>
    private static OrderedDictionary<string, JsonTree> Opened(JsonElement element)
    {
        var members = new OrderedDictionary<string, JsonTree>(element.GetPropertyCount());
        foreach (var member in element.EnumerateObject())
        {
            if (!members.TryAdd(JsonRead.Name(JsonMarshal.GetRawUtf8PropertyName(member)), Of(member.Value)))
            {
                throw new RejectionException(RejectionClass.Syntax, "duplicate-member", JsonChecker.DuplicateSentence);
            }
        }

        return members;
    }

    private static void Check(JsonTree value, Func<RejectionException, bool> isPlaced)
    {
        try
        {
            value.Check();
        }
        catch (RejectionException rejection) when (isPlaced(rejection))
        {
            throw;
        }
    }

    private static OrderedDictionary<string, JsonTree> Copied(OrderedDictionary<string, JsonTree> members)
    {
        var copy = new OrderedDictionary<string, JsonTree>(members.Count);
        foreach (var (name, value) in members)
        {
            copy.Add(name, value.Copy());
        }

        return copy;
    }

    private static bool AreEqual(OrderedDictionary<string, JsonTree> members, OrderedDictionary<string, JsonTree> others) =>
        members.Count == others.Count
        && members.All(member => others.TryGetValue(member.Key, out var value) && member.Value.IsEqualTo(value));

    private static bool SurrogatesMeet(StringBuilder before, string text) =>
        text.Length == 0 || char.IsHighSurrogate(before[^1]) == char.IsLowSurrogate(text[0]);

    /// <summary>The text with the replacement character in the place of an unpaired surrogate at either end.</summary>
    private static string WithoutSplitEnds(string text)
    {
        if (JsonStrings.IsWhole(text))
        {
            return text;
        }

        var first = char.IsLowSurrogate(text[0]) ? "\uFFFD" : "";
        var last = char.IsHighSurrogate(text[^1]) ? "\uFFFD" : "";
        return $"{first}{JsonStrings.Body(text)}{last}";
    }

    private static int DepthOf(IEnumerable<JsonTree> values) =>
        values.Select(value => value.Depth()).DefaultIfEmpty().Max();

    private static int DepthOf(JsonElement element) => element.ValueKind switch
    {
        JsonValueKind.Array => 1 + element.EnumerateArray().Select(DepthOf).DefaultIfEmpty().Max(),
        JsonValueKind.Object => 1 + element.EnumerateObject().Select(member => DepthOf(member.Value)).DefaultIfEmpty().Max(),
        _ => 0,
    };

    /// <summary>Writes a value as it was parsed. Texts in it may have unpaired surrogates at their ends.</summary>
    private static void WriteElement(Utf8JsonWriter writer, JsonElement element)
    {
        switch (element.ValueKind)
        {
            case JsonValueKind.String:
                JsonWrite.SplitText(writer, JsonRead.SplitText(element));
                break;
            case JsonValueKind.Array:
                writer.WriteStartArray();
                foreach (var item in element.EnumerateArray())
                {
                    WriteElement(writer, item);
                }

                writer.WriteEndArray();
                break;
            case JsonValueKind.Object:
                writer.WriteStartObject();
                foreach (var member in element.EnumerateObject())
                {
                    writer.WritePropertyName(JsonRead.Name(JsonMarshal.GetRawUtf8PropertyName(member)));
                    WriteElement(writer, member.Value);
                }

                writer.WriteEndObject();
                break;
            default:
                JsonWrite.Any(writer, element);
                break;
        }
    }

    private bool IsSameLeaf(JsonTree other)
    {
        if (content is not JsonElement one || other.content is not JsonElement two || one.ValueKind != two.ValueKind)
        {
            return false;
        }

        return one.ValueKind != JsonValueKind.Number || JsonRead.Number(one) == JsonRead.Number(two);
    }
}
