using System.Collections.Generic;
using System.Linq;

namespace Chatstate;

/// <summary>What stands in a slot: nothing, or not yet; an event that stays; or deltas as one.</summary>
/// <param name="Event">What stands there.</param>
/// <param name="IsJoined">Whether it is deltas as one, which may have to stand before a chunk.</param>
/// <param name="Lane">The lane whose chunks they close.</param>
internal readonly record struct Slot(Event? Event, bool IsJoined = false, string? Lane = null);

/// <summary>A chunk that stays one.</summary>
/// <param name="Place">Its slot.</param>
/// <param name="Event">The chunk.</param>
/// <param name="Lane">The lane that its item holds.</param>
/// <param name="Closed">The slot of what closed its item; none if that is open at the end of the input.</param>
internal sealed record StayingChunk(int Place, Event Event, string? Lane, int? Closed)
{
    /// <summary>Whether what stands in a slot would stand between this chunk and the end of its item.</summary>
    public bool Spans(int slot) => Place < slot && (Closed is null || slot < Closed);
}

/// <summary>
/// Puts the events of a run in order. A joined delta that would stand after an open chunk of the lane that it
/// closes stands just before the first such chunk, and a folded state before the first open chunk: otherwise
/// an item that is open at the end of the input would be closed.
/// </summary>
internal static class Placement
{
    /// <summary>What stands in one place in this order.</summary>
    private enum Rank
    {
        JoinedBefore,
        StateBefore,
        Standing,
    }

    public static List<Event> InOrder(List<Slot> slots, List<StayingChunk> chunks, int statePlace, Event? state)
    {
        if (chunks.Count == 0)
        {
            return AsTheyStand(slots, statePlace, state);
        }

        var placed = new List<(int Place, Rank Rank, Event Event)>();
        for (var place = 0; place < slots.Count; place++)
        {
            if (slots[place] is not { Event: { } standing } slot)
            {
                continue;
            }

            var before = slot.IsJoined ? First(chunks.Where(chunk => chunk.Lane == slot.Lane && chunk.Spans(place))) : null;
            placed.Add(before is { } first ? (first, Rank.JoinedBefore, standing) : (place, Rank.Standing, standing));
        }

        if (state is not null)
        {
            // The state stands between events, so that a chunk in the same slot comes after it.
            var before = First(chunks.Where(chunk => chunk.Spans(statePlace)));
            placed.Add((before ?? statePlace, Rank.StateBefore, state));
        }

        placed.AddRange(chunks.Select(chunk => (chunk.Place, Rank.Standing, chunk.Event)));
        return placed.OrderBy(it => it.Place).ThenBy(it => it.Rank).Select(it => it.Event).ToList();
    }

    private static List<Event> AsTheyStand(List<Slot> slots, int statePlace, Event? state)
    {
        var events = new List<Event>(slots.Count);
        for (var place = 0; place < slots.Count; place++)
        {
            if (place == statePlace && state is not null)
            {
                events.Add(state);
            }

            if (slots[place].Event is { } standing)
            {
                events.Add(standing);
            }
        }

        if (statePlace >= slots.Count && state is not null)
        {
            events.Add(state);
        }

        return events;
    }

    private static int? First(IEnumerable<StayingChunk> chunks) => chunks.Select(chunk => (int?)chunk.Place).Min();
}
