"""One pass over the events of a path of runs: what they mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias

from .._runtime.json_text import is_object
from .._runtime.rejection import Rejection
from ..generated.events import EVENTS
from .kinds import ITEM_ROLES, ItemKind, JsonEvent
from .patch import Patched, PatchFailure
from .runs import Runs
from .sequence import Beginning, OpenItem, Tracker
from .thread import Message, Place, Thread, fold_metadata
from .values import same
from .violation import Violation

RunStatus: TypeAlias = Literal["running", "finished", "failed", "interrupted", "cancelled"]
"""How a run stands."""


@dataclass(frozen=True)
class Remark:
    """Something that a replay passed over."""

    rule: str
    index: int
    """The index of the event."""
    place: str
    """The JSON pointer from the event to what was passed over."""
    message: str


@dataclass
class Run:
    """One run of a replay."""

    run_id: str | None
    """Its id; None for an error before any run."""
    parent_run_id: str | None = None
    """The run that it names as its parent."""
    status: RunStatus = "running"
    """How it stands."""
    outcome: dict[str, Any] | None = None
    """The outcome that it finished with, as it was sent."""
    result: Any = None
    """The result that it finished with."""

    def to_value(self) -> dict[str, Any]:
        """Gives the JSON value."""
        rest = {"parentRunId": self.parent_run_id, "outcome": self.outcome, "result": self.result}
        said = {name: value for name, value in rest.items() if value is not None}
        return {"runId": self.run_id, "status": self.status, **said}


_OUTCOMES: dict[Any, RunStatus] = {"interrupt": "interrupted", "cancelled": "cancelled"}


class Reducer:
    """The state of a replay between two events; it is the taker of their steps, too."""

    __slots__ = ("_event", "_index", "_state", "_thread", "interrupts", "remarks", "runs", "tracker")

    def __init__(self) -> None:
        """No event has been applied."""
        self.tracker = Tracker()
        self.runs: list[Run] = []
        self.interrupts: list[Any] = []
        """What the last finished run waits for."""
        self.remarks: list[Remark] | None = None
        """What was passed over, if anybody wants to know."""
        self._thread = Thread()
        self._state = Patched({})
        self._event: JsonEvent = {}
        self._index = 0

    def copy(self) -> Reducer:
        """Gives the same replay, to go another way; it has no runs yet."""
        copied = Reducer()
        copied.tracker = self.tracker.copy()
        copied.interrupts = self.interrupts
        copied._thread = self._thread.copy()
        copied._state = Patched(self._state.value)
        return copied

    def apply(self, index: int, event: JsonEvent) -> None:
        """Applies the event of this index; `Rejection` without a place if it cannot stand here."""
        self._index, self._event = index, event
        try:
            self.tracker.take(index, event, self)
        except Violation as violation:
            raise Rejection("sequence", violation.rule, violation.message) from None
        effect = _EFFECTS.get(event["type"])
        if effect is not None:
            effect(self, event)

    def end_run(self) -> None:
        """Forgets the list of runs, which nobody needs who goes on from here and compares."""
        self.runs = []

    def messages(self) -> list[Message]:
        """Gives the messages up to here."""
        return self._thread.messages()

    @property
    def state(self) -> Any:
        """The state up to here."""
        return self._state.value

    def open_items(self) -> list[tuple[int, OpenItem]]:
        """Gives what is open, each with the index of its first event."""
        return self.tracker.open_items()

    def holds(self, item: OpenItem) -> bool:
        """Whether what an open item appends to is there."""
        if item.kind == "tool-call":
            return self._thread.holds_call(item.id)
        return item.kind not in ("text", "reasoning") or self._thread.find(item.id) is not None

    def stands_like(self, other: Reducer) -> bool:
        """Whether messages, state and interrupts are the same.

        Whatever follows makes the same of both, then.
        """
        return (
            self.tracker.stands_like(other.tracker)
            and self._thread.equals(other._thread)
            and same(self.state, other.state)
            and same(self.interrupts, other.interrupts)
        )

    # Steps: what events begin, continue and end.

    def begun(self, index: int, beginning: Beginning) -> None:
        """An item is begun."""
        metadata: dict[str, Any] | None = self._event.get("metadata")
        if beginning.kind == "tool-call":
            self._call_begun(beginning, metadata)
        elif beginning.role is not None:
            self._message_begun(beginning, metadata)

    def continued(self, kind: ItemKind, id: str, owner: str | None) -> None:
        """An item is continued or ended."""
        event = self._event
        delta: str | None = event.get("delta")
        if delta is None and ITEM_ROLES[event["type"]].does == "chunk":
            # A chunk that continues an item appends nothing, which makes an empty text of none.
            delta = ""
        metadata: dict[str, Any] | None = event.get("metadata")
        if kind == "tool-call":
            self._call_continued(id, delta, metadata)
        elif kind == "text" or kind == "reasoning":
            self._message_continued(id, delta, metadata)

    def closed(self, kind: ItemKind, id: str, owner: str | None) -> None:
        """Who ends an item by being about something else says nothing of it."""

    def left(self, index: int, item: OpenItem) -> None:
        """An item that is left open stays as it is."""

    def _message_begun(self, beginning: Beginning, metadata: dict[str, Any] | None) -> None:
        """A message that exists keeps what it is; an activity of the same id is not touched."""
        if self._thread.find(beginning.id) is None:
            message = {"id": beginning.id, "role": beginning.role, "content": ""}
            if beginning.name is not None:
                message["name"] = beginning.name
            if beginning.owner is not None:
                message["subagentRunId"] = beginning.owner
            self._thread.push(message)
        self._message_continued(beginning.id, None, metadata)

    def _message_continued(
        self, id: str, delta: str | None, metadata: dict[str, Any] | None
    ) -> None:
        message = self._thread.find(id)
        if message is None or message.get("role") == "activity":
            return
        if delta is not None:
            self._thread.append_text(id, delta)
        if metadata is not None:
            changed = self._thread.change(id)
            if changed is not None:
                fold_metadata(changed, metadata)

    def _call_begun(self, beginning: Beginning, metadata: dict[str, Any] | None) -> None:
        """A call that exists takes the new name and is continued."""
        call = self._thread.change_call(beginning.id)
        if call is not None:
            function: Any = call.get("function")
            if is_object(function):
                function["name"] = beginning.name
            fold_metadata(call, metadata)
            return
        call = {
            "id": beginning.id,
            "type": "function",
            "function": {"name": beginning.name, "arguments": ""},
        }
        fold_metadata(call, metadata)
        self._thread.push_call(self._caller(beginning), beginning.id, call)

    def _caller(self, beginning: Beginning) -> Place:
        """Gives the assistant message that makes a call.

        It is the parent, else a new one with the parent's id, else (nobody named, or the parent speaks
        in another role) a new one with the id of the call.
        """
        id, parent = beginning.id, beginning.parent
        if parent is not None:
            message = self._thread.find(parent)
            if message is not None and message.get("role") == "assistant":
                return self._thread.place(parent)
            if message is None:
                id = parent
        made: Message = {"id": id, "role": "assistant", "toolCalls": []}
        if beginning.owner is not None:
            made["subagentRunId"] = beginning.owner
        return self._thread.push(made)

    def _call_continued(self, id: str, delta: str | None, metadata: dict[str, Any] | None) -> None:
        found = self._thread.find_call(id)
        if found is None:
            return
        if delta is not None and is_object(found.get("function")):
            self._thread.append_arguments(id, delta)
        if metadata is not None:
            call = self._thread.change_call(id)
            if call is not None:
                fold_metadata(call, metadata)

    # Effects: what events mean beside the items that they begin, continue and end.

    def _run_started(self, event: JsonEvent) -> None:
        self.runs.append(Run(event["runId"], event.get("parentRunId")))
        input: dict[str, Any] | None = event.get("input")
        if input is None:
            return
        if "state" in input:
            self._state = Patched(input["state"])
        for place, message in enumerate(input["messages"]):
            id = message.get("id")
            if not isinstance(id, str) or self._thread.find(id) is None:
                self._thread.push(message)
            elif self.remarks is not None and not same(self._thread.settled(id), message):
                self.remarks.append(
                    Remark(
                        "lineage.conflict",
                        self._index,
                        f"/input/messages/{place}",
                        f"the run already holds another message `{id}`, which replay keeps",
                    )
                )

    def _run_ended(self, event: JsonEvent) -> None:
        if event["type"] == "RUN_ERROR":
            self._current_run().status = "failed"
        else:
            self._run_finished(event)

    def _run_finished(self, event: JsonEvent) -> None:
        outcome: dict[str, Any] | None = event.get("outcome")
        kind = None if outcome is None else outcome["type"]
        run = self._current_run()
        run.status = _OUTCOMES.get(kind, "finished")
        run.outcome = outcome
        run.result = event.get("result")
        self.interrupts = outcome["interrupts"] if outcome and kind == "interrupt" else []

    def _current_run(self) -> Run:
        """Gives the last run; an error before any run is a run without an id."""
        if not self.runs:
            self.runs.append(Run(None))
        return self.runs[-1]

    def _state_snapshot(self, event: JsonEvent) -> None:
        self._state = Patched(event["snapshot"])

    def _state_delta(self, event: JsonEvent) -> None:
        try:
            self._state.apply(event["delta"])
        except PatchFailure as failure:
            self._remark_failure(failure)

    def _remark_failure(self, failure: PatchFailure) -> None:
        """A patch that does not apply is skipped whole."""
        if self.remarks is not None:
            message = f"{failure}; replay skips the whole patch"
            self.remarks.append(Remark("verify.failed-patch", self._index, "", message))

    def _messages_snapshot(self, event: JsonEvent) -> None:
        self._thread.apply_snapshot(event["messages"])

    def _activity_snapshot(self, event: JsonEvent) -> None:
        id, metadata = event["messageId"], event.get("metadata")
        existing = self._thread.settled(id)
        is_activity = existing is not None and existing.get("role") == "activity"
        if existing is not None and event.get("replace") is False:
            changed = self._thread.change(id) if is_activity else None
            if changed is not None:
                fold_metadata(changed, metadata)
            return
        # What an activity has beside its type, content and owner stays when it is replaced.
        message: Message = dict(existing) if existing is not None and is_activity else {}
        message = {"id": id, "role": "activity", **message}
        message["activityType"] = event["activityType"]
        message["content"] = event["content"]
        message.pop("subagentRunId", None)
        if "subagentRunId" in event:
            message["subagentRunId"] = event["subagentRunId"]
        fold_metadata(message, metadata)
        if existing is None:
            self._thread.push(message)
        else:
            self._thread.replace(id, message)

    def _activity_delta(self, event: JsonEvent) -> None:
        id = event["messageId"]
        if self._thread.role(id) != "activity":
            return
        message = self._thread.change(id)
        if message is None:
            return
        fold_metadata(message, event.get("metadata"))
        if "content" not in message:
            return
        content = Patched(message["content"])
        try:
            content.apply(event["patch"])
        except PatchFailure as failure:
            self._remark_failure(failure)
        else:
            message["content"] = content.value
            message["activityType"] = event["activityType"]

    def _encrypted_value(self, event: JsonEvent) -> None:
        id = event["entityId"]
        if event["subtype"] == "tool-call":
            entity = self._thread.change_call(id)
        else:
            entity = None if self._thread.role(id) == "activity" else self._thread.change(id)
        if entity is not None:
            entity["encryptedValue"] = event["encryptedValue"]
            # The type belongs to the value, so a value without one leaves none behind.
            entity.pop("encryptedValueType", None)
            if "encryptedValueType" in event:
                entity["encryptedValueType"] = event["encryptedValueType"]

    def _call_result(self, event: JsonEvent) -> None:
        message: Message = {
            "id": event["messageId"],
            "toolCallId": event["toolCallId"],
            "role": "tool",
            "content": event["content"],
        }
        if "subagentRunId" in event:
            message["subagentRunId"] = event["subagentRunId"]
        fold_metadata(message, event.get("metadata"))
        self._thread.insert_result(event["toolCallId"], message)

    BY_ROLE: ClassVar[dict[tuple[str, str | None], Callable[[Reducer, JsonEvent], None]]] = {
        ("start-run", "run"): _run_started,
        ("end-run", "run"): _run_ended,
        ("replace", "state"): _state_snapshot,
        ("patch", "state"): _state_delta,
        ("replace", "messages"): _messages_snapshot,
        ("replace", "activity"): _activity_snapshot,
        ("patch", "activity"): _activity_delta,
        ("annotate", None): _encrypted_value,
        ("add", "message"): _call_result,
    }
    """The effects by what events do and what they are about."""


_EFFECTS = {
    tag: effect
    for tag, role in EVENTS.items()
    if (effect := Reducer.BY_ROLE.get((role.does, role.item))) is not None
}
"""The effects by the types of events. All others mean nothing to the chat."""


def remarks_of(events: Sequence[JsonEvent], runs: Runs) -> list[Remark]:
    """Gives what the replays of all branches pass over, in the order of the log.

    Events that a replay refuses are skipped, so that one damaged run hides nothing about the others.
    Of the runs that go on from one, the longest branch takes what stands there and the others copy it.
    """
    remarks: list[Remark] = []
    branches = runs.branches()
    waiting: list[tuple[int, Reducer]] = [(0, Reducer())] if runs.rows else []
    while waiting:
        place, reducer = waiting.pop()
        reducer.remarks = remarks
        for index in runs.events_of(place, len(events)):
            try:
                reducer.apply(index, events[index])
            except Rejection:
                continue
        reducer.end_run()
        after = branches[place]
        waiting.extend((other, reducer.copy()) for other in after[1:])
        waiting.extend((first, reducer) for first in after[:1])
    return sorted(remarks, key=lambda remark: remark.index)
