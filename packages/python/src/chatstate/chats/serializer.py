"""Saving a chat and restoring it."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, overload

from .._runtime.annotations import JsonValue
from .channel_key import channel_key
from .encoding import decode, encode
from ..generated.models import ChannelState, ChatState, EncodedChatState, Participant
from .._runtime.json_text import is_object, parse, write
from .._runtime.model import plain
from .._runtime.rejection import Rejection
from .._runtime.whole import Whole
from .agent import Agent, AgentChat, Channel, ChannelOrigin, Origin
from .seal import reject_unverified


class Writable(Protocol):
    """Where a chat is saved: a binary file, or one whose `write` is awaited."""

    def write(self, data: bytes, /) -> Any:
        """Writes bytes."""
        ...


class Readable(Protocol):
    """Where a saved chat is read from: a binary file, or one whose `read` is awaited."""

    def read(self) -> Any:
        """Reads all that there is."""
        ...


@dataclass(frozen=True)
class Restored:
    """What a restore came to.

    Keys of channels are in the order of the document, or of the agents where it does not have them.
    """

    restored: list[str]
    """The channels that continue their state."""
    pending: list[str]
    """The channels of agents for which there was no state.

    Each will synchronize when an agent of it first takes part.
    """
    unclaimed: list[str]
    """The channels whose state no agent claims. It is not kept."""


class AgentChatSerializer(Whole):
    """A saved chat that was read and is not restored yet.

    The participants say which agents the application has to make before anything is restored.
    """

    saved_by = "use its `state`"

    def __init__(self, state: ChatState) -> None:
        """Takes over what was read, which has no seal: `unseal` verifies it and takes it off."""
        reject_unverified(state.seal is not None)
        _reject_repeated_channels(state)
        self._state = state

    @staticmethod
    async def serialize(chat: AgentChat, stream: Writable, *, encoded: bool = False) -> None:
        """Writes what is saved of a chat as JSON in UTF-8.

        With `encoded`, the states in it are Base64, which discourages editing and protects nothing.
        """
        state = chat_state(chat)
        text = encode(state).to_json() if encoded else state.to_json()
        written = stream.write(text.encode())
        if inspect.isawaitable(written):
            await written

    @overload
    @staticmethod
    async def deserialize(stream: Readable, /) -> AgentChatSerializer: ...

    @overload
    @staticmethod
    async def deserialize(*, stream: Readable) -> AgentChatSerializer: ...

    @overload
    @staticmethod
    async def deserialize(chat: AgentChat, stream: Readable) -> AgentChatSerializer: ...

    @staticmethod
    async def deserialize(chat: Any = None, stream: Any = None) -> AgentChatSerializer:
        """Reads a saved chat, plain or encoded as its `encoding` says, and restores it into a chat if one is given.

        `Rejection` if it is not valid, of a version that is not supported, or has two states under one key,
        and if the restore is rejected, which leaves the chat as it was. So is a sealed one: `unseal` verifies it.
        """
        if stream is None:
            chat, stream = None, chat
        text = stream.read()
        if inspect.isawaitable(text):
            text = await text
        serializer = AgentChatSerializer.from_json(text)
        if chat is not None:
            await serializer.restore(chat)
        return serializer

    @staticmethod
    def from_json(text: str | bytes) -> AgentChatSerializer:
        """Reads a saved chat from its text, which has no seal: `unseal` verifies it and takes it off."""
        return AgentChatSerializer(_read(text))

    @property
    def state(self) -> ChatState:
        """What was read."""
        return self._state

    def get_participants(self) -> list[Participant]:
        """Gives who took part, in the order of the document."""
        return list(self._state.participants or [])

    async def restore(self, chat: AgentChat) -> Restored:
        """Restores the saved chat into a chat that has agents and nothing else.

        After a rejection, whose class is `restore`, the chat is as it was before. A chat that is in use is
        rejected as such also when it has no agents, since adding some would not help.
        """
        _reject_target(chat)
        agents: dict[str, Agent] = {}
        for agent in chat.agents:
            agents.setdefault(channel_key(agent.channel_keys()), agent)
        channels: dict[str, Channel] = {}
        unclaimed: list[str] = []
        for index, saved in enumerate(self._state.channels):
            if saved.channelkey in agents:
                agent = agents[saved.channelkey]
                channels[saved.channelkey] = await _restored(agent, saved, index)
            else:
                unclaimed.append(saved.channelkey)
        # Nothing was changed so far, and nothing fails from here on.
        chat.take_over(list(self._state.history), channels)
        chat.origin = self._origin()
        pending = [key for key in agents if key not in channels]
        return Restored(list(channels), pending, unclaimed)

    def _origin(self) -> Origin:
        state = self._state
        channels = {
            channel.channelkey: ChannelOrigin(channel.channeltype, channel.model_extra or {})
            for channel in state.channels
        }
        participants = self.get_participants()
        return Origin(state.schema_version, participants, state.model_extra or {}, channels)


def chat_state(chat: AgentChat) -> ChatState:
    """Gives what is saved of a chat."""
    origin = chat.origin or Origin("1", [], {}, {})
    members: dict[str, Any] = {
        "history": plain(chat.history),
        "participants": _participants(chat, origin),
        "channels": [
            _channel_state(key, channel, origin.channels) for key, channel in chat.channels.items()
        ],
        **origin.extra,
    }
    if origin.schema_version is not None:
        members["schemaVersion"] = origin.schema_version
    return ChatState.from_json(write(members))


def _participants(chat: AgentChat, origin: Origin) -> list[JsonValue]:
    """Gives the agents as participants.

    Those that the chat was restored with come in the order of its document, so that the order in which
    they were added changes nothing, then the others.
    """
    agents = {agent.id: agent for agent in reversed(chat.agents)}
    known = {one.id: one.model_extra or {} for one in reversed(origin.participants)}
    ids = [one.id for one in origin.participants if one.id in agents]
    ids += [agent.id for agent in chat.agents]
    return [_participant(agents[id], known.get(id, {})) for id in dict.fromkeys(ids)]


def _participant(agent: Agent, extra: Mapping[str, JsonValue]) -> JsonValue:
    named = {} if agent.name is None else {"name": agent.name}
    return {**extra, "id": agent.id, **named, "type": agent.agent_type}


def _channel_state(
    key: str, channel: Channel, origins: Mapping[str, ChannelOrigin]
) -> JsonValue:
    origin = origins.get(key) or ChannelOrigin(channel.channel_type)
    typed = {} if origin.channeltype is None else {"channeltype": origin.channeltype}
    return {**origin.extra, "channelkey": key, **typed, "channelstate": plain(channel.state())}


def _read(text: str | bytes) -> ChatState:
    # Nothing else says that states are encoded.
    document = parse(text)
    if not is_object(document) or document.get("encoding") != "base64":
        return ChatState.from_json(text)
    encoded = EncodedChatState.from_json(text)
    reject_unverified(encoded.seal is not None)
    return decode(encoded)


def _reject_repeated_channels(state: ChatState) -> None:
    seen: set[str] = set()
    for index, channel in enumerate(state.channels):
        if channel.channelkey in seen:
            message = f"the channel `{channel.channelkey}` occurs twice; keep one of its states"
            rejection = Rejection("semantic", "restore.repeated-channel", message)
            raise rejection.within("channels", index, "channelkey")
        seen.add(channel.channelkey)


def _reject_target(chat: AgentChat) -> None:
    if chat.history or chat.channels:
        message = (
            "the chat has messages or channels already, so nothing was restored; restore into a new chat"
        )
        raise Rejection("restore", "restore.invalid", message)
    if not chat.agents:
        message = "the chat has no agents, so nothing was restored; add the agents first"
        raise Rejection("restore", "restore.empty", message)


async def _restored(agent: Agent, saved: ChannelState, index: int) -> Channel:
    """Restores one channel; whatever is wrong with its state, the document is valid."""
    try:
        return await agent.restore_channel(plain(saved.channelstate))
    except Rejection as rejection:
        message = rejection.message
        if rejection.rule != "restore.channel":
            message = f"the channel does not take its state, so nothing was restored: {message}"
        rejected = Rejection("restore", "restore.channel", message, rejection.at)
        raise rejected.within("channels", index, "channelstate") from rejection
