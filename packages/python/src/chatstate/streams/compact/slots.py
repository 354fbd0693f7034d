"""The events of a run in their order, of which some places are filled or emptied later."""

from __future__ import annotations

from ..kinds import JsonEvent
from .delta import Place


class Slots:
    """Places one after the other, and what is between them."""

    __slots__ = ("_late", "_slots")

    def __init__(self) -> None:
        """There is no event."""
        self._slots: list[JsonEvent | None] = []
        self._late: list[tuple[Place, int]] = []
        """The slots of events that stand elsewhere: before a slot that is not the last."""

    def __len__(self) -> int:
        """How many slots there are."""
        return len(self._slots)

    def place(self, event: JsonEvent) -> int:
        """Puts an event into the next slot, and gives that."""
        self._slots.append(event)
        return len(self._slots) - 1

    def place_late(self, place: Place, event: JsonEvent) -> None:
        """Puts an event where something stood."""
        self.move(self.place(event), place)

    def reserve(self) -> int:
        """Gives a slot that is filled later, if it is."""
        self._slots.append(None)
        return len(self._slots) - 1

    def fill(self, slot: int, event: JsonEvent) -> None:
        """Fills a slot."""
        self._slots[slot] = event

    def empty(self, slot: int) -> None:
        """Empties a slot."""
        self._slots[slot] = None

    def move(self, slot: int, place: Place) -> None:
        """Moves what is in a slot, or comes into it, to where something stood."""
        self._late.append((place, slot))

    def in_order(self) -> list[JsonEvent]:
        """Gives the events in their order."""
        ordered: list[JsonEvent | None] = []
        done = 0
        for place, slot in sorted(self._late):
            ordered += self._slots[done : place.slot]
            ordered.append(self._slots[slot])
            self.empty(slot)
            done = place.slot
        ordered += self._slots[done:]
        return [event for event in ordered if event is not None]
