using System.Collections.Generic;
using System.Linq;

namespace Chatstate;

/// <summary>A finished run, and what leads to it.</summary>
/// <param name="Run">Its <c>stream</c> form.</param>
/// <param name="Predecessor">The place of the run that it continues.</param>
/// <param name="IsIncomplete">Whether its path needs what compaction removed.</param>
/// <param name="IsRemoved">Whether compaction kept only its frame.</param>
internal sealed record FinishedRun(
    CompactedRun Run, int? Predecessor, bool IsIncomplete, bool IsRemoved);

/// <summary>
/// Puts snapshots in the place of finished runs. Snapshots are only in finished runs, just before the terminal
/// event; a run that is not over keeps its <c>stream</c> form.
/// </summary>
/// <param name="options">How much is kept.</param>
/// <param name="texts">Where the runs are kept that are held back.</param>
internal sealed class RunSnapshots(CompactOptions options, PackedTexts texts)
{
    private readonly bool isOfTips = options.Retain == RetainedRuns.Tips;

    /// <summary>What is before the first run, while it is held back.</summary>
    private readonly List<Event> before = [];

    /// <summary>The finished runs, while they are held back.</summary>
    private readonly List<HeldRun> runs = [];

    /// <summary>
    /// Takes a finished run, the messages of its path with those of its input, and what its path says at its end; gives
    /// what is settled by it.
    /// </summary>
    public IEnumerable<Event> Take(FinishedRun run, MessageThread start, Conversation end)
    {
        if (isOfTips)
        {
            runs.Add(new(run, texts));
            return [];
        }

        return options.Partial ? run.Run.Events : SnapshotForm.SaidAnew(run, start, end);
    }

    /// <summary>Takes an event outside of runs. What comes after a run has finished stays behind that run.</summary>
    public IEnumerable<Event> TakeOutside(Event happened)
    {
        if (!isOfTips)
        {
            return [happened];
        }

        if (runs.Count > 0)
        {
            runs[^1].Follow(happened);
        }
        else
        {
            before.Add(happened);
        }

        return [];
    }

    /// <summary>Gives what was held back. The predecessor of a run that is not over is retained.</summary>
    public IEnumerable<Event> Finish(RunEnds ends, int? retained) =>
        isOfTips ? before.Concat(new Tips(runs, options.Partial, ends).Events(retained)) : [];
}
