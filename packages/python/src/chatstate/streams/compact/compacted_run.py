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

    event: JsonEvent
    is_kept: bool
    """Whether the caller keeps it."""

    @property
    def changes(self) -> ReplayedPart | None:
        """What of a replay it changes, which says whether snapshots may replace it."""
        role = EVENTS.get(self.event["type"])
        return None if role is None else role.changes
