using System.Collections.Generic;

namespace Chatstate;

/// <summary>The runs of a log by number, and which of them lie on the path to another.</summary>
internal sealed class RunPath
{
    /// <summary>No run.</summary>
    public const int None = -1;

    private readonly List<Row> rows = [];
    private readonly Dictionary<string, int> byId = [];

    /// <summary>Begins a run, and gives its number.</summary>
    public int Begin(string runId, string? parentRunId)
    {
        var place = rows.Count;
        var isNamed = parentRunId is not null && parentRunId != runId && byId.ContainsKey(parentRunId);
        var predecessor = isNamed ? byId[parentRunId!] : place - 1;
        rows.Add(predecessor == None ? new(None, place, 0, place) : After(predecessor, place));
        byId[runId] = place;
        return place;
    }

    /// <summary>The run before this one on its path.</summary>
    public int Predecessor(int place) => place == None ? None : rows[place].Predecessor;

    /// <summary>Notes that a run restated a class of messages.</summary>
    public void Restate(int place, MessageClass kind)
    {
        if (place != None)
        {
            rows[place].Restated[(int)kind] = place;
        }
    }

    /// <summary>The nearest run on the path to this one that restated a class of messages.</summary>
    public int Restated(int place, MessageClass kind) => place == None ? None : rows[place].Restated[(int)kind];

    /// <summary>Whether a run is on the path to another, or is that run.</summary>
    public bool IsOn(int place, int last)
    {
        if (place == None || last == None)
        {
            return false;
        }

        return place <= last && (place >= rows[last].Chain || AtDepth(last, rows[place].Depth) == place);
    }

    private Row After(int predecessor, int place)
    {
        var before = rows[predecessor];
        var chain = predecessor + 1 == place ? before.Chain : place;
        var row = new Row(predecessor, JumpFrom(predecessor), before.Depth + 1, chain);
        before.Restated.CopyTo(row.Restated, 0);
        return row;
    }

    /// <summary>
    /// The run on the path that has this many predecessors. Jumps double in length as the digits of a skew
    /// binary number do, so that a path of n runs takes about log n steps.
    /// </summary>
    private int AtDepth(int place, int depth)
    {
        while (rows[place].Depth > depth)
        {
            var row = rows[place];
            place = rows[row.Jump].Depth >= depth ? row.Jump : row.Predecessor;
        }

        return place;
    }

    /// <summary>Where the run after this one jumps to.</summary>
    private int JumpFrom(int place)
    {
        var near = rows[place].Jump;
        var far = rows[near].Jump;
        return rows[place].Depth - rows[near].Depth == rows[near].Depth - rows[far].Depth ? far : place;
    }

    /// <summary>A run, with what it takes to find its predecessors in a few steps.</summary>
    /// <param name="Predecessor">The run before it.</param>
    /// <param name="Jump">A predecessor further away.</param>
    /// <param name="Depth">How many predecessors there are.</param>
    /// <param name="Chain">From this run on, each is the predecessor of the next.</param>
    private sealed record Row(int Predecessor, int Jump, int Depth, int Chain)
    {
        /// <summary>By class, the nearest run on the path, itself included, that restated the messages.</summary>
        public int[] Restated { get; } = [None, None, None];
    }
}
