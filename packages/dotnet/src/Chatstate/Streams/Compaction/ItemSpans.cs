using System.Collections.Generic;

namespace Chatstate;

/// <summary>An open item of the run in progress.</summary>
/// <param name="kind">What it is.</param>
/// <param name="id">Its id.</param>
internal sealed class ItemSpan(ItemKind kind, string id)
{
    public ItemKind Kind => kind;

    public string Id => id;

    /// <summary>What was joined since the last barrier, where a start began the item.</summary>
    public DeltaPart? Part { get; set; }

    /// <summary>What chunks keep open of this item, if they do.</summary>
    public ChunkBody? Chunks { get; init; }

    /// <summary>Whether an event that writes an id on behalf of a kind is a barrier for this span.</summary>
    public bool IsBarredBy(ItemKind? writer, string? written) => writer != kind && written == id;
}

/// <summary>An item that chunks keep open. Whether its parts become chunks or deltas is known at its end.</summary>
/// <param name="lane">The subagent whose lane the item holds.</param>
/// <param name="heads">What the opening chunk says of the item.</param>
internal sealed class ChunkBody(string? lane, ItemHeads heads)
{
    public string? Lane => lane;

    public ItemHeads Heads => heads;

    /// <summary>Never empty: the first part begins with the opening chunk.</summary>
    public List<ChunkPart> Parts { get; } = [];

    /// <summary>Whether one of the chunks is kept as it is, so that the others stay chunks too.</summary>
    public bool IsKept { get; set; }

    /// <summary>The part that a further chunk joins, if it does.</summary>
    public ChunkPart? Pending => Parts[^1].Delta is null ? Parts[^1] : null;
}

/// <summary>A part of a chunk span with the places that it may take.</summary>
/// <param name="first">Where its first chunk stood; for the first part, where the item begins.</param>
/// <param name="part">The deltas.</param>
internal sealed class ChunkPart(int first, DeltaPart part)
{
    public int First => first;

    public DeltaPart Part => part;

    /// <summary>Where its delta event stands if the span is closed; none while more may join.</summary>
    public int? Delta { get; set; }
}

/// <summary>The open items in the order of beginning. Few are open at once, so they are searched in order.</summary>
internal sealed class ItemSpans : List<ItemSpan>
{
    public ItemSpan? Of(ItemKind kind, string id)
    {
        foreach (var span in this)
        {
            if (span.Kind == kind && span.Id == id)
            {
                return span;
            }
        }

        return null;
    }

    /// <summary>
    /// Whether a text and a reasoning message of this id are both open, so that the order of their deltas is
    /// the order of the text.
    /// </summary>
    public bool IsShared(ItemKind kind, string id) => kind switch
    {
        ItemKind.Text => Of(ItemKind.Reasoning, id) is not null,
        ItemKind.Reasoning => Of(ItemKind.Text, id) is not null,
        _ => false,
    };

    /// <summary>The open item that holds a lane.</summary>
    public ItemSpan? InLane(string? lane)
    {
        foreach (var span in this)
        {
            if (span.Chunks is { } chunks && chunks.Lane == lane)
            {
                return span;
            }
        }

        return null;
    }

    /// <summary>
    /// The item that a chunk continues: the one it names, else the one of its kind in its lane, else the only
    /// one of its kind.
    /// </summary>
    public ItemSpan? Continued(ItemKind kind, Event chunk)
    {
        if (chunk.ItemId is { } id)
        {
            return Of(kind, id) is { Chunks: not null } named ? named : null;
        }

        var inLane = InLane(chunk.Lane) is { } span && span.Kind == kind ? span : null;
        return inLane is not null || chunk.Lane is not null
            ? inLane
            : Find(open => open.Kind == kind && open.Chunks is not null);
    }
}
