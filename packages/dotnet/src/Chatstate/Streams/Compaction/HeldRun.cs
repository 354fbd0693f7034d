using System;
using System.Buffers;
using System.Collections.Generic;
using System.Linq;
using System.Text.Json;

namespace Chatstate;

/// <summary>
/// A finished run that is held back, with its events as compressed text: most are never looked at again, and which
/// those are is known at the end.
/// </summary>
internal sealed class HeldRun
{
    private readonly FinishedRun run;
    private readonly PackedText events;
    private readonly HeldEvent[] places;

    public HeldRun(FinishedRun run)
    {
        var text = new ArrayBufferWriter<byte>();
        places = run.Run.Placed.Select(placed => Written(placed, text)).ToArray();
        events = PackedText.Of(text.WrittenSpan);
        this.run = run with { Run = new([]) };
    }

    /// <inheritdoc cref="FinishedRun.Predecessor"/>
    public int? Predecessor => run.Predecessor;

    /// <inheritdoc cref="FinishedRun.IsRemoved"/>
    public bool IsRemoved => run.IsRemoved;

    /// <summary>Whether it has events that the caller keeps.</summary>
    public bool HasKept => Array.Exists(places, place => place.IsKept);

    /// <summary>What followed it before the next run: an error, and events of unknown types.</summary>
    public List<Event> After { get; } = [];

    /// <summary>The run itself.</summary>
    public FinishedRun Unpacked()
    {
        var text = events.Text();
        return run with { Run = new(places.Select(place => Read(place, text)).ToList()) };
    }

    /// <summary>The run with its first and its last event alone.</summary>
    public CompactedRun Ends()
    {
        var text = events.Text();
        return new(places.Take(1).Concat(places.Skip(1).TakeLast(1)).Select(place => Read(place, text)).ToList());
    }

    private static PlacedEvent Read(HeldEvent held, byte[] text)
    {
        // Each has a text of its own, so that one that stays does not keep the others.
        var element = JsonWriting.Parse(text.AsSpan(held.Start, held.Length));
        return new(Event.FromElement(element), held.Subject, held.IsKept);
    }

    private static HeldEvent Written(PlacedEvent placed, ArrayBufferWriter<byte> text)
    {
        var start = text.WrittenCount;
        using (var writer = new Utf8JsonWriter(text, JsonWriting.Options))
        {
            placed.Event!.WriteTo(writer);
        }

        return new(start, text.WrittenCount - start, placed.Subject, placed.IsKept);
    }

    /// <summary>An event by the place of its text.</summary>
    private readonly record struct HeldEvent(int Start, int Length, RunSubject Subject, bool IsKept);
}
