"""The runs of a log, and which of them lie on the path to another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

NO_RUN: Final = -1
"""The place of no run."""

CONVERSATION: Final = 0
"""The class of messages that every snapshot restates."""
ACTIVITIES: Final = 1
"""Activities, which a snapshot without any leaves alone."""
REASONING: Final = 2
"""Reasoning, which a snapshot without any leaves alone."""


@dataclass
class _Row:
    """A run, with what it takes to find its predecessors in a few steps."""

    predecessor: int
    jump: int
    """A predecessor further away; see `Path._at_depth`."""
    depth: int
    """How many predecessors there are."""
    chain: int
    """From this run on, each is the predecessor of the next."""
    restated: tuple[int, int, int]
    """By class of messages, the nearest run on the path, itself included, that restated them."""


class Path:
    """The runs of a log."""

    __slots__ = ("_by_id", "_rows")

    def __init__(self) -> None:
        """There is no run."""
        self._rows: list[_Row] = []
        self._by_id: dict[str, int] = {}

    def begin(self, run_id: str, parent_run_id: str | None) -> int:
        """Begins a run, and gives its place."""
        place = len(self._rows)
        named = None
        if parent_run_id is not None and parent_run_id != run_id:
            named = self._by_id.get(parent_run_id)
        predecessor = place - 1 if named is None else named
        if predecessor == NO_RUN:
            row = _Row(NO_RUN, place, 0, place, (NO_RUN, NO_RUN, NO_RUN))
        else:
            before = self._rows[predecessor]
            chain = before.chain if predecessor + 1 == place else place
            jump = self._jump_from(predecessor)
            row = _Row(predecessor, jump, before.depth + 1, chain, before.restated)
        self._rows.append(row)
        self._by_id[run_id] = place
        return place

    def predecessor(self, place: int) -> int:
        """Gives the run before this one on its path."""
        return self._rows[place].predecessor

    def restate(self, place: int, message_class: int) -> None:
        """Notes that a run restated a class of messages."""
        row = self._rows[place]
        first, second, third = (
            place if number == message_class else run for number, run in enumerate(row.restated)
        )
        row.restated = first, second, third

    def restated(self, place: int, message_class: int) -> int:
        """Gives the nearest run on the path to this one that restated a class of messages."""
        return NO_RUN if place == NO_RUN else self._rows[place].restated[message_class]

    def is_on(self, place: int, last: int) -> bool:
        """Whether a run is on the path to another, or is that run."""
        if place == NO_RUN or last == NO_RUN or place > last:
            return False
        if place >= self._rows[last].chain:
            return True
        return self._at_depth(last, self._rows[place].depth) == place

    def _at_depth(self, place: int, depth: int) -> int:
        """Gives the run on the path that has this many predecessors.

        Jumps double in length as the digits of a skew binary number do, so that a path of n runs takes
        about log n steps.
        """
        while self._rows[place].depth > depth:
            row = self._rows[place]
            place = row.jump if self._rows[row.jump].depth >= depth else row.predecessor
        return place

    def _jump_from(self, place: int) -> int:
        """Gives where the run after this one jumps to."""
        near = self._rows[place].jump
        far = self._rows[near].jump
        depth, near_depth = self._rows[place].depth, self._rows[near].depth
        return far if depth - near_depth == near_depth - self._rows[far].depth else place
