"""A run that is compacted."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from ...generated.events import EVENTS, ReplayedPart
from ..kinds import JsonEvent

Keep: TypeAlias = Callable[[JsonEvent], bool]
"""Says which events stay as they are, where they are."""


class Placed(NamedTuple):
    """An event of a compacted run."""

    event: JsonEvent | None
    """None where a slot is not taken, or not any more."""
    is_kept: bool

    @property
    def changes(self) -> ReplayedPart | None:
        """What of a replay it changes, which says whether snapshots may replace it."""
        role = None if self.event is None else EVENTS.get(self.event["type"])
        return None if role is None else role.changes

    def kept_by(self, keep: Keep) -> Placed:
        """Gives the event, marked if the caller keeps it."""
        return self._replace(is_kept=self.event is not None and keep(self.event))
