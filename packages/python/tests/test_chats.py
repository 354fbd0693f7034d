"""Saving and restoring chats: the five cases, and what a failure leaves."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Coroutine, Mapping, Sequence
from typing import Any, TypeVar

import pytest

from chatstate import AgentChatSerializer, Chat, ChatMessage, Rejection, TextContent, channel_key
from chatstate.chats import Agent, AgentChat, AggregatorAgent, Channel, HistoryAgent, HistoryChannel, Origin

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """Runs what is asynchronous."""
    return asyncio.run(work)


def said(text: str) -> ChatMessage:
    """A message of the user."""
    return ChatMessage(role="user", items=[TextContent(text=text)])


class ServiceChannel:
    """A channel to a service, whose state is a thread id."""

    channel_type: str | None = "ServiceChannel"

    def __init__(self, thread: str) -> None:
        self.thread = thread
        self.received: list[ChatMessage] = []

    async def receive(self, messages: Sequence[ChatMessage]) -> None:
        self.received.extend(messages)

    async def said(self, message: ChatMessage) -> None:
        """The service knows it."""

    def state(self) -> Any:
        return self.thread


class ServiceAgent:
    """An agent at a service."""

    name: str | None = None
    agent_type = "ServiceAgent"

    def __init__(self, id: str) -> None:
        self.id = id

    def channel_keys(self) -> Sequence[str]:
        return ["ServiceChannel", "eu"]

    async def create_channel(self) -> Channel:
        return ServiceChannel("thread-new")

    async def restore_channel(self, state: Any) -> Channel:
        if not isinstance(state, str):
            raise Rejection("restore", "restore.channel", "the service has no such thread")
        return ServiceChannel(state)


async def used_chat(*agents: Agent) -> Chat:
    """A chat in which a user and every agent have said something."""
    chat = Chat(*agents)
    await chat.add_message(said("hello"))
    for agent in agents:
        reply = ChatMessage(role="assistant", name=agent.id, items=[TextContent(text="hi")])
        await chat.add_reply(agent.id, reply)
    return chat


async def saved(chat: AgentChat, *, encoded: bool = False) -> bytes:
    """What is saved of a chat."""
    stream = io.BytesIO()
    await AgentChatSerializer.serialize(chat, stream, encoded=encoded)
    return stream.getvalue()


async def restored(text: bytes, *agents: Agent) -> Chat:
    """A chat of these agents, restored."""
    chat = Chat(*agents)
    await (await AgentChatSerializer.deserialize(io.BytesIO(text))).restore(chat)
    return chat


def writer() -> HistoryAgent:
    """An agent that keeps its messages."""
    return HistoryAgent("writer", "ChatCompletionAgent", "Ann")


@pytest.mark.parametrize("encoded", [False, True])
def test_equivalent(encoded: bool) -> None:
    async def scenario() -> None:
        text = await saved(await used_chat(writer(), ServiceAgent("expert")), encoded=encoded)
        chat = await restored(text, ServiceAgent("expert"), writer())
        assert len(chat.history) == 3
        assert await saved(chat, encoded=encoded) == text
        assert await chat.take_part("writer") is None

    run(scenario())


def test_enhanced() -> None:
    async def scenario() -> None:
        chat = await restored(await saved(await used_chat(writer())), writer(), ServiceAgent("new"))
        key = channel_key(["ServiceChannel", "eu"])
        assert chat.pending() == [key]
        assert await chat.take_part("new") == 2
        assert await chat.take_part("new") is None
        channel = chat.channels[key]
        assert isinstance(channel, ServiceChannel)
        assert len(channel.received) == 2

    run(scenario())


def test_reduced() -> None:
    async def scenario() -> None:
        text = await saved(await used_chat(writer(), ServiceAgent("expert")))
        chat = Chat(writer())
        serializer = AgentChatSerializer.from_json(text)
        result = await serializer.restore(chat)
        assert result.unclaimed == [channel_key(["ServiceChannel", "eu"])]
        assert [one.id for one in serializer.get_participants()] == ["writer", "expert"]
        # One that joins later synchronizes, and its old state is not used.
        chat.add_agent(ServiceAgent("expert"))
        assert await chat.take_part("expert") == 3
        assert json.loads(await saved(chat))["channels"][1]["channelstate"] == "thread-new"

    run(scenario())


def test_empty_and_invalid_leave_the_chat_usable() -> None:
    async def scenario() -> None:
        serializer = AgentChatSerializer.from_json(await saved(await used_chat(writer())))
        chat = Chat()
        with pytest.raises(Rejection) as empty:
            await serializer.restore(chat)
        assert (empty.value.class_, empty.value.rule) == ("restore", "restore.empty")
        chat.add_agent(writer())
        await serializer.restore(chat)
        with pytest.raises(Rejection) as invalid:
            await serializer.restore(chat)
        assert (invalid.value.class_, invalid.value.rule) == ("restore", "restore.invalid")
        await chat.add_message(said("and on"))
        assert len(chat.history) == 3

    run(scenario())


def test_a_channel_that_does_not_take_its_state_fails_all() -> None:
    async def scenario() -> None:
        document = json.loads(await saved(await used_chat(writer(), ServiceAgent("expert"))))
        document["channels"][1]["channelstate"] = 7
        chat = Chat(writer(), ServiceAgent("expert"))
        with pytest.raises(Rejection) as rejected:
            await AgentChatSerializer.from_json(json.dumps(document)).restore(chat)
        assert (rejected.value.rule, rejected.value.at) == ("restore.channel", "/channels/1/channelstate")
        assert (chat.history, chat.channels, chat.origin) == ((), {}, None)

    run(scenario())


def test_a_chat_within_a_chat() -> None:
    async def scenario() -> None:
        def inner() -> Chat:
            return Chat(writer())

        text = await saved(await used_chat(AggregatorAgent("team", inner, "Team")))
        chat = await restored(text, AggregatorAgent("team", inner, "Team"))
        assert await saved(chat) == text

    run(scenario())


class OwnChat:
    """A chat of an SDK: what the serializer asks of one, and nothing else."""

    origin: Origin | None = None

    def __init__(self, *agents: Agent) -> None:
        self.agents = agents
        self.history: Sequence[ChatMessage] = ()
        self.channels: Mapping[str, Channel] = {}

    def take_over(self, history: Sequence[ChatMessage], channels: Mapping[str, Channel]) -> None:
        self.history, self.channels = history, channels


def test_a_chat_of_another_class() -> None:
    async def scenario() -> None:
        text = await saved(await used_chat(writer(), ServiceAgent("expert")))
        chat = OwnChat(writer(), ServiceAgent("expert"))
        await AgentChatSerializer.deserialize(chat, io.BytesIO(text))
        assert len(chat.history) == 3
        assert await saved(chat) == text

    run(scenario())


def test_streams_may_be_awaited() -> None:
    class Stream:
        text = b""

        async def write(self, data: bytes, /) -> None:
            self.text += data

        async def read(self) -> bytes:
            return self.text

    async def scenario() -> None:
        stream = Stream()
        await AgentChatSerializer.serialize(await used_chat(writer()), stream)
        chat = Chat(writer())
        await (await AgentChatSerializer.deserialize(stream)).restore(chat)
        channel = next(iter(chat.channels.values()))
        assert isinstance(channel, HistoryChannel)
        assert [message.role for message in channel.messages] == ["user", "assistant"]

    run(scenario())


def test_what_the_schema_does_not_name_survives() -> None:
    async def scenario() -> None:
        document = json.loads(await saved(await used_chat(writer())))
        document["later"] = {"a": None}
        document["participants"][0]["later"] = 1
        document["channels"][0].update(later=2, channeltype="Mine")
        del document["schemaVersion"]
        chat = await restored(json.dumps(document).encode(), writer())
        assert json.loads(await saved(chat)) == document

    run(scenario())


def test_a_state_that_was_text_is_text_when_it_has_changed() -> None:
    text = '[ {"role":"user","items":[]} ]'
    channel = HistoryChannel.restored(text)
    assert channel.state() == text
    channel.messages.append(ChatMessage(role="user", items=[]))
    assert channel.state() == '[{"role":"user","items":[]},{"role":"user","items":[]}]'
