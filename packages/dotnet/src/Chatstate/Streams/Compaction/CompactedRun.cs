using System.Collections.Generic;
using System.Linq;

namespace Chatstate;

/// <summary>An event of a compacted run.</summary>
/// <param name="Event">The event.</param>
/// <param name="IsKept">Whether the caller keeps it.</param>
internal readonly record struct PlacedEvent(Event Event, bool IsKept)
{
    /// <summary>What of a replay it changes, which says whether snapshots may replace it.</summary>
    public ReplayedPart? Changes => Event.EventRole.Changes;
}

/// <summary>A run that is compacted: its beginning, what happened in it, and its terminal event.</summary>
/// <param name="Placed">The events.</param>
internal sealed record CompactedRun(List<PlacedEvent> Placed)
{
    /// <summary>Marks what the caller keeps, which may be an event that compaction has made.</summary>
    public CompactedRun(List<Event> events, CompactOptions options)
        : this(events.Select(happened => new PlacedEvent(happened, options.Keeps(happened))).ToList())
    {
    }

    public IEnumerable<Event> Events => Placed.Select(placed => placed.Event);
}
