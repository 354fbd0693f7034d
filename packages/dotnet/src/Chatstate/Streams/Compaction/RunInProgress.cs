using System.Collections.Generic;

namespace Chatstate;

/// <summary>The run in progress: its events as slots, of which some are filled or emptied later.</summary>
/// <param name="held">The messages of the log.</param>
internal sealed partial class RunInProgress(HeldMessages held)
{
    private readonly List<Slot> slots = [];
    private readonly ItemSpans spans = [];

    /// <summary>The chunks of items that are closed, but with a chunk that is kept as it is.</summary>
    private readonly List<StayingChunk> keptChunks = [];

    private StateFold state = new();

    /// <summary>Begins the run.</summary>
    public void Begin(RunStartedEvent started)
    {
        Forget();
        Place(new(started));
    }

    /// <summary>
    /// Takes the next event of the run; the terminal event goes to <see cref="End"/>. Gives a failure only if
    /// a patch makes too much of the state.
    /// </summary>
    public PatchFailure? Push(Event next, bool isKept)
    {
        var role = next.EventRole;
        CloseChunks(role.Closes, next.Lane);
        switch (role.Does)
        {
            case EventDoes.Append:
                TakeDelta(next, isKept);
                return null;
            case EventDoes.Chunk:
                TakeChunk(next, isKept);
                return null;
            default:
                return PushWhole(next, isKept);
        }
    }

    /// <summary>Takes an event that is neither a delta nor a chunk.</summary>
    private PatchFailure? PushWhole(Event next, bool isKept)
    {
        switch (next)
        {
            case StateSnapshotEvent snapshot:
                TakeSnapshot(snapshot, isKept);
                break;
            case StateDeltaEvent delta:
                var isFolded = state.Fold(delta, isKept, out var limit);
                KeepState(delta, isFolded, isKept);
                return limit;
            case MessagesSnapshotEvent:
                FlushAll();
                Stand(next);
                break;
            default:
                TakeOther(next);
                break;
        }

        return null;
    }

    /// <summary>Gives the events of the run with its terminal event, and forgets them.</summary>
    public List<Event> End(Event terminal)
    {
        CloseChunks(ClosedChunks.All, null);
        // A state without a place of its own stands before the terminal event.
        var events = Finish();
        events.Add(terminal);
        return events;
    }

    /// <summary>Gives the events of the run, which is not over, and forgets them.</summary>
    public List<Event> Finish()
    {
        FlushAll();
        var chunks = new List<StayingChunk>(keptChunks);
        foreach (var span in spans)
        {
            chunks.AddRange(StayingChunks(span, closed: null));
        }

        var events = Placement.InOrder(slots, chunks, state.Place ?? slots.Count, state.Written());
        Forget();
        return events;
    }

    /// <summary>The streamed item that a start begins or an end ends; other events have none.</summary>
    private static bool IsOf(Event happened, out ItemKind kind, out bool isStart)
    {
        var role = happened.EventRole;
        kind = role.Item ?? default;
        isStart = role.Does == EventDoes.Begin;
        return role.Item is { } item && item.IsStreamed() && (isStart || role.Does == EventDoes.End);
    }

    private void Forget()
    {
        slots.Clear();
        spans.Clear();
        keptChunks.Clear();
        state = new();
    }

    /// <summary>An event that is neither a delta nor a chunk nor of the state or all messages.</summary>
    private void TakeOther(Event other)
    {
        Bar(Writes.Of(other));
        var isOfItem = IsOf(other, out var kind, out var isStart);
        if (isOfItem && !isStart && spans.Of(kind, other.ItemId!) is { } span)
        {
            Flush(span);
            spans.Remove(span);
        }

        Stand(other);
        if (isOfItem && isStart)
        {
            spans.Add(new(kind, other.ItemId!));
        }
    }

    /// <summary>An event stays as it is.</summary>
    private void Stand(Event standing)
    {
        Place(new(standing));
        held.Take(standing);
    }

    /// <summary>A snapshot makes all state events before it vanish.</summary>
    private void TakeSnapshot(StateSnapshotEvent snapshot, bool isKept)
    {
        foreach (var slot in state.Standing)
        {
            slots[slot] = default;
        }

        state = StateFold.BeginWith(snapshot, isKept, out var isFolded);
        KeepState(snapshot, isFolded, isKept);
    }

    private void KeepState(Event standing, bool isFolded, bool isKept)
    {
        if (isFolded)
        {
            return;
        }

        if (state.NeedsPlace)
        {
            state.Place = Place(default);
        }

        var slot = Place(new(standing));
        if (!isKept)
        {
            state.Standing.Add(slot);
        }
    }

    /// <summary>An explicit delta: joined, or alone in its place.</summary>
    private void TakeDelta(Event delta, bool isKept)
    {
        var (kind, id) = (delta.Item!.Value, delta.ItemId!);
        if (spans.Of(kind, id) is not { } span)
        {
            TakeOther(delta);
            return;
        }

        var piece = DeltaPiece.Of(delta, isKept);
        if (piece.StandsAlone || spans.IsShared(kind, id))
        {
            Flush(span);
            TakeOther(delta);
        }
        else if (span.Chunks is not null)
        {
            ContinueChunks(span, piece);
        }
        else if (span.Part is { } part)
        {
            part.Join(piece);
        }
        else
        {
            span.Part = DeltaPart.Of(piece);
            span.Part.Event = delta;
        }
    }

    /// <summary>Ends the parts of all other kinds of items with the ids that are written.</summary>
    private void Bar(in Writes writes)
    {
        if (writes.First is null && writes.Second is null)
        {
            return;
        }

        for (var place = 0; place < spans.Count; place++)
        {
            var span = spans[place];
            if (span.IsBarredBy(writes.Kind, writes.First) || span.IsBarredBy(writes.Kind, writes.Second))
            {
                Flush(span);
            }
        }
    }

    private void FlushAll()
    {
        foreach (var span in spans)
        {
            if (span.Chunks is null)
            {
                Flush(span);
            }
        }
    }

    /// <summary>Ends the part of an item: its joined delta stands here.</summary>
    private void Flush(ItemSpan span)
    {
        if (span.Chunks is { } chunks)
        {
            if (chunks.Pending is { } pending)
            {
                pending.Delta = Place(default);
                held.Append(span.Kind, span.Id, pending.Part);
            }
        }
        else if (span.Part is { } part)
        {
            span.Part = null;
            held.Append(span.Kind, span.Id, part);
            Place(new(part.Event ?? PartWriting.Delta(span.Kind, span.Id, part), IsJoined: true, part.Owner));
        }
    }

    private int Place(Slot slot)
    {
        slots.Add(slot);
        return slots.Count - 1;
    }
}
