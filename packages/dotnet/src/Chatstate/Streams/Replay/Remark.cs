using System.Collections.Generic;
using System.Linq;

namespace Chatstate;

/// <summary>Something that replay passed over.</summary>
/// <param name="Rule">The rule.</param>
/// <param name="Index">The index of the event.</param>
/// <param name="Place">JSON Pointer from the event to what was passed over.</param>
/// <param name="Sentence">What it was, for people.</param>
internal sealed record Remark(string Rule, int Index, string Place, string Sentence)
{
    private const string ConflictRule = "lineage.conflict";

    /// <summary>Whether it is about an input that brings another value of a message.</summary>
    public bool IsConflict => Rule == ConflictRule;

    public static Remark FailedPatch(int index, PatchFailure failure) =>
        new("verify.failed-patch", index, "", $"{failure.Sentence}; replay skips the whole patch");

    public static Remark Conflict(int index, int place, string? id) => new(
        ConflictRule,
        index,
        $"/input/messages/{place}",
        $"the run already holds another message `{id}`, which replay keeps");

    /// <summary>
    /// What the replays of all branches pass over, in the order of the log. Events that a replay refuses are
    /// skipped, so that one damaged run hides nothing about the others. Of the runs that go on from one, the
    /// longest branch takes what stands there and the others copy it one after the other, so that few copies
    /// are there at a time.
    /// </summary>
    public static List<Remark> All(IReadOnlyList<Event> events, RunLog runs)
    {
        var remarks = new List<Remark>();
        var branches = runs.Branches();
        var waiting = new Stack<(int Place, Reducer Before, bool IsLast)>();
        if (branches.Length > 0)
        {
            waiting.Push((0, new Reducer(), true));
        }

        while (waiting.TryPop(out var next))
        {
            var reducer = next.IsLast ? next.Before : next.Before.Copy();
            reducer.KeepRemarks();
            foreach (var index in runs.EventsOf(next.Place, events.Count))
            {
                _ = reducer.Apply(index, events[index]);
            }

            remarks.AddRange(reducer.EndRun());
            // The first to be pushed is the last to be taken.
            var isLast = true;
            foreach (var place in branches[next.Place])
            {
                waiting.Push((place, reducer, isLast));
                isLast = false;
            }
        }

        return remarks.OrderBy(remark => remark.Index).ToList();
    }
}
