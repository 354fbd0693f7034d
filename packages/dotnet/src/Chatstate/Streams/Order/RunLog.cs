using System.Collections.Generic;
using System.Linq;

namespace Chatstate;

/// <summary>One run of a log.</summary>
/// <param name="RunId">Its id.</param>
/// <param name="ParentRunId">The run that it names as its parent.</param>
/// <param name="Predecessor">The place of the run that it continues.</param>
/// <param name="Index">The index of its first event.</param>
/// <param name="ContinuesLeftOut">
/// Whether it names a parent that is left out by the prelude with which the log begins.
/// </param>
internal sealed record RunRow(
    string RunId, string? ParentRunId, int? Predecessor, int Index, bool ContinuesLeftOut);

/// <summary>The runs of a log so far, and how they continue each other.</summary>
internal sealed class RunLog
{
    private readonly List<RunRow> rows = [];

    /// <summary>The latest run of each id.</summary>
    private readonly Dictionary<string, int> byId = [];

    /// <summary>The runs that name a parent which has not been there yet, by the parent.</summary>
    private readonly Dictionary<string, List<int>> waiting = [];

    /// <summary>The runs that the first run names as left out.</summary>
    private HashSet<string> leftOut = [];

    /// <summary>The runs in the order of the log.</summary>
    public IReadOnlyList<RunRow> Rows => rows;

    /// <summary>
    /// Adds the run that begins with the event of this index, and says what is wrong now. A run that named
    /// this one before it was there is wrong from now on.
    /// </summary>
    public void Push(int index, RunStartedEvent started, List<LineageProblem>? problems)
    {
        var (runId, parent, place) = (started.RunId, started.Parent, rows.Count);
        if (byId.TryGetValue(runId, out var earlier))
        {
            problems?.Add(Reused(index, rows[earlier]));
        }

        if (waiting.Remove(runId, out var early))
        {
            problems?.AddRange(early.Select(row => Later(rows[row], index)));
        }

        int? named = parent is not null && byId.TryGetValue(parent, out var found) ? found : null;
        var isSelf = parent == runId;
        int? before = place == 0 ? null : place - 1;
        var continuesLeftOut = (named is null || isSelf) && parent is not null && leftOut.Contains(parent);
        if (place == 0)
        {
            leftOut = RunMark.LeftOutBy(started).ToHashSet();
        }

        rows.Add(new(runId, parent, isSelf ? before : named ?? before, index, continuesLeftOut));
        byId[runId] = place;
        if (isSelf)
        {
            problems?.Add(Later(rows[place], index));
        }
        else if (parent is not null && named is null)
        {
            (waiting.TryGetValue(parent, out var list) ? list : waiting[parent] = []).Add(place);
        }
    }

    /// <summary>The warnings for parents that the log does not hold, in the order of the log.</summary>
    public IEnumerable<LineageProblem> Outside() =>
        waiting.Values.SelectMany(places => places).Order().Select(place => rows[place]).Select(row => new LineageProblem(
            "lineage.parent-outside",
            $"/{row.Index}/parentRunId",
            $"the parent `{row.ParentRunId}` of run `{row.RunId}` is not in the log, so the run continues the run "
                + "before it")
        {
            Index = row.Index,
        });

    /// <summary>The runs from which no run continues.</summary>
    public IEnumerable<RunRow> Tips()
    {
        var followed = rows.Select(row => row.Predecessor).ToHashSet();
        return rows.Where((_, place) => !followed.Contains(place));
    }

    /// <summary>The place of the run with this id; of several, the latest.</summary>
    public int? PlaceOf(string runId) => byId.TryGetValue(runId, out var place) ? place : null;

    /// <summary>The places of the runs from the first to this one, each the predecessor of the next.</summary>
    public List<int> PathTo(int place)
    {
        var path = new List<int> { place };
        while (rows[path[^1]].Predecessor is { } before)
        {
            path.Add(before);
        }

        path.Reverse();
        return path;
    }

    /// <summary>
    /// The indexes of a run's events, of so many events in all: up to the next run. What is before the
    /// first run belongs to it.
    /// </summary>
    public IEnumerable<int> EventsOf(int place, int count)
    {
        var start = place == 0 ? 0 : rows[place].Index;
        var end = place + 1 < rows.Count ? rows[place + 1].Index : count;
        return Enumerable.Range(start, end - start);
    }

    private static LineageProblem Reused(int index, RunRow earlier) => new(
        "lineage.run-reused", $"/{index}/runId", $"the log already holds a run `{earlier.RunId}`")
    {
        Index = index,
        Other = earlier.Index,
        IsError = true,
    };

    /// <summary>The run names itself, or a run that begins later, as its parent.</summary>
    private static LineageProblem Later(RunRow row, int other)
    {
        var what = row.Index == other ? "itself" : "the later run";
        var sentence = $"run `{row.RunId}` names {what} `{row.ParentRunId}` as its parent";
        return new("lineage.self-or-later", $"/{row.Index}/parentRunId", sentence)
        {
            Index = row.Index,
            Other = row.Index == other ? null : other,
            IsError = true,
        };
    }
}
