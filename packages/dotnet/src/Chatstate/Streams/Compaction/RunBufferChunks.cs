namespace Chatstate;

/// <content>
/// Items that chunks keep open: whether they become START, deltas and END, or stay as they came, is known when they
/// are closed, or not at the end of the input.
/// </content>
internal sealed partial class RunBuffer
{
    private void OpenChunks(in Beginning beginning)
    {
        var (kind, id) = (beginning.Kind, beginning.Id);
        var fields = new DeltaFields(arrived.Event);
        var standsAlone = items.IsShared(kind, id) || arrived.IsKept || fields.Others is not null;
        var place = NextPlace;
        var chunks = new ItemChunks(fields.Owner, arrived.Event.Heads, Reserve()) { IsKept = arrived.IsKept };
        chunks.Parts.Add(new(PendingDelta.OfOpener(fields, place)));
        chunks.Raw.Add((place, arrived.Event));
        items.Add(kind, id, new(arrived.Arrival) { Chunks = chunks });
        if (standsAlone)
        {
            WritePending(kind, id);
        }
    }

    /// <summary>A further chunk, or an explicit delta, of an item that chunks keep open.</summary>
    private void ContinueChunks(in ItemPart part, StreamedItem item, ItemChunks chunks, in DeltaFields fields)
    {
        var (kind, id) = (part.Kind, part.Id);
        var isDelta = fields.IsDelta;
        var standsAlone = items.IsShared(kind, id)
            || arrived.IsKept
            || (isDelta && (closesKept || fields.Others is not null));
        if (standsAlone)
        {
            WritePending(kind, id);
            if (isDelta)
            {
                Bar(Writes.OfProgress(kind, id));
            }
        }

        chunks.Raw.Add((NextPlace, arrived.Event));
        chunks.IsKept |= arrived.IsKept;
        if (chunks.Pending is { } pending)
        {
            pending.Delta.Join(fields, NextPlace);
        }
        else if (isDelta)
        {
            chunks.Parts.Add(new(PendingDelta.Of(fields, NextPlace)));
            items.NotePending(kind, id, item);
        }

        if (standsAlone)
        {
            WritePending(kind, id);
        }
    }

    /// <summary>Ends the pending part of a chunk item, whose delta is written when the item is closed.</summary>
    private void EndPart(ItemKind kind, string id, StreamedItem item, ItemChunks chunks)
    {
        if (chunks.Pending is not { } part)
        {
            return;
        }

        var slot = Reserve();
        part.Slot = slot;
        items.NoteWritten(item);
        if (part.Delta.Count == 0)
        {
            return;
        }

        Say(kind, id, part.Delta);
        if (!part.Delta.HasChunks)
        {
            NoteMovable(null, slot, part.Delta.Place);
        }
    }

    /// <summary>
    /// Ends an item that chunks kept open: it gets START, deltas and END, unless the caller keeps one of its chunks. It
    /// stays as it came, then, and all that would close it stands before it.
    /// </summary>
    private void CloseChunks(ItemKind kind, string id)
    {
        if (items.Find(kind, id) is not { Chunks: { } chunks } item)
        {
            return;
        }

        if (chunks.IsKept)
        {
            WriteLane(chunks.Lane);
        }

        Bar(Writes.OfProgress(kind, id));
        EndPart(kind, id, item, chunks);
        items.Remove(kind, id);
        if (chunks.IsKept)
        {
            closesKept = true;
            Restore(chunks);
            return;
        }

        Fill(chunks.Start, MadeEvents.Start(kind, id, chunks.Heads, chunks.Lane, chunks.Parts[0].Delta));
        foreach (var part in chunks.Parts)
        {
            var (delta, isFirst) = (part.Delta, part == chunks.Parts[0]);
            if (delta.Count == 0 || part.Slot is not { } slot)
            {
                continue;
            }

            if (isFirst || delta.HasChunks)
            {
                delta.Timestamp = null;
            }

            // A chunk that names no owner belongs to the lane of the parent agent.
            delta.Owner = delta.HasChunks ? chunks.Lane : null;
            Fill(slot, MadeEvents.Delta(kind, id, delta));
        }

        Place(MadeEvents.End(kind, id, chunks.Lane));
    }

    /// <summary>Puts an item back as it came, and before it what would close it.</summary>
    private void Restore(ItemChunks chunks)
    {
        foreach (var (slot, place) in chunks.Movable)
        {
            late.Add((place, slot));
        }

        foreach (var (place, chunk) in chunks.Raw)
        {
            PlaceLate(place, chunk);
        }
    }
}
