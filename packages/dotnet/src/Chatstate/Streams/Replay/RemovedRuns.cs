using System.Text.Json;

namespace Chatstate;

/// <summary>Runs of which compaction kept only the frame, or that a prelude leaves out, and what can be said of them.</summary>
internal static class RemovedRuns
{
    /// <summary>Whether an event begins a run of which compaction kept only the frame.</summary>
    public static bool IsRemoved(Event begun) =>
        begun is RunStartedEvent started
        && RunMark.MemberOf(started, "compacted") is { ValueKind: JsonValueKind.String } compacted
        && JsonRead.SplitText(compacted) == "tips";

    /// <summary>
    /// The rejection of a path that needs what a removed run held. A run that was retained when the run before
    /// it was removed restates all messages. Compaction removes only runs from which exactly one run continues,
    /// so a second one came later.
    /// </summary>
    public static RejectionException Rejection(RunLog runs, int removed, int at) => new(
        RejectionClass.Semantic,
        "replay.removed-run",
        $"of the run `{runs.Rows[removed].RunId}` compaction kept only the beginning and the end; replay a run "
            + "that was retained, or the log as it was before",
        $"/{runs.Rows[at].Index}");

    /// <summary>The rejection of a path on which a run continues one that the prelude leaves out.</summary>
    public static RejectionException LeftOut(RunRow row) => new(
        RejectionClass.Semantic,
        "replay.removed-run",
        $"the run `{row.RunId}` continues the run `{row.ParentRunId}`, which the prelude of this log leaves out; "
            + "attach again, or replay the whole log",
        $"/{row.Index}");
}
