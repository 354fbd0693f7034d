"""Who owns what: what one subagent began, no other may continue.

Owners are kept for a whole run, also of what is closed, and begin again with the next run. An event
without `subagentRunId` never disagrees; an opening without one makes the parent agent the owner.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..generated.events import EVENTS, ITEMS, ItemKind
from .kinds import JsonEvent, owner_of
from .sequence import Beginning
from .violation import Violation


@dataclass(frozen=True)
class _Owner:
    """An owner, by the event that said so; None is the parent agent."""

    subagent_run_id: str | None
    index: int

    def agree(self, tag: str | None, owned: str, id: str) -> None:
        """Rejects a `subagentRunId` that is not the owner of what the id names."""
        if tag is not None and tag != self.subagent_run_id:
            what = owned.replace("-", " ")
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


def _same(one: _Registry, other: _Registry) -> bool:
    return one.keys() == other.keys() and all(
        owner.subagent_run_id == other[id].subagent_run_id for id, owner in one.items()
    )


class Owners:
    """The owners within one run, by what the ids name, since an id is unique only within that."""

    __slots__ = ("_registries",)

    def __init__(self) -> None:
        """Nothing has an owner."""
        self.clear()

    def clear(self) -> None:
        """Forgets everything, as the next run does."""
        self._registries: dict[str, _Registry] = {
            item.owners: {} for item in ITEMS.values() if item.owners is not None
        }

    def stand_like(self, other: Owners) -> bool:
        """Whether both know the same owners."""
        registries = self._registries.items()
        return all(_same(registry, other._registries[owned]) for owned, registry in registries)

    def begun(self, index: int, beginning: Beginning) -> None:
        """Checks and notes the owner of what is begun."""
        kind, id, tag = beginning[:3]
        owned = ITEMS[kind].owners
        if owned is None:
            return
        if kind == "tool-call":
            self._call_begun(owned, index, beginning)
        elif kind == "subagent":
            self._subagent_begun(owned, index, id, tag)
        elif id in self._registries[owned]:
            self._agree(owned, tag, id)
        else:
            self._registries[owned][id] = _Owner(tag, index)

    def continued(self, kind: ItemKind, id: str, tag: str | None) -> None:
        """Checks the owner of what is continued or ended."""
        owned = ITEMS[kind].owners
        if tag is not None and owned is not None:
            self._agree(owned, tag, id)

    def _agree(self, owned: str, tag: str | None, id: str) -> None:
        owner = self._registries[owned].get(id)
        if owner is not None:
            owner.agree(tag, owned, id)

    def event(self, index: int, event: JsonEvent) -> None:
        """Checks and notes what an event says of owners beside the items that it begins or continues."""
        role = EVENTS.get(event["type"])
        if role is None:
            return
        does, item = role.does, role.item
        owned = None if item is None else ITEMS[item].owners
        if does == "start-run":
            input: dict[str, Any] = event.get("input", {})
            self._seed(index, input.get("messages", []), overrules=False)
        elif item == "messages":
            self._seed(index, event["messages"], overrules=True)
        elif does == "add" and owned is not None:
            self._registries[owned][event["messageId"]] = _Owner(owner_of(event), index)
        elif item == "activity" and owned is not None:
            self._activity(owned, index, event, is_whole=does == "replace")
        elif does == "annotate":
            self._annotated(event)

    def _activity(self, owned: str, index: int, event: JsonEvent, *, is_whole: bool) -> None:
        """An activity belongs to whom its last replacing snapshot names."""
        id, owner = event["messageId"], owner_of(event)
        if not is_whole:
            self._agree(owned, owner, id)
        elif event.get("replace") is not False or id not in self._registries[owned]:
            self._registries[owned][id] = _Owner(owner, index)

    def _annotated(self, event: JsonEvent) -> None:
        """The owner of an encrypted value is that of the call or the message that it belongs to."""
        id, owner = event["entityId"], owner_of(event)
        if event["subtype"] == "tool-call":
            self._agree("tool-call", owner, id)
        elif event["subtype"] == "message":
            holder = self._registries["message"].get(id) or self._registries["reasoning"].get(id)
            if holder is not None:
                holder.agree(owner, "message", id)

    def _call_begun(self, owned: str, index: int, beginning: Beginning) -> None:
        """A call lives in the message that makes it and belongs to the owner of that message."""
        id, tag, parent = beginning.id, beginning.owner, beginning.parent
        holder = None if parent is None else self._registries["message"].get(parent)
        if holder is not None and tag is not None and tag != holder.subagent_run_id:
            message = f"the call `{id}` is put into `{parent}` of {holder.name()}"
            raise Violation("subagent.wrong-parent", message, holder.index)
        calls = self._registries[owned]
        owner = calls.get(id)
        if owner is None:
            inherited = None if holder is None else holder.subagent_run_id
            calls[id] = _Owner(inherited if tag is None else tag, index)
            return
        owner.agree(tag, owned, id)
        # A call that is begun again without a tag is the one of the message around it.
        if holder is not None and holder.subagent_run_id != owner.subagent_run_id:
            message = f"the call `{id}` of {owner.name()} is put into a message of {holder.name()}"
            raise Violation("subagent.wrong-parent", message, owner.index)

    def _subagent_begun(self, owned: str, index: int, id: str, parent: str | None) -> None:
        """The id of a subagent is for one time that it works, and its parent has begun before."""
        subagents = self._registries[owned]
        is_unknown = parent is not None and parent not in subagents
        if id in subagents:
            message = f"the run has had a subagent `{id}` before"
            raise Violation("subagent.reused", message, subagents[id].index)
        subagents[id] = _Owner(parent, index)
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
            registry = self._registries[role if role in ("reasoning", "activity") else "message"]
            if overrules or id not in registry:
                registry[id] = owner
            calls = self._registries["tool-call"]
            for call in calls_of(message):
                if overrules or call["id"] not in calls:
                    calls[call["id"]] = owner


def calls_of(message: dict[str, Any]) -> list[dict[str, Any]]:
    """Gives the tool calls that an assistant makes in a message."""
    return message.get("toolCalls", []) if message["role"] == "assistant" else []
