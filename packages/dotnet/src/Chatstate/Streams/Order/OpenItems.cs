using System.Collections.Generic;
using System.Linq;

namespace Chatstate;

/// <summary>What has been begun and not ended.</summary>
internal sealed class OpenItems
{
    private Dictionary<Key, Opened> items = [];

    /// <summary>The item that was begun or continued last: mostly the one that is next.</summary>
    private Key? latest;

    /// <summary>
    /// What distinguishes open items. Steps are distinguished by their owner too; the ids of other items are
    /// unique by themselves.
    /// </summary>
    private readonly record struct Key(ItemKind Kind, string Id, string? Owner)
    {
        public static Key Of(ItemKind kind, string id, string? owner) =>
            new(kind, id, kind.IsToldApartByOwner() ? owner : null);
    }

    private readonly record struct Opened(string? Owner, int Index);

    /// <summary>Begins an item that must not be open.</summary>
    public Violation? Begin(int index, ItemKind kind, string id, string? owner)
    {
        var key = Key.Of(kind, id, owner);
        if (!items.TryAdd(key, new(owner, index)))
        {
            var word = kind.Word();
            return new($"{word}.already-open", $"the {word} `{id}` is begun, but it is open", items[key].Index);
        }

        latest = key;
        return null;
    }

    /// <summary>Rejects continuing an item that is not open.</summary>
    public Violation? Require(ItemKind kind, string id)
    {
        if (latest is { } known && known.Kind == kind && known.Id == id)
        {
            return null;
        }

        var key = Key.Of(kind, id, null);
        if (!items.ContainsKey(key))
        {
            return NotOpen(kind, id);
        }

        latest = key;
        return null;
    }

    /// <summary>Ends an item that must be open.</summary>
    public Violation? End(ItemKind kind, string id, string? owner)
    {
        latest = null;
        return items.Remove(Key.Of(kind, id, owner)) ? null : NotOpen(kind, id);
    }

    /// <summary>Takes all items out, as the end of a run does.</summary>
    public List<(int Index, OpenItem Item)> Take()
    {
        var taken = List();
        // To clear a dictionary takes the time of the largest that it was.
        items = [];
        latest = null;
        return taken;
    }

    /// <summary>The items, each with the index of its first event, in the order of beginning.</summary>
    public List<(int Index, OpenItem Item)> List() =>
        items.Count == 0
            ? []
            : items.Select(item => (item.Value.Index, new OpenItem(item.Key.Kind, item.Key.Id, item.Value.Owner)))
                .OrderBy(item => item.Index)
                .ToList();

    public OpenItems Copy()
    {
        var copy = new OpenItems();
        foreach (var (key, opened) in items)
        {
            copy.items.Add(key, opened);
        }

        return copy;
    }

    private static Violation NotOpen(ItemKind kind, string id)
    {
        var word = kind.Word();
        return new($"{word}.not-open", $"the {word} `{id}` is continued or ended, but it is not open");
    }
}
