using System.Collections.Generic;
using System.Linq;

namespace Chatstate;

/// <summary>What a client needs that joins a running thread: a few events, behind which the live events go on.</summary>
/// <remarks>
/// Of three forms, each right for fewer threads and shorter than the next, the first that is right is taken:
/// the run in progress, or the last one, as its beginning, one snapshot of all messages, one of the state, and
/// bare beginnings of what is open; the last run that snapshots can say, in that form, and the runs behind it
/// compacted; all runs that lead to the last, compacted. The first is right if a verifier and a replay stand
/// behind it as they stand behind the log, so that nothing that follows can tell the two apart.
/// </remarks>
internal sealed class Prelude
{
    private readonly IReadOnlyList<Event> events;
    private readonly RunLog runs;
    private readonly Verifier verifier = new();

    /// <summary>The places of the runs from the first to the last, each the predecessor of the next.</summary>
    private readonly List<int> path;

    private Prelude(IReadOnlyList<Event> events)
    {
        this.events = events;
        if (Refusal(verifier, events) is { } refusal)
        {
            throw refusal;
        }

        runs = RunLog.Of(events, []);
        path = runs.Rows.Count == 0 ? [] : runs.PathTo(runs.Rows.Count - 1);
        if (RemovedRuns.Refusal(events, runs, path) is { } removed)
        {
            throw removed;
        }
    }

    public static List<Event> Of(IReadOnlyList<Event> events)
    {
        var log = new Prelude(events);
        // Nothing, or an error before any run.
        return log.path.Count == 0 ? [.. events] : log.Made();
    }

    private static RejectionException? Refusal(Verifier verifier, IReadOnlyList<Event> events)
    {
        for (var index = 0; index < events.Count; index++)
        {
            verifier.Push(index, events[index]);
            if (verifier.Errors.FirstOrDefault() is { } error)
            {
                return error.Refuse();
            }
        }

        return null;
    }

    private List<Event> Made()
    {
        var last = path.Count - 1;
        var standing = Replayed(last);
        if (Restated(last, standing) is { } restated && IsAsGood(restated, standing))
        {
            return restated;
        }

        var prelude = new List<Event>();
        var from = 0;
        if (LatestThatSnapshotsSay() is { } place && Restated(place, Replayed(place)) is { } earlier)
        {
            prelude = earlier;
            from = place + 1;
        }

        prelude.AddRange(path.Skip(from).SelectMany(EventsOf));
        return EventCompactor.Compact(prelude, null);
    }

    private IEnumerable<Event> EventsOf(int run) => runs.EventsOf(run, events.Count).Select(index => events[index]);

    /// <summary>What the log means at the end of a run of the path.</summary>
    private Reducer Replayed(int last)
    {
        var reducer = new Reducer();
        var indexes = path.Take(last + 1).SelectMany(run => runs.EventsOf(run, events.Count));
        return reducer.ApplyAll(events, indexes) is { } refusal ? throw refusal : reducer;
    }

    /// <summary>
    /// A run of the path as its frame, snapshots of all messages and the state, and what is open; none if
    /// snapshots cannot say it.
    /// </summary>
    private List<Event>? Restated(int place, Reducer standing)
    {
        var halves = new OpenHalves(standing.Messages.Select(message => message.Value));
        if (Restating.MessagesSnapshot(halves.Messages) is not { } messages)
        {
            return null;
        }

        var start = runs.Rows[path[place]].Index;
        var indexes = runs.EventsOf(path[place], events.Count).SkipWhile(index => index < start).ToList();
        var reopened = Reopening.Of(events, indexes, standing, halves);
        return
        [
            Bare((RunStartedEvent)events[start]),
            .. reopened.Before,
            messages,
            Restating.StateSnapshot(standing.State),
            .. reopened.After,
            .. indexes.Select(index => events[index]).Where(happened => happened.IsTerminal),
        ];
    }

    private static RunStartedEvent Bare(RunStartedEvent started) => started.With(input =>
    {
        input.Messages = [];
        input.State = null;
    });

    /// <summary>Whether whatever may follow the log may follow these events, and means the same.</summary>
    private bool IsAsGood(List<Event> prelude, Reducer standing)
    {
        var behind = new Verifier();
        var reducer = new Reducer();
        if (Refusal(behind, prelude) is not null
            || reducer.ApplyAll(prelude, Enumerable.Range(0, prelude.Count)) is not null)
        {
            return false;
        }

        return standing.StandsLike(reducer) && (events[^1].IsTerminal || verifier.StandsLike(behind));
    }

    /// <summary>
    /// The last run of the path but one, or an earlier one, whose end snapshots and its terminal event can say.
    /// </summary>
    private int? LatestThatSnapshotsSay()
    {
        var reducer = new Reducer();
        int? latest = null;
        for (var place = 0; place < path.Count - 1; place++)
        {
            if (reducer.ApplyAll(events, runs.EventsOf(path[place], events.Count)) is not null)
            {
                return null;
            }

            var saysInterrupts = reducer.Interrupts.Count == 0
                || EventsOf(path[place]).Any(happened => happened is RunFinishedEvent);
            if (saysInterrupts && Restating.CanBeRestated(reducer.Messages.Select(message => message.Value).ToList()))
            {
                latest = place;
            }
        }

        return latest;
    }
}
