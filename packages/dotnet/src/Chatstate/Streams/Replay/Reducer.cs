using System.Collections.Generic;
using System.Linq;

namespace Chatstate;

/// <summary>A replay between two events: what is open, and what was said.</summary>
/// <param name="tracker">What is open at first.</param>
/// <param name="conversation">What was said before.</param>
internal sealed class Reducer(Tracker tracker, Conversation conversation) : ISteps
{
    /// <summary>The event that is applied.</summary>
    private Event current = NoEvent;

    public Reducer()
        : this(new(), new())
    {
    }

    public Tracker Tracker => tracker;

    public Conversation Conversation => conversation;

    private static Event NoEvent { get; } = new RunErrorEvent { Message = "" };

    /// <summary>Applies the event of this index; gives why it is rejected.</summary>
    public RejectionException? Apply(int index, Event happened)
    {
        try
        {
            var rejection = ApplyWithoutInput(index, happened);
            if (rejection is null && happened is RunStartedEvent { Input: { } input })
            {
                conversation.TakeInput(input.Messages, isKnown: false);
            }

            return rejection;
        }
        catch (RejectionException met)
        {
            return UnwritableEvent.Rejection(happened, index, met);
        }
    }

    /// <summary>The same where the messages of the input are there already.</summary>
    public RejectionException? ApplyWithoutInput(int index, Event happened)
    {
        current = happened;
        return tracker.Take(index, happened, this)?.Reject(index)
            ?? conversation.Happened(index, happened)?.Limit(index);
    }

    /// <summary>Whether events can be applied one after the other.</summary>
    public bool TryApply(IReadOnlyList<Event> events) =>
        Enumerable.Range(0, events.Count).All(index => Apply(index, events[index]) is null);

    /// <summary>What is open, each with the index of its first event.</summary>
    public List<(int Index, OpenItem Item)> Open() => tracker.Open();

    /// <summary>
    /// Whether messages, state and interrupts are the same, and whatever follows makes the same of both.
    /// </summary>
    public bool StandsLike(Reducer other) =>
        tracker.StandsLike(other.Tracker) && conversation.IsEqualTo(other.Conversation);

    void ISteps.Begin(in Beginning beginning) => conversation.Begin(beginning, current.Notes.Metadata);

    void ISteps.Append(in ItemPart part) => Continue(part);

    void ISteps.End(in ItemPart part) => Continue(part);

    void ISteps.Idle(in ItemPart part)
    {
        // A chunk that says nothing changes nothing.
    }

    void ISteps.Close(in ItemPart part)
    {
        // Who ends an item by being about something else says nothing of it.
    }

    void ISteps.Left(int index, OpenItem item)
    {
        // What is left open stays as it is.
    }

    /// <summary>
    /// Continues or ends an item. A chunk that continues one without text of its own appends nothing, which
    /// still makes an empty text of none.
    /// </summary>
    private void Continue(in ItemPart part) =>
        conversation.Continue(part, current.Streamed ?? (current.IsChunk ? "" : null), current.Notes.Metadata);
}
