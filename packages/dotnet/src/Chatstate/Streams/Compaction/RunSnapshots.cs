using System.Collections.Generic;
using System.Linq;

namespace Chatstate;

/// <summary>
/// Puts snapshots in the place of finished runs. The runs come in their <c>stream</c> form. Snapshots stand only
/// in finished runs, just before the terminal event; a run that is not over keeps its <c>stream</c> form.
/// </summary>
/// <param name="options">How much is kept.</param>
internal sealed class RunSnapshots(CompactOptions options)
{
    private readonly Standings standings = new();

    /// <summary>What stands before the first run, while it is held back.</summary>
    private readonly List<Event> before = [];

    /// <summary>Takes a finished run, or what stands outside of all runs, and gives what is settled by it.</summary>
    public IReadOnlyList<Event> Take(List<Event> events)
    {
        if (events[0] is not RunStartedEvent)
        {
            return TakeOutside(events);
        }

        if (options.Retain == RetainedRuns.All)
        {
            return Settled(events);
        }

        standings.Take(events);
        return [];
    }

    /// <summary>The messages at the end of the last run, as far as they are known.</summary>
    public IEnumerable<ThreadMessage>? Messages() => standings.Messages();

    /// <summary>Gives what was held back and the run that is not over.</summary>
    public IReadOnlyList<Event> Finish(List<Event> unfinished) =>
        options.Retain == RetainedRuns.All
            ? unfinished
            : [.. before, .. new TipsRetention(standings, options).Finish(unfinished)];

    /// <summary>An error after a run has finished belongs to that run.</summary>
    private IReadOnlyList<Event> TakeOutside(List<Event> events)
    {
        if (options.Retain == RetainedRuns.All)
        {
            return events;
        }

        var last = standings.Runs.Count > 0 ? standings.Runs[^1] : before;
        last.AddRange(events);
        return [];
    }

    /// <summary>
    /// A finished run as its frame, the events that belong to no message, call or state, and snapshots of what it
    /// changed. It keeps its <c>stream</c> form if snapshots cannot say the same, as when they would change the
    /// order of messages, or if they take more events.
    /// </summary>
    private List<Event> Settled(List<Event> run)
    {
        var standing = standings.Before(run);
        var isSimple = options.Partial
            || RunParts.Of(run) is not { } parts
            || parts.Inner.TrueForAll(next => RunForm.Stands(options, next));
        var start = isSimple ? null : standing?.Copy();
        var after = standing is not null && standing.TryApply(run) ? standing : null;
        var shorter = start is null || after is null ? null : Snapshots(start, run, after);
        var written = shorter is not null && shorter.Count <= run.Count ? shorter : run;
        standings.Put(written, after);
        return written;
    }

    /// <summary>The run in snapshots, if they mean the same.</summary>
    private List<Event>? Snapshots(Reducer standing, List<Event> run, Reducer after)
    {
        if (RunParts.Of(run) is not { } parts || standing.Apply(0, parts.Start) is not null)
        {
            return null;
        }

        List<Event> events = [parts.Start, .. parts.Inner.Where(next => RunForm.Stands(options, next))];
        if (!standing.IsSaid(after))
        {
            if (Restating.MessagesSnapshot(after.Messages.Select(message => message.Value)) is not { } messages)
            {
                return null;
            }

            events.Add(messages);
        }

        if (!standing.State.IsEqualTo(after.State))
        {
            events.Add(Restating.StateSnapshot(after.State));
        }

        events.AddRange(parts.Terminal);
        var means = standing.TryApply(events.GetRange(1, events.Count - 1)) && standing.StandsLike(after);
        return means && RunForm.IsValid(events) ? events : null;
    }
}
