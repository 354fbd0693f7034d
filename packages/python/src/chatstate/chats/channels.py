"""The agents and channels that this package has: those that are enough to save and restore a chat."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .._runtime.annotations import JsonValue
from ..generated.models import ChatMessage
from .._runtime.canonical import canonical
from .._runtime.json_text import is_array, parse, write
from .._runtime.model import plain
from .._runtime.rejection import Rejection
from .._runtime.whole import Whole
from .agent import Channel
from .chat import Chat
from .serializer import AgentChatSerializer, chat_state


class HistoryChannel(Whole):
    """A channel that keeps the messages it received."""

    saved_by = "use its `state()`"

    channel_type: str | None = "HistoryChannel"

    def __init__(self, messages: Sequence[ChatMessage] = ()) -> None:
        """Begins with some messages."""
        self.messages = list(messages)
        """The messages, the oldest first."""
        self._escaped: str | None = None

    @classmethod
    def restored(cls, state: JsonValue) -> HistoryChannel:
        """Goes on from a state: an array of messages, or text that holds one; `Rejection` of anything else."""
        if not isinstance(state, str):
            return cls(_messages_of(state))
        try:
            channel = cls(_messages_of(parse(state)))
        except Rejection as rejection:
            raise _at_text(rejection) from None
        channel._escaped = state
        return channel

    async def receive(self, messages: Sequence[ChatMessage]) -> None:
        """Takes messages that others said."""
        self.messages.extend(messages)

    async def said(self, message: ChatMessage) -> None:
        """Takes what an agent of this channel said."""
        self.messages.append(message)

    def state(self) -> JsonValue:
        """Gives the messages; as text if the channel goes on from text."""
        return _written(plain(self.messages), self._escaped)


class ChatChannel(Whole):
    """A channel that is itself a chat of agents. Its state is a chat state."""

    saved_by = "use its `state()`"

    channel_type: str | None = "ChatChannel"

    def __init__(self, chat: Chat) -> None:
        """Makes a channel into a chat."""
        self.chat = chat
        self._escaped: str | None = None

    @classmethod
    async def restored(cls, chat: Chat, state: JsonValue) -> ChatChannel:
        """Goes on from a state, with a chat that has its agents and nothing else yet.

        The state is a chat state, or text that holds one.
        """
        channel = cls(chat)
        if not isinstance(state, str):
            await AgentChatSerializer.from_json(write(state)).restore(chat)
            return channel
        try:
            await AgentChatSerializer.from_json(state).restore(chat)
        except Rejection as rejection:
            raise _at_text(rejection) from None
        channel._escaped = state
        return channel

    async def receive(self, messages: Sequence[ChatMessage]) -> None:
        """Passes on messages that others said."""
        for message in messages:
            await self.chat.add_message(message)

    async def said(self, message: ChatMessage) -> None:
        """Passes on what an agent of this channel said."""
        await self.chat.add_message(message)

    def state(self) -> JsonValue:
        """Gives what is saved of the chat; as text if the channel goes on from text."""
        return _written(plain(chat_state(self.chat)), self._escaped)


class OpaqueChannel(Whole):
    """A channel to a service that keeps the messages. Its state is what the service finds them by."""

    saved_by = "use its `state()`"
    channel_type: str | None = None

    def __init__(self, state: JsonValue = None) -> None:
        """Takes a state that only its SDK understands."""
        self._state = state

    async def receive(self, messages: Sequence[ChatMessage]) -> None:
        """Passes over messages, which the service has."""

    async def said(self, message: ChatMessage) -> None:
        """Passes over a message, which the service has."""

    def state(self) -> JsonValue:
        """Gives what the service finds the messages by."""
        return self._state


def _messages_of(state: JsonValue) -> list[ChatMessage]:
    if not is_array(state):
        raise Rejection("schema", "type", "must be of type array")
    messages: list[ChatMessage] = []
    for index, message in enumerate(state):
        try:
            messages.append(ChatMessage.from_json(write(message)))
        except Rejection as rejection:
            raise rejection.within(index) from None
    return messages


def _at_text(rejection: Rejection) -> Rejection:
    """Gives a rejection of what is escaped: the text is its place, there is none inside of it."""
    message = f"what is escaped here is rejected: {rejection}"
    return Rejection(rejection.category, rejection.rule, message)


def _written(state: JsonValue, escaped: str | None) -> JsonValue:
    """Gives a state as it is saved: as text if it was text, and as the same one if it has the same value."""
    if escaped is None:
        return state
    return escaped if canonical(parse(escaped)) == canonical(state) else write(state)


class HistoryAgent(Whole):
    """An agent whose channel is the messages that it received. All of them share one channel."""

    saved_by = "a saved chat names its participants, and the application makes the agents again"

    def __init__(self, id: str, agent_type: str, name: str | None = None) -> None:
        """Takes the identity, the type and the name."""
        self.id = id
        self.agent_type = agent_type
        self.name = name

    def channel_keys(self) -> Sequence[str]:
        """Gives what all channels of this kind are known by."""
        return ["HistoryChannel"]

    async def create_channel(self) -> Channel:
        """Makes a channel without messages."""
        return HistoryChannel()

    async def restore_channel(self, state: JsonValue) -> Channel:
        """Makes a channel of saved messages."""
        return HistoryChannel.restored(state)


class AggregatorAgent(Whole):
    """An agent that wraps a chat of other agents.

    Its channel is known by its name, or by its identity if it has none.
    """

    saved_by = "a saved chat names its participants, and the application makes the agents again"
    agent_type = "AggregatorAgent"

    def __init__(self, id: str, chat: Callable[[], Chat], name: str | None = None) -> None:
        """Takes the identity, the name, and what makes the chat: its agents and nothing else."""
        self.id = id
        self.name = name
        self._chat = chat

    def channel_keys(self) -> Sequence[str]:
        """Gives what the channel of this chat is known by."""
        return ["ChatChannel", self.id if self.name is None else self.name]

    async def create_channel(self) -> Channel:
        """Makes a channel into a new chat."""
        return ChatChannel(self._chat())

    async def restore_channel(self, state: JsonValue) -> Channel:
        """Makes a channel into a chat that is restored."""
        return await ChatChannel.restored(self._chat(), state)
