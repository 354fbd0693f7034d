using System;
using System.Collections.Generic;
using System.Linq;

namespace Chatstate;

/// <summary>An event that has come.</summary>
/// <param name="Arrival">Its number.</param>
/// <param name="Event">The event.</param>
/// <param name="IsKept">Whether the caller keeps it as it is.</param>
internal readonly record struct Arrived(int Arrival, Event Event, bool IsKept);

/// <summary>The run in progress: its events as slots, of which some are filled or emptied later.</summary>
internal sealed partial class RunBuffer : ISteps
{
    private static readonly ItemKind[] StreamedKinds = [.. Enum.GetValues<ItemKind>().Where(kind => kind.IsStreamed())];

    /// <summary>What events of the state change.</summary>

    private readonly List<Event?> slots = [];

    /// <summary>The slots of events that stand elsewhere: before a slot that is not the last.</summary>
    private readonly List<(SlotPlace Place, int Slot)> late = [];

    private readonly StreamedItems items = new();
    private StateFold state = new();

    /// <summary>The event that has come.</summary>
    private Arrived arrived;

    /// <summary>Whether that event has closed an item with a chunk that the caller keeps.</summary>
    private bool closesKept;

    /// <summary>Begins the run with an event.</summary>
    public RunBuffer(Event started, Conversation conversation)
        : this(conversation) => Place(started);

    /// <summary>Begins with a run whose first event is elsewhere.</summary>
    public RunBuffer(Conversation conversation) => Conversation = conversation;

    /// <summary>What the run's path says up to here.</summary>
    public Conversation Conversation { get; }

    private SlotPlace NextPlace => new(slots.Count, arrived.Arrival);

    /// <summary>Gets an event whose steps are about to come.</summary>
    public void Expect(in Arrived next) => (arrived, closesKept) = (next, false);

    /// <summary>
    /// Takes the event itself, whose steps are taken; gives the limit that it passes. The terminal event goes to
    /// <see cref="End"/>.
    /// </summary>
    public PatchFailure? Take() => arrived.Event switch
    {
        { Item: { } kind } when kind.IsStreamed() => null,
        StateSnapshotEvent snapshot => TakeState(snapshot),
        StateDeltaEvent delta => TakeState(delta),
        _ => TakeOther(),
    };

    /// <summary>The run with its terminal event.</summary>
    public List<Event> End()
    {
        WriteAllPending();
        WriteState();
        Place(arrived.Event);
        Conversation.Happened(arrived.Arrival, arrived.Event);
        return InOrder();
    }

    /// <summary>The run, which is not over. What is open goes where it was last.</summary>
    public List<Event> Finish()
    {
        foreach (var ((kind, id), item) in items.All)
        {
            if (item.Chunks is { } chunks)
            {
                Restore(chunks);
            }
            else if (item.Pending is { } delta)
            {
                PlaceLate(delta.Place, MadeEvents.Delta(kind, id, delta));
            }
        }

        if (state.TakeFolded() is { } folded)
        {
            PlaceLate(folded.Place, folded.Written);
        }

        return InOrder();
    }

    void ISteps.Begin(in Beginning beginning)
    {
        if (!beginning.Kind.IsStreamed())
        {
            return;
        }

        var (kind, id) = (beginning.Kind, beginning.Id);
        Bar(Writes.OfBeginning(kind, id, beginning.Heads.ParentMessageId));
        Conversation.Begin(beginning, arrived.Event.Notes.Metadata);
        if (arrived.Event.IsChunk)
        {
            OpenChunks(beginning);
        }
        else
        {
            Place(arrived.Event);
            items.Add(kind, id, new(arrived.Arrival));
        }
    }

    void ISteps.Append(in ItemPart part) => Append(part);

    void ISteps.Idle(in ItemPart part)
    {
        // A chunk that says nothing leaves nothing, unless the caller keeps it.
        if (arrived.IsKept)
        {
            Append(part);
        }
    }

    void ISteps.End(in ItemPart part)
    {
        if (!part.Kind.IsStreamed())
        {
            return;
        }

        Bar(Writes.Of(arrived.Event));
        WritePending(part.Kind, part.Id);
        items.Remove(part.Kind, part.Id);
        Place(arrived.Event);
        Conversation.Continue(part, null, arrived.Event.Notes.Metadata);
    }

    void ISteps.Close(in ItemPart part) => CloseChunks(part.Kind, part.Id);

    void ISteps.Left(int index, OpenItem item)
    {
        // The end of the run writes what is pending.
    }

    /// <summary>
    /// A delta event, or a chunk that continues an item. The delta of the chunk that opens an item is there by now.
    /// </summary>
    private void Append(in ItemPart part)
    {
        if (items.Find(part.Kind, part.Id) is not { } item || item.Arrival == arrived.Arrival)
        {
            return;
        }

        var fields = new DeltaFields(arrived.Event);
        if (item.Chunks is { } chunks)
        {
            ContinueChunks(part, item, chunks, fields);
        }
        else
        {
            TakeDelta(part, item, fields);
        }
    }

    /// <summary>An explicit delta: merged, or alone in its place.</summary>
    private void TakeDelta(in ItemPart part, StreamedItem item, in DeltaFields fields)
    {
        var (kind, id) = (part.Kind, part.Id);
        if (arrived.IsKept || closesKept || fields.Others is not null || items.IsShared(kind, id))
        {
            WritePending(kind, id);
            Bar(Writes.Of(arrived.Event));
            Place(arrived.Event);
            Conversation.Continue(part, fields.Text, fields.Metadata);
        }
        else if (item.Pending is { } pending)
        {
            pending.Join(fields, NextPlace);
        }
        else
        {
            item.Pending = PendingDelta.Of(fields, NextPlace);
            items.NotePending(kind, id, item);
        }
    }

    /// <summary>An event that is about no item of its own.</summary>
    private PatchFailure? TakeOther()
    {
        var happened = arrived.Event;
        if (happened is MessagesSnapshotEvent)
        {
            WriteAllPending();
        }
        else
        {
            Bar(Writes.Of(happened));
        }

        Place(happened);
        return Conversation.Happened(arrived.Arrival, happened);
    }

    private PatchFailure? TakeState(StateSnapshotEvent snapshot)
    {
        state.Standing.ForEach(slot => slots[slot] = null);
        state = StateFold.Of(snapshot, NextPlace, arrived.IsKept || closesKept);
        return TakeState(state.Begun);
    }

    private PatchFailure? TakeState(StateDeltaEvent delta)
    {
        var outcome = state.Take(delta, NextPlace, arrived.IsKept || closesKept, out var limit);
        return limit ?? TakeState(outcome);
    }

    private PatchFailure? TakeState(StateOutcome outcome)
    {
        if (Conversation.Happened(arrived.Arrival, arrived.Event) is { } limit)
        {
            return limit;
        }

        if (outcome == StateOutcome.Folded)
        {
            return null;
        }

        WriteState();
        var slot = Place(arrived.Event);
        if (outcome == StateOutcome.Bars)
        {
            state = new();
        }
        else if (!arrived.IsKept && !closesKept)
        {
            state.Standing.Add(slot);
        }

        return null;
    }

    /// <summary>Writes the folded state, if there is one.</summary>
    private void WriteState()
    {
        if (state.TakeFolded() is { } folded)
        {
            var slot = Place(folded.Written);
            NoteMovable(folded.Owner, slot, folded.Place);
            state.Standing.Add(slot);
        }
    }

    /// <summary>Writes the pending deltas of all other kinds of items with the ids that are written.</summary>
    private void Bar(in Writes writes)
    {
        var barred = new List<(int Arrival, ItemKey Key)>();
        AddBarred(barred, writes.Kind, writes.First);
        AddBarred(barred, writes.Kind, writes.Second);
        foreach (var (_, key) in barred.Count > 1 ? barred.OrderBy(item => item.Arrival).ToList() : barred)
        {
            WritePending(key.Kind, key.Id);
        }
    }

    private void AddBarred(List<(int Arrival, ItemKey Key)> barred, ItemKind? writer, string? id)
    {
        foreach (var kind in id is null || items.Count == 0 ? [] : StreamedKinds)
        {
            if (kind != writer && items.Find(kind, id!) is { } item)
            {
                barred.Add((item.Arrival, new(kind, id!)));
            }
        }
    }

    private void WriteAllPending() => items.Pending().ForEach(key => WritePending(key.Kind, key.Id));

    /// <summary>
    /// Ends the pending delta of an item: it is here, unless it would close what chunks keep open since it stood
    /// last.
    /// </summary>
    private void WritePending(ItemKind kind, string id)
    {
        if (items.Find(kind, id) is not { } item)
        {
            return;
        }

        if (item.Chunks is { } chunks)
        {
            EndPart(kind, id, item, chunks);
        }
        else if (item.Pending is { } delta)
        {
            item.Pending = null;
            items.NoteWritten(item);
            Say(kind, id, delta);
            var slot = Place(MadeEvents.Delta(kind, id, delta));
            NoteMovable(delta.Owner, slot, delta.Place);
        }
    }

    /// <summary>Writes what would close a lane by standing any later: the pending deltas and the folded state.</summary>
    private void WriteLane(string? lane)
    {
        items.PendingIn(lane).ForEach(key => WritePending(key.Kind, key.Id));
        if (state.Closes(lane))
        {
            WriteState();
        }
    }

    /// <summary>Lets the conversation know what a merged delta says.</summary>
    private void Say(ItemKind kind, string id, PendingDelta delta) =>
        Conversation.Continue(new(kind, id, null), delta.Text, delta.Metadata);

    /// <summary>
    /// Notes that what takes a slot closes a lane in which chunks keep an item open. If the item is not spelled out,
    /// it has to stand where it stood before the chunks.
    /// </summary>
    private void NoteMovable(string? lane, int slot, SlotPlace place) => items.Holder(lane)?.Movable.Add((slot, place));

    private int Place(Event? happened)
    {
        slots.Add(happened);
        return slots.Count - 1;
    }

    private void PlaceLate(SlotPlace place, Event happened) => late.Add((place, Place(happened)));

    /// <summary>A slot that is filled later, if it is.</summary>
    private int Reserve() => Place(null);

    private void Fill(int slot, Event made) => slots[slot] = made;

    /// <summary>The events, with what is late where it belongs.</summary>
    private List<Event> InOrder()
    {
        if (late.Count == 0)
        {
            return slots.OfType<Event>().ToList();
        }

        var events = new List<Event?>(slots.Count + late.Count);
        var waiting = new Queue<(SlotPlace Place, int Slot)>(
            late.OrderBy(late => late.Place.Slot).ThenBy(late => late.Place.Arrival));
        for (var number = 0; number < slots.Count; number++)
        {
            while (waiting.TryPeek(out var next) && next.Place.Slot <= number)
            {
                events.Add(slots[next.Slot]);
                slots[next.Slot] = null;
                _ = waiting.Dequeue();
            }

            events.Add(slots[number]);
        }

        return events.OfType<Event>().ToList();
    }
}
