using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.Json;

namespace Chatstate.Testing;

/// <summary>One difference between two documents.</summary>
/// <param name="Class">What kind of change it is, such as <c>member-dropped</c>.</param>
/// <param name="At">JSON Pointer into the first document; into the second for what was added.</param>
/// <param name="Before">The value there in the first document, as JSON text, if there was one.</param>
/// <param name="After">The value there in the second document, as JSON text, if there is one.</param>
[Serializable]
public sealed record JsonDifference(string Class, string At, string? Before, string? After) : ISystemTextJsonOnly
{
    /// <summary>The differences from one value to another. None means that they are equal by value.</summary>
    public static IReadOnlyList<JsonDifference> Between(JsonElement before, JsonElement after)
    {
        var found = new List<JsonDifference>();
        Compare(JsonTree.Of(before), JsonTree.Of(after), "", found);
        return found;
    }

    /// <summary>The difference on one line.</summary>
    public override string ToString() => (Before, After) switch
    {
        (null, _) => $"{Class} at {Place}: {After}",
        (_, null) => $"{Class} at {Place}: {Before}",
        _ => $"{Class} at {Place}: {Before} became {After}",
    };

    private string Place => At == "" ? "the whole document" : At;

    private static void Compare(JsonTree before, JsonTree after, string at, List<JsonDifference> found)
    {
        if (before.Members is { } members && after.Members is { } others)
        {
            CompareMembers(members, others, at, found);
        }
        else if (before.Items is { } items && after.Items is { } rest)
        {
            CompareItems(items, rest, at, found);
        }
        else if (!before.IsEqualTo(after))
        {
            found.Add(new(Changed(before.ToElement(), after.ToElement()), at, before.ToJson(), after.ToJson()));
        }
    }

    private static void CompareMembers(
        OrderedDictionary<string, JsonTree> before,
        OrderedDictionary<string, JsonTree> after,
        string at,
        List<JsonDifference> found)
    {
        foreach (var (name, value) in before)
        {
            var place = $"{at}/{RejectionException.Escape(name)}";
            if (after.TryGetValue(name, out var other))
            {
                Compare(value, other, place, found);
            }
            else if (Renamed(name, before, after) is { } renamed)
            {
                found.Add(new("member-renamed", place, value.ToJson(), after[renamed].ToJson()));
            }
            else
            {
                found.Add(new(IsNull(value) ? "absent-for-null" : "member-dropped", place, value.ToJson(), null));
            }
        }

        foreach (var (name, value) in after)
        {
            if (!before.ContainsKey(name) && Renamed(name, after, before) is null)
            {
                var place = $"{at}/{RejectionException.Escape(name)}";
                found.Add(new(IsNull(value) ? "null-for-absent" : "member-added", place, null, value.ToJson()));
            }
        }
    }

    private static void CompareItems(List<JsonTree> before, List<JsonTree> after, string at, List<JsonDifference> found)
    {
        if (IsReordered(before, after))
        {
            found.Add(new("array-reordered", at, JsonTree.OfItems(before).ToJson(), JsonTree.OfItems(after).ToJson()));
            return;
        }

        // Of arrays of other lengths, what is equal at both ends belongs together.
        var shorter = int.Min(before.Count, after.Count);
        var isSameLength = before.Count == after.Count;
        var first = Enumerable.Range(0, shorter)
            .TakeWhile(place => isSameLength || before[place].IsEqualTo(after[place]))
            .Count();
        var last = Enumerable.Range(1, shorter - first).TakeWhile(place => before[^place].IsEqualTo(after[^place])).Count();
        var paired = shorter - last;
        for (var place = 0; place < paired; place++)
        {
            Compare(before[place], after[place], $"{at}/{place}", found);
        }

        for (var place = paired; place < before.Count - last; place++)
        {
            found.Add(new("item-dropped", $"{at}/{place}", before[place].ToJson(), null));
        }

        for (var place = paired; place < after.Count - last; place++)
        {
            found.Add(new("item-added", $"{at}/{place}", null, after[place].ToJson()));
        }
    }

    private static bool IsReordered(List<JsonTree> before, List<JsonTree> after)
    {
        if (before.Count != after.Count || before.Zip(after).All(pair => pair.First.IsEqualTo(pair.Second)))
        {
            return false;
        }

        return Sorted(before).SequenceEqual(Sorted(after));
    }

    private static IEnumerable<string> Sorted(List<JsonTree> items) =>
        items.Select(item => CanonicalJson.Of(item.ToElement())).Order(System.StringComparer.Ordinal);

    /// <summary>The name in the other object that differs from this one only in case, hyphens and underscores.</summary>
    private static string? Renamed(
        string name, OrderedDictionary<string, JsonTree> own, OrderedDictionary<string, JsonTree> others) =>
        others.Keys.FirstOrDefault(other => !own.ContainsKey(other) && Folded(other) == Folded(name));

    private static string Folded(string name) => name.Replace("_", "").Replace("-", "").ToLowerInvariant();

    private static bool IsNull(JsonTree value) => value.ToElement().ValueKind == JsonValueKind.Null;

    /// <summary>The class of two unequal values that are not both objects or both arrays.</summary>
    private static string Changed(JsonElement before, JsonElement after) => (before.ValueKind, after.ValueKind) switch
    {
        (JsonValueKind.String, JsonValueKind.String) => "text-changed",
        (JsonValueKind.True, JsonValueKind.False) or (JsonValueKind.False, JsonValueKind.True) => "boolean-changed",
        (JsonValueKind.Number, JsonValueKind.Number) =>
            JsonRead.Number(before).ToDouble() == JsonRead.Number(after).ToDouble() ? "number-rounded" : "number-changed",
        (JsonValueKind.Number, JsonValueKind.String) when IsSpelled(before, after) => "number-retyped",
        (JsonValueKind.String, JsonValueKind.Number) when IsSpelled(after, before) => "number-retyped",
        _ => "kind-changed",
    };

    private static bool IsSpelled(JsonElement number, JsonElement text) => number.GetRawText() == JsonRead.SplitText(text);
}
