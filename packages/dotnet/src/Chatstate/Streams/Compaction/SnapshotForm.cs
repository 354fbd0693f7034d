using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.Json;

namespace Chatstate;

/// <summary>The forms that a finished run may take.</summary>
internal static class SnapshotForm
{
    /// <summary>The bytes of a <c>MESSAGES_SNAPSHOT</c> around what it says.</summary>
    private static readonly int MessagesFrame = """{"messages":[],"type":"MESSAGES_SNAPSHOT"}""".Length;

    /// <summary>The bytes of a <c>STATE_SNAPSHOT</c> around what it says.</summary>
    private static readonly int StateFrame = """{"snapshot":,"type":"STATE_SNAPSHOT"}""".Length;

    /// <summary>
    /// A run that says what it adds to its predecessor: by snapshots where these are no larger than the events that
    /// they stand for.
    /// </summary>
    public static IEnumerable<Event> SaidAnew(FinishedRun run, MessageThread start, Conversation end)
    {
        if (run.IsIncomplete || run.IsRemoved)
        {
            return run.Run.Events;
        }

        Event? messages = MessagesIfSmaller(run, start, end);
        Event? state = StateIfSmaller(run, end);
        bool IsReplaced(ReplayedPart? part) => part switch
        {
            ReplayedPart.Messages => messages is not null,
            ReplayedPart.State => state is not null,
            _ => false,
        };
        var snapshots = new[] { messages, state }.OfType<Event>().ToList();
        var said = snapshots.Count == 0 ? null : WithSnapshots(run.Run, run.Run.Placed[0].Event, IsReplaced, snapshots);
        return said is not null && IsAcceptable(run.Run, said, start, end.Thread) ? said : run.Run.Events;
    }

    /// <summary>
    /// A run with all messages and the state of its path; none if no snapshot can say them after the messages of its
    /// predecessor.
    /// </summary>
    public static List<Event>? SaidWhole(FinishedRun run, Conversation end, MessageThread before)
    {
        var isKnown = !run.IsIncomplete && !run.IsRemoved && end.KnowsMessages && end.KnowsState;
        var (started, keepsStart) = ((RunStartedEvent)run.Run.Placed[0].Event, run.Run.Placed[0].IsKept);
        var start = keepsStart ? started : Restating.WithoutMessages(started);
        var known = keepsStart ? WithInput(before, started) : before;
        if (!isKnown || MessagesOn(known, end.Thread) is not { } messages)
        {
            return null;
        }

        List<Event> snapshots = [messages, Restating.StateSnapshot(end.State)];
        var said = WithSnapshots(run.Run, start, part => part is not null, snapshots);
        return IsAcceptable(run.Run, said, known, end.Thread) ? said : null;
    }

    /// <summary>The messages of a path with those of the input of the run that continues it.</summary>
    public static MessageThread WithInput(MessageThread before, RunStartedEvent started)
    {
        var conversation = Conversation.Of(before);
        _ = conversation.TakeInput(started.Input?.Messages ?? [], isKnown: false);
        return conversation.Thread;
    }

    /// <summary>The frame of a run that is not retained, which says so.</summary>
    public static IEnumerable<Event> Frame(CompactedRun run)
    {
        var start = RunMark.With(
            Restating.WithoutMessages((RunStartedEvent)run.Placed[0].Event), "compacted", JsonTree.Of("tips"));
        return run.Placed.Count == 1 ? [start] : [start, run.Placed[^1].Event];
    }

    private static List<Event> WithSnapshots(
        CompactedRun run, Event start, Func<ReplayedPart?, bool> isReplaced, List<Event> snapshots)
    {
        var inner = run.Placed.Skip(1).SkipLast(1).Where(placed => placed.IsKept || !isReplaced(placed.Changes));
        return [start, .. inner.Select(placed => placed.Event), .. snapshots, run.Placed[^1].Event];
    }

    /// <summary>
    /// Whether a form means what the run means also where events stay that the caller keeps: they may not be valid
    /// without those that went, or change what the snapshots say.
    /// </summary>
    private static bool IsAcceptable(CompactedRun run, List<Event> said, MessageThread before, MessageThread after) =>
        !run.Placed.Exists(placed => placed.IsKept && placed.Changes is not null)
        || ReplaysTo(said, before, after);

    private static bool ReplaysTo(List<Event> events, MessageThread before, MessageThread after)
    {
        var verifier = new Verifier();
        var reducer = new Reducer(new(), Conversation.Of(before));
        for (var index = 0; index < events.Count; index++)
        {
            verifier.Push(index, events[index]);
            // The messages of the input are among those before.
            if (verifier.Errors.Count > 0 || reducer.ApplyWithoutInput(index, events[index]) is not null)
            {
                return false;
            }
        }

        return reducer.Conversation.Thread.IsEqualTo(after);
    }

    /// <summary>The bytes of the events that a snapshot may replace; none if there are no such events.</summary>
    private static long? BytesAbout(CompactedRun run, ReplayedPart part)
    {
        long? sum = null;
        foreach (var placed in run.Placed.Where(placed => placed.Changes == part && !placed.IsKept))
        {
            sum = (sum ?? 0) + Countdown.SizeOf(placed.Event);
        }

        return sum;
    }

    private static MessagesSnapshotEvent? MessagesIfSmaller(FinishedRun run, MessageThread start, Conversation end)
    {
        if (!end.KnowsMessages || BytesAbout(run.Run, ReplayedPart.Messages) is not { } bytes)
        {
            return null;
        }

        // One comma less than there are messages.
        var left = new Countdown(end.Thread.Count == 0 ? bytes : bytes + 1);
        var isSmaller = left.Take(MessagesFrame);
        foreach (var message in isSmaller ? end.Thread.Messages : [])
        {
            if (!left.Take(1) || !left.Take(message.Value))
            {
                return null;
            }
        }

        return isSmaller ? MessagesOn(start, end.Thread) : null;
    }

    private static StateSnapshotEvent? StateIfSmaller(FinishedRun run, Conversation end)
    {
        var isBound = run.Run.Placed.Exists(placed => placed.Changes == ReplayedPart.State && placed.IsKept);
        if (isBound || !end.KnowsState || BytesAbout(run.Run, ReplayedPart.State) is not { } bytes)
        {
            return null;
        }

        var left = new Countdown(bytes);
        return left.Take(StateFrame) && left.Take(end.State) ? Restating.StateSnapshot(end.State) : null;
    }

    /// <summary>The snapshot of all messages that makes them of those before; none if there is none.</summary>
    private static MessagesSnapshotEvent? MessagesOn(MessageThread before, MessageThread thread)
    {
        var messages = thread.Messages.ToList();
        if (thread.HasSharedIds || messages.Exists(message => message.Id is null))
        {
            return null;
        }

        var after = before.Copy();
        after.Restate(messages);
        return after.IsEqualTo(thread) ? Restating.MessagesSnapshot(messages.Select(message => message.Value)) : null;
    }
}
