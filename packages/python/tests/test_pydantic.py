"""The calls of pydantic, and of FastAPI on top of it: the document of `to_json`, or an error."""

from __future__ import annotations

import asyncio
import json
import pickle
import subprocess
import sys
from copy import deepcopy
from decimal import Decimal
from typing import Annotated, Any

import fastapi
import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError

from chatstate import (
    AgentSession,
    ChatMessage,
    ChatState,
    Event,
    Rejection,
    Session,
    StateSnapshotEvent,
    TextContent,
    write,
)
from documents import corpus, meaning, parsed

DOCUMENTS = [pytest.param(kind, text, id=name) for name, kind, text in corpus()]


def canonical(kind: Any, text: str | bytes) -> str:
    """What a text means to the type that reads it."""
    return meaning(kind.from_json(text).to_json())


def test_there_are_documents() -> None:
    assert len(DOCUMENTS) > 150


@pytest.mark.parametrize(("kind", "text"), DOCUMENTS)
def test_writers_that_keep_everything(kind: Any, text: str) -> None:
    expected = canonical(kind, text)

    def same(written: str) -> None:
        assert canonical(kind, written) == expected

    # Each writes a value that was just read, so that no call before it has completed a class.
    same(kind.from_json(text).model_dump_json())
    same(kind.from_json(text).model_dump_json(exclude_unset=True, by_alias=True))
    same(write(kind.from_json(text).model_dump()))
    same(pickle.loads(pickle.dumps(kind.from_json(text))).to_json())
    same(deepcopy(kind.from_json(text)).to_json())
    same(kind.from_json(text).model_copy(deep=True).to_json())


@pytest.mark.parametrize(("kind", "text"), DOCUMENTS)
def test_readers_that_keep_everything(kind: Any, text: str) -> None:
    expected, value = canonical(kind, text), parsed(text)
    read = (
        kind.model_validate_json(text),
        kind.model_validate(value),
        TypeAdapter(kind).validate_python(value),
        TypeAdapter(list[kind]).validate_python([value])[0],
    )
    assert [canonical(kind, one.to_json()) for one in read] == [expected] * len(read)


@pytest.mark.parametrize(("kind", "text"), DOCUMENTS)
def test_writers_that_write_the_document_or_nothing(kind: Any, text: str) -> None:
    value = kind.from_json(text)
    exact = value.to_json()
    is_exact = exact.isascii() and "\\ud" not in exact and not holds_decimal(value.model_dump())
    for written in (
        lambda: json.dumps(value.model_dump()),
        lambda: json.dumps(value.model_dump(mode="json")),
        lambda: TypeAdapter(kind).dump_json(value),
        lambda: TypeAdapter(list[kind]).dump_json([value])[1:-1],
        lambda: TypeAdapter(object).dump_json(value),
        lambda: value.model_dump_json(indent=2),
        lambda: value.model_dump_json(ensure_ascii=True),
    ):
        try:
            text_written = written()
        except (TypeError, ValueError):
            assert not is_exact
        else:
            assert canonical(kind, text_written) == canonical(kind, text)


@pytest.mark.parametrize(("kind", "text"), DOCUMENTS)
def test_no_reader_rounds(kind: Any, text: str) -> None:
    # Half a character is no JSON to pydantic.
    with pytest.raises(ValidationError, match="rounds numbers|hex escape"):
        TypeAdapter(kind).validate_json(text)
    with pytest.raises(ValidationError, match="rounds numbers|hex escape"):
        TypeAdapter(list[kind]).validate_json(f"[{text}]")
    for call in (kind.model_validate_strings, kind.parse_raw, kind.parse_file):
        with pytest.raises(TypeError):
            call(text)


def holds_decimal(value: Any) -> bool:
    """Whether a value holds a number that no float has."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return isinstance(value, Decimal) or any(map(holds_decimal, inner))


NULLS = StateSnapshotEvent(snapshot=None)
MESSAGE = ChatMessage(role="user", items=[TextContent(text="Hi")])


@pytest.mark.parametrize(
    ("value", "options"),
    [
        (NULLS, {"exclude_none": True}),
        (NULLS, {"exclude_defaults": True}),
        (MESSAGE, {"include": {"role"}}),
        (MESSAGE, {"exclude": {"items"}}),
        (MESSAGE, {"by_alias": False}),
    ],
)
def test_options_that_would_leave_something_out(value: Any, options: dict[str, Any]) -> None:
    for write_it in (value.model_dump, value.model_dump_json):
        with pytest.raises(ValueError, match="leave it out|leaves out"):
            write_it(**options)
    with pytest.raises(ValueError, match="leave it out|leaves out"):
        TypeAdapter(type(value)).dump_json(value, **options)


FIRST_CALLS = [
    "value.model_dump_json().encode()",
    "TypeAdapter(Any).dump_json(value)",
    "TypeAdapter(ChatMessage).dump_json(value)",
    "pydantic_core.to_json(value)",
    "pydantic_core.to_json(value.items[0])[:0] + value.to_json().encode()",
]


@pytest.mark.parametrize("call", FIRST_CALLS)
def test_the_first_call_of_a_program_finds_classes_that_are_not_built(call: str) -> None:
    program = (
        "import pydantic_core; from typing import Any; from pydantic import TypeAdapter\n"
        "from chatstate import ChatMessage\n"
        f"value = ChatMessage.from_json({MESSAGE.to_json()!r})\n"
        f"assert {call} == {MESSAGE.to_json().encode()!r}"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_options_that_change_nothing() -> None:
    options = {"exclude_none": True, "exclude_defaults": True, "by_alias": True, "round_trip": True}
    assert MESSAGE.model_dump_json(**options) == MESSAGE.to_json()
    assert write(MESSAGE.model_dump(**options)) == MESSAGE.to_json()
    with pytest.raises(ValueError, match="`later`"):
        MESSAGE.model_dump_json(later=True)


@pytest.mark.parametrize(
    "options", [{"strict": False}, {"by_name": True}, {"from_attributes": True}, {"by_alias": False}]
)
def test_options_that_would_read_something_else(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="another document"):
        ChatMessage.model_validate({"role": "user", "items": []}, **options)
    with pytest.raises(ValueError, match="another document"):
        ChatMessage.model_validate_json('{"role":"user","items":[]}', **options)


def test_names_are_those_of_the_schema() -> None:
    read = TypeAdapter(ChatState).validate_python({"history": [], "channels": [], "schema_version": "9"})
    assert read.schema_version is None
    assert read.to_json() == '{"history":[],"channels":[],"schema_version":"9"}'


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (ChatState, {"history": [], "channels": [], "schemaVersion": "2"}),
        (AgentSession, {"stateBag": {" ": 1}}),
    ],
)
def test_rules_beside_the_schema_hold_everywhere(kind: Any, value: Any) -> None:
    with pytest.raises(Rejection) as rejected:
        kind.from_json(write(value))
    for read in (kind.model_validate, TypeAdapter(kind).validate_python):
        with pytest.raises(ValidationError) as invalid:
            read(value)
        inner = invalid.value.errors()[0]["ctx"]["error"]
        assert (inner.rule, inner.at) == (rejected.value.rule, rejected.value.at)


def test_a_doubled_name_is_rejected_by_readers_of_text() -> None:
    text = '{"role":"user","role":"tool","items":[]}'
    with pytest.raises(Rejection):
        ChatMessage.model_validate_json(text)
    with pytest.raises(ValidationError):
        TypeAdapter(ChatMessage).validate_json(text)


def test_the_schema_of_json_is_that_of_values() -> None:
    for mode in ("validation", "serialization"):
        for kind in (ChatState, ChatMessage, AgentSession):
            assert kind.model_json_schema(mode=mode)["type"] == "object"
        assert "oneOf" in TypeAdapter(Event).json_schema(mode=mode)
        assert TypeAdapter(Session).json_schema(mode=mode)["type"] == "object"


class Order(BaseModel):
    """A type of a program that holds types of this package."""

    session: Session
    last: ChatMessage | None = None
    anything: Any = None


def test_types_of_a_program() -> None:
    value = {"session": {"stateBag": {"a": 1}, "b": None}, "last": {"role": "user", "items": []}}
    order = Order.model_validate({**value, "anything": MESSAGE})
    assert json.loads(order.model_dump_json()) == {**value, "anything": MESSAGE.model_dump()}
    with pytest.raises(ValidationError, match="rounds numbers"):
        Order.model_validate_json(json.dumps(value))


APP = fastapi.FastAPI()


@APP.post("/typed")
async def typed(state: ChatState) -> ChatState:
    """Gives back what it gets, by its type."""
    return state


@APP.post("/untyped")
async def untyped(request: fastapi.Request) -> Any:
    """Reads the text itself, and gives back a value without a type."""
    return ChatState.from_json(await request.body())


@APP.post("/session")
async def session(given: Annotated[Session, fastapi.Body()]) -> Session:
    """Gives back a session."""
    return given


def post(path: str, body: str) -> tuple[int, str]:
    """Asks the program without a server."""
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": body.encode(), "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "POST",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(b"content-type", b"application/json")],
        "http_version": "1.1",
        "scheme": "http",
        "server": ("localhost", 80),
        "client": ("localhost", 1),
        "root_path": "",
    }
    asyncio.run(APP(scope, receive, send))
    bodies = b"".join(message.get("body", b"") for message in sent)
    return sent[0]["status"], bodies.decode()


STATE = '{"history":[{"role":"user","items":[{"type":"text","text":null}],"later":1.5}],"channels":[],"x":null}'


# FastAPI itself uses pydantic in a way that the newest one warns of.
WARNS = pytest.mark.filterwarnings("ignore:The 'alias' attribute")


@WARNS
@pytest.mark.parametrize("path", ["/typed", "/untyped"])
def test_fastapi_keeps_documents(path: str) -> None:
    assert post(path, STATE) == (200, STATE)


@WARNS
def test_fastapi_keeps_sessions() -> None:
    text = '{"stateBag":{"a":{"b":null}},"later":[1.5]}'
    assert post("/session", text) == (200, text)


@WARNS
def test_fastapi_refuses_what_is_no_document() -> None:
    assert post("/typed", '{"history":[],"channels":[],"schemaVersion":"2"}')[0] == 422
    assert post("/typed", '{"history":[]}')[0] == 422


def test_fastapi_does_not_write_a_number_as_text() -> None:
    text = STATE.replace("1.5", "0.12345678901234567890")
    with pytest.raises(ValueError, match="more digits"):
        post("/untyped", text)
