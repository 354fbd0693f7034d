"""A run that is compacted."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from ...generated.events import ReplayedPart
from ..kinds import JsonEvent

Keep: TypeAlias = Callable[[JsonEvent], bool]
"""Says which events stay as they are, where they are."""


class Placed(NamedTuple):
    """An event of a compacted run."""

    event: JsonEvent | None
    """None where a slot is not taken, or not any more."""
    changes: ReplayedPart | None
    is_kept: bool

    def kept_by(self, keep: Keep) -> Placed:
        """Gives the event, marked if the caller keeps it."""
        return self._replace(is_kept=self.event is not None and keep(self.event))
