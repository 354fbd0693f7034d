"""What a chat and the serializer of chats ask of those who take part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from .._runtime.annotations import JsonObject, JsonValue
from ..generated.models import ChatMessage, Participant


class Channel(Protocol):
    """What adapts the history of a chat to one kind of agent."""

    @property
    def channel_type(self) -> str | None:
        """The type, for people who read the state."""
        ...

    async def receive(self, messages: Sequence[ChatMessage]) -> None:
        """Takes messages that others said, the oldest first."""
        ...

    async def said(self, message: ChatMessage) -> None:
        """Takes what an agent of this channel said; a service that knows it already does nothing here."""
        ...

    def state(self) -> JsonValue:
        """Gives all that the channel needs to continue elsewhere: any JSON value, or opaque text."""
        ...


class Agent(Protocol):
    """A participant of a chat.

    Of an agent, a saved chat holds its identity, its name and its type, and nothing else: how it is
    defined and which secrets it has is for the application to know when it makes the agent again.
    """

    @property
    def id(self) -> str:
        """The identity, which no other agent of the chat has."""
        ...

    @property
    def name(self) -> str | None:
        """The name, if there is one."""
        ...

    @property
    def agent_type(self) -> str:
        """The type, as the SDK names it."""
        ...

    def channel_keys(self) -> Sequence[str]:
        """Gives what the channel of this agent is known by, in order.

        Agents with the same keys share one channel, also in another process, so nothing that changes
        from process to process belongs here.
        """
        ...

    async def create_channel(self) -> Channel:
        """Makes a new channel that has received nothing."""
        ...

    async def restore_channel(self, state: JsonValue) -> Channel:
        """Makes a channel that continues a saved state; `Rejection` if it is none of its kind.

        The chat is not touched before all channels are there, so nothing may change elsewhere.
        """
        ...


@dataclass(frozen=True)
class ChannelOrigin:
    """What the document says of a channel beside its state."""

    channeltype: str | None = None
    extra: JsonObject = field(default_factory=dict[str, JsonValue])


@dataclass(frozen=True)
class Origin:
    """What the document of a restored chat says that no part of the chat holds.

    A chat keeps it for the serializer, who writes it again.
    """

    schema_version: str | None
    participants: Sequence[Participant]
    extra: JsonObject
    channels: Mapping[str, ChannelOrigin]


class AgentChat(Protocol):
    """What the serializer asks of a chat. A chat of an SDK becomes one by a small class around it."""

    origin: Origin | None
    """Kept for the serializer; None in a chat that was not restored."""

    @property
    def agents(self) -> Sequence[Agent]:
        """The agents, in the order in which they were added."""
        ...

    @property
    def history(self) -> Sequence[ChatMessage]:
        """The messages, the oldest first."""
        ...

    @property
    def channels(self) -> Mapping[str, Channel]:
        """The channels by their keys, in the order in which they were made."""
        ...

    def take_over(self, history: Sequence[ChatMessage], channels: Mapping[str, Channel]) -> None:
        """Takes the history and the channels of a saved chat. It has neither yet, and cannot fail."""
        ...
