"""What users write, for type checkers: the mistakes in it are found, and nothing else is."""

from __future__ import annotations

from typing import Any

from chatstate import (
    ChatMessage,
    ChatState,
    CustomEvent,
    Event,
    EventStream,
    Message,
    Participant,
    RunFinishedEvent,
    RunFinishedInterruptOutcome,
    TextContent,
    TextMessageContentEvent,
    UnknownEvent,
    UserMessage,
    decode,
    encode,
)
from typing_extensions import assert_type


def text_of(event: Event) -> str:
    """Tells the arms of an open union apart."""
    match event:
        case TextMessageContentEvent(delta=delta):
            return delta
        case RunFinishedEvent(outcome=RunFinishedInterruptOutcome(interrupts=interrupts)):
            return ", ".join(interrupt.id for interrupt in interrupts)
        case CustomEvent():
            assert_type(event.value, Any)
            return event.name
        case UnknownEvent():
            assert_type(event.type, str)
            return event.type
        case _:
            return ""


def parts_of(message: Message) -> int:
    """Tells the kinds of a value apart."""
    if isinstance(message, UserMessage):
        if isinstance(message.content, str):
            return 1
        return len(message.content)
    return 0


def made() -> ChatState:
    """Makes documents by keyword."""
    assert_type(Event.from_json("{}"), Event)
    assert_type(EventStream.from_json(b"[]").root, list[Event])
    assert_type(TextMessageContentEvent.from_json("{}"), TextMessageContentEvent)
    assert_type(TextMessageContentEvent(message_id="m", delta="d").timestamp, int | None)
    assert_type(TextMessageContentEvent(message_id="m", delta="d").to_json(), str)
    history = [ChatMessage(role="user", items=[TextContent(text=None)], name=None)]
    state = ChatState(history=history, channels=[], participants=[Participant(id="a", type="b")])
    return decode(encode(state))


def mistaken() -> None:
    """Makes mistakes."""
    Participant(id="a")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    Participant(id=1, type="b")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    Participant(id="a", typ="b")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    TextMessageContentEvent(messageId="m", delta="d")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    CustomEvent(type="RAW", name="n", value=1)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    made().histroy = []  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
