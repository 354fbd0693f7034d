"""The types of events: what each does to items, and which chunks it ends by standing there."""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple, TypeAlias

JsonEvent: TypeAlias = dict[str, Any]
"""An event as `json.loads` gives it."""

ItemKind: TypeAlias = Literal["text", "reasoning", "tool-call", "step", "reasoning-span", "subagent"]
"""The kinds of items that have a beginning and an end."""


class Doing(NamedTuple):
    """What the events of one type do to an item."""

    what: Literal["begins", "continues", "ends", "chunk"]
    kind: ItemKind
    named_by: str
    """The member that names the item."""


DOINGS: Final[dict[str, Doing]] = {
    "TEXT_MESSAGE_START": Doing("begins", "text", "messageId"),
    "TEXT_MESSAGE_CONTENT": Doing("continues", "text", "messageId"),
    "TEXT_MESSAGE_END": Doing("ends", "text", "messageId"),
    "TEXT_MESSAGE_CHUNK": Doing("chunk", "text", "messageId"),
    "REASONING_MESSAGE_START": Doing("begins", "reasoning", "messageId"),
    "REASONING_MESSAGE_CONTENT": Doing("continues", "reasoning", "messageId"),
    "REASONING_MESSAGE_END": Doing("ends", "reasoning", "messageId"),
    "REASONING_MESSAGE_CHUNK": Doing("chunk", "reasoning", "messageId"),
    "TOOL_CALL_START": Doing("begins", "tool-call", "toolCallId"),
    "TOOL_CALL_ARGS": Doing("continues", "tool-call", "toolCallId"),
    "TOOL_CALL_END": Doing("ends", "tool-call", "toolCallId"),
    "TOOL_CALL_CHUNK": Doing("chunk", "tool-call", "toolCallId"),
    "STEP_STARTED": Doing("begins", "step", "stepName"),
    "STEP_FINISHED": Doing("ends", "step", "stepName"),
    "REASONING_START": Doing("begins", "reasoning-span", "messageId"),
    "REASONING_END": Doing("ends", "reasoning-span", "messageId"),
    "SUBAGENT_STARTED": Doing("begins", "subagent", "subagentRunId"),
    "SUBAGENT_FINISHED": Doing("ends", "subagent", "subagentRunId"),
    "SUBAGENT_ERROR": Doing("ends", "subagent", "subagentRunId"),
}
"""What each type does to an item; those that are not here do nothing to any."""

DELTAS: Final = frozenset(tag for tag, doing in DOINGS.items() if doing.what == "continues")
"""The events that append text to an item that they name."""

RUN_EVENTS: Final = frozenset(["RUN_STARTED", "RUN_FINISHED", "RUN_ERROR"])
"""The events that begin and end runs."""

TERMINAL: Final = frozenset(["RUN_FINISHED", "RUN_ERROR"])
"""The events that end a run."""

ENDING_ALL_CHUNKS: Final = RUN_EVENTS | {"MESSAGES_SNAPSHOT"}
"""The events that end what chunks keep open in all lanes."""

ENDING_A_LANE: Final = frozenset(
    ["STATE_SNAPSHOT", "STATE_DELTA", "TOOL_CALL_RESULT", "CUSTOM"]
    + [tag for tag, doing in DOINGS.items() if doing.what != "chunk" and tag != "SUBAGENT_STARTED"]
)
"""The events that end what chunks keep open in the lane of their subagent."""

OWNED: Final = (
    frozenset(DOINGS)
    | ENDING_A_LANE
    | {"RAW", "ACTIVITY_SNAPSHOT", "ACTIVITY_DELTA", "REASONING_ENCRYPTED_VALUE"}
)
"""The events that may say whose they are."""

KNOWN: Final = OWNED | ENDING_ALL_CHUNKS
"""The types that the schema knows."""

_BASE: Final = frozenset(["type", "timestamp", "rawEvent", "metadata", "subagentRunId"])

FOLDED_MEMBERS: Final[dict[str, frozenset[str]]] = {
    "TEXT_MESSAGE_CONTENT": _BASE | {"messageId", "delta"},
    "TEXT_MESSAGE_CHUNK": _BASE | {"messageId", "role", "name", "delta"},
    "REASONING_MESSAGE_CONTENT": _BASE | {"messageId", "delta"},
    "REASONING_MESSAGE_CHUNK": _BASE | {"messageId", "delta"},
    "TOOL_CALL_ARGS": _BASE | {"toolCallId", "delta"},
    "TOOL_CALL_CHUNK": _BASE | {"toolCallId", "toolCallName", "parentMessageId", "delta"},
    "STATE_SNAPSHOT": _BASE | {"snapshot"},
    "STATE_DELTA": _BASE | {"delta"},
}
"""The members that the schema names, for the events that compaction joins and folds."""


def unknown_members(event: JsonEvent) -> JsonEvent:
    """Gives the members of an event that compaction joins or folds which the schema does not name."""
    known = FOLDED_MEMBERS[event["type"]]
    if event.keys() <= known:
        return {}
    return {name: value for name, value in event.items() if name not in known}


def owner_of(event: JsonEvent) -> str | None:
    """Gives the subagent that an event names as its own."""
    return event.get("subagentRunId") if event["type"] in OWNED else None
