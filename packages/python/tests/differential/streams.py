"""Valid event streams made at random: all that a stream may have, in every combination."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any


Event = dict[str, Any]

FEATURES = [
    "open-at-end",
    "run-error",
    "error-after-finish",
    "error-first",
    "interrupt",
    "several-runs",
    "branches",
    "parent-outside",
    "messages-snapshot",
    "state-snapshot",
    "state-delta",
    "failing-patch",
    "copying-patch",
    "unknown-operation",
    "chunks",
    "chunk-lanes",
    "delta-across-lanes",
    "subagents",
    "metadata",
    "timestamps",
    "original-events",
    "split-pairs",
    "unknown-events",
    "unknown-members",
    "shared-ids",
    "input-messages",
    "input-without-ids",
    "input-owners",
    "input-state",
    "activities",
    "encrypted-values",
    "reasoning",
    "tool-calls",
    "kept-numbers",
]
"""What a stream may have in it that something could stumble over."""

PREFIXES = {"text": "TEXT_MESSAGE", "reasoning": "REASONING_MESSAGE", "call": "TOOL_CALL"}

HIGH, LOW = "\ud83d", "\ude00"


@dataclass
class Item:
    """An open item."""

    kind: str
    id: str
    owner: str | None
    chunks: bool
    """Whether chunks keep it open."""
    half: bool = False
    """Whether its text ends in an unpaired surrogate."""

    @property
    def named_by(self) -> str:
        """The member that names it."""
        return "toolCallId" if self.kind == "call" else "messageId"


class Builder:
    """The stream under construction: what is open, and what may come next without breaking a rule."""

    def __init__(self, source: random.Random) -> None:
        """Decides what the stream will have in it."""
        self.random = source
        self.plan = {feature for feature in FEATURES if self.chance(45)}
        if "delta-across-lanes" in self.plan:
            self.plan.add("chunk-lanes")
        if "input-owners" in self.plan:
            self.plan.add("input-messages")
        if "chunk-lanes" in self.plan:
            self.plan |= {"chunks", "subagents"}
        if "branches" in self.plan:
            self.plan.add("several-runs")
        self.events: list[Event] = []
        self.items: list[Item] = []
        self.steps: list[tuple[str, str | None]] = []
        self.spans: list[tuple[str, str | None]] = []
        self.subagents: list[str] = []
        self.expected_subagents: list[str] = []
        """Subagents that messages of an input belong to and that have not begun yet."""
        self.owners: dict[str, str | None] = {}
        """Whose each id is, for good."""
        self.broken: set[str] = set()
        """Ids whose text a failed run left with an unpaired surrogate."""
        self.runs: list[str] = []
        self.count = 0

    def below(self, count: int) -> int:
        """A number below another one."""
        return self.random.randrange(max(count, 1))

    def chance(self, percent: int) -> bool:
        """Whether something of this probability happens."""
        return self.below(100) < percent

    def wants(self, feature: str, percent: int) -> bool:
        """Whether a feature is planned, and now."""
        return feature in self.plan and self.chance(percent)

    def one_of(self, values: Any) -> Any:
        """One of some values; None if there is none."""
        listed = list(values)
        return self.random.choice(listed) if listed else None

    def fresh(self, prefix: str) -> str:
        """A name that was not used before."""
        self.count += 1
        return f"{prefix}{self.count}"

    def emit(self, event: Event) -> None:
        """Adds an event, with what every event may have."""
        self.settle_closed_by(event)
        number = len(self.events)
        if self.wants("timestamps", 60):
            event["timestamp"] = 1000 + number
        if self.wants("metadata", 30):
            event["metadata"] = {self.one_of(["a", "b", "c"]): number}
        if self.wants("original-events", 20):
            event["rawEvent"] = {"n": number}
        self.events.append(event)

    def settle_closed_by(self, event: Event) -> None:
        """Completes the characters of the chunk items that an event closes."""
        tag = event["type"]
        closes_all = tag in ("RUN_STARTED", "RUN_FINISHED", "RUN_ERROR", "MESSAGES_SNAPSHOT")
        if tag.endswith("_CHUNK") or tag.startswith("ACTIVITY"):
            return
        if tag in ("RAW", "REASONING_ENCRYPTED_VALUE", "SUBAGENT_STARTED", "FUTURE_EVENT"):
            return
        owner = event.get("subagentRunId")
        for item in list(self.items):
            if item in self.items and item.chunks and (closes_all or item.owner == owner):
                self.settle(item)
                self.drop(item)

    def settle(self, item: Item) -> None:
        """Completes the last character of an item."""
        if item.half:
            self.append(item, LOW)

    def settle_id(self, id: str) -> None:
        """Completes the last characters of the items of an id, before another kind writes to it."""
        for item in list(self.items):
            if item.id == id:
                self.settle(item)

    def settle_all(self) -> None:
        """Completes the last characters of all items."""
        for item in list(self.items):
            self.settle(item)

    def drop(self, item: Item) -> None:
        """Forgets an open item."""
        self.items = [open for open in self.items if open is not item]

    def owner(self) -> str | None:
        """An owner for something new: the parent agent, or an active subagent."""
        return None if self.chance(35) else self.one_of(self.subagents)

    def is_active(self, owner: str | None) -> bool:
        """Whether an owner may do something."""
        return owner is None or owner in self.subagents

    # Items.

    def begin(self) -> None:
        """Begins an item."""
        kind = "text"
        if self.wants("reasoning", 40):
            kind = "reasoning"
        elif self.wants("tool-calls", 50):
            kind = "call"
        chunks = self.wants("chunks", 50)
        id = self.id_for(kind)
        owner = self.owners[id] if id in self.owners else self.owner()
        if any(item.kind == kind and item.id == id for item in self.items):
            return
        parent = None
        if kind == "call" and self.chance(50):
            parent = self.one_of(known for known, of in self.owners.items() if of == owner)
        if chunks:
            for item in list(self.items):
                if item.chunks and item.owner == owner:
                    self.settle(item)
                    self.drop(item)
        self.settle_id(id)
        self.owners.setdefault(id, owner)
        self.emit(self.opening(Item(kind, id, owner, chunks), parent))
        self.items.append(Item(kind, id, owner, chunks))

    def id_for(self, kind: str) -> str:
        """A new id, or one that is used already."""
        if self.wants("shared-ids", 45):
            ids = [
                id
                for id, owner in self.owners.items()
                if self.is_active(owner) and id not in self.broken
            ]
            in_chunks = {item.id for item in self.items if item.chunks}
            if kind == "call" and in_chunks.intersection(ids) and self.chance(40):
                ids = [id for id in ids if id in in_chunks]
            open_ids = {item.id for item in self.items}
            if open_ids.intersection(ids) and self.chance(60):
                ids = [id for id in ids if id in open_ids]
            if ids:
                return str(self.one_of(ids))
        return self.fresh("c" if kind == "call" else "m")

    def opening(self, item: Item, parent: str | None) -> Event:
        """The event that begins an item."""
        suffix = "CHUNK" if item.chunks else "START"
        event: Event = {"type": f"{PREFIXES[item.kind]}_{suffix}", item.named_by: item.id}
        if item.kind == "call":
            event["toolCallName"] = "f"
            if parent is not None:
                event["parentMessageId"] = parent
        elif item.kind == "reasoning" and not item.chunks:
            event["role"] = "reasoning"
        elif item.kind == "text" and self.chance(30):
            event.update(role="user", name="Bob")
        if item.chunks and self.chance(50):
            event["delta"] = "o"
        if item.chunks and self.wants("unknown-members", 10):
            event["later"] = 1
        return self.tagged(event, item.owner)

    def tagged(self, event: Event, owner: str | None) -> Event:
        """Says of an event whose it is."""
        if owner is not None:
            event["subagentRunId"] = owner
        return event

    def continue_one(self) -> None:
        """Appends to one of the open items."""
        item: Item | None = self.one_of(self.items)
        if item is None:
            self.begin()
            return
        is_alone = sum(open.id == item.id for open in self.items) == 1
        if item.half:
            self.append(item, LOW + "b")
        elif is_alone and self.wants("split-pairs", 50):
            self.append(item, "a" + HIGH)
        else:
            self.append(item, self.one_of(["x", "", '{"k":', "two words", '"\n', "\u0301é"]))

    def append(self, item: Item, text: str) -> None:
        """Appends text to an open item."""
        across = item.owner is not None and self.wants("delta-across-lanes", 35)
        if item.chunks and not across:
            event = self.chunk(item, text)
        else:
            suffix = "ARGS" if item.kind == "call" else "CONTENT"
            event = {"type": f"{PREFIXES[item.kind]}_{suffix}", item.named_by: item.id, "delta": text}
            if not item.chunks and self.chance(50):
                self.tagged(event, item.owner)
        if self.wants("unknown-members", 20):
            event["later"] = len(self.events)
        # The flag is set before, so that what the event itself closes is not completed by it.
        item.half = text.endswith(HIGH)
        self.emit(event)

    def chunk(self, item: Item, text: str) -> Event:
        """A chunk that continues an item, naming it and its owner or not."""
        event: Event = {"type": f"{PREFIXES[item.kind]}_CHUNK"}
        if text or self.chance(20):
            event["delta"] = text
        is_named = self.chance(50)
        if is_named:
            event[item.named_by] = item.id
        return self.tagged(event, item.owner) if not is_named or self.chance(50) else event

    def end(self, item: Item | None) -> None:
        """Ends an item that was begun by a START."""
        if item is None:
            return
        self.settle(item)
        event: Event = {"type": f"{PREFIXES[item.kind]}_END", item.named_by: item.id}
        if self.chance(50):
            self.tagged(event, item.owner)
        self.drop(item)
        self.emit(event)
