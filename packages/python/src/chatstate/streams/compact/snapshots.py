"""Level `snapshot`: finished runs as what they leave behind.

The runs come in their `stream` form. Snapshots stand only in finished runs, just before the terminal
event; a run that is not over keeps its `stream` form.
"""

from __future__ import annotations

from ..._runtime.rejection import Rejection
from ..kinds import JsonEvent
from ..reducer import Reducer
from ..restate import messages_snapshot, state_snapshot
from ..thread import Message
from ..values import same
from .forms import Form, Parts, is_valid
from .standings import Standings, applied
from .tips import finished_tips


class RunSnapshots:
    """Every finished run as what it changed."""

    def __init__(self, form: Form) -> None:
        """Takes what the caller decided."""
        self._form = form
        self._standings = Standings()

    def take(self, run: list[JsonEvent]) -> list[JsonEvent]:
        """Takes a finished run and gives what is settled by it.

        It is its frame, the events that belong to no message, call or state, and snapshots of what it
        changed. It keeps its `stream` form if snapshots cannot say the same, as when they would change
        the order of messages, or if they take more events.
        """
        form, standings = self._form, self._standings
        before = standings.before(run)
        if form.partial or all(map(form.stands, Parts.of(run).inner)):
            standings.put(run, None if before is None else applied(before, run))
            return run
        written, after = run, None
        if before is not None:
            after = applied(before.copy(), run)
            if after is not None:
                shorter = _snapshots(form, before, run, after)
                if shorter is not None and len(shorter) <= len(run):
                    written = shorter
        standings.put(written, after)
        return written

    def take_outside(self, event: JsonEvent) -> list[JsonEvent]:
        """Takes what stands outside of all runs."""
        return [event]

    def messages(self) -> list[Message] | None:
        """Gives the messages at the end of the last run, as far as they are known."""
        return self._standings.messages()

    def finish(self, unfinished: list[JsonEvent]) -> list[JsonEvent]:
        """Gives what was held back and the run that is not over."""
        return unfinished


class TipSnapshots:
    """The ends of the branches, and what they need; all is held back until the end."""

    def __init__(self, form: Form) -> None:
        """Takes what the caller decided."""
        self._form = form
        self._standings = Standings()
        self._before: list[JsonEvent] = []
        """What stands before the first run."""

    def take(self, run: list[JsonEvent]) -> list[JsonEvent]:
        """Takes a finished run."""
        self._standings.take(run)
        return []

    def take_outside(self, event: JsonEvent) -> list[JsonEvent]:
        """Takes what stands outside of all runs: an error after a run has finished belongs to it."""
        runs = self._standings.events
        (runs[-1] if runs else self._before).append(event)
        return []

    def messages(self) -> list[Message] | None:
        """Gives the messages at the end of the last run, as far as they are known."""
        return self._standings.messages()

    def finish(self, unfinished: list[JsonEvent]) -> list[JsonEvent]:
        """Gives what was held back and the run that is not over."""
        return [*self._before, *finished_tips(self._standings, self._form, unfinished)]


def _snapshots(
    form: Form, standing: Reducer, run: list[JsonEvent], after: Reducer
) -> list[JsonEvent] | None:
    """Gives the run in snapshots, if they mean the same."""
    parts = Parts.of(run)
    try:
        standing.apply(0, parts.start)
    except Rejection:
        return None
    events = [parts.start, *filter(form.stands, parts.inner)]
    messages, state = after.messages(), after.state
    if not same(standing.messages(), messages):
        snapshot = messages_snapshot(messages)
        if snapshot is None:
            return None
        events.append(snapshot)
    if not same(standing.state, state):
        events.append(state_snapshot(state))
    events.extend(parts.terminal)
    meant = applied(standing, events[1:])
    if meant is None or not meant.stands_like(after):
        return None
    return events if is_valid(events) else None
