using System.Collections.Generic;
using System.Linq;

namespace Chatstate;

/// <summary>
/// The ends of the branches, and what they need: retained are the last run of every branch, every run where
/// branches part, the run that an unfinished one goes on from, and runs with events that the caller keeps.
/// </summary>
/// <remarks>
/// Where snapshots cannot say what a retained run holds, it keeps its <c>stream</c> form, and the run before it
/// is retained too. The earlier runs are decided about first, since a later one goes on from them.
/// </remarks>
/// <param name="standings">The finished runs.</param>
/// <param name="options">How much is kept.</param>
internal sealed class TipsRetention(Standings standings, CompactOptions options)
{
    /// <summary>What is written of the runs that stay; of all others only the frame stays.</summary>
    private readonly Dictionary<int, List<Event>> kept = [];

    public List<Event> Finish(List<Event> unfinished)
    {
        var finished = standings.Runs.Count;
        if (unfinished.Count > 0)
        {
            standings.Begin((RunStartedEvent)unfinished[0]);
        }

        foreach (var place in Wanted(finished))
        {
            Retain(place);
        }

        var written = Enumerable.Range(0, finished)
            .SelectMany(place => kept.GetValueOrDefault(place) ?? RunForm.Removed(standings.Runs[place]));
        return [.. written, .. unfinished];
    }

    /// <summary>Which finished runs are retained for their own sake. What was removed before stays so.</summary>
    private List<int> Wanted(int finished)
    {
        var rows = standings.Lineage.Rows;
        var followers = rows.Select(row => row.Predecessor).OfType<int>().CountBy(place => place).ToDictionary();
        var unfinished = rows.Count > finished ? rows[finished].Predecessor : null;
        return Enumerable.Range(0, finished)
            .Where(place => !standings.IsRemoved(place))
            .Where(place => options.Partial
                || followers.GetValueOrDefault(place) != 1
                || unfinished == place
                || standings.Runs[place].Exists(options.Keeps))
            .ToList();
    }

    /// <summary>Retains a run, and the runs before it that it needs.</summary>
    private void Retain(int place)
    {
        var chain = ChainTo(place);
        var basis = Base(chain[0]);
        var standing = standings.End(place);
        if (basis is null || standing is null)
        {
            Keep(chain);
        }
        else if (AtTheEnd(chain, basis.Copy(), standing) is { } events)
        {
            kept[place] = events;
        }
        else
        {
            Keep(chain.Skip(BeforeTheEnd(chain, basis)));
        }
    }

    /// <summary>The last run of the chain in snapshots behind the frames of the others.</summary>
    private List<Event>? AtTheEnd(List<int> chain, Reducer frames, Reducer standing)
    {
        var isDone = chain.SkipLast(1).All(place => frames.TryApply(RunForm.Removed(standings.Runs[place])));
        return isDone ? Snapshots(frames, standings.Runs[chain[^1]], standing) : null;
    }

    /// <summary>
    /// Retains the last run of the chain that snapshots can say, behind the frames of those before it, and tells
    /// how many runs of the chain are done by that.
    /// </summary>
    private int BeforeTheEnd(List<int> chain, Reducer frames)
    {
        var standing = frames.Copy();
        var said = 0;
        List<Event>? last = null;
        for (var position = 0; position < chain.Count; position++)
        {
            var run = standings.Runs[chain[position]];
            if (!standing.TryApply(run))
            {
                break;
            }

            if (Snapshots(frames, run, standing) is { } events)
            {
                (said, last) = (position + 1, events);
            }

            if (!frames.TryApply(RunForm.Removed(run)))
            {
                break;
            }
        }

        if (last is not null)
        {
            kept[chain[said - 1]] = last;
        }

        return said;
    }

    /// <summary>The run and those before it, the first one first, up to one that is retained already.</summary>
    private List<int> ChainTo(int place)
    {
        var chain = new List<int> { place };
        while (standings.Lineage.Rows[chain[^1]].Predecessor is { } predecessor && !kept.ContainsKey(predecessor))
        {
            chain.Add(predecessor);
        }

        chain.Reverse();
        return chain;
    }

    /// <summary>What a chain goes on from, if that is known.</summary>
    private Reducer? Base(int first) =>
        standings.Lineage.Rows[first].Predecessor is { } predecessor ? standings.End(predecessor) : new Reducer();

    /// <summary>A run in snapshots, if behind frames of the runs before it they mean what it means.</summary>
    private List<Event>? Snapshots(Reducer frames, List<Event> run, Reducer standing)
    {
        var events = options.Partial ? null : RunForm.Retained(options, run, standing);
        var said = frames.Copy();
        return events is not null && said.TryApply(events) && said.StandsLike(standing) ? events : null;
    }

    private void Keep(IEnumerable<int> chain)
    {
        foreach (var place in chain.Where(place => !standings.IsRemoved(place)))
        {
            kept[place] = standings.Runs[place];
        }
    }
}
