using System.Collections.Generic;

namespace Chatstate;

/// <content>Items that chunks keep open.</content>
internal sealed partial class RunInProgress
{
    private void TakeChunk(Event chunk, bool isKept)
    {
        var kind = chunk.Item!.Value;
        var piece = DeltaPiece.Of(chunk, isKept);
        if (spans.Continued(kind, chunk) is { } span)
        {
            ContinueChunks(span, piece);
            return;
        }

        CloseChunks(ClosedChunks.Lane, chunk.Lane);
        if (chunk.ItemId is { } id)
        {
            OpenChunks(kind, id, chunk, piece);
        }
        else
        {
            // Nobody can tell what it continues; a verifier refuses it.
            TakeOther(chunk);
        }
    }

    private void OpenChunks(ItemKind kind, string id, Event chunk, in DeltaPiece piece)
    {
        Bar(Writes.OfBeginning(kind, id, chunk.Parent));
        var standsAlone = spans.IsShared(kind, id) || piece.StandsAlone;
        var first = Place(default);
        var part = DeltaPart.OfOpener(piece);
        part.Event = piece.IsKept ? chunk : null;
        held.Begin(kind, id, chunk.Heads, chunk.Owner, metadata: null);
        var span = new ItemSpan(kind, id) { Chunks = new(chunk.Lane, chunk.Heads) { IsKept = piece.IsKept } };
        span.Chunks.Parts.Add(new(first, part));
        spans.Add(span);
        if (standsAlone)
        {
            Flush(span);
        }
    }

    /// <summary>A further chunk, or an explicit delta, of an item that chunks keep open.</summary>
    private void ContinueChunks(ItemSpan span, DeltaPiece piece)
    {
        if (!piece.SaysSomething)
        {
            piece = piece.WithoutOthers();
        }

        var standsAlone = spans.IsShared(span.Kind, span.Id) || piece.StandsAlone;
        if (standsAlone)
        {
            Flush(span);
            if (piece.SaysSomething)
            {
                Bar(Writes.OfProgress(span.Kind, span.Id));
            }
        }

        var chunks = span.Chunks!;
        chunks.IsKept |= piece.IsKept;
        if (chunks.Pending is { } pending)
        {
            pending.Part.Join(piece);
            return;
        }

        if (piece.SaysSomething || piece.IsKept)
        {
            var part = DeltaPart.Of(piece);
            part.Event = piece.IsKept ? piece.Event : null;
            chunks.Parts.Add(new(Place(default), part));
        }

        if (standsAlone)
        {
            Flush(span);
        }
    }

    private void CloseChunks(ClosedChunks closed, string? lane)
    {
        if (closed == ClosedChunks.Lane)
        {
            if (spans.InLane(lane) is { } span)
            {
                Close(span);
            }
        }
        else if (closed == ClosedChunks.All)
        {
            while (spans.Find(span => span.Chunks is not null) is { } span)
            {
                Close(span);
            }
        }
    }

    /// <summary>Ends an item that chunks kept open: its slots get start, deltas and end.</summary>
    private void Close(ItemSpan span)
    {
        var (kind, id, chunks) = (span.Kind, span.Id, span.Chunks!);
        Bar(Writes.OfProgress(kind, id));
        Flush(span);
        spans.Remove(span);
        if (chunks.IsKept)
        {
            var closed = Place(default);
            keptChunks.AddRange(StayingChunks(span, closed));
            return;
        }

        var opener = chunks.Parts[0];
        slots[opener.First] = new(PartWriting.Start(kind, id, chunks.Heads, chunks.Lane, opener.Part));
        foreach (var part in chunks.Parts)
        {
            if (part.Delta is { } slot && part.Part.HasDelta)
            {
                slots[slot] = Spelled(kind, id, part.Part, chunks.Lane, isOpener: part == opener);
            }
        }

        Place(new(PartWriting.End(kind, id, chunks.Lane)));
    }

    /// <summary>The delta that a part comes to where its item is spelled out.</summary>
    private static Slot Spelled(ItemKind kind, string id, DeltaPart part, string? lane, bool isOpener)
    {
        if (isOpener || !part.IsExplicit)
        {
            part.Timestamp = null;
        }

        // Whose it is is said if a chunk says it, since what did not would close what chunks keep open in the
        // parent agent's lane.
        part.Owner = part.IsExplicit ? null : lane;
        return new(PartWriting.Delta(kind, id, part), IsJoined: part.IsExplicit);
    }

    /// <summary>
    /// The chunks that stand for the parts of an item, with their places. Only the first chunk says what the
    /// item is: a later one with its id would be longer than the delta that it stands for. Delta events stay
    /// delta events, since a chunk would have to say whose it is.
    /// </summary>
    private static IEnumerable<StayingChunk> StayingChunks(ItemSpan span, int? closed)
    {
        if (span.Chunks is not { } chunks)
        {
            yield break;
        }

        foreach (var chunk in chunks.Parts)
        {
            var part = chunk.Part;
            if (part.Event is { } kept)
            {
                yield return new(chunk.First, kept, chunks.Lane, closed);
                continue;
            }

            var isFirst = chunk == chunks.Parts[0];
            var (id, heads) = isFirst ? (span.Id, chunks.Heads) : (null, default);
            var opener = part.OpenerAlone();
            if (opener is not null && isFirst)
            {
                var opening = PartWriting.Chunk(span.Kind, id, heads, chunks.Lane, opener);
                yield return new(chunk.First, opening, chunks.Lane, closed);
                (part.Timestamp, part.Owner) = (null, null);
            }

            var written = opener is null
                ? PartWriting.Chunk(span.Kind, id, heads, chunks.Lane, part)
                : PartWriting.Delta(span.Kind, span.Id, part);
            yield return new(chunk.First, written, chunks.Lane, closed);
        }
    }
}
