using System.Collections.Generic;
using System.Linq;

namespace Chatstate;

/// <summary>
/// The finished runs, and what the log means at the end of each run from which the next may go on.
/// </summary>
/// <remarks>
/// A run takes what its predecessor left behind, so a log without branches is replayed once. Where a second run
/// goes on from a run, that end is replayed again and kept.
/// </remarks>
internal sealed class Standings
{
    /// <summary>The events of each run.</summary>
    private readonly List<List<Event>> runs = [];

    /// <summary>Whether a run goes on from it.</summary>
    private readonly List<bool> followed = [];

    /// <summary>
    /// The ends of the runs from which none or several go on. Nothing is known of a run that goes on from what
    /// compaction removed.
    /// </summary>
    private readonly Dictionary<int, Reducer?> ends = [];

    /// <summary>The lineage of the runs.</summary>
    public RunLog Lineage { get; } = new();

    /// <summary>The events of all runs.</summary>
    public IReadOnlyList<List<Event>> Runs => runs;

    /// <summary>Takes the next run and works out what it leaves behind.</summary>
    public void Take(List<Event> run)
    {
        var standing = Before(run);
        Put(run, standing is not null && standing.TryApply(run) ? standing : null);
    }

    /// <summary>What a run goes on from; it is the next to be put.</summary>
    public Reducer? Before(List<Event> run)
    {
        var place = runs.Count;
        Begin((RunStartedEvent)run[0]);
        if (Lineage.Rows[place].Predecessor is not { } predecessor)
        {
            return new();
        }

        if (followed[predecessor])
        {
            var end = End(predecessor);
            return IsRemoved(predecessor) ? null : end;
        }

        followed[predecessor] = true;
        ends.Remove(predecessor, out var before);
        return !IsRemoved(predecessor) || Restates(run) ? before : null;
    }

    /// <summary>Puts the events of the run that was asked about, and what it leaves behind.</summary>
    public void Put(List<Event> run, Reducer? after)
    {
        ends[runs.Count] = after;
        followed.Add(false);
        runs.Add(run);
    }

    /// <summary>The messages at the end of the last run, as far as they are known.</summary>
    public IEnumerable<ThreadMessage>? Messages() => ends.GetValueOrDefault(runs.Count - 1)?.Messages;

    /// <summary>Notes the beginning of the next run.</summary>
    public void Begin(RunStartedEvent started) => Lineage.Push(runs.Count, started, null);

    /// <summary>Whether of a run only the frame is there.</summary>
    public bool IsRemoved(int place) => RemovedRuns.IsRemoved(runs[place][0]);

    /// <summary>What the log means at the end of a run, which is kept from now on; a copy to go on from.</summary>
    public Reducer? End(int place)
    {
        if (!ends.TryGetValue(place, out var end))
        {
            end = Replayed(place);
            ends[place] = end;
        }

        return end?.Copy();
    }

    /// <summary>Whether a run says all messages anew.</summary>
    private static bool Restates(List<Event> run) =>
        RemovedRuns.IsRemoved(run[0]) || run.Exists(happened => happened is MessagesSnapshotEvent);

    /// <summary>What the log means at the end of a run, from the latest end on its path that is known.</summary>
    private Reducer? Replayed(int place)
    {
        var path = new Stack<int>([place]);
        var standing = new Reducer();
        while (Lineage.Rows[path.Peek()].Predecessor is { } predecessor)
        {
            if (ends.TryGetValue(predecessor, out var end))
            {
                if (end is null)
                {
                    return null;
                }

                standing = end.Copy();
                break;
            }

            path.Push(predecessor);
        }

        return path.All(step => standing.TryApply(runs[step])) ? standing : null;
    }
}
