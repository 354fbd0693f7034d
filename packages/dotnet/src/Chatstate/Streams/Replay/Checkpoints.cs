using System.Collections.Generic;
using System.Linq;

namespace Chatstate;

/// <summary>A replay of all branches of a log, in one pass over its events.</summary>
internal sealed class Checkpoints
{
    private readonly RunEnds ends = new(new());
    private readonly List<Checkpoint> finished = [];
    private readonly bool keepsRemarks;

    /// <summary>The events that are passed over, if those that break a rule are.</summary>
    private readonly HashSet<int>? passedOver;

    private readonly List<Remark> remarks = [];

    /// <summary>The run in progress, and what leads to it.</summary>
    private Reducer current = new();

    private Checkpoint end = new();

    private Checkpoints(bool keepsRemarks, HashSet<int>? passedOver)
    {
        this.keepsRemarks = keepsRemarks;
        this.passedOver = passedOver;
        KeepRemarks();
    }

    /// <summary>The runs of the log.</summary>
    public RunLog Runs { get; } = new();

    /// <summary>The events that are beyond a limit.</summary>
    public List<(int Index, RejectionException Limit)> Limits { get; } = [];

    /// <summary>What is wrong with the lineage, or suspicious.</summary>
    public List<LineageProblem> Problems { get; } = [];

    /// <summary>
    /// A replay of a log, which may remark on what it passes over, and may pass over events that break a rule.
    /// </summary>
    public static Checkpoints Of(
        IReadOnlyList<Event> events, bool keepsRemarks = false, HashSet<int>? passedOver = null)
    {
        var checkpoints = new Checkpoints(keepsRemarks, passedOver);
        for (var index = 0; index < events.Count; index++)
        {
            checkpoints.Take(index, events[index]);
        }

        checkpoints.EndRun();
        checkpoints.Problems.AddRange(checkpoints.Runs.Outside());
        return checkpoints;
    }

    /// <summary>What is remarked on, in the order of the log.</summary>
    public IEnumerable<Remark> Remarks() => remarks.OrderBy(remark => remark.Index);

    /// <summary>Rejects the path to a run that cannot be replayed, or that needs what compaction removed.</summary>
    public void Require(int place)
    {
        var checkpoint = finished[place];
        if (checkpoint.IsRemoved)
        {
            throw RemovedRuns.Rejection(Runs, place, place);
        }

        if ((checkpoint.Incomplete ?? checkpoint.Failed) is { } rejection)
        {
            throw rejection;
        }
    }

    /// <inheritdoc cref="RunEnds.HasSharedIds"/>
    public bool HasSharedIds(int place) => ends.HasSharedIds(place);

    /// <inheritdoc cref="RunEnds.Interrupts"/>
    public IReadOnlyList<Interrupt> Interrupts(int place) => ends.Interrupts(place);

    /// <summary>What is open and was said at the end of a run, to look at.</summary>
    public Reducer At(int place) => new(finished[place].Tracker, ends.At(place));

    /// <summary>What the log means at the end of the run with this id, or of its last run.</summary>
    public ReplayedThread Replayed(string? runId)
    {
        var last = Runs.Rows.Count - 1;
        var place = runId is null ? last : Runs.PlaceOf(runId) ?? throw UnknownRun(runId);
        var path = place < 0 ? [0] : Runs.PathTo(place);
        Require(path[^1]);
        var standing = At(path[^1]);
        return new(
            standing.Conversation.Thread.Messages.Select(message => message.Value).ToList(),
            standing.Conversation.State,
            path.SelectMany(run => finished[run].Runs).ToList(),
            standing.Open().Select(open => open.Item).ToList(),
            standing.Conversation.Interrupts);
    }

    private static RejectionException UnknownRun(string runId) =>
        new(RejectionClass.Semantic, "replay.unknown-run", $"no run of the stream has the id `{runId}`");

    /// <summary>
    /// Takes the event of this index. A run that cannot be replayed is the matter of those who ask for it.
    /// </summary>
    private void Take(int index, Event happened)
    {
        if (passedOver?.Contains(index) == true)
        {
            return;
        }

        if (happened is RunStartedEvent started)
        {
            BeginRun(index, started);
        }

        end.Restates |= happened is MessagesSnapshotEvent;
        if (Apply(index, happened) is { } rejection)
        {
            if (rejection.Class == RejectionClass.Limit)
            {
                Limits.Add((index, rejection));
            }

            end.Failed ??= rejection;
        }
    }

    private RejectionException? Apply(int index, Event happened)
    {
        var rejection = current.Apply(index, happened);
        if (passedOver is null || rejection is not { Class: RejectionClass.Sequence })
        {
            return rejection;
        }

        // What chunks kept open is closed by now.
        return happened.FramesRun ? current.Apply(index, happened) : null;
    }

    private void BeginRun(int index, RunStartedEvent started)
    {
        if (Runs.Rows.Count > 0)
        {
            EndRun();
        }

        Runs.Push(index, started, Problems);
        if (Runs.Rows[^1].Predecessor is { } place)
        {
            var before = finished[place];
            end = new() { IsFirst = !before.IsFollowed, Failed = before.Failed, Incomplete = before.Incomplete };
            before.IsFollowed = true;
            current = new(before.Tracker.Copy(), ends.GoOnFrom(place));
            KeepRemarks();
        }

        end.IsRemoved = RemovedRuns.IsRemoved(started);
        if (Runs.Rows[^1] is { ContinuesLeftOut: true } row)
        {
            end.Incomplete = RemovedRuns.LeftOut(row);
        }
    }

    private void EndRun()
    {
        var (made, runs) = current.Conversation.EndRun();
        remarks.AddRange(made);
        (end.Runs, end.Tracker) = (runs, current.Tracker);
        var predecessor = Runs.Rows.Count == 0 ? null : Runs.Rows[^1].Predecessor;
        var isSaid = end.IsFirst && (end.IsRemoved || end.Restates);
        if (predecessor is { } before && finished[before].IsRemoved && !isSaid)
        {
            end.Incomplete ??= RemovedRuns.Rejection(Runs, before, finished.Count);
        }

        ends.Add(predecessor, current.Conversation);
        finished.Add(end);
    }

    private void KeepRemarks()
    {
        if (keepsRemarks)
        {
            current.Conversation.KeepRemarks();
        }
    }

    /// <summary>The end of a run.</summary>
    private sealed class Checkpoint
    {
        /// <summary>The run, and an error that was before it.</summary>
        public List<ReplayedRun> Runs { get; set; } = [];

        /// <summary>Why its path cannot be replayed.</summary>
        public RejectionException? Failed { get; set; }

        /// <summary>Why its path needs what compaction removed.</summary>
        public RejectionException? Incomplete { get; set; }

        /// <summary>Whether compaction kept only its frame.</summary>
        public bool IsRemoved { get; set; }

        /// <summary>Whether it says all messages again.</summary>
        public bool Restates { get; set; }

        /// <summary>Whether it is the first that continues its predecessor.</summary>
        public bool IsFirst { get; init; }

        public bool IsFollowed { get; set; }

        public Tracker Tracker { get; set; } = new();
    }
}
