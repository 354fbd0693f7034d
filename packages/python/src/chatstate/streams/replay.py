"""What a stream of events means: its messages, state, runs, open items and interrupts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ..generated.models import Event
from .._runtime.rejection import Rejection
from .._runtime.whole import Answer, named_by_its_writer
from .checkpoints import Checkpoints
from .plain import plain_events
from .run import Run
from .sequence import OpenItem


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
    events: Iterable[Event | dict[str, Any]], *, run: str | None = None
) -> Replay:
    """Replays a stream up to the end of a run, or of its last one, along the predecessors of that run.

    Rejected are events that continue or end what is not open, events that begin what is open, text that
    ends in an unpaired surrogate, and chunks that cannot be placed (class `sequence`); a run that the stream
    does not have, and a path that needs what compaction has removed (class `semantic`).
    """
    checkpoints = Checkpoints()
    for index, event in enumerate(plain_events(events)):
        checkpoints.push(index, event)
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
