namespace Chatstate;

/// <summary>The events that compaction makes of parts.</summary>
internal static class PartWriting
{
    /// <summary>The delta event of a part, with the original event if it is the only one.</summary>
    public static Event Delta(ItemKind kind, string id, DeltaPart part) =>
        With(Event.Appending(kind, id, part.Owner, part.Delta ?? ""), part);

    /// <summary>The chunk that a part comes to. Only the first chunk of an item says what the item is.</summary>
    public static Event Chunk(ItemKind kind, string? id, ItemHeads heads, string? lane, DeltaPart part) =>
        With(Event.Chunk(kind, id, lane, heads, part.ChunkDelta), part);

    /// <summary>The start that stands for an opening chunk. What is not on the delta is kept here.</summary>
    public static Event Start(ItemKind kind, string id, ItemHeads heads, string? lane, DeltaPart opener)
    {
        var start = Event.Beginning(kind, id, lane, heads);
        start.Notes = new()
        {
            Timestamp = opener.Timestamp,
            Metadata = opener.HasDelta ? null : opener.Metadata,
            Others = opener.HasDelta ? null : opener.Others,
        };
        return start;
    }

    /// <summary>The end of an item that chunks kept open.</summary>
    public static Event End(ItemKind kind, string id, string? lane) => Event.Ending(kind, id, lane);

    private static Event With(Event made, DeltaPart part)
    {
        made.Notes = new()
        {
            Timestamp = part.Timestamp,
            RawEvent = part.RawEvent,
            Metadata = part.Metadata,
            Others = part.Others,
        };
        return made;
    }
}
