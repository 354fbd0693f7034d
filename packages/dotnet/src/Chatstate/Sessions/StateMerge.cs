using System.Collections.Generic;
using System.Linq;

namespace Chatstate;

/// <summary>What a type changed, carried over to a value of which it may know only a part.</summary>
internal static class StateMerge
{
    /// <summary>
    /// The value, changed as a type has changed what it knows of it. What did not change stays as it is, and so
    /// do members that the type does not know. The items of a list are matched by their places if there are as many
    /// as before; of a list of another length, those at both ends that did not change are.
    /// </summary>
    public static JsonTree Merged(JsonTree origin, JsonTree before, JsonTree after)
    {
        if (before.IsEqualTo(after))
        {
            return origin;
        }

        if (origin.Members is not null && before.Members is not null && after.Members is not null)
        {
            return Members(origin, before, after);
        }

        return origin.Items is { } items && before.Items is { } known && after.Items is { } now && items.Count == known.Count
            ? JsonTree.OfItems(Items(items, known, now))
            : after;
    }

    private static JsonTree Members(JsonTree origin, JsonTree before, JsonTree after)
    {
        var merged = JsonTree.OfTexts();
        foreach (var (name, value) in origin.Members!)
        {
            var (known, now) = (before.Member(name), after.Member(name));
            if (now is not null)
            {
                merged.Set(name, known is null ? now : Merged(value, known, now));
            }
            else if (known is null)
            {
                merged.Set(name, value);
            }
        }

        foreach (var (name, value) in after.Members!)
        {
            if (origin.Member(name) is null && before.Member(name)?.IsEqualTo(value) != true)
            {
                merged.Set(name, value);
            }
        }

        return merged;
    }

    private static IEnumerable<JsonTree> Items(List<JsonTree> origin, List<JsonTree> before, List<JsonTree> after)
    {
        if (before.Count == after.Count)
        {
            return origin.Select((item, place) => Merged(item, before[place], after[place]));
        }

        var shorter = before.Count < after.Count ? before.Count : after.Count;
        var first = Enumerable.Range(0, shorter).TakeWhile(place => before[place].IsEqualTo(after[place])).Count();
        var last = Enumerable.Range(1, shorter - first).TakeWhile(place => before[^place].IsEqualTo(after[^place])).Count();
        return [.. origin.Take(first), .. after.Skip(first).SkipLast(last), .. origin.TakeLast(last)];
    }
}
