"""Every public class of the package is written as a whole or not at all, by each call that takes any value."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import json
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import pydantic_core
import pytest
from fastapi.encoders import jsonable_encoder
from pydantic import BaseModel, TypeAdapter

import chatstate
import chatstate.chats
import chatstate.sessions
import chatstate.storage
import chatstate.streams
import chatstate.testing
from chatstate import AgentChatSerializer, Chat, ChatState, Rejection, Session, StateBag, write
from chatstate._runtime.model import Readable, TaggedUnion
from chatstate.chats import HistoryAgent, HistoryChannel
from chatstate.sessions import (
    InMemoryChatMessageStore,
    InMemoryChatMessageStoreState,
    ProviderState,
    StoreRegistry,
    StoreState,
)
from chatstate.storage import ThreadSnapshot
from chatstate.testing import ChatSnapshot
from documents import REFUSED, ROOT, corpus, meaning, parsed

MODULES = (
    chatstate,
    chatstate.chats,
    chatstate.sessions,
    chatstate.storage,
    chatstate.streams,
    chatstate.testing,
)


def public_classes() -> set[type[Any]]:
    """The public classes but for protocols, of which there are no values."""
    named = {getattr(module, name) for module in MODULES for name in module.__all__}
    return {one for one in named if inspect.isclass(one) and not getattr(one, "_is_protocol", False)}


def held(value: Any) -> Iterator[BaseModel]:
    """The models in a value, itself first."""
    if isinstance(value, BaseModel):
        yield value
        value = [getattr(value, name) for name in type(value).model_fields]
    if isinstance(value, dict):
        value = list(value.values())
    for inner in value if isinstance(value, (list, tuple)) else ():
        yield from held(inner)


def values_of_corpus() -> dict[type[Any], Any]:
    """A value of each generated class that the corpus has."""
    validated = sorted((ROOT / "corpus" / "validate").glob("*.json"))
    documents = [(kind, text) for _, kind, text in corpus()]
    for path in validated:
        case = parsed(path.read_text(encoding="utf-8"))
        if case.get("expect") == {"ok": True} and not isinstance(case.get("input", ""), str):
            documents.append((getattr(chatstate, case["type"]), write(case["input"])))
    found: dict[type[Any], Any] = {}
    for kind, text in documents:
        for value in held(kind.from_json(text)):
            found.setdefault(type(value), value)
    return found


RUN = [
    {"type": "RUN_STARTED", "threadId": "t", "runId": "r1", "parentRunId": "r0"},
    {"type": "STEP_STARTED", "stepName": "s"},
    {"type": "TEXT_MESSAGE_START", "messageId": "m"},
]

MADE: dict[str, Callable[[], Any]] = {
    "AgentChatSerializer": lambda: AgentChatSerializer(ChatState(history=[], channels=[])),
    "AggregatorAgent": lambda: chatstate.chats.AggregatorAgent("a", Chat),
    "ChannelOrigin": lambda: chatstate.chats.ChannelOrigin("type", {"later": None}),
    "Chat": lambda: Chat(HistoryAgent("a", "b")),
    "ChatChannel": lambda: chatstate.chats.ChatChannel(Chat()),
    "ChatSnapshot": lambda: ChatSnapshot(ROOT, "test", update=False),
    "Difference": lambda: chatstate.testing.Difference("/a", "text-changed", "says"),
    "EventCompactor": lambda: chatstate.EventCompactor(),
    "FileEventStore": lambda: object.__new__(chatstate.FileEventStore),
    "Finding": lambda: chatstate.streams.Finding("text.not-open", 1, "it is not open", None),
    "HistoryAgent": lambda: HistoryAgent("a", "b"),
    "HistoryChannel": lambda: HistoryChannel(),
    "InMemoryChatMessageStore": lambda: InMemoryChatMessageStore(),
    "InMemoryChatMessageStoreState": lambda: InMemoryChatMessageStoreState(messages=[]),
    "Lineage": lambda: chatstate.lineage_of(RUN),
    "LineageProblem": lambda: chatstate.lineage_of(RUN).problems[0],
    "LineageRun": lambda: chatstate.lineage_of(RUN).runs[0],
    "MemoryEventStore": lambda: chatstate.MemoryEventStore(),
    "OpaqueChannel": lambda: chatstate.chats.OpaqueChannel("thread"),
    "OpenItem": lambda: chatstate.replay_events(RUN).open[0],
    "Origin": lambda: chatstate.chats.Origin("1", [], {"later": None}, {}),
    "ProviderState": lambda: ProviderState("key", dict, lambda _: {}),
    "Rejection": lambda: Rejection("schema", "type", "must be text", "/a"),
    "Replay": lambda: chatstate.replay_events(RUN),
    "Restored": lambda: chatstate.chats.Restored(["a"], ["b"], []),
    "Run": lambda: chatstate.replay_events(RUN).runs[0],
    "SealKey": lambda: chatstate.SealKey(b"a key that nobody else has", "desk"),
    "Session": lambda: Session.from_json('{"stateBag":{"a":{"n":1.5,"x":null}},"later":[null]}'),
    "StateBag": lambda: StateBag.from_json('{"a":{"b":[1.5,null]}}'),
    "StoreRegistry": lambda: StoreRegistry(InMemoryChatMessageStoreState),
    "StoreState": lambda: StoreState.of(InMemoryChatMessageStoreState(messages=[])),
    "ThreadSnapshot": lambda: ThreadSnapshot(3, []),
    "Verification": lambda: chatstate.check_events(RUN),
}
"""A value of each class that is no document, by the name of the class."""

VALUES = values_of_corpus()
# The class of a text that stands for itself is no class of this package.
CLASSES = sorted((one for one in public_classes() if one is not str), key=lambda one: one.__name__)


def is_union(kind: type[Any]) -> bool:
    """Whether a class only stands for its variants."""
    return TaggedUnion in kind.__bases__


def value_of(kind: type[Any]) -> Any:
    """A value of a class."""
    if kind.__name__ in MADE:
        return MADE[kind.__name__]()
    assert kind in VALUES, f"no document of the corpus has a `{kind.__name__}`, and no row of `MADE`"
    return VALUES[kind]


def own(value: Any) -> str | None:
    """What the writer of a class writes; None if there is none."""
    if hasattr(value, "to_json"):
        return str(value.to_json())
    if hasattr(value, "to_value"):
        return write(value.to_value())
    if isinstance(value, Chat):
        return value.model_dump_json()
    if isinstance(value, Rejection):
        return write({name: getattr(value, name) for name in ("category", "rule", "message", "at")})
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return write(plain_fields(value))
    return None


def plain_fields(value: Any) -> Any:
    """All fields of a dataclass, and what is in them."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {one.name: plain_fields(getattr(value, one.name)) for one in dataclasses.fields(value)}
    if isinstance(value, (list, tuple)):
        return [plain_fields(item) for item in value]
    return value


GENERIC: dict[str, Callable[[Any], Any]] = {
    "json.dumps": json.dumps,
    "vars": lambda value: write(attributes(value)),
    "dict": lambda value: write(dict(value)),
    "pickle": lambda value: own(pickle.loads(pickle.dumps(value))),
    "copy.copy": lambda value: own(copy.copy(value)),
    "copy.deepcopy": lambda value: own(copy.deepcopy(value)),
    "TypeAdapter": lambda value: TypeAdapter(type(value)).dump_json(value),
    "TypeAdapter(Any)": lambda value: TypeAdapter(Any).dump_json(value),
    "jsonable_encoder": lambda value: json.dumps(jsonable_encoder(value)),
    "pydantic_core.to_jsonable_python": lambda value: json.dumps(
        pydantic_core.to_jsonable_python(value)
    ),
}


def attributes(value: Any) -> Any:
    """What `vars` gives; of models it gives attributes and no document, which pydantic needs."""
    return value.model_dump() if isinstance(value, BaseModel) else vars(value)


@pytest.mark.parametrize("call", GENERIC)
@pytest.mark.parametrize("kind", [one for one in CLASSES if not is_union(one)])
def test_every_class_is_written_as_a_whole_or_not_at_all(kind: type[Any], call: str) -> None:
    value = value_of(kind)
    expected = own(value)
    try:
        written = GENERIC[call](value)
    except REFUSED:
        return
    if expected is None:
        # What is not saved is not written; a copy of it is no document.
        assert call in ("pickle", "copy.copy", "copy.deepcopy")
        assert written is None
    else:
        assert written is not None
        assert meaning(written) == meaning(expected)


def test_the_classes_are_found() -> None:
    assert {Session, Chat, ChatState, StateBag} <= set(CLASSES)
    assert len([one for one in CLASSES if issubclass(one, Readable)]) > 70
    assert set(MADE) <= {one.__name__ for one in CLASSES}
