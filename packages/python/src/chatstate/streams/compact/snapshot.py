"""Level `snapshot`: finished runs as their results.

The runs come in their `stream` form. Snapshots are only in finished runs, just before the terminal
event; a run that is not over keeps its `stream` form.
"""

from __future__ import annotations

from ..checkpoints import Ends
from ..conversation import Conversation
from ..kinds import JsonEvent
from .form import FinishedRun, events_of, said_anew
from .tips import finished_tips


class RunSnapshots:
    """Every finished run as what it adds to its predecessor."""

    def __init__(self, *, is_partial: bool) -> None:
        """Says whether the beginning is elsewhere, so that it is not known what all messages are."""
        self._is_partial = is_partial

    def take(self, run: FinishedRun, end: Conversation) -> list[JsonEvent]:
        """Takes a finished run with what its path says at its end, and gives what is settled by it."""
        return events_of(run.events) if self._is_partial else said_anew(run, end)

    def take_outside(self, event: JsonEvent) -> list[JsonEvent]:
        """Takes what is outside of all runs."""
        return [event]

    def finish(self, ends: Ends, retained: int | None) -> list[JsonEvent]:
        """Gives what was held back."""
        return []


class TipSnapshots:
    """The ends of the branches, and what they need; all is held back until the end."""

    def __init__(self, *, is_partial: bool) -> None:
        """Says whether the beginning is elsewhere, so that it is not known what all messages are."""
        self._is_partial = is_partial
        self._before: list[JsonEvent] = []
        """What is before the first run."""
        self._runs: list[FinishedRun] = []

    def take(self, run: FinishedRun, end: Conversation) -> list[JsonEvent]:
        """Takes a finished run."""
        self._runs.append(run)
        return []

    def take_outside(self, event: JsonEvent) -> list[JsonEvent]:
        """Takes what is outside of all runs: what comes after a run stays behind it."""
        (self._runs[-1].after if self._runs else self._before).append(event)
        return []

    def finish(self, ends: Ends, retained: int | None) -> list[JsonEvent]:
        """Gives what was held back. The predecessor of a run that is not over is retained."""
        tips = finished_tips(self._runs, ends, retained, is_partial=self._is_partial)
        return self._before + tips
