using System.Collections.Generic;
using System.Text;
using System.Text.Json;

namespace Chatstate;

/// <summary>Where something was: before which slot, and the number of its event.</summary>
internal readonly record struct SlotPlace(int Slot, int Arrival);

/// <summary>What a delta event or a chunk carries, without what names the item.</summary>
internal readonly struct DeltaFields(Event carrier)
{
    private readonly EventNotes notes = carrier.Notes;

    /// <summary>The text; a chunk may have none.</summary>
    public string? Text { get; } = carrier.Streamed;

    public string? Owner { get; } = carrier.Owner;

    public bool IsChunk { get; } = carrier.IsChunk;

    public long? Timestamp => notes.Timestamp;

    public JsonElement? RawEvent => notes.RawEvent;

    public IDictionary<string, JsonElement>? Metadata => notes.Metadata;

    /// <summary>Members that the schema does not name.</summary>
    public IDictionary<string, JsonElement>? Others => notes.Others;

    /// <summary>
    /// Whether a chunk that continues an item becomes a delta; one that does not is a sign of life, and leaves
    /// nothing behind.
    /// </summary>
    public bool IsDelta => OpensWithDelta || Metadata is not null;

    /// <summary>
    /// Whether a chunk that opens an item becomes a delta, too: its metadata belongs to the start of the item,
    /// and so are members that the schema does not name.
    /// </summary>
    public bool OpensWithDelta => Text is not null || RawEvent is not null;
}

/// <summary>
/// The deltas of an item between two barriers, merged into one. The first timestamp and the last value of each
/// metadata member stay, and of several deltas the providers' original events go.
/// </summary>
internal sealed class PendingDelta
{
    private readonly string first;
    private StringBuilder? joined;

    private PendingDelta(in DeltaFields fields, SlotPlace place)
    {
        first = fields.Text ?? "";
        Timestamp = fields.Timestamp;
        RawEvent = fields.RawEvent;
        Metadata = MetadataFolding.Fold(null, fields.Metadata);
        Owner = fields.Owner;
        Others = fields.Others;
        Place = place;
        Count = 1;
        HasChunks = fields.IsChunk;
    }

    public string Text => joined?.ToString() ?? first;

    public long? Timestamp { get; set; }

    public JsonElement? RawEvent { get; private set; }

    public OrderedDictionary<string, JsonElement>? Metadata { get; private set; }

    public string? Owner { get; set; }

    /// <summary>Members that the schema does not name.</summary>
    public IDictionary<string, JsonElement>? Others { get; }

    /// <summary>Where the last of them was; if one names a subagent, the last that does.</summary>
    public SlotPlace Place { get; private set; }

    /// <summary>How many there are; none where a chunk only opened the item.</summary>
    public int Count { get; private set; }

    /// <summary>Whether one of them is of a chunk.</summary>
    public bool HasChunks { get; private set; }

    /// <summary>Begins with a delta, or with a chunk that continues an item.</summary>
    public static PendingDelta Of(in DeltaFields fields, SlotPlace place) => new(fields, place);

    /// <summary>Begins with the chunk that opens the item.</summary>
    public static PendingDelta OfOpener(in DeltaFields fields, SlotPlace place)
    {
        var delta = new PendingDelta(fields, place);
        if (!fields.OpensWithDelta)
        {
            // Delta events alone close no lane but that of the parent agent.
            (delta.Count, delta.HasChunks, delta.Owner) = (0, false, null);
        }

        return delta;
    }

    /// <summary>Joins a further delta.</summary>
    public void Join(in DeltaFields next, SlotPlace place)
    {
        if (next.Text is { Length: > 0 } text)
        {
            (joined ??= new(first)).Append(text);
        }

        // What is merged closes the lane that it names, so it may be only where that was closed.
        if (next.Owner is not null || Owner is null)
        {
            Place = place;
        }

        if (next.IsDelta)
        {
            Count++;
            HasChunks |= next.IsChunk;
            RawEvent = Count == 1 ? next.RawEvent : null;
            Owner ??= next.Owner;
        }

        Timestamp ??= next.Timestamp;
        Metadata = MetadataFolding.Fold(Metadata, next.Metadata);
    }
}

/// <summary>Folds metadata name by name: the last value of each, in the order in which they came first.</summary>
internal static class MetadataFolding
{
    public static OrderedDictionary<string, JsonElement>? Fold(
        OrderedDictionary<string, JsonElement>? folded, IDictionary<string, JsonElement>? metadata)
    {
        if (metadata is null)
        {
            return folded;
        }

        folded ??= [];
        foreach (var (name, value) in metadata)
        {
            folded[name] = value;
        }

        return folded;
    }
}
