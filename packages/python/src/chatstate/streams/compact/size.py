"""Sizes of values: the bytes of their canonical text, which every implementation counts alike."""

from __future__ import annotations

import sys
from decimal import Decimal
from typing import Any

from ..._runtime.canonical import canonical
from ..._runtime.json_text import is_array, is_object, write
from ..kinds import JsonEvent


class Countdown:
    """Counts down from a limit, and stops where it is passed.

    So it costs no more than what it is compared with.
    """

    __slots__ = ("left",)

    def __init__(self, limit: int) -> None:
        """Takes the limit."""
        self.left = limit

    @property
    def is_passed(self) -> bool:
        """Whether there is less than nothing left."""
        return self.left < 0

    def count(self, value: Any) -> bool:
        """Counts a value, and says whether the limit is kept."""
        waiting = [value]
        while waiting and not self.is_passed:
            self._count_one(waiting.pop(), waiting)
        return not self.is_passed

    def _count_one(self, value: Any, waiting: list[Any]) -> None:
        """Counts a value but for what it holds."""
        if isinstance(value, str):
            self._text(value)
        elif is_object(value):
            self.left -= 1 + max(len(value), 1)
            if not self.is_passed:
                waiting.extend(value.values())
                for name in value:
                    self._text(name)
                    self.left -= 1
        elif is_array(value):
            self.left -= 1 + max(len(value), 1)
            if not self.is_passed:
                waiting.extend(value)
        elif isinstance(value, (int, float, Decimal)) and not isinstance(value, bool):
            self.left -= len(canonical(value))
        else:
            self.left -= len(write(value))

    def _text(self, text: str) -> None:
        # Escapes only make it longer.
        if len(text) + 2 > self.left:
            self.left = -1
        else:
            self.left -= len(write(text).encode())


def size_of(event: JsonEvent) -> int:
    """Gives the size of an event. Timestamps do not count, since a snapshot has none of the many."""
    size = Countdown(sys.maxsize)
    size.count({name: value for name, value in event.items() if name != "timestamp"})
    return sys.maxsize - size.left
