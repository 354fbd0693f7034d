using System.Collections.Generic;
using System.Linq;

namespace Chatstate;

/// <summary>What distinguishes open items.</summary>
internal readonly record struct ItemKey(ItemKind Kind, string Id);

/// <summary>An open text message, reasoning message or tool call of the run in progress.</summary>
/// <param name="arrival">The number of the event that began it.</param>
internal sealed class StreamedItem(int arrival)
{
    public int Arrival => arrival;

    /// <summary>The merged delta that is not written yet, if a START began the item.</summary>
    public PendingDelta? Pending { get; set; }

    /// <summary>
    /// What chunks said, if one began the item. Whether that becomes START, deltas and END is known when the item is
    /// closed.
    /// </summary>
    public ItemChunks? Chunks { get; init; }

    /// <summary>
    /// Whether the pending delta would close a lane: of an item that chunks keep open, delta events alone close that of
    /// the parent agent.
    /// </summary>
    public bool Closes(string? lane) => Chunks is { } chunks
        ? lane is null && chunks.Pending is { Delta: { Count: > 0, HasChunks: false } }
        : Pending is { } delta && delta.Owner == lane;
}

/// <summary>An item that chunks keep open.</summary>
/// <param name="lane">The subagent whose lane it holds.</param>
/// <param name="heads">What the chunk that opened it says of it.</param>
/// <param name="start">The slot of its START.</param>
internal sealed class ItemChunks(string? lane, ItemHeads heads, int start)
{
    public string? Lane => lane;

    public ItemHeads Heads => heads;

    public int Start => start;

    /// <summary>
    /// Its deltas between barriers. The first begins with the opening chunk; of all but the last, the slot is known.
    /// </summary>
    public List<ChunkPart> Parts { get; } = [];

    /// <summary>Its chunks and deltas as they came, with their places.</summary>
    public List<(SlotPlace Place, Event Chunk)> Raw { get; } = [];

    /// <summary>The slots of what would close it by standing there, and where that was before.</summary>
    public List<(int Slot, SlotPlace Place)> Movable { get; } = [];

    /// <summary>Whether the caller keeps one of its chunks.</summary>
    public bool IsKept { get; set; }

    /// <summary>The part that a further delta joins, if no barrier has ended it.</summary>
    public ChunkPart? Pending => Parts.Count > 0 && Parts[^1].Slot is null ? Parts[^1] : null;
}

/// <summary>The deltas of a chunk item between two barriers.</summary>
/// <param name="delta">The deltas.</param>
internal sealed class ChunkPart(PendingDelta delta)
{
    public PendingDelta Delta => delta;

    /// <summary>The slot that the delta takes, once a barrier has ended the part.</summary>
    public int? Slot { get; set; }
}

/// <summary>The open items.</summary>
internal sealed class StreamedItems
{
    private readonly Dictionary<ItemKey, StreamedItem> items = [];

    /// <summary>The items with a delta that is not written yet, in the order of beginning.</summary>
    private readonly SortedDictionary<int, ItemKey> pending = [];

    /// <summary>The items of the lanes that chunks hold.</summary>
    private readonly Dictionary<Lane, ItemChunks> lanes = [];

    private readonly record struct Lane(string? Owner);

    /// <summary>All items, in the order of beginning.</summary>
    public IEnumerable<(ItemKey Key, StreamedItem Item)> All =>
        items.Select(item => (item.Key, item.Value)).OrderBy(item => item.Value.Arrival);

    public int Count => items.Count;

    public StreamedItem? Find(ItemKind kind, string id) => items.GetValueOrDefault(new(kind, id));

    public void Add(ItemKind kind, string id, StreamedItem item)
    {
        items[new(kind, id)] = item;
        if (item.Chunks is { } chunks)
        {
            lanes[new(chunks.Lane)] = chunks;
            pending[item.Arrival] = new(kind, id);
        }
    }

    public void Remove(ItemKind kind, string id)
    {
        if (items.Remove(new(kind, id), out var item))
        {
            pending.Remove(item.Arrival);
            if (item.Chunks is { } chunks)
            {
                lanes.Remove(new(chunks.Lane));
            }
        }
    }

    /// <summary>Notes that an item has a delta that is not written yet.</summary>
    public void NotePending(ItemKind kind, string id, StreamedItem item) => pending[item.Arrival] = new(kind, id);

    /// <summary>Notes that an item has none any more.</summary>
    public void NoteWritten(StreamedItem item) => pending.Remove(item.Arrival);

    /// <summary>The items with a delta that is not written yet, in the order of beginning.</summary>
    public List<ItemKey> Pending() => [.. pending.Values];

    /// <summary>Those whose delta would close a lane.</summary>
    public List<ItemKey> PendingIn(string? lane) => [.. pending.Values.Where(key => items[key].Closes(lane))];

    /// <summary>
    /// Whether a text and a reasoning message of this id are both open, so that the order of their deltas is the
    /// order of the text.
    /// </summary>
    public bool IsShared(ItemKind kind, string id) => kind switch
    {
        ItemKind.Text => items.ContainsKey(new(ItemKind.Reasoning, id)),
        ItemKind.Reasoning => items.ContainsKey(new(ItemKind.Text, id)),
        _ => false,
    };

    /// <summary>The item that chunks keep open in a lane.</summary>
    public ItemChunks? Holder(string? lane) => lanes.GetValueOrDefault(new(lane));
}
