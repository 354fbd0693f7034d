using System.Collections.Generic;
using System.Linq;

namespace Chatstate;

/// <summary>What a client needs that joins a running thread: a few events, after which the live events continue.</summary>
/// <remarks>
/// Of three forms, each right for fewer threads and shorter than the next, the first that is right is taken:
/// the run in progress, or the last one, as its beginning, one snapshot of all messages, one of the state, and
/// bare beginnings of what is open; the last run that snapshots can say, in that form, and the runs after it
/// compacted; all runs that lead to the last, compacted. The first is right if a verifier and a replay are
/// after it as they are after the log, so that nothing that follows can distinguish the two.
/// </remarks>
internal sealed class Prelude
{
    /// <summary>The log at level <c>stream</c>, which means the same.</summary>
    private readonly List<Event> events;

    private readonly Checkpoints checkpoints;

    /// <summary>The places of the runs from the first to the last, each the predecessor of the next.</summary>
    private readonly List<int> path;

    private Prelude(IReadOnlyList<Event> log)
    {
        events = WithoutUnknownOutside(EventCompactor.Compact(log, null));
        checkpoints = Checkpoints.Of(events);
        path = Runs.Rows.Count == 0 ? [] : Runs.PathTo(Runs.Rows.Count - 1);
    }

    private RunLog Runs => checkpoints.Runs;

    public static List<Event> Of(IReadOnlyList<Event> events)
    {
        var log = new Prelude(events);
        // Nothing, or an error before any run.
        return log.path.Count == 0 ? log.events : log.WithLeftOut(log.Made());
    }

    /// <summary>Leaves out events of unknown types outside of runs, which belong to no path.</summary>
    private static List<Event> WithoutUnknownOutside(List<Event> events)
    {
        var isRunning = false;
        bool Stays(Event happened)
        {
            isRunning = happened.Kind == EventKind.RunStarted || (isRunning && !happened.IsTerminal);
            return isRunning || happened.Kind != EventKind.Unknown;
        }

        return events.Where(Stays).ToList();
    }

    private static Verifier? Verified(IReadOnlyList<Event> events)
    {
        var verifier = new Verifier();
        for (var index = 0; index < events.Count; index++)
        {
            verifier.Push(index, events[index]);
        }

        return verifier.Errors.Count == 0 ? verifier : null;
    }

    private List<Event> Made()
    {
        var last = path[^1];
        checkpoints.Require(last);
        var standing = checkpoints.At(last);
        if (Restated(last, standing) is { } restated && IsAsGood(restated, standing))
        {
            return restated;
        }

        var prelude = new List<Event>();
        var from = 0;
        if (LatestThatSnapshotsSay() is { } position && RestatedWhole(position) is { } earlier)
        {
            prelude = earlier;
            from = position + 1;
        }

        prelude.AddRange(path.Skip(from).SelectMany(EventsOf));
        return EventCompactor.Compact(prelude, null);
    }

    /// <summary>A prelude that names the runs of the log which it leaves out, in their order.</summary>
    private List<Event> WithLeftOut(List<Event> prelude)
    {
        var staying = prelude.OfType<RunStartedEvent>().Select(started => started.RunId).ToHashSet();
        var others = Runs.Rows.Select(row => row.RunId).Where(runId => !staying.Contains(runId));
        var first = (RunStartedEvent)events[Runs.Rows[0].Index];
        var runIds = RunMark.LeftOutBy(first).Concat(others).ToList();
        if (runIds.Count > 0)
        {
            var begins = prelude.FindIndex(happened => happened is RunStartedEvent);
            prelude[begins] = RunMark.LeavingOut((RunStartedEvent)prelude[begins], runIds);
        }

        return prelude;
    }

    private List<Event> EventsOf(int run) => Runs.EventsOf(run, events.Count).Select(index => events[index]).ToList();

    /// <summary>
    /// A run of the path as its frame, snapshots of all messages and the state, and what is open; none if
    /// snapshots cannot say it.
    /// </summary>
    private List<Event>? Restated(int run, Reducer standing)
    {
        var conversation = standing.Conversation;
        var splitEnds = new SplitEnds(conversation.Thread.Messages.Select(message => message.Value));
        if (!conversation.KnowsState
            || !conversation.KnowsMessages
            || Restating.MessagesSnapshot(splitEnds.Messages) is not { } messages)
        {
            return null;
        }

        var start = Runs.Rows[run].Index;
        var indexes = Runs.EventsOf(run, events.Count).SkipWhile(index => index < start).ToList();
        var reopened = Reopening.Of(events, indexes, standing, splitEnds);
        return
        [
            Bare((RunStartedEvent)events[start]),
            .. reopened.Before,
            messages,
            Restating.StateSnapshot(conversation.State),
            .. reopened.After,
            .. indexes.Select(index => events[index]).Where(happened => happened.IsTerminal),
        ];
    }

    /// <summary>
    /// The same for a run that is over, of whose messages nothing is taken out to begin it again.
    /// </summary>
    private List<Event>? RestatedWhole(int position)
    {
        var standing = Replayed(position);
        var messages = standing.Conversation.Thread.Messages.Select(message => message.Value).ToList();
        return Restating.CanBeRestated(messages) ? Restated(path[position], standing) : null;
    }

    /// <summary>What the log means at the end of a run of the path, of which all runs can be replayed.</summary>
    private Reducer Replayed(int position)
    {
        var reducer = new Reducer();
        foreach (var index in path.Take(position + 1).SelectMany(run => Runs.EventsOf(run, events.Count)))
        {
            _ = reducer.Apply(index, events[index]);
        }

        return reducer;
    }

    private static RunStartedEvent Bare(RunStartedEvent started) => started.With(input =>
    {
        input.Messages = [];
        input.State = null;
    });

    /// <summary>Whether whatever may follow the log may follow these events, and means the same.</summary>
    private bool IsAsGood(List<Event> prelude, Reducer standing)
    {
        var reducer = new Reducer();
        if (Verified(prelude) is not { } behind || !reducer.TryApply(prelude) || !standing.StandsLike(reducer))
        {
            return false;
        }

        return events[^1].IsTerminal || (Verified(EventsOf(path[^1])) ?? new()).StandsLike(behind);
    }

    /// <summary>
    /// The last run of the path but one, or an earlier one, whose end snapshots and its terminal event can say.
    /// </summary>
    private int? LatestThatSnapshotsSay()
    {
        for (var position = path.Count - 2; position >= 0; position--)
        {
            var saysInterrupts = checkpoints.Interrupts(path[position]).Count == 0
                || EventsOf(path[position]).Exists(happened => happened is RunFinishedEvent);
            if (saysInterrupts && !checkpoints.HasSharedIds(path[position]))
            {
                return position;
            }
        }

        return null;
    }
}
