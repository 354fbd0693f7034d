using System.Collections.Generic;

namespace Chatstate;

/// <summary>
/// The conversations at the ends of runs, from which later runs continue. The first run that continues another takes the
/// state along, and the messages are kept with the last of such a chain: of those before it only what each run changed.
/// For a second run that continues an earlier one, both are computed again. All else is shared.
/// </summary>
/// <param name="first">What the first run continues.</param>
/// <param name="texts">Where what runs changed is kept, if that is to take little memory.</param>
internal sealed class RunEnds(Conversation first, PackedTexts? texts = null)
{
    private readonly List<RunEnd> ends = [];

    /// <summary>What the next run continues.</summary>
    public Conversation GoOnFrom(int? predecessor) => predecessor is { } place ? At(place).MoveOn() : first;

    /// <summary>Notes the end of the next run.</summary>
    public void Add(int? predecessor, Conversation end)
    {
        if (predecessor is { } before && !ends[before].IsFollowed)
        {
            ends[before].IsFollowed = true;
            ends[before].Follower = ends.Count;
            ends[before].End.LeaveThread();
        }

        var added = new RunEnd(end, predecessor);
        ends.Add(added);
        if (texts is not null)
        {
            added.Changes.Pack(texts);
        }
    }

    /// <summary>The messages at the end of a run; none before the first one.</summary>
    public MessageThread ThreadAt(int? place)
    {
        if (place is not { } run)
        {
            return new();
        }

        RecallThread(run);
        return ends[run].End.Thread;
    }

    /// <summary>What was said at the end of a run.</summary>
    public Conversation At(int place)
    {
        RecallThread(place);
        RecallState(place);
        return ends[place].End;
    }

    /// <summary>Whether two messages or two tool calls have one id at the end of a run.</summary>
    public bool HasSharedIds(int place) => ends[place].HasSharedIds;

    /// <summary>What is waited for at the end of a run.</summary>
    public IReadOnlyList<Interrupt> Interrupts(int place) => ends[place].End.Interrupts;

    /// <summary>
    /// Works out the messages at the end of a run again, from those of the runs that continue it. They are kept from now
    /// on, as those on the way to it are.
    /// </summary>
    private void RecallThread(int place)
    {
        var path = new Stack<int>([place]);
        while (ends[path.Peek()].Follower is { } follower)
        {
            path.Push(follower);
        }

        var last = ends[path.Pop()];
        while (path.TryPop(out var next))
        {
            ends[next].Follower = null;
            ends[next].End.Keep(last.End.Thread.Before(last.Changes));
            last = ends[next];
        }
    }

    private void RecallState(int place)
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
            var before = ends[run].Predecessor is { } predecessor ? ends[predecessor].End : null;
            ends[run].End.RecallState(before);
        }
    }

    private sealed class RunEnd(Conversation end, int? predecessor)
    {
        public Conversation End => end;

        public int? Predecessor => predecessor;

        /// <summary>What the run changed in the messages.</summary>
        public ThreadChanges Changes { get; } = end.Thread.EndRun();

        public bool HasSharedIds { get; } = end.Thread.HasSharedIds;

        /// <summary>Whether a run has continued here.</summary>
        public bool IsFollowed { get; set; }

        /// <summary>The run that has the messages, with what it changed.</summary>
        public int? Follower { get; set; }
    }
}
