using System.Collections.Generic;

namespace Chatstate;

/// <summary>
/// The conversations at the ends of runs, from which later runs continue. A run that continues another takes the
/// state along; for the others it is computed again. All else is shared.
/// </summary>
/// <param name="first">What the first run continues.</param>
internal sealed class RunEnds(Conversation first)
{
    private readonly List<(Conversation End, int? Predecessor)> ends = [];

    /// <summary>What the next run continues.</summary>
    public Conversation GoOnFrom(int? predecessor) => predecessor is { } place ? At(place).MoveOn() : first;

    /// <summary>Notes the end of the next run.</summary>
    public void Add(int? predecessor, Conversation end) => ends.Add((end, predecessor));

    /// <summary>The messages at the end of a run, and all else but the state.</summary>
    public Conversation WithoutState(int place) => ends[place].End;

    /// <summary>What was said at the end of a run.</summary>
    public Conversation At(int place)
    {
        var path = new Stack<int>();
        int? next = place;
        while (next is { } run && ends[run].End.HasMovedOn)
        {
            path.Push(run);
            next = ends[run].End.SaysState ? null : ends[run].Predecessor;
        }

        foreach (var run in path)
        {
            var (end, predecessor) = ends[run];
            end.RecallState(predecessor is { } before ? ends[before].End : null);
        }

        return ends[place].End;
    }
}
