"""The forms that a finished run may take at level `snapshot`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from ..._runtime.json_text import write
from ..._runtime.rejection import Rejection
from ...generated.events import ReplayedPart
from ...generated.models import Event
from ..conversation import Conversation
from ..kinds import JsonEvent
from ..marks import marked
from ..reducer import Reducer
from ..restate import state_snapshot, without_messages
from ..thread import Thread
from ..verify import Verifier
from .compacted_run import Placed
from .size import Countdown, size_of


@dataclass
class FinishedRun:
    """A finished run, and what leads to it."""

    events: list[Placed]
    start: Thread
    """The messages of its path with those of its input."""
    predecessor: int | None
    is_incomplete: bool
    """Whether its path needs what compaction removed."""
    is_removed: bool
    """Whether compaction kept only its frame."""
    after: list[JsonEvent] = field(default_factory=list[JsonEvent])
    """What followed it before the next run: an error."""


def events_of(run: list[Placed]) -> list[JsonEvent]:
    """Gives the events of a run without what is known of them."""
    return [placed.event for placed in run]


def said_anew(run: FinishedRun, end: Conversation) -> list[JsonEvent]:
    """Gives a run that says what it adds to its predecessor.

    It says it by snapshots where these are no larger than the events that they replace.
    """
    stream_form = events_of(run.events)
    if run.is_incomplete or run.is_removed:
        return stream_form
    snapshots: dict[ReplayedPart, JsonEvent] = {}
    messages, state = _messages_if_smaller(run, end), _state_if_smaller(run, end)
    if messages is not None:
        snapshots["messages"] = messages
    if state is not None:
        snapshots["state"] = state
    if not snapshots:
        return stream_form
    events = _with_snapshots(run, stream_form[0], snapshots)
    return events if _is_acceptable(run, events, run.start, end.thread) else stream_form


def said_whole(run: FinishedRun, end: Conversation, base: Thread) -> list[JsonEvent] | None:
    """Gives a run with all messages and the state of its path.

    None if no snapshot can say them after the messages of its predecessor.
    """
    is_unknown = run.is_incomplete or run.is_removed
    if is_unknown or not end.knows_messages or not end.state.is_known:
        return None
    first = run.events[0]
    start = first.event
    if first.is_kept:
        base = _with_input(base, start)
    else:
        start = without_messages(start)
    messages = _messages_on(base, end.thread)
    if messages is None:
        return None
    snapshots: dict[ReplayedPart, JsonEvent] = {
        "messages": messages,
        "state": state_snapshot(end.state.value),
    }
    events = _with_snapshots(run, start, snapshots)
    return events if _is_acceptable(run, events, base, end.thread) else None


def _with_input(base: Thread, start: JsonEvent) -> Thread:
    """Gives the messages at the beginning of a run that keeps its input."""
    conversation = Conversation(thread=base.copy())
    conversation.event(start)
    return conversation.thread


def frame(run: FinishedRun) -> list[JsonEvent]:
    """Gives the frame of a run that is not retained, which says so."""
    start, *rest = events_of(run.events)
    return [marked(without_messages(start), {"compacted": "tips"}), *rest[-1:]]


def _with_snapshots(
    run: FinishedRun, start: JsonEvent, snapshots: dict[ReplayedPart, JsonEvent]
) -> list[JsonEvent]:
    """Gives a run with snapshots of what it changed in the place of the events that did."""
    inner = run.events[1:-1]
    stay = [placed for placed in inner if placed.is_kept or placed.changes not in snapshots]
    return [start, *events_of(stay), *snapshots.values(), *events_of(run.events[1:][-1:])]


def _is_acceptable(
    run: FinishedRun, events: list[JsonEvent], before: Thread, after: Thread
) -> bool:
    """Whether a form means what the run means also where events stay that the caller keeps.

    They may not be valid without those that went, or change what the snapshots say.
    """
    if not any(placed.is_kept and placed.changes is not None for placed in run.events):
        return True
    verifier = Verifier()
    reducer = Reducer(conversation=Conversation(thread=before.copy()))
    for index, event in enumerate(events):
        verifier.push(index, event)
        if verifier.found.errors:
            return False
        try:
            # The messages of the input are among those before.
            reducer.apply(index, event if index else without_messages(event))
        except Rejection:
            return False
    return reducer.conversation.thread.equals(after)


def _limit(run: FinishedRun, part: ReplayedPart) -> Countdown | None:
    """Gives the bytes of the events that a snapshot may replace; None if there are no such events."""
    events = [placed for placed in run.events if placed.changes == part and not placed.is_kept]
    return Countdown(sum(map(size_of, events_of(events)))) if events else None


_MESSAGES_FRAME: Final = len('{"messages":[],"type":"MESSAGES_SNAPSHOT"}')
_STATE_FRAME: Final = len('{"snapshot":,"type":"STATE_SNAPSHOT"}')


def _messages_if_smaller(run: FinishedRun, end: Conversation) -> JsonEvent | None:
    limit = _limit(run, "messages")
    if limit is None or not end.knows_messages:
        return None
    limit.left -= _MESSAGES_FRAME
    for number, message in enumerate(end.thread):
        limit.left -= min(number, 1)
        if not limit.count(message):
            return None
    return None if limit.is_passed else _messages_on(run.start, end.thread)


def _state_if_smaller(run: FinishedRun, end: Conversation) -> JsonEvent | None:
    limit = _limit(run, "state")
    is_bound = any(placed.changes == "state" and placed.is_kept for placed in run.events)
    if limit is None or is_bound or not end.state.is_known:
        return None
    limit.left -= _STATE_FRAME
    state = end.state.value
    return state_snapshot(state) if limit.count(state) else None


def _messages_on(before: Thread, messages: Thread) -> JsonEvent | None:
    """Gives the snapshot of all messages that makes them of those before; None if there is none."""
    said = messages.messages()
    if messages.has_shared_ids or not all(isinstance(message.get("id"), str) for message in said):
        return None
    after = before.copy()
    after.apply_snapshot(said)
    if not after.equals(messages):
        return None
    snapshot: JsonEvent = {"type": "MESSAGES_SNAPSHOT", "messages": said}
    try:
        # What no event can say: a text that ends in an unpaired surrogate, an activity whose patches made no
        # object of it, and what is nested too deep.
        Event.from_json(write(snapshot))
    except (Rejection, RecursionError):
        return None
    return snapshot
