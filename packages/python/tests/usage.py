"""What users write, for type checkers: the mistakes in it are found, and nothing else is."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator, Sequence
from typing import Any

from chatstate import (
    AgentChatSerializer,
    Chat,
    ChatMessage,
    ChatState,
    CustomEvent,
    Event,
    EventCompactor,
    EventStore,
    EventStream,
    FileEventStore,
    MemoryEventStore,
    Message,
    Participant,
    ProviderState,
    RunFinishedEvent,
    RunFinishedInterruptOutcome,
    Session,
    TextContent,
    TextMessageContentEvent,
    UnknownEvent,
    UserMessage,
    attach_prelude,
    compact_events,
    compact_stream,
    decode,
    encode,
    lineage_of,
    replay_events,
)
from chatstate.chats import AgentChat, Channel, HistoryAgent, HistoryChannel, Origin
from chatstate.sessions import (
    InMemoryChatMessageStore,
    InMemoryChatMessageStoreState,
    StoreRegistry,
    StoreState,
    attach_store,
)
from typing_extensions import assert_type


def text_of(event: Event) -> str:
    """Tells the variants of an open union apart."""
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


async def behaved(live: AsyncIterator[Event], plain: list[dict[str, Any]]) -> None:
    """Takes events of both kinds, and gets the kind that it gave."""
    models = EventStream.from_json(b"[]").root
    assert_type(compact_events(models, level="snapshot", retain="runs"), list[Event])
    assert_type(compact_events(plain, keep=lambda event: "x" in event), list[dict[str, Any]])
    assert_type(attach_prelude(models), list[Event])
    async for event in compact_stream(live):
        assert_type(event, Event)
    compactor = EventCompactor[Event](lenient=True)
    assert_type(compactor.push(models[0]) + compactor.finish(), list[Event])
    assert_type(replay_events(plain).messages, list[dict[str, Any]])
    stores: list[EventStore] = [MemoryEventStore(), FileEventStore("folder")]
    await stores[0].append("t", models)


class Wrapped:
    """A chat of an SDK, as the serializer asks for it."""

    def __init__(self) -> None:
        """Has nothing yet."""
        self.origin: Origin | None = None
        self.history: Sequence[ChatMessage] = []
        self.channels: dict[str, HistoryChannel] = {}
        self.agents = [HistoryAgent("a", "b")]

    def take_over(self, history: Sequence[ChatMessage], channels: Any) -> None:
        """Takes what was saved."""
        self.history, self.channels = history, channels


async def saved() -> None:
    """Saves and restores, in whatever chat."""
    chats: list[AgentChat] = [Chat(), Wrapped()]
    stream = io.BytesIO()
    await AgentChatSerializer.serialize(chats[0], stream)
    serializer = await AgentChatSerializer.deserialize(stream)
    assert_type(serializer.get_participants(), list[Participant])
    assert_type((await serializer.restore(chats[1])).pending, list[str])
    assert_type(await AgentChatSerializer.deserialize(Chat(), stream), AgentChatSerializer)
    assert_type(await AgentChatSerializer.deserialize(stream=stream), AgentChatSerializer)
    assert_type(Chat().model_dump(mode="json"), dict[str, Any])
    channel: Channel = HistoryChannel()
    await channel.receive([])
    session = Session()
    assert_type(session.bag.read("key", ChatState), ChatState | None)
    provider = ProviderState("key", dict[str, int], lambda _: {})
    provider.get(session)["a"] = 1
    registry = StoreRegistry(InMemoryChatMessageStoreState)
    assert_type(attach_store(session, "h", registry), InMemoryChatMessageStore)
    assert_type(attach_store(session, "h", registry, ServiceStore), ServiceStore)
    assert_type(lineage_of([]).runs[0].predecessor, str | None)
    assert_type(ChatState.model_validate_json("{}").model_dump_json(), str)


class ServiceStore:
    """A store at a service."""

    def __init__(self, state: StoreState | None) -> None:
        """Takes the state, if there is one."""
        self.state = state or StoreState.of({"thread": "new"})


def mistaken() -> None:
    """Makes mistakes."""
    Participant(id="a")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    Participant(id=1, type="b")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    Participant(id="a", typ="b")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    TextMessageContentEvent(messageId="m", delta="d")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    CustomEvent(type="RAW", name="n", value=1)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    compact_events([], level="streem")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    made().histroy = []  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
