using System.Text.Json;

namespace Chatstate;

/// <summary>Runs of which compaction kept only the frame, and what can be said of them.</summary>
internal static class RemovedRuns
{
    /// <summary>The member of a run's metadata that says how the run was compacted.</summary>
    public const string Mark = "chatstate";

    /// <summary>Whether an event begins a run of which compaction kept only the frame.</summary>
    public static bool IsRemoved(Event begun) =>
        begun is RunStartedEvent { Metadata: { } metadata }
        && metadata.TryGetValue(Mark, out var mark)
        && mark.ValueKind == JsonValueKind.Object
        && mark.TryGetProperty("compacted", out var compacted)
        && compacted.ValueKind == JsonValueKind.String
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
}
