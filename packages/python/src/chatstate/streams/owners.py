"""Who owns what: what one subagent began, no other may continue.

Owners are kept for a whole run, also of what is closed, and begin again with the next run. An event
without `subagentRunId` never disagrees; an opening without one makes the parent agent the owner.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..generated.events import EVENTS, ITEMS
from .kinds import ItemKind, JsonEvent, owner_of
from .sequence import Beginning
from .violation import Violation


@dataclass(frozen=True)
class _Owner:
    """An owner, by the event that said so; None is the parent agent."""

    subagent_run_id: str | None
    index: int

    def agree(self, tag: str | None, what: str, id: str) -> None:
        """Rejects a `subagentRunId` that is not the owner."""
        if tag is not None and tag != self.subagent_run_id:
            message = (
                f"the event names the subagent `{tag}`, but the {what} `{id}` belongs to {self.name()}"
            )
            raise Violation("subagent.wrong-owner", message, self.index)

    def name(self) -> str:
        """Names the owner in a message."""
        if self.subagent_run_id is None:
            return "the parent agent"
        return f"the subagent `{self.subagent_run_id}`"


_Registry = dict[str, _Owner]


def _agree(owner: _Owner | None, tag: str | None, what: str, id: str) -> None:
    if owner is not None:
        owner.agree(tag, what, id)


def _same(one: _Registry, other: _Registry) -> bool:
    return one.keys() == other.keys() and all(
        owner.subagent_run_id == other[id].subagent_run_id for id, owner in one.items()
    )


class Owners:
    """The owners within one run, by kind, since an id is unique only within its kind."""

    __slots__ = ("_activities", "_calls", "_messages", "_reasoning", "_subagents")

    def __init__(self) -> None:
        """Nothing has an owner."""
        self.clear()

    def clear(self) -> None:
        """Forgets everything, as the next run does."""
        self._messages: _Registry = {}
        self._calls: _Registry = {}
        self._activities: _Registry = {}
        self._reasoning: _Registry = {}
        self._subagents: dict[str, int] = {}

    def stand_like(self, other: Owners) -> bool:
        """Whether both know the same owners."""
        return (
            _same(self._messages, other._messages)
            and _same(self._calls, other._calls)
            and _same(self._activities, other._activities)
            and _same(self._reasoning, other._reasoning)
            and self._subagents.keys() == other._subagents.keys()
        )

    def begun(self, index: int, beginning: Beginning) -> None:
        """Checks and notes the owner of what is begun."""
        kind, id, tag = beginning[:3]
        if kind == "tool-call":
            self._call_begun(index, beginning)
        elif kind == "subagent":
            self._subagent_begun(index, id, tag)
        elif kind != "step":
            registry, what = self._of_item(kind)
            if id in registry:
                registry[id].agree(tag, what, id)
            else:
                registry[id] = _Owner(tag, index)

    def continued(self, kind: ItemKind, id: str, tag: str | None) -> None:
        """Checks the owner of what is continued or ended."""
        if tag is not None and kind not in ("step", "subagent"):
            registry, what = self._of_item(kind)
            _agree(registry.get(id), tag, what, id)

    def _of_item(self, kind: ItemKind) -> tuple[_Registry, str]:
        """Gives the owners that an item's owner is kept among, and what they own in a message."""
        owners = ITEMS[kind].owners
        if owners == "calls":
            return self._calls, "tool call"
        if owners == "reasoning":
            return self._reasoning, "reasoning"
        return self._messages, "message"

    def event(self, index: int, event: JsonEvent) -> None:
        """Checks and notes what an event says of owners beside the items that it begins or continues."""
        role = EVENTS.get(event["type"])
        if role is None:
            return
        does, item = role.does, role.item
        if does == "start-run":
            input: dict[str, Any] = event.get("input", {})
            self._seed(index, input.get("messages", []), overrules=False)
        elif item == "messages":
            self._seed(index, event["messages"], overrules=True)
        elif does == "add":
            self._messages[event["messageId"]] = _Owner(owner_of(event), index)
        elif item == "activity":
            self._activity(index, event, is_whole=does == "replace")
        elif does == "annotate":
            self._annotated(event)

    def _activity(self, index: int, event: JsonEvent, *, is_whole: bool) -> None:
        """An activity belongs to whom its last replacing snapshot names."""
        id, owner = event["messageId"], owner_of(event)
        if not is_whole:
            _agree(self._activities.get(id), owner, "activity", id)
        elif event.get("replace") is not False or id not in self._activities:
            self._activities[id] = _Owner(owner, index)

    def _annotated(self, event: JsonEvent) -> None:
        """The owner of an encrypted value is that of the call or the message that it belongs to."""
        id, owner = event["entityId"], owner_of(event)
        if event["subtype"] == "tool-call":
            _agree(self._calls.get(id), owner, "tool call", id)
        elif event["subtype"] == "message":
            holder = self._messages.get(id) or self._reasoning.get(id)
            _agree(holder, owner, "message", id)

    def _call_begun(self, index: int, beginning: Beginning) -> None:
        """A call lives in the message that makes it and belongs to the owner of that message."""
        id, tag, parent = beginning.id, beginning.owner, beginning.parent
        holder = None if parent is None else self._messages.get(parent)
        if holder is not None and tag is not None and tag != holder.subagent_run_id:
            message = f"the call `{id}` is put into `{parent}` of {holder.name()}"
            raise Violation("subagent.wrong-parent", message, holder.index)
        owner = self._calls.get(id)
        if owner is None:
            inherited = None if holder is None else holder.subagent_run_id
            self._calls[id] = _Owner(inherited if tag is None else tag, index)
            return
        owner.agree(tag, "tool call", id)
        # A call that is begun again without a tag is the one of the message around it.
        if holder is not None and holder.subagent_run_id != owner.subagent_run_id:
            message = f"the call `{id}` of {owner.name()} is put into a message of {holder.name()}"
            raise Violation("subagent.wrong-parent", message, owner.index)

    def _subagent_begun(self, index: int, id: str, parent: str | None) -> None:
        """The id of a subagent is for one time that it works, and its parent has begun before."""
        is_unknown = parent is not None and parent not in self._subagents
        if id in self._subagents:
            message = f"the run has had a subagent `{id}` before"
            raise Violation("subagent.reused", message, self._subagents[id])
        self._subagents[id] = index
        if is_unknown:
            message = f"the subagent `{id}` names `{parent}`, which has not begun"
            raise Violation("subagent.unknown-parent", message)

    def _seed(self, index: int, messages: list[dict[str, Any]], *, overrules: bool) -> None:
        """Notes the owners that messages name. A snapshot overrules what was known, an input does not."""
        for message in messages:
            id = message.get("id")
            # A message of an unknown role may lack an id, and then no event can name it.
            if not isinstance(id, str):
                continue
            tag, role = message.get("subagentRunId"), message["role"]
            owner = _Owner(tag if isinstance(tag, str) else None, index)
            registry = self._messages
            if role in ("reasoning", "activity"):
                registry = self._reasoning if role == "reasoning" else self._activities
            if overrules or id not in registry:
                registry[id] = owner
            for call in calls_of(message):
                if overrules or call["id"] not in self._calls:
                    self._calls[call["id"]] = owner


def calls_of(message: dict[str, Any]) -> list[dict[str, Any]]:
    """Gives the tool calls that an assistant makes in a message."""
    return message.get("toolCalls", []) if message["role"] == "assistant" else []
