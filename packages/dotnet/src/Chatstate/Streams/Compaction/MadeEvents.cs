namespace Chatstate;

/// <summary>The events that compaction makes of items.</summary>
internal static class MadeEvents
{
    /// <summary>A merged delta. An original event is there only if nothing was merged.</summary>
    public static Event Delta(ItemKind kind, string id, PendingDelta delta)
    {
        var made = Event.Appending(kind, id, delta.Owner, delta.Text);
        made.Notes = new()
        {
            Timestamp = delta.Timestamp,
            RawEvent = delta.RawEvent,
            Metadata = delta.Metadata,
            Others = delta.Others,
        };
        return made;
    }

    /// <summary>The start that replaces an opening chunk. What is not on its delta is kept here.</summary>
    public static Event Start(ItemKind kind, string id, ItemHeads heads, string? lane, PendingDelta opener)
    {
        var start = Event.Beginning(kind, id, lane, heads);
        start.Notes = new()
        {
            Timestamp = opener.Timestamp,
            Metadata = opener.Count == 0 ? opener.Metadata : null,
            Others = opener.Count == 0 ? opener.Others : null,
        };
        return start;
    }

    /// <summary>The end of an item that chunks kept open.</summary>
    public static Event End(ItemKind kind, string id, string? lane) => Event.Ending(kind, id, lane);
}
