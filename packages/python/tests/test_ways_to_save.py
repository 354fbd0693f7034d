"""Every call that writes or reads gives the document or an error, as `docs/ways-to-save/python.md` says of it."""

from __future__ import annotations

import asyncio
import copy
import io
import json
import pickle
import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

import pydantic_core
import pytest
from fastapi import Body, FastAPI, Request
from fastapi.encoders import jsonable_encoder
from pydantic import TypeAdapter, create_model

from chatstate import AgentChatSerializer, AgentSession, Chat, ChatState, Session, parse, write
from chatstate.chats import Channel, HistoryChannel
from documents import REFUSED, ROOT, corpus, meaning, parsed

PAGE = (ROOT / "docs" / "ways-to-save" / "python.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| (`?.+?`?) \| (.+?) \|.*\|$", re.MULTILINE)


def rows(heading: str) -> dict[str, str]:
    """The rows of the table under a heading: what each call gives."""
    section = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    table = dict(ROW.findall(section))
    return {call: gives for call, gives in table.items() if call not in ("call", "---")}


def holder(kind: Any) -> Any:
    """A model of a program that holds a value of a type."""
    return create_model("Holder", value=(kind, ...))


def inside(text: str | bytes) -> str:
    """The text of what a holder holds."""
    return write(parsed(text)["value"])


def body_of(kind: Any, text: str) -> str:
    """Posts a text to a program of FastAPI, and gives what its route read."""
    app, read = FastAPI(), list[Any]()

    async def route(value: Any = Body()) -> None:
        read.append(value)

    route.__annotations__["value"] = kind
    app.post("/")(route)
    if asyncio.run(answer(app, text)) != 200:
        raise ValueError("refused")
    return str(read[0].to_json())


async def answer(app: FastAPI, text: str) -> int:
    """The status of a program's answer, without a server."""
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": text.encode(), "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"content-type", b"application/json")]
    scope = {"type": "http", "method": "POST", "path": "/", "query_string": b"", "headers": headers}
    await app({**scope, "root_path": "", "http_version": "1.1", "scheme": "http"}, receive, send)
    return int(sent[0]["status"])


Written = Callable[[Any, Any], Any]

WRITERS: dict[str, Written] = {
    "`v.to_json()`": lambda _, v: v.to_json(),
    "`v.model_dump_json()`": lambda _, v: v.model_dump_json(),
    "`v.model_dump_json(exclude_unset=True, by_alias=True)`": lambda _, v: v.model_dump_json(
        exclude_unset=True, by_alias=True
    ),
    "`v.model_dump_json(indent=2)`": lambda _, v: v.model_dump_json(indent=2),
    "`v.model_dump_json(exclude_none=True)`": lambda _, v: v.model_dump_json(exclude_none=True),
    "`v.model_dump()`": lambda _, v: write(v.model_dump()),
    '`v.model_dump(mode="json")`': lambda _, v: json.dumps(v.model_dump(mode="json")),
    "`v.model_dump(by_alias=False)`": lambda _, v: write(v.model_dump(by_alias=False)),
    '`v.model_dump(exclude={"x"})`': lambda _, v: write(v.model_dump(exclude={"x"})),
    "`json.dumps(v.model_dump())`": lambda _, v: json.dumps(v.model_dump()),
    "`json.dumps(v)`": lambda _, v: json.dumps(v),
    "`dict(v)`": lambda _, v: write(dict(v)),
    "`TypeAdapter(T).dump_json(v)`": lambda kind, v: TypeAdapter(kind).dump_json(v),
    "`TypeAdapter(T).dump_python(v)`": lambda kind, v: write(TypeAdapter(kind).dump_python(v)),
    "`TypeAdapter(list[T]).dump_json([v])`": lambda kind, v: TypeAdapter(list[kind]).dump_json([v])[1:-1],
    "`TypeAdapter(Any).dump_json(v)`": lambda _, v: TypeAdapter(Any).dump_json(v),
    "`pydantic_core.to_json(v)`": lambda _, v: pydantic_core.to_json(v),
    "`Holder(value=v).model_dump_json()`": lambda kind, v: inside(
        holder(kind)(value=v).model_dump_json()
    ),
    "`jsonable_encoder(v)`": lambda _, v: json.dumps(jsonable_encoder(v), allow_nan=False),
    "`pickle.dumps(v)`": lambda _, v: pickle.loads(pickle.dumps(v)).to_json(),
    "`copy.copy(v)`": lambda _, v: copy.copy(v).to_json(),
    "`copy.deepcopy(v)`": lambda _, v: copy.deepcopy(v).to_json(),
    "`v.model_copy(deep=True)`": lambda _, v: v.model_copy(deep=True).to_json(),
}

READERS: dict[str, Callable[[Any, str], Any]] = {
    "`T.from_json(text)`": lambda kind, text: kind.from_json(text),
    "`T.model_validate_json(text)`": lambda kind, text: kind.model_validate_json(text),
    "`T.model_validate(parse(text))`": lambda kind, text: kind.model_validate(parsed(text)),
    "`T.model_validate(json.loads(text))`": lambda kind, text: kind.model_validate(json.loads(text)),
    "`T.model_validate(parse(text), strict=False)`": lambda kind, text: kind.model_validate(
        parsed(text), strict=False
    ),
    "`T.model_validate_strings(parse(text))`": lambda kind, text: kind.model_validate_strings(
        parsed(text)
    ),
    "`T.parse_raw(text)`": lambda kind, text: kind.parse_raw(text),
    "`TypeAdapter(T).validate_python(parse(text))`": lambda kind, text: TypeAdapter(
        kind
    ).validate_python(parsed(text)),
    "`TypeAdapter(list[T]).validate_python([parse(text)])`": lambda kind, text: TypeAdapter(
        list[kind]
    ).validate_python([parsed(text)])[0],
    "`TypeAdapter(T).validate_json(text)`": lambda kind, text: TypeAdapter(kind).validate_json(text),
    "`TypeAdapter(list[T]).validate_json(text)`": lambda kind, text: TypeAdapter(
        list[kind]
    ).validate_json(f"[{text}]")[0],
    "`Holder.model_validate_json(text)`": lambda kind, text: holder(kind)
    .model_validate_json(f'{{"value":{text}}}')
    .value,
    '`Holder.model_validate({"value": parse(text)})`': lambda kind, text: holder(kind)
    .model_validate({"value": parsed(text)})
    .value,
    "the body of a route of FastAPI": lambda kind, text: kind.from_json(body_of(kind, text)),
}

DOCUMENT, PERHAPS, ERROR = "the document", "the document, or an error", "an error"
AS_LOADED = "what `json.loads()` keeps"


def outcome(call: Callable[[], str | bytes], expected: str) -> str:
    """What came of one call."""
    try:
        written = call()
    except REFUSED:
        return ERROR
    assert meaning(written) == expected
    return DOCUMENT


def verdict(outcomes: set[str]) -> str:
    """What a call gives, by what came of it."""
    return PERHAPS if len(outcomes) > 1 else outcomes.pop()


CORPUS = [(kind, text) for _, kind, text in corpus()]
# A number with more digits than a float, which some documents of the corpus have, too.
EXACT = '{"history":[],"channels":[],"n":[0.12345678901234567890,12345678901234567890,1e400],"x":null}'
CORPUS.append((ChatState, EXACT))
ONCE_FASTAPI = [*CORPUS[::20], CORPUS[-1]]


@pytest.mark.parametrize("call", rows("Write a document"))
def test_writing(call: str) -> None:
    came_to = {
        outcome(lambda: WRITERS[call](kind, kind.from_json(text)), meaning(text))
        for kind, text in CORPUS
    }
    assert verdict(came_to) == rows("Write a document")[call]


@pytest.mark.filterwarnings("ignore:The 'alias' attribute")
@pytest.mark.parametrize("call", rows("Read a document"))
def test_reading(call: str) -> None:
    gives = rows("Read a document")[call]
    documents = ONCE_FASTAPI if "FastAPI" in call else CORPUS
    came_to: set[str] = set()
    for kind, text in documents:
        kept = json.dumps(json.loads(text)) if gives == AS_LOADED else text
        came_to.add(outcome(lambda: READERS[call](kind, text).to_json(), meaning_of(kept)))
    is_loaded = gives == AS_LOADED
    # An infinite number, which a float makes of `1e400`, is rejected.
    assert verdict(came_to) in ((DOCUMENT, PERHAPS) if is_loaded else (gives,))


def meaning_of(text: str) -> str:
    """What a text means, or that it means nothing."""
    try:
        return meaning(text)
    except ValueError:
        return "nothing"


def test_every_row_is_a_test_and_every_test_a_row() -> None:
    assert list(rows("Write a document")) == list(WRITERS)
    assert list(rows("Read a document")) == list(READERS)
    assert list(rows("Sessions")) == list(SESSIONS)
    assert list(rows("Chats")) == list(CHATS)


SESSION = AgentSession.from_json(
    '{"stateBag":{"a":{"n":1.10,"x":null},"b":0.12345678901234567890},"sessionId":"s","later":[null]}'
).to_json()
SMALL = '{"stateBag":{"a":{"n":1.5,"x":null}},"sessionId":"s","later":[null]}'

SESSIONS: dict[str, Callable[[str], Any]] = {
    "`s.to_json()`": lambda text: Session.from_json(text).to_json(),
    "`TypeAdapter(Session).dump_json(s)`": lambda text: TypeAdapter(Session).dump_json(
        Session.from_json(text)
    ),
    "`TypeAdapter(Session).validate_python(parse(text))`": lambda text: TypeAdapter(Session)
    .validate_python(parse(text))
    .to_json(),
    "`TypeAdapter(Session).validate_json(text)`": lambda text: TypeAdapter(Session)
    .validate_json(text)
    .to_json(),
    "`Session.from_json(text)`": lambda text: Session.from_json(text).to_json(),
    "`pickle.dumps(s)`": lambda text: pickle.loads(pickle.dumps(Session.from_json(text))).to_json(),
    "`copy.deepcopy(s)`": lambda text: copy.deepcopy(Session.from_json(text)).to_json(),
    "`json.dumps(s)`": lambda text: json.dumps(Session.from_json(text)),
    "`dict(s)`": lambda text: write(dict(Session.from_json(text))),
    "`vars(s)`": lambda text: write(vars(Session.from_json(text))),
    "`jsonable_encoder(s)`": lambda text: json.dumps(jsonable_encoder(Session.from_json(text))),
}


@pytest.mark.parametrize("call", rows("Sessions"))
def test_sessions(call: str) -> None:
    came_to = {outcome(lambda: SESSIONS[call](text), meaning(text)) for text in (SESSION, SMALL)}
    assert verdict(came_to) == rows("Sessions")[call]


class SecretAgent:
    """An agent of an application, which has a secret."""

    id, name, agent_type = "a", None, "ChatCompletionAgent"

    def __init__(self) -> None:
        self.api_key = "sk-secret"

    def channel_keys(self) -> Sequence[str]:
        return ["HistoryChannel"]

    async def create_channel(self) -> Channel:
        return HistoryChannel()

    async def restore_channel(self, state: Any) -> Channel:
        return HistoryChannel.restored(state)


def chat_of(text: str) -> Chat:
    """A chat that was restored from a text."""
    chat = Chat(SecretAgent())
    asyncio.run(AgentChatSerializer.from_json(text).restore(chat))
    return chat


async def serialized(chat: Chat) -> bytes:
    """What is saved of a chat."""
    stream = io.BytesIO()
    await AgentChatSerializer.serialize(chat, stream)
    return stream.getvalue()


async def restored(text: str) -> str:
    """What is saved of a chat that was restored in one call."""
    chat = Chat(SecretAgent())
    await AgentChatSerializer.deserialize(chat, io.BytesIO(text.encode()))
    return chat.model_dump_json()


CHATS: dict[str, Callable[[str], Any]] = {
    "`AgentChatSerializer.serialize(chat, stream)`": lambda text: asyncio.run(
        serialized(chat_of(text))
    ),
    "`chat.model_dump()`": lambda text: write(chat_of(text).model_dump()),
    '`chat.model_dump(mode="json")`': lambda text: json.dumps(chat_of(text).model_dump(mode="json")),
    "`chat.model_dump_json()`": lambda text: chat_of(text).model_dump_json(),
    "`AgentChatSerializer.deserialize(chat, stream)`": lambda text: asyncio.run(restored(text)),
    "`TypeAdapter(Chat)`": lambda text: TypeAdapter(Chat).dump_json(chat_of(text)),
    "`json.dumps(chat)`": lambda text: json.dumps(chat_of(text)),
    "`dict(chat)`": lambda text: write(dict(chat_of(text))),
    "`vars(chat)`": lambda text: write(vars(chat_of(text))),
    "`jsonable_encoder(chat)`": lambda text: json.dumps(jsonable_encoder(chat_of(text))),
    "`pickle.dumps(chat)`": lambda text: pickle.dumps(chat_of(text)),
    "`copy.deepcopy(chat)`": lambda text: copy.deepcopy(chat_of(text)).model_dump_json(),
}


@pytest.mark.parametrize("call", rows("Chats"))
def test_chats(call: str) -> None:
    texts = [
        '{"history":[{"role":"user","items":[],"x":%s}],"participants":[{"id":"a","type":"ChatCompletionAgent"}],'
        '"channels":[],"later":null}' % number
        for number in ("1.5", "0.12345678901234567890")
    ]
    came_to = {outcome(lambda: CHATS[call](text), meaning(text)) for text in texts}
    assert verdict(came_to) == rows("Chats")[call]


def test_nothing_that_is_exact_is_decimal_by_chance() -> None:
    assert isinstance(ChatState.from_json(EXACT).model_dump()["n"][0], Decimal)


@pytest.mark.filterwarnings("ignore:The 'alias' attribute")
def test_a_route_that_reads_the_text_keeps_everything() -> None:
    app, read = FastAPI(), list[str]()

    async def route(request: Any) -> None:
        read.append(ChatState.from_json(await request.body()).to_json())

    route.__annotations__["request"] = Request
    app.post("/")(route)
    assert asyncio.run(answer(app, EXACT)) == 200
    assert meaning(read[0]) == meaning(EXACT)
