"""A chat of agents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from typing import Any, Literal

from .._runtime.whole import Whole
from .channel_key import channel_key
from ..generated.models import ChatMessage
from .agent import Agent, Channel, Origin


class Chat(Whole):
    """A history, agents, and a channel for each kind of agent that took part."""

    saved_by = "use `AgentChatSerializer.serialize` or `model_dump()`"

    def __init__(self, *agents: Agent) -> None:
        """Begins with some agents and without messages."""
        self.origin: Origin | None = None
        self._agents: list[Agent] = []
        self._history: list[ChatMessage] = []
        self._channels: dict[str, Channel] = {}
        for agent in agents:
            self.add_agent(agent)

    @property
    def agents(self) -> Sequence[Agent]:
        """The agents, in the order in which they were added."""
        return tuple(self._agents)

    @property
    def history(self) -> Sequence[ChatMessage]:
        """The messages, the oldest first."""
        return tuple(self._history)

    @property
    def channels(self) -> Mapping[str, Channel]:
        """The channels by their keys, in the order in which they were made."""
        return dict(self._channels)

    def take_over(self, history: Sequence[ChatMessage], channels: Mapping[str, Channel]) -> None:
        """Takes the history and the channels of a saved chat."""
        self._history = list(history)
        self._channels = dict(channels)

    def add_agent(self, agent: Agent) -> bool:
        """Adds an agent, which has no channel until it takes part.

        False, and nothing changes, if the chat has an agent of this identity.
        """
        if any(agent.id == known.id for known in self._agents):
            return False
        self._agents.append(agent)
        return True

    def pending(self) -> list[str]:
        """Gives the keys of the channels that agents of the chat would have and that are not there."""
        keys = dict.fromkeys(channel_key(agent.channel_keys()) for agent in self._agents)
        return [key for key in keys if key not in self._channels]

    async def add_message(self, message: ChatMessage) -> None:
        """Adds a message that no agent said, and hands it to every channel."""
        for channel in self._channels.values():
            await channel.receive([message])
        self._history.append(message)

    async def take_part(self, agent_id: str) -> int | None:
        """Lets an agent take part; `LookupError` if the chat has no such agent.

        Its channel is made if there is none, and synchronizes to the chat: it receives the whole
        history, once. Gives how many messages a new channel received, None if it was there.
        """
        agent = self._agent(agent_id)
        key = channel_key(agent.channel_keys())
        if key in self._channels:
            return None
        channel = await agent.create_channel()
        await channel.receive(self._history)
        self._channels[key] = channel
        return len(self._history)

    async def add_reply(self, agent_id: str, message: ChatMessage) -> None:
        """Adds a message of an agent of the chat, which takes part by it.

        Every channel receives it, but for the agent's own, which knows that it was said.
        """
        await self.take_part(agent_id)
        own = channel_key(self._agent(agent_id).channel_keys())
        for key, channel in self._channels.items():
            if key == own:
                await channel.said(message)
            else:
                await channel.receive([message])
        self._history.append(message)

    def model_dump(self, *, mode: Literal["python", "json"] = "python") -> dict[str, Any]:
        """Gives what is saved of the chat, a chat state, as a value.

        With the mode `json`, a number that `json.dumps` would not write is an error.
        """
        from .serializer import chat_state

        return chat_state(self).model_dump(mode=mode)

    def model_dump_json(self) -> str:
        """Gives what is saved of the chat, a chat state, as JSON text."""
        from .serializer import chat_state

        return chat_state(self).to_json()

    def open_channel(self, key: str, channel: Channel) -> None:
        """Puts a channel under a key, as it is."""
        self._channels[key] = channel

    def _agent(self, agent_id: str) -> Agent:
        for agent in self._agents:
            if agent.id == agent_id:
                return agent
        raise LookupError(f"the chat has no agent `{agent_id}`; add it first")
