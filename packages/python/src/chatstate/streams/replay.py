"""What a stream of events means: its messages, state, runs, open items and interrupts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ..generated.models import Event
from .._runtime.rejection import Rejection
from .._runtime.whole import Answer, named_by_its_writer
from .run import Run
from .sequence import OpenItem
from .verify import VerifiedReplay


@named_by_its_writer
@dataclass(frozen=True)
class Replay(Answer):
    """The meaning of a stream at the end of one of its runs."""

    messages: list[dict[str, Any]]
    """The messages in order, each a dict with every member, of models and of dicts alike.

    `Message.model_validate` makes a model of one.
    """
    state: Any
    """The state that the agent shares."""
    runs: list[Run]
    """The runs that lead here, the earliest first."""
    open: list[OpenItem]
    """What was begun and not ended, in the order of beginning."""
    interrupts: list[Any]
    """What the last finished run waits for."""

    def to_value(self) -> dict[str, Any]:
        """Gives the JSON value."""
        return {
            "messages": self.messages,
            "state": self.state,
            "runs": [run.to_value() for run in self.runs],
            "open": [item.to_value() for item in self.open],
            "interrupts": self.interrupts,
        }


def replay_events(
    events: Iterable[Event | dict[str, Any]], *, run: str | None = None, lenient: bool = False
) -> Replay:
    """Replays a stream up to the end of a run, or of its last one, along the predecessors of that run.

    Rejected is a stream that does not verify, as `verify_events` rejects it; a run that the stream does not
    have, and a path that needs what compaction has removed (class `semantic`). A lenient replay passes over
    the events that break a rule, but for those that begin or end the run in progress; which they are, the
    errors of `check_events` say.
    """
    log = VerifiedReplay.of(events, lenient=lenient)
    if not lenient:
        for finding in log.found.errors:
            raise finding.rejection()
    checkpoints = log.checkpoints
    rows = checkpoints.runs.rows
    place = len(rows) - 1 if run is None else checkpoints.runs.place_of(run)
    if place is None:
        message = f"no run of the stream has the id `{run}`"
        raise Rejection("semantic", "replay.unknown-run", message)
    checkpoints.end()
    place = max(place, 0)
    said = checkpoints.conversation_at(place)
    open_items = [item for _, item in checkpoints.tracker_at(place).open_items()]
    messages, runs = said.thread.messages(), checkpoints.runs_to(place)
    return Replay(messages, said.state.value, runs, open_items, said.interrupts)
