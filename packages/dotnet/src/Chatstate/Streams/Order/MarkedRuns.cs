using System.Collections.Generic;

namespace Chatstate;

/// <summary>Runs that say that compaction removed their events, and have some.</summary>
internal static class MarkedRuns
{
    private const string Sentence = "the run says that compaction removed its events, and has some; it is not replayed";

    /// <summary>A warning for each of them, at its mark.</summary>
    public static IEnumerable<Finding> Of(IReadOnlyList<Event> events)
    {
        int? marked = null;
        for (var index = 0; index < events.Count; index++)
        {
            if (events[index] is RunStartedEvent)
            {
                marked = RemovedRuns.IsRemoved(events[index]) ? index : null;
            }
            else if (events[index] is RunFinishedEvent or RunErrorEvent)
            {
                marked = null;
            }

            if (marked is { } begun && !IsFrame(events[index]))
            {
                yield return new("verify.marked-run", begun, Sentence) { Place = "/metadata/chatstate" };
                marked = null;
            }
        }
    }

    /// <summary>Whether an event does nothing but begin or end a run.</summary>
    private static bool IsFrame(Event happened) =>
        happened is RunFinishedEvent or RunErrorEvent or RunStartedEvent { Input: null or { Messages.Count: 0 } };
}
