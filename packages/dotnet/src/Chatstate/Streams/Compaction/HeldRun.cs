using System;
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
    private readonly bool isIncomplete;

    /// <summary>The events, whose texts are one after another.</summary>
    private readonly HeldEvent[] held;

    private readonly PackedText texts;
    private List<Event>? after;

    public HeldRun(FinishedRun run, PackedTexts texts)
    {
        (Predecessor, isIncomplete, IsRemoved) = (run.Predecessor, run.IsIncomplete, run.IsRemoved);
        held = new HeldEvent[run.Run.Placed.Count];
        this.texts = texts.Add(writer => Write(writer, run.Run.Placed));
    }

    /// <inheritdoc cref="FinishedRun.Predecessor"/>
    public int? Predecessor { get; }

    /// <inheritdoc cref="FinishedRun.IsRemoved"/>
    public bool IsRemoved { get; }

    /// <summary>Whether it has events that the caller keeps.</summary>
    public bool HasKept => Array.Exists(held, one => one.IsKept);

    /// <summary>What followed it before the next run: an error, and events of unknown types.</summary>
    public IReadOnlyList<Event> After => after ?? [];

    /// <summary>Takes an event that follows it.</summary>
    public void Follow(Event happened) => (after ??= []).Add(happened);

    /// <summary>The run itself.</summary>
    public FinishedRun Unpacked() => new(new(Read().ToList()), Predecessor, isIncomplete, IsRemoved);

    /// <summary>The run with its first and its last event alone.</summary>
    public CompactedRun Ends()
    {
        var first = Read(held[0], 0);
        return new(held.Length == 1 ? [first] : [first, Read(held[^1], texts.Length - held[^1].Length)]);
    }

    private IEnumerable<PlacedEvent> Read()
    {
        var start = 0;
        foreach (var one in held)
        {
            yield return Read(one, start);
            start += one.Length;
        }
    }

    /// <summary>Reads an event. Each has a text of its own, so that one that stays does not keep the others.</summary>
    private PlacedEvent Read(HeldEvent one, int start) =>
        new(Event.FromElement(texts.Element(start, one.Length)), one.IsKept);

    private void Write(Utf8JsonWriter writer, List<PlacedEvent> placed)
    {
        for (var number = 0; number < held.Length; number++)
        {
            placed[number].Event.WriteTo(writer);
            writer.Flush();
            held[number] = new((int)writer.BytesCommitted, placed[number].IsKept);
            writer.Reset();
        }
    }

    /// <summary>An event, by the bytes of its text.</summary>
    private readonly record struct HeldEvent(int Length, bool IsKept);
}
