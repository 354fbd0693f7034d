using System.Collections.Generic;
using System.Linq;

namespace Chatstate;

/// <summary>An item that chunks keep open.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="Id">Its id.</param>
/// <param name="Heads">What the opening chunk said of the item. Later chunks may repeat it.</param>
/// <param name="Index">The index of the opening chunk.</param>
internal sealed record ChunkItem(ItemKind Kind, string Id, ItemHeads Heads, int Index);

/// <summary>
/// The items that chunks keep open. Each subagent, and the parent agent, has one lane in which at most one
/// is open. The next event of that lane which is not one of its chunks ends the item.
/// </summary>
internal sealed class ChunkLanes
{
    private Dictionary<Lane, ChunkItem> items = [];

    /// <summary>The lane of each of them.</summary>
    private Dictionary<(ItemKind Kind, string Id), Lane> lanes = [];

    private readonly record struct Lane(string? Owner);

    /// <summary>
    /// The lane that a chunk belongs to: where its item is open, else its subagent's, else the only one with
    /// an open item of its kind, else the parent agent's.
    /// </summary>
    public Violation? LaneOf(Event chunk, ItemKind kind, out string? lane)
    {
        lane = chunk.Lane;
        if (chunk.ItemId is { } id)
        {
            return LaneOfNamed(kind, id, ref lane);
        }

        if (lane is not null || items.Count == 0 || (items.TryGetValue(new(null), out var own) && own.Kind == kind))
        {
            return null;
        }

        var candidates = items.Where(item => item.Value.Kind == kind).Take(2).ToList();
        if (candidates.Count == 2)
        {
            return new("chunk.ambiguous", "the chunk names neither its item nor its subagent, and several are open");
        }

        lane = candidates.FirstOrDefault().Key.Owner;
        return null;
    }

    /// <summary>
    /// The open item of a lane that the chunk continues, after checking that it says nothing else of the item
    /// than the opening chunk said.
    /// </summary>
    public Violation? Continued(string? lane, Event chunk, ItemKind kind, out ChunkItem? item)
    {
        var isOpen = items.TryGetValue(new(lane), out item);
        if (!isOpen || item!.Kind != kind || (chunk.ItemId is { } id && id != item.Id))
        {
            item = null;
            return null;
        }

        return chunk.Heads.Differing(item.Heads) is { } name ? Disagreement(name, item) : null;
    }

    /// <summary>Notes the open item of a lane.</summary>
    public void Open(string? lane, ChunkItem item)
    {
        lanes[(item.Kind, item.Id)] = new(lane);
        items[new(lane)] = item;
    }

    /// <summary>Ends what a lane has open.</summary>
    public ChunkItem? Close(string? lane)
    {
        if (items.Count == 0 || !items.Remove(new(lane), out var item))
        {
            return null;
        }

        lanes.Remove((item.Kind, item.Id));
        return item;
    }

    /// <summary>Ends what all lanes have open, in the order of opening.</summary>
    public List<(string? Lane, ChunkItem Item)> CloseAll()
    {
        if (items.Count == 0)
        {
            return [];
        }

        var open = items.Select(item => (item.Key.Owner, item.Value)).OrderBy(item => item.Value.Index).ToList();
        // To clear dictionaries takes the time of the largest that they were.
        (items, lanes) = ([], []);
        return open;
    }

    /// <summary>
    /// Rejects an explicit end of what chunks opened: the end of a chunk item is what its own lane
    /// does next.
    /// </summary>
    public Violation? RequireNone(ItemKind kind, string id)
    {
        if (lanes.Count == 0 || !lanes.TryGetValue((kind, id), out var lane))
        {
            return null;
        }

        var sentence = $"`{id}` was opened by a chunk of another subagent, which ends it";
        return new("chunk.ended-elsewhere", sentence, items[lane].Index);
    }

    /// <summary>Whether the same chunks may follow on both.</summary>
    public bool StandLike(ChunkLanes other) =>
        items.Count == other.items.Count
        && items.All(item => other.items.TryGetValue(item.Key, out var open)
            && open with { Index = item.Value.Index } == item.Value);

    public ChunkLanes Copy()
    {
        var copy = new ChunkLanes();
        foreach (var (lane, item) in items)
        {
            copy.Open(lane.Owner, item);
        }

        return copy;
    }

    private static Violation Disagreement(string name, ChunkItem item)
    {
        var sentence = $"the chunk's `{name}` is not the one that `{item.Id}` was opened with";
        return new("chunk.disagrees", sentence, item.Index);
    }

    private Violation? LaneOfNamed(ItemKind kind, string id, ref string? lane)
    {
        if (!lanes.TryGetValue((kind, id), out var holder))
        {
            return null;
        }

        if (lane is not null && lane != holder.Owner)
        {
            var sentence = $"the chunk continues `{id}`, which belongs to another subagent";
            return new("chunk.wrong-subagent", sentence, items[holder].Index);
        }

        lane = holder.Owner;
        return null;
    }
}
