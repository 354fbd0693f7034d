"""What users write, for type checkers: the mistakes in it are found, and nothing else is."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator, Sequence
from typing import Any

from chatstate import (
    AgentChatSerializer,
    AnyContentPart,
    AnyEvent,
    AnyMessage,
    AnyPatchOperation,
    AudioPart,
    Chat,
    ChatMessage,
    ChatState,
    CustomEvent,
    DataSource,
    DocumentPart,
    Event,
    EventCompactor,
    EventStore,
    EventStream,
    FileEventStore,
    FileSource,
    ImagePart,
    MemoryEventStore,
    Message,
    Participant,
    PartSource,
    ProviderState,
    RunFinishedCancelledOutcome,
    RunFinishedEvent,
    RunFinishedInterruptOutcome,
    RunFinishedSuccessOutcome,
    Session,
    StateDeltaEvent,
    TextContent,
    TextMessageContentEvent,
    TextPart,
    UnknownContentPart,
    UnknownEvent,
    UnknownPartSource,
    UnknownRunFinishedOutcome,
    UrlSource,
    UserMessage,
    VideoPart,
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
from typing_extensions import assert_never, assert_type


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


def outcome_of(event: RunFinishedEvent) -> str:
    """Names every variant that a member may have, and None."""
    match event.outcome:
        case RunFinishedSuccessOutcome() | RunFinishedCancelledOutcome():
            return "over"
        case RunFinishedInterruptOutcome(interrupts=interrupts):
            return ", ".join(interrupt.id for interrupt in interrupts)
        case UnknownRunFinishedOutcome(type=name):
            return name
        case None:
            return "over"
        case _:
            assert_never(event.outcome)


def place_of(text: str) -> str:
    """Names every variant that is read."""
    source = PartSource.from_json(text)
    match source:
        case DataSource():
            return "here"
        case UrlSource() | FileSource():
            return source.value
        case UnknownPartSource():
            return source.type
        case _:
            assert_never(source)


def kind_of(part: AnyContentPart) -> str:
    """Names every variant, and returns from each."""
    if isinstance(part, TextPart):
        return part.text
    match part:
        case ImagePart() | AudioPart() | VideoPart() | DocumentPart():
            return "media"
        case UnknownContentPart():
            return part.type


def forgetful(part: AnyContentPart, message: Message) -> None:
    """Forgets a variant, and takes a class for its variants."""
    match part:
        case TextPart() | ImagePart() | AudioPart() | VideoPart() | UnknownContentPart():
            pass
        case _:
            assert_never(part)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    parts_of(message)
    among(message)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def among(message: AnyMessage) -> bool:
    """Takes none but the variants."""
    return is_message(message)


def is_message(value: object) -> bool:
    """Asks for the class of a union, which all of its variants have."""
    return isinstance(value, Message) and not isinstance(value, UserMessage)


def parts_of(message: Message) -> int:
    """Tells the kinds of a value apart."""
    if isinstance(message, UserMessage):
        if isinstance(message.content, str):
            return 1
        return len(message.content)
    return 0


def made() -> ChatState:
    """Makes documents by keyword."""
    assert_type(Event.from_json("{}"), AnyEvent)
    assert_type(EventStream.from_json(b"[]").root, list[AnyEvent])
    assert_type(StateDeltaEvent.from_json("{}").delta, list[AnyPatchOperation])
    assert_type(TextMessageContentEvent.from_json("{}"), TextMessageContentEvent)
    assert_type(TextMessageContentEvent(message_id="m", delta="d").timestamp, int | None)
    assert_type(TextMessageContentEvent(message_id="m", delta="d").to_json(), str)
    history = [ChatMessage(role="user", items=[TextContent(text=None)], name=None)]
    state = ChatState(history=history, channels=[], participants=[Participant(id="a", type="b")])
    state.validate()
    for document in (state.history[0], EventStream.from_json("[]"), Event.from_json("{}")):
        document.validate()
    return decode(encode(state))


async def behaved(live: AsyncIterator[Event], plain: list[dict[str, Any]]) -> None:
    """Takes events of both kinds, and gets the kind that it gave."""
    models = EventStream.from_json(b"[]").root
    assert_type(compact_events(models, level="snapshot", retain="runs"), list[AnyEvent])
    assert_type(compact_events(plain, keep=lambda event: "x" in event), list[dict[str, Any]])
    assert_type(attach_prelude(models), list[AnyEvent])
    async for event in compact_stream(live):
        assert_type(event, Event)
    compactor = EventCompactor[Event](lenient=True)
    assert_type(compactor.push(models[0]) + compactor.finish(), list[Event])
    assert_type(EventCompactor[AnyEvent]().push_all(models), list[AnyEvent])
    assert_type(replay_events(plain).messages, list[dict[str, Any]])
    stores: list[EventStore] = [MemoryEventStore(), FileEventStore("folder")]
    await stores[0].append("t", models)
    async for kept in stores[0].read("t"):
        assert_type(kept, AnyEvent)


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
    ChatState.validate({})  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    made().histroy = []  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
