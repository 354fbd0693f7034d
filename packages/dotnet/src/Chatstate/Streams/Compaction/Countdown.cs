using System.Text;
using System.Text.Json;

namespace Chatstate;

/// <summary>
/// Counts the bytes of canonical text, which every implementation counts alike, down from a limit. It stops where the
/// limit is passed, so that it costs no more than what it is compared with.
/// </summary>
/// <param name="limit">The limit.</param>
internal struct Countdown(long limit)
{
    private long left = limit;

    /// <summary>The size of an event. Timestamps do not count, since a snapshot has none of the many.</summary>
    public static long SizeOf(Event happened)
    {
        var tree = JsonTree.Of(happened);
        tree.Remove("timestamp");
        var countdown = new Countdown(long.MaxValue);
        countdown.Take(tree);
        return long.MaxValue - countdown.left;
    }

    /// <summary>Takes bytes off; <c>false</c> where the limit is passed.</summary>
    public bool Take(long bytes)
    {
        left -= bytes;
        return left >= 0;
    }

    /// <summary>Takes a value off.</summary>
    public bool Take(JsonTree value)
    {
        if (value.Parsed is { } parsed)
        {
            return Take(parsed);
        }

        if (value.Text is { } text)
        {
            return TakeText(text);
        }

        return value.Items is { } items ? TakeItems(items) : TakeMembers(value.Members!);
    }

    private bool TakeItems(System.Collections.Generic.List<JsonTree> items)
    {
        var isWithin = TakeFrame(items.Count);
        for (var place = 0; isWithin && place < items.Count; place++)
        {
            isWithin = Take(items[place]);
        }

        return isWithin;
    }

    private bool TakeMembers(System.Collections.Generic.OrderedDictionary<string, JsonTree> members)
    {
        var isWithin = TakeFrame(members.Count);
        for (var place = 0; isWithin && place < members.Count; place++)
        {
            var (name, value) = members.GetAt(place);
            isWithin = TakeText(name) && Take(1) && Take(value);
        }

        return isWithin;
    }

    private bool Take(JsonElement value)
    {
        switch (value.ValueKind)
        {
            case JsonValueKind.Object:
                return TakeMembers(value);
            case JsonValueKind.Array:
                return TakeItems(value);
            case JsonValueKind.String:
                return TakeText(JsonRead.SplitText(value));
            case JsonValueKind.Number:
                var number = JsonRead.Number(value);
                return Take(number.Decimal.ToCanonical(number.ToDouble()).Length);
            default:
                return Take(value.ValueKind == JsonValueKind.False ? 5 : 4);
        }
    }

    private bool TakeMembers(JsonElement value)
    {
        var isWithin = TakeFrame(value.GetPropertyCount());
        foreach (var member in value.EnumerateObject())
        {
            isWithin = isWithin && TakeText(member.Name) && Take(1) && Take(member.Value);
        }

        return isWithin;
    }

    private bool TakeItems(JsonElement value)
    {
        var isWithin = TakeFrame(value.GetArrayLength());
        foreach (var item in value.EnumerateArray())
        {
            isWithin = isWithin && Take(item);
        }

        return isWithin;
    }

    /// <summary>Takes off what is around and between so many values.</summary>
    private bool TakeFrame(int count) => Take(1 + (count == 0 ? 1 : count));

    private bool TakeText(string text) =>
        // Escapes only make it longer.
        text.Length + 2 <= left && Take(Encoding.UTF8.GetByteCount(CanonicalJson.Quoted(text)));
}
