using System.Collections.Generic;
using System.Linq;

namespace Chatstate;

/// <summary>The ends of the branches, and what they need.</summary>
/// <remarks>
/// A retained run right after another one says what it adds to that. All others say the whole path, since runs
/// before them go; where snapshots cannot say it, the runs back to one that they can say are retained, too. The
/// earlier runs are decided about first, since a later one continues them.
/// </remarks>
/// <param name="runs">The finished runs.</param>
/// <param name="isPartial">Whether the beginning of the thread is elsewhere.</param>
/// <param name="ends">What was said at the ends of the runs.</param>
internal sealed class Tips(List<HeldRun> runs, bool isPartial, RunEnds ends)
{
    /// <summary>What replaces each run; none where only its frame stays.</summary>
    private readonly IEnumerable<Event>?[] retained = new IEnumerable<Event>?[runs.Count];

    /// <summary>
    /// The events of all runs. Retained are the last run of every branch, every run where branches part, the run that
    /// an unfinished one continues, and runs with events that the caller keeps.
    /// </summary>
    /// <param name="followed">The run that an unfinished one continues.</param>
    public IEnumerable<Event> Events(int? followed)
    {
        foreach (var place in Wanted(followed))
        {
            Retain(place);
        }

        return runs.SelectMany((run, place) => (retained[place] ?? SnapshotForm.Frame(run.Ends())).Concat(run.After));
    }

    /// <summary>The runs that are retained for their own sake. What was removed before stays so.</summary>
    private List<int> Wanted(int? followed)
    {
        var followers = new int[runs.Count];
        foreach (var predecessor in runs.Select(run => run.Predecessor).Append(followed).OfType<int>())
        {
            followers[predecessor]++;
        }

        bool IsWanted(int place) =>
            !runs[place].IsRemoved
            && (isPartial
                || followers[place] != 1
                || place == followed
                || runs[place].HasKept);
        return Enumerable.Range(0, runs.Count).Where(IsWanted).ToList();
    }

    /// <summary>
    /// Retains a run, and the runs before it that it needs. The first run of a chain after a retained one never says
    /// the whole path: that one may be retained for its sake or for its own, and the run reads the same either way.
    /// </summary>
    private void Retain(int place)
    {
        var chain = ChainTo(place);
        var rest = isPartial ? 0 : SayWhole(chain, runs[chain[0]].Predecessor);
        foreach (var follower in chain.Skip(rest).Where(follower => !runs[follower].IsRemoved))
        {
            var run = runs[follower].Unpacked();
            retained[follower] = isPartial ? run.Run.Events : SaidAnew(run, follower);
        }
    }

    /// <summary>A run that says what it adds to its predecessor.</summary>
    private IEnumerable<Event> SaidAnew(FinishedRun run, int place)
    {
        var started = (RunStartedEvent)run.Run.Placed[0].Event;
        var start = SnapshotForm.WithInput(ends.ThreadAt(run.Predecessor), started);
        return SnapshotForm.SaidAnew(run, start, ends.At(place));
    }

    /// <summary>
    /// Says the last run of a chain whole that can be said, and gives the position of the first one after it.
    /// </summary>
    private int SayWhole(List<int> chain, int? before)
    {
        var messages = ends.ThreadAt(before);
        for (var position = chain.Count - 1; position >= (before is null ? 0 : 1); position--)
        {
            var place = chain[position];
            if (SnapshotForm.SaidWhole(runs[place].Unpacked(), ends.At(place), messages) is { } said)
            {
                retained[place] = said;
                return position + 1;
            }
        }

        return 0;
    }

    /// <summary>The run and those before it, the first one first, up to one that is retained already.</summary>
    private List<int> ChainTo(int place)
    {
        var chain = new List<int> { place };
        while (runs[chain[^1]].Predecessor is { } before && retained[before] is null)
        {
            chain.Add(before);
        }

        chain.Reverse();
        return chain;
    }
}
