"""Which messages the path of a run holds, so that its input need not repeat them.

Of a message that the events of one run build the value is known at the end of the run. What a later
run does to it makes its value unknown, and nothing that is unknown is dropped from an input. What is
known depends only on events that compaction keeps, so that compacting again finds the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from ..kinds import ItemKind, JsonEvent
from ..owners import calls_of
from ..thread import Message
from .draft import CallDraft, Draft
from .known import Entries, Known, Role, class_of, role_named, when_restated, with_result
from .metadata import Metadata, folded
from .path import ACTIVITIES, CONVERSATION, NO_RUN, REASONING, Path
from .writing import Heads

_CallPlace: TypeAlias = tuple[str, int] | Literal["hidden", "elsewhere"]
"""Where a call of the run stands: in a draft, the message and the place among its calls.

`hidden` is in a message that is not found by its id, because another one with it came first;
`elsewhere` is in a message that others made too.
"""


@dataclass
class _RunMessages:
    """The messages that the run in progress made or changed."""

    place: int = NO_RUN
    predecessor: int = NO_RUN
    messages: dict[str, Draft | Known] = field(default_factory=dict[str, "Draft | Known"])
    calls: dict[str, _CallPlace] = field(default_factory=dict[str, "_CallPlace"])
    holders: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """The calls that the run's messages make, with the messages."""
    restated: list[bool] = field(default_factory=lambda: [False, False, False])
    """The classes of messages that a snapshot restated."""

    def note_calls(self, id: str, message: Message) -> None:
        """Notes the calls that a message makes."""
        for call in calls_of(message):
            self.holders.append((call["id"], id))
            self.calls.setdefault(call["id"], "elsewhere")


class Held:
    """The messages of a log."""

    __slots__ = ("_calls", "_entries", "_path", "_run")

    def __init__(self) -> None:
        """There is no run."""
        self._path = Path()
        self._entries = Entries()
        self._calls: dict[str, list[str]] = {}
        """Which messages made a tool call, whatever the branch."""
        self._run = _RunMessages()

    def begin_run(self, run_id: str, parent_run_id: str | None) -> None:
        """Begins a run."""
        place = self._path.begin(run_id, parent_run_id)
        self._run = _RunMessages(place, self._path.predecessor(place))

    def take_input(self, message: Message) -> bool:
        """Takes a message of the run's input, and tells whether the path holds it.

        One that is new is held from now on. A message of a subagent is never told to be held: a
        verifier learns its owner from the input of each run.
        """
        id = message.get("id")
        if not isinstance(id, str):
            return False
        is_held = self._holds(id, message)
        return is_held and not isinstance(message.get("subagentRunId"), str)

    def _holds(self, id: str, message: Message) -> bool:
        known = self._run.messages.get(id)
        if isinstance(known, Known):
            return known.has_value(message)
        found = self._entries.at(self._path, self._run.predecessor, id)
        if found is not None:
            return found[1].has_value(message)
        self._run.messages[id] = Known(role_named(message["role"]), message)
        self._run.note_calls(id, message)
        return False

    def end_run(self) -> None:
        """Ends the run in progress: what it made of messages is there for those that come after it."""
        run, self._run = self._run, _RunMessages()
        for message_class, is_restated in enumerate(run.restated):
            if is_restated:
                self._path.restate(run.place, message_class)
        for id, message in run.messages.items():
            if isinstance(message, Draft):
                message = Known(role_named(message.role), message.value())
            if not self._stands(run, id, message):
                self._entries.add(run.place, id, message)
        for call, holder in run.holders:
            holders = self._calls.setdefault(call, [])
            if holder not in holders:
                holders.append(holder)

    def _stands(self, run: _RunMessages, id: str, known: Known) -> bool:
        """Whether what an earlier run made of a message is what this run made of it."""
        found = self._entries.at(self._path, run.predecessor, id)
        if found is None:
            return False
        entry, before = found
        if before.role != known.role or (before.value is None) != (known.value is None):
            return False
        if known.value is not None and not before.has_value(known.value):
            return False
        message_class = class_of(known.role)
        if message_class is None or not run.restated[message_class]:
            return True
        return self._entries.confirm(self._path, run.place, entry)

    def learn(self, messages: list[Message]) -> None:
        """Learns the unknown values from the messages as they are at the end of the run."""
        run = self._run
        unknown = {
            id
            for id, message in run.messages.items()
            if isinstance(message, Known) and message.value is None
        }
        if not unknown:
            return
        for message in messages:
            id = message.get("id")
            if isinstance(id, str) and id in unknown:
                unknown.remove(id)
                role = message.get("role")
                run.messages[id] = Known(role_named(role if isinstance(role, str) else ""), message)
        for id in unknown:
            del run.messages[id]

    # What is known now.

    def _find(self, id: str) -> Known | None:
        """Gives what is known of the message that earlier runs made and that has this id now."""
        found = self._entries.at(self._path, self._run.predecessor, id)
        if found is None:
            return None
        known = found[1]
        if self._run.restated[CONVERSATION]:
            known = Known(when_restated(known.role), known.value)
        message_class = class_of(known.role)
        is_restated = message_class is not None and self._run.restated[message_class]
        return None if is_restated else known

    def _role(self, id: str) -> Role | None:
        """Gives the role of the message that has this id now."""
        message = self._run.messages.get(id)
        if isinstance(message, Draft):
            return role_named(message.role)
        known = message or self._find(id)
        return None if known is None else known.role

    def _touch(self, id: str) -> None:
        """Makes the value of a message unknown, if there is such a message."""
        role = self._role(id)
        if role is not None:
            self._run.messages[id] = Known(role)

    def _doubt(self, id: str) -> None:
        """Makes the value of a message unknown, whether or not there is one."""
        self._run.messages[id] = Known(self._role(id) or "doubtful")

    def _draft(self, id: str) -> Draft | None:
        message = self._run.messages.get(id)
        return message if isinstance(message, Draft) else None

    # Items: begun and continued.

    def begin(
        self, kind: ItemKind, id: str, heads: Heads, owner: str | None, metadata: Metadata
    ) -> None:
        """Begins an item."""
        if kind == "tool-call":
            self._begin_call(id, heads, owner, metadata)
            return
        if self._role(id) is None:
            role = "reasoning" if kind == "reasoning" else heads.get("role", "assistant")
            self._run.messages[id] = Draft(id, role, heads.get("name"), owner, [])
        self._continue_message(id, None, metadata)

    def append(self, kind: ItemKind, id: str, texts: list[str] | None, metadata: Metadata) -> None:
        """Takes the joined deltas of an item, or what an END of it carries."""
        if kind == "tool-call":
            self._continue_call(id, texts, metadata)
        else:
            self._continue_message(id, texts, metadata)

    def _continue_message(self, id: str, texts: list[str] | None, metadata: Metadata) -> None:
        if texts is None and metadata is None:
            return
        draft = self._draft(id)
        if draft is None:
            if self._role(id) != "activity":
                self._touch(id)
            return
        if texts is not None:
            if draft.content is None:
                draft.content = []
            draft.content.extend(texts)
        draft.metadata = folded(draft.metadata, metadata)

    def _continue_call(self, id: str, texts: list[str] | None, metadata: Metadata) -> None:
        if texts is None and metadata is None:
            return
        call = self._change_call(id)
        if call is not None:
            call.arguments.extend(texts or ())
            call.metadata = folded(call.metadata, metadata)

    def _begin_call(self, id: str, heads: Heads, owner: str | None, metadata: Metadata) -> None:
        parent = heads.get("parentMessageId")
        place = self._run.calls.get(id)
        if isinstance(place, tuple):
            call = self._call_draft(place)
            if call is not None:
                call.name = heads["toolCallName"]
                call.metadata = folded(call.metadata, metadata)
                return
            self._begin_call_again(id, parent)
        elif place == "elsewhere" or (place is None and self._is_call_of_earlier_run(id)):
            self._begin_call_again(id, parent)
        elif place is None:
            call = CallDraft(id, heads["toolCallName"], metadata=folded(None, metadata))
            self._begin_new_call(call, parent, owner)

    def _is_call_of_earlier_run(self, id: str) -> bool:
        """Whether an earlier run made a call, and no snapshot of this run took its message away."""
        return not self._run.restated[CONVERSATION] and id in self._calls

    def _begin_call_again(self, id: str, parent: str | None) -> None:
        """Takes a call that another event made before, perhaps in a message that is gone by now."""
        self._touch_holders(id)
        self._doubt(id)
        self._run.holders.append((id, id))
        if parent is not None:
            self._doubt(parent)
            self._run.holders.append((id, parent))
        self._run.calls[id] = "elsewhere"

    def _begin_new_call(self, call: CallDraft, parent: str | None, owner: str | None) -> None:
        """Puts a call into its parent if that is an assistant's message, else into a new message."""
        run, id = self._run, call.id
        role = None if parent is None else self._role(parent)
        if parent is not None and role == "doubtful":
            self._begin_call_again(id, parent)
            return
        is_named = parent is not None and role in (None, "assistant")
        holder = parent if parent is not None and is_named else id
        run.holders.append((id, holder))
        exists = self._role(holder)
        if exists == "doubtful":
            self._begin_call_again(id, holder)
        elif exists is not None and role != "assistant":
            run.calls[id] = "hidden"
        elif exists is not None and self._draft(holder) is None:
            self._touch(holder)
            run.calls[id] = "elsewhere"
        else:
            draft = self._draft(holder)
            if draft is None:
                draft = run.messages[holder] = Draft(holder, "assistant", owner=owner)
            draft.calls.append(call)
            run.calls[id] = holder, len(draft.calls) - 1

    def _change_call(self, id: str) -> CallDraft | None:
        """Gives the draft of a call that changes.

        The messages that may hold it are unknown from now on if there is none.
        """
        place = self._run.calls.get(id)
        if place == "hidden":
            return None
        call = self._call_draft(place) if isinstance(place, tuple) else None
        if call is None:
            self._touch_holders(id)
        return call

    def _call_draft(self, place: tuple[str, int]) -> CallDraft | None:
        draft = self._draft(place[0])
        return None if draft is None else draft.calls[place[1]]

    def _touch_holders(self, id: str) -> None:
        holders = [holder for call, holder in self._run.holders if call == id]
        if not self._run.restated[CONVERSATION]:
            holders += self._calls.get(id, [])
        for holder in holders:
            self._touch(holder)

    # What comes whole: results of tools, activities, encrypted values and snapshots.

    def call_result(self, event: JsonEvent) -> None:
        """Takes a result, a message of its own. What stands with two of one id depends on their order."""
        id = event["messageId"]
        role = self._role(id)
        if role is not None:
            self._run.messages[id] = Known(with_result(role))
            return
        message: dict[str, Any] = {
            "id": id,
            "role": "tool",
            "toolCallId": event["toolCallId"],
            "content": event["content"],
        }
        for name in ("metadata", "subagentRunId"):
            if name in event:
                message[name] = event[name]
        self._run.messages[id] = Known("other", message)

    def activity_snapshot(self, event: JsonEvent) -> None:
        """Takes an activity, whose value is not followed."""
        id, replaces = event["messageId"], event.get("replace") is not False
        role = self._role(id)
        if role in ("shared", "doubtful"):
            return
        if role == "activity" and not replaces and "metadata" not in event:
            return
        if role is not None and role != "activity" and not replaces:
            return
        self._run.messages[id] = Known("activity")

    def activity_delta(self, id: str) -> None:
        """Takes a change of an activity."""
        if self._role(id) == "activity":
            self._touch(id)

    def encrypted_value(self, event: JsonEvent) -> None:
        """Takes an encrypted value of a message or a tool call."""
        names = ("encryptedValue", "encryptedValueType")
        encrypted = {name: event[name] for name in names if name in event}
        id = event["entityId"]
        entity: Draft | CallDraft | None
        if event["subtype"] == "tool-call":
            entity = self._change_call(id)
        else:
            entity = self._draft(id)
            if entity is None and self._role(id) != "activity":
                self._touch(id)
        if entity is not None:
            entity.encrypted = encrypted

    def messages_snapshot(self, snapshot: list[Message]) -> None:
        """Takes a snapshot: only what it holds stays, and classes of which it holds nothing."""
        run = self._run
        roles = {message["role"] for message in snapshot}
        restates = {
            CONVERSATION: True,
            ACTIVITIES: "activity" in roles,
            REASONING: "reasoning" in roles,
        }
        for restated, is_restated in restates.items():
            run.restated[restated] |= is_restated
        kept: dict[str, Draft | Known] = {}
        for id, message in run.messages.items():
            role = role_named(message.role) if isinstance(message, Draft) else message.role
            message_class = class_of(role)
            if message_class is not None and restates[message_class]:
                continue
            if isinstance(message, Known):
                message = Known(when_restated(message.role), message.value)
            kept[id] = message
        run.messages = kept
        # From here on the only calls are those that the messages of the snapshot make.
        run.calls, run.holders = {}, []
        self._take_whole(snapshot)

    def _take_whole(self, messages: Iterable[Message]) -> None:
        seen: set[str] = set()
        for message in messages:
            id = message.get("id")
            if isinstance(id, str):
                value = None if id in seen else message
                seen.add(id)
                self._run.messages[id] = Known(role_named(message["role"]), value)
                self._run.note_calls(id, message)
