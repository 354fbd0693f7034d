using System.Collections.Generic;
using System.Text;
using System.Text.Json;

namespace Chatstate;

/// <summary>What one delta event or chunk carries, without what names the item.</summary>
internal readonly struct DeltaPiece
{
    private readonly EventNotes notes;

    private DeltaPiece(Event carrier, in EventNotes notes, IDictionary<string, JsonElement>? others, bool isKept)
    {
        this.notes = notes;
        Event = carrier;
        Delta = carrier.Streamed;
        Owner = carrier.Owner;
        Others = others;
        IsKept = isKept;
    }

    /// <summary>The whole event.</summary>
    public Event Event { get; }

    /// <summary>The text; a chunk may have none.</summary>
    public string? Delta { get; }

    public string? Owner { get; }

    /// <summary>Members that the schema does not name.</summary>
    public IDictionary<string, JsonElement>? Others { get; }

    /// <summary>Whether the event is kept as it is, where it is.</summary>
    public bool IsKept { get; }

    public long? Timestamp => notes.Timestamp;

    public JsonElement? RawEvent => notes.RawEvent;

    public IDictionary<string, JsonElement>? Metadata => notes.Metadata;

    /// <summary>Whether it is of a delta event and not of a chunk.</summary>
    public bool IsExplicit => !Event.IsChunk;

    /// <summary>Whether nothing may be joined with it.</summary>
    public bool StandsAlone => IsKept || Others is not null;

    /// <summary>
    /// Whether a chunk that opens an item has something for a delta: its metadata is at home on the start of
    /// the item, and so is what nobody knows.
    /// </summary>
    public bool OpenerSaysSomething => Delta is not null || RawEvent is not null;

    /// <summary>
    /// Whether a chunk that continues an item has something for a delta; one that has not is a sign of life,
    /// and leaves nothing behind.
    /// </summary>
    public bool SaysSomething => OpenerSaysSomething || Metadata is not null;

    public static DeltaPiece Of(Event carrier, bool isKept)
    {
        var notes = carrier.Notes;
        return new(carrier, notes, notes.Others, isKept);
    }

    /// <summary>The same without what nobody knows.</summary>
    public DeltaPiece WithoutOthers() => new(Event, notes, null, IsKept);
}

/// <summary>
/// The deltas of an item between two barriers, as one. A part of one delta is that delta. Where several are
/// joined, the first timestamp and the last value of each metadata member stay, and the providers' original
/// events go.
/// </summary>
internal sealed class DeltaPart
{
    private string? first;
    private StringBuilder? text;

    /// <summary>How many pieces have something for a delta.</summary>
    private int joined;

    private DeltaPart()
    {
    }

    public string? Delta => text?.ToString() ?? first;

    public long? Timestamp { get; set; }

    public JsonElement? RawEvent { get; private set; }

    public OrderedDictionary<string, JsonElement>? Metadata { get; private set; }

    public string? Owner { get; set; }

    /// <summary>Members that the schema does not name.</summary>
    public IDictionary<string, JsonElement>? Others { get; private set; }

    /// <summary>The event that is the whole part, if it is to stay as it is.</summary>
    public Event? Event { get; set; }

    /// <summary>Whether all that has something for a delta is of delta events, and not of chunks.</summary>
    public bool IsExplicit { get; private set; }

    /// <summary>Whether the part has a delta event, however empty.</summary>
    public bool HasDelta => joined > 0;

    /// <summary>
    /// The text that a chunk has for this part. A part that has a delta event has text, however empty, unless
    /// the original event of its only chunk says so already.
    /// </summary>
    public string? ChunkDelta => Delta ?? (HasDelta && RawEvent is null ? "" : null);

    /// <summary>The part that begins with a delta, or with a chunk that continues an item.</summary>
    public static DeltaPart Of(in DeltaPiece piece)
    {
        var part = new DeltaPart
        {
            first = piece.Delta,
            Timestamp = piece.Timestamp,
            RawEvent = piece.RawEvent,
            Owner = piece.Owner,
            Others = piece.Others,
            IsExplicit = piece.IsExplicit,
            joined = 1,
        };
        part.Fold(piece.Metadata);
        return part;
    }

    /// <summary>The part that begins with the chunk that opens the item.</summary>
    public static DeltaPart OfOpener(in DeltaPiece piece)
    {
        var part = Of(piece);
        part.joined = piece.OpenerSaysSomething ? 1 : 0;
        part.IsExplicit = part.joined == 0;
        return part;
    }

    /// <summary>What the chunk says that opens the item, if all deltas of the part are delta events.</summary>
    public DeltaPart? OpenerAlone() => IsExplicit && HasDelta ? new() { Timestamp = Timestamp } : null;

    /// <summary>Joins a piece.</summary>
    public void Join(in DeltaPiece next)
    {
        Event = null;
        if (next.Delta is { } delta)
        {
            Append(delta);
        }

        if (next.SaysSomething)
        {
            joined++;
            IsExplicit &= next.IsExplicit;
            RawEvent = joined == 1 ? next.RawEvent : null;
            // A chunk that says nothing leaves no subagent behind either: a delta event with one would end
            // what the chunks of that subagent have open.
            Owner ??= next.Owner;
        }

        Timestamp ??= next.Timestamp;
        Fold(next.Metadata);
    }

    private void Append(string delta)
    {
        if (first is null)
        {
            first = delta;
            return;
        }

        text ??= new StringBuilder(first);
        text.Append(delta);
    }

    private void Fold(IDictionary<string, JsonElement>? metadata)
    {
        if (metadata is not null)
        {
            Metadata = MetadataFolding.Fold(Metadata, metadata);
        }
    }
}

/// <summary>Folds metadata name by name: the last value of each, in the order in which they came first.</summary>
internal static class MetadataFolding
{
    public static OrderedDictionary<string, JsonElement> Fold(
        OrderedDictionary<string, JsonElement>? folded, IDictionary<string, JsonElement> metadata)
    {
        folded ??= [];
        foreach (var (name, value) in metadata)
        {
            folded[name] = value;
        }

        return folded;
    }
}
