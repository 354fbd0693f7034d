"""Where events stand whose place depends on which chunks stay chunks."""

from __future__ import annotations

from typing import NamedTuple

from ..kinds import JsonEvent


class Joined(NamedTuple):
    """Deltas as one, which close the chunks of a lane. They may have to stand before a chunk."""

    event: JsonEvent
    lane: str | None


class StayingChunk(NamedTuple):
    """A chunk that stays one."""

    slot: int
    event: JsonEvent
    lane: str | None
    closed: int | None
    """The slot of the event that closed its item; none if that is open at the end of the input."""

    def spans(self, slot: int) -> bool:
        """Whether what stands in a slot would stand between this chunk and the end of its item."""
        return self.slot < slot and (self.closed is None or slot < self.closed)


Slot = JsonEvent | Joined | None
"""What stands in a place: an event that stays there, joined deltas, or nothing, perhaps not yet."""

_JOINED_BEFORE, _STATE_BEFORE, _STANDING = range(3)


def in_order(
    slots: list[Slot], chunks: list[StayingChunk], state: tuple[int, JsonEvent] | None
) -> list[JsonEvent]:
    """Gives the events in order.

    A joined delta that would stand after an open chunk of the lane it closes stands just before the
    first such chunk, and a folded state before the first open chunk: otherwise an item that is open at
    the end of the input would be closed. The state has its place given, or stands at the end.
    """
    if not chunks:
        return _as_they_stand(slots, state)
    placed: list[tuple[int, int, int, JsonEvent]] = []

    def put(slot: int, rank: int, event: JsonEvent) -> None:
        placed.append((slot, rank, len(placed), event))

    for slot, content in enumerate(slots):
        if isinstance(content, Joined):
            lane = content.lane
            later = [chunk.slot for chunk in chunks if chunk.lane == lane and chunk.spans(slot)]
            if later:
                put(min(later), _JOINED_BEFORE, content.event)
            else:
                put(slot, _STANDING, content.event)
        elif content is not None:
            put(slot, _STANDING, content)
    if state is not None:
        place, event = state
        # The state stands between events, so that a chunk in the same slot comes after it.
        first = min((chunk.slot for chunk in chunks if chunk.spans(place)), default=place)
        put(first, _STATE_BEFORE, event)
    for chunk in chunks:
        put(chunk.slot, _STANDING, chunk.event)
    return [event for *_, event in sorted(placed, key=lambda row: row[:3])]


def _as_they_stand(slots: list[Slot], state: tuple[int, JsonEvent] | None) -> list[JsonEvent]:
    place = len(slots) if state is None else state[0]
    before = [_event_of(slot) for slot in slots[:place] if slot is not None]
    if state is not None:
        before.append(state[1])
    before.extend(_event_of(slot) for slot in slots[place:] if slot is not None)
    return before


def _event_of(slot: JsonEvent | Joined) -> JsonEvent:
    return slot.event if isinstance(slot, Joined) else slot
