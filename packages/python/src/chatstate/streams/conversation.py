"""What was said, whatever the order of its events: every step and every event can be applied.

Names many events: each changes messages, state or runs in its own way, which no role can say.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from .._runtime.json_text import is_object
from ..generated.events import EVENTS, ItemKind
from .kinds import JsonEvent, parent_of
from .patch import Patch, Patched, PatchFailure, has_unknown_operations, unknown_operations
from .remark import Remark
from .run import OUTCOMES, Run
from .sequence import Beginning, OpenItem
from .shared_state import SharedState
from .thread import Message, Place, Thread, fold_metadata
from .values import same


_HOLDER = "message or tool call that may hold an encrypted value by the id"


class Conversation:
    """The messages, the state, the runs and the interrupts of a path of runs."""

    __slots__ = (
        "_copied_activities",
        "index",
        "interrupts",
        "knows_messages",
        "remarks",
        "runs",
        "state",
        "thread",
    )

    def __init__(self, *, without_state: bool = False, thread: Thread | None = None) -> None:
        """Nothing was said, or only the messages of a thread. A state that is not needed is left out."""
        self.thread = Thread() if thread is None else thread
        self.state = SharedState(is_left_out=without_state)
        self.runs: list[Run] = []
        self.interrupts: list[Any] = []
        """What the last finished run waits for."""
        self.knows_messages = True
        """Whether all operations on activities and all subtypes of encrypted values were known."""
        self._copied_activities = 0
        """How many bytes the patches of this run have copied in activities."""
        self.remarks: list[Remark] | None = None
        """What was passed over, if the caller asks for it."""
        self.index = 0
        """The index of the event that is applied."""

    def move_on(self) -> Conversation:
        """Leaves this to be the end of a run, and gives it for the first run that continues there."""
        moved = Conversation.__new__(Conversation)
        moved.thread, moved.state = self.thread.copy(), self.state.move_on()
        moved.runs, moved.interrupts = [], self.interrupts
        moved.knows_messages = self.knows_messages
        moved.remarks, moved.index = None, self.index
        return moved

    def holds(self, item: OpenItem) -> bool:
        """Whether what an open item appends to is there."""
        if item.kind == "tool-call":
            return self.thread.call_place(item.id) is not None
        return item.kind not in ("text", "reasoning") or self.thread.place(item.id) is not None

    # Steps: what events begin, continue and end.

    def begun(self, beginning: Beginning, metadata: dict[str, Any] | None) -> None:
        """An item is begun."""
        if beginning.kind == "tool-call":
            self._call_begun(beginning, metadata)
        elif beginning.role is not None:
            self._message_begun(beginning, metadata)

    def continued(
        self, kind: ItemKind, id: str, text: str | None, metadata: dict[str, Any] | None
    ) -> None:
        """An item is continued with text and metadata, or with one of the two."""
        if text is None and metadata is None:
            return
        if kind == "tool-call":
            self._call_continued(id, text, metadata)
        elif kind == "text" or kind == "reasoning":
            self._message_continued(id, text, metadata)

    def _message_begun(self, beginning: Beginning, metadata: dict[str, Any] | None) -> None:
        """A message that exists keeps what it is; an activity of the same id is not touched."""
        if self.thread.place(beginning.id) is None:
            message = {"id": beginning.id, "role": beginning.role, "content": ""}
            if beginning.name is not None:
                message["name"] = beginning.name
            if beginning.owner is not None:
                message["subagentRunId"] = beginning.owner
            self.thread.push(message)
        self.continued(beginning.kind, beginning.id, None, metadata)

    def _message_continued(
        self, id: str, text: str | None, metadata: dict[str, Any] | None
    ) -> None:
        place = self.thread.place(id)
        if place is None or self._is_activity(place):
            return
        if text is not None:
            self.thread.append_text(place, text)
        if metadata is not None:
            fold_metadata(self.thread.change(place), metadata)

    def _is_activity(self, place: Place) -> bool:
        return self.thread.at(place).get("role") == "activity"

    def _call_begun(self, beginning: Beginning, metadata: dict[str, Any] | None) -> None:
        """A call that exists takes the new name and is continued."""
        place = self.thread.call_place(beginning.id)
        if place is not None:
            call = self.thread.change_call(place)
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
        self.thread.push_call(self._caller(beginning), beginning.id, call)

    def _caller(self, beginning: Beginning) -> Place:
        """Gives the assistant message that makes a call.

        It is the parent, else a new one with the parent's id, else (none is named, or the parent has
        in another role) a new one with the id of the call.
        """
        id, parent = beginning.id, beginning.parent
        if parent is not None:
            place = self.thread.place(parent)
            if place is None:
                id = parent
            elif self.thread.at(place).get("role") == "assistant":
                return place
        made: Message = {"id": id, "role": "assistant", "toolCalls": []}
        if beginning.owner is not None:
            made["subagentRunId"] = beginning.owner
        return self.thread.push(made)

    def _call_continued(self, id: str, text: str | None, metadata: dict[str, Any] | None) -> None:
        place = self.thread.call_place(id)
        if place is None:
            return
        if text is not None and is_object(self.thread.call_at(place).get("function")):
            self.thread.append_text(place, text)
        if metadata is not None:
            fold_metadata(self.thread.change_call(place), metadata)

    # Effects: what events mean beside the items that they begin, continue and end.

    def event(self, event: JsonEvent) -> None:
        """Applies an event itself, whose steps are applied.

        Those that only begin, continue or end an item are done by now. A `copy` beyond the limit raises
        a `Rejection`.
        """
        effect = _EFFECTS.get(event["type"])
        if effect is not None:
            effect(self, event)

    def begin_run(self, event: JsonEvent) -> list[Message]:
        """Begins a run, and gives the messages of its input, which are not applied yet."""
        self.runs.append(Run(event["runId"], parent_of(event)))
        self.state.begin_run()
        self._copied_activities = 0
        input: dict[str, Any] = event.get("input", {})
        if "state" in input:
            self.state.set(input["state"])
        messages: list[Message] = input.get("messages", [])
        return messages

    def _run_started(self, event: JsonEvent) -> None:
        for number, message in enumerate(self.begin_run(event)):
            id = message.get("id")
            if self.thread.place(id) is None:
                self.thread.push(message)
            elif self.remarks is not None and not same(self.thread.settled(id), message):
                self.remarks.append(Remark.of_conflict(self.index, number, str(id)))

    def _run_ended(self, event: JsonEvent) -> None:
        if event["type"] == "RUN_ERROR":
            self._run_failed(event)
        else:
            self._run_finished(event)

    def _run_finished(self, event: JsonEvent) -> None:
        outcome: dict[str, Any] | None = event.get("outcome")
        kind = None if outcome is None else outcome["type"]
        run = self._current_run()
        run.status = OUTCOMES.get(kind, "finished")
        run.outcome = outcome
        run.result = event.get("result")
        run.usage = event.get("usage")
        self.interrupts = outcome["interrupts"] if outcome and kind == "interrupt" else []

    def _run_failed(self, event: JsonEvent) -> None:
        """Notes why a run failed. A late error takes nothing away of what the run had finished with."""
        run = self._current_run()
        run.status = "failed"
        run.error = {name: event[name] for name in ("message", "code") if name in event}
        run.usage = event.get("usage", run.usage)

    def _current_run(self) -> Run:
        """Gives the last run; an error before any run is a run without an id."""
        if not self.runs:
            self.runs.append(Run(None))
        return self.runs[-1]

    def _state_snapshot(self, event: JsonEvent) -> None:
        self.state.set(event["snapshot"])

    def _state_delta(self, event: JsonEvent) -> None:
        if self.state.is_left_out:
            return
        self._remark_unknown("delta", event["delta"])
        try:
            self.state.apply(event["delta"])
        except PatchFailure as failure:
            self._remark_failure("delta", failure)

    def _remark_unknown(self, member: str, patch: Patch) -> None:
        if self.remarks is not None:
            for number, op in unknown_operations(patch):
                self.remarks.append(Remark.of_unknown_operation(self.index, member, number, op))

    def _remark_no_target(self, member: str, id: str, what: str) -> None:
        if self.remarks is not None:
            self.remarks.append(Remark.of_no_target(self.index, member, id, what))

    def _remark_failure(self, member: str, failure: PatchFailure) -> None:
        """A patch that does not apply is skipped whole."""
        if self.remarks is not None:
            self.remarks.append(Remark.of_failed_patch(self.index, member, failure))

    def _messages_snapshot(self, event: JsonEvent) -> None:
        self.thread.apply_snapshot(event["messages"])

    def _activity_snapshot(self, event: JsonEvent) -> None:
        id, metadata = event["messageId"], event.get("metadata")
        place = self.thread.place(id)
        is_activity = place is not None and self._is_activity(place)
        if place is not None and event.get("replace") is False:
            if is_activity:
                fold_metadata(self.thread.change(place), metadata)
            return
        # What an activity has beside its type, content and owner stays when it is replaced.
        message: Message = {"id": id, "role": "activity"}
        if place is not None and is_activity:
            message = dict(self.thread.at(place))
        message["activityType"] = event["activityType"]
        message["content"] = event["content"]
        message.pop("subagentRunId", None)
        if "subagentRunId" in event:
            message["subagentRunId"] = event["subagentRunId"]
        fold_metadata(message, metadata)
        if place is None:
            self.thread.push(message)
        else:
            self.thread.replace(place, message)

    def _activity_delta(self, event: JsonEvent) -> None:
        patch = event["patch"]
        place = self.thread.place(event["messageId"])
        if place is None or not self._is_activity(place):
            self._remark_no_target("messageId", event["messageId"], "activity")
            return
        self.knows_messages = self.knows_messages and not has_unknown_operations(patch)
        self._remark_unknown("patch", patch)
        message = self.thread.change(place)
        fold_metadata(message, event.get("metadata"))
        if "content" not in message:
            return
        content = Patched(message["content"], self._copied_activities)
        try:
            content.apply(patch)
        except PatchFailure as failure:
            self._remark_failure("patch", failure)
        else:
            message["content"] = content.value
            message["activityType"] = event["activityType"]
        finally:
            self._copied_activities = content.copied

    def _encrypted_value(self, event: JsonEvent) -> None:
        id = event["entityId"]
        if event["subtype"] == "tool-call":
            call = self.thread.call_place(id)
            entity = None if call is None else self.thread.change_call(call)
        elif event["subtype"] != "message":
            self.knows_messages = False
            if self.remarks is not None:
                self.remarks.append(Remark.of_unknown_word(self.index, "subtype", event["subtype"]))
            return
        else:
            place = self.thread.place(id)
            is_changed = place is not None and not self._is_activity(place)
            entity = self.thread.change(place) if place is not None and is_changed else None
        if entity is None:
            self._remark_no_target("entityId", id, _HOLDER)
        else:
            entity["encryptedValue"] = event["encryptedValue"]
            # The type belongs to the value, so a value without one removes it.
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
        self.thread.insert_result(event["toolCallId"], message)

    BY_ROLE: ClassVar[dict[tuple[str, str | None], Callable[[Conversation, JsonEvent], None]]] = {
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
    if (effect := Conversation.BY_ROLE.get((role.does, role.item))) is not None
}
"""The effects by the types of events. All others mean nothing to the chat."""
