"""Programs as the proposals of serializers for chats have them: only the names of the SDK are others.

Where a sample contradicts itself, the correction is beside it.
"""

from __future__ import annotations

import asyncio
import inspect
import json
from types import TracebackType
from typing import Any

import pytest

from chatstate import AgentChatSerializer as ChatSerializer
from chatstate import Chat, ChatMessage, ChatState, Participant, Rejection, TextContent, parse, write
from chatstate.chats import AgentChat, HistoryAgent


class ChatCompletionAgent(HistoryAgent):
    """The agent of an SDK."""

    def __init__(self, id: str) -> None:
        super().__init__(id, "ChatCompletionAgent")


class OpenAIAssistantAgent(HistoryAgent):
    """The agent of another SDK."""

    def __init__(self, id: str) -> None:
        super().__init__(id, "OpenAIAssistantAgent")


class AgentGroupChat(Chat):
    """The chat of an SDK: what is invoked is for the SDK to say."""

    async def invoke(self) -> None:
        """Lets every agent say that it has heard all."""
        for agent in self.agents:
            heard = f"{len(self.history)} heard"
            reply = ChatMessage(role="assistant", items=[TextContent(text=heard)])
            await self.add_reply(agent.id, reply)


class Stream:
    """A stream that is opened with `async with`."""

    def __init__(self) -> None:
        self.content = b""

    async def __aenter__(self) -> Stream:
        return self

    async def __aexit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        """Nothing is open."""

    async def write(self, data: bytes, /) -> None:
        self.content += data

    async def read(self) -> bytes:
        return self.content


async def saved() -> Stream:
    """The sample that saves a chat."""
    AgentChatSerializer = ChatSerializer

    # Create agents
    agent1 = ChatCompletionAgent("one")
    agent2 = OpenAIAssistantAgent("two")

    # Create agent-chat
    chat = AgentGroupChat(agent1, agent2)

    # Initiate conversation
    await chat.invoke()

    # Initialize the serialization stream
    async with Stream() as stream:
        # Capture agent-chat
        await AgentChatSerializer.serialize(chat, stream)
    return stream


def test_a_chat_is_saved() -> None:
    state = ChatState.from_json(asyncio.run(saved()).content)
    assert [message.items[0].model_dump()["text"] for message in state.history] == ["0 heard", "1 heard"]
    assert [one.id for one in state.participants or []] == ["one", "two"]


def test_a_chat_is_restored() -> None:
    """Two calls have each other's name in the sample: `serialize` reads there, and `deserialize` restores."""

    async def sample(stream: Stream) -> AgentGroupChat:
        AgentChatSerializer = ChatSerializer

        # Create agents
        agent1 = ChatCompletionAgent("one")
        agent2 = OpenAIAssistantAgent("two")

        agents = {
            agent1.id: agent1,
            agent2.id: agent2,
        }

        # Initialize the serialization stream
        async with stream as stream:
            serializer = await AgentChatSerializer.deserialize(stream)

        # Create agent-chat
        chat = AgentGroupChat(agent1, agent2)

        # Restore agents
        for participant in serializer.get_participants():
            chat.add_agent(agents[participant.id])

        # Restore agent-chat
        await serializer.restore(chat)

        # Continue chat
        await chat.invoke()
        return chat

    async def scenario() -> None:
        chat = await sample(await saved())
        assert [agent.id for agent in chat.agents] == ["one", "two"]
        assert len(chat.history) == 4

    asyncio.run(scenario())


def test_a_chat_is_restored_in_one_call() -> None:
    async def scenario() -> None:
        chat = AgentGroupChat(ChatCompletionAgent("one"), OpenAIAssistantAgent("two"))
        serializer = await ChatSerializer.deserialize(chat, await saved())
        assert (len(chat.history), len(chat.channels)) == (2, 1)
        assert [one.id for one in serializer.get_participants()] == ["one", "two"]
        with pytest.raises(Rejection) as rejected:
            await ChatSerializer.deserialize(chat, await saved())
        assert rejected.value.rule == "restore.invalid"
        assert len(chat.history) == 2

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("call", "parameters"),
    [
        ("serialize", ["chat", "stream"]),
        ("deserialize", ["chat", "stream"]),
        ("get_participants", ["self"]),
        ("restore", ["self", "chat"]),
    ],
)
def test_the_serializer_has_the_calls_of_its_declaration(call: str, parameters: list[str]) -> None:
    function = getattr(ChatSerializer, call)
    assert list(inspect.signature(function).parameters)[: len(parameters)] == parameters
    is_awaited = call != "get_participants"
    assert inspect.iscoroutinefunction(function) == is_awaited
    assert isinstance(inspect.getattr_static(ChatSerializer, call), staticmethod) == (
        "self" not in parameters
    )


async def chat_of_the_first_sample() -> AgentGroupChat:
    """The chat that the sample of the standard serializer saves."""
    # Create the agents
    agent1 = ChatCompletionAgent("one")
    agent2 = OpenAIAssistantAgent("two")

    # Create the agent-chat
    chat = AgentGroupChat(agent1, agent2)
    await chat.invoke()
    return chat


def test_a_chat_is_dumped() -> None:
    async def scenario() -> None:
        chat = await chat_of_the_first_sample()

        # Serialize the chat to JSON
        chat_state = chat.model_dump()

        assert write(chat_state) == chat.model_dump_json()
        assert ChatState.model_validate(chat_state).to_json() == chat.model_dump_json()
        restored = AgentGroupChat(*chat.agents)
        await ChatSerializer(ChatState.model_validate(chat_state)).restore(restored)
        assert restored.model_dump() == chat_state
        assert chat.model_dump(mode="json") == chat_state

    asyncio.run(scenario())


def test_a_dumped_chat_is_read_by_json_loads() -> None:
    """The sample reads what `model_dump` gives with `json.loads`, which takes text: that of `model_dump_json`.

    Its decoder has no body, and is called for every object of the text; this one has one.
    """

    async def scenario() -> None:
        chat = await chat_of_the_first_sample()
        chat_state = chat.model_dump_json()

        # Deserialize JSON
        def agent_group_chat_decoder(obj: dict[str, Any]) -> Any:
            return ChatState.model_validate(obj) if "history" in obj else obj

        state = json.loads(chat_state, object_hook=agent_group_chat_decoder)

        assert isinstance(state, ChatState)
        assert state.to_json() == chat_state

    asyncio.run(scenario())


def test_secrets_of_agents_are_not_dumped() -> None:
    class Agent(ChatCompletionAgent):
        api_key = "sk-secret"

        def __init__(self) -> None:
            super().__init__("one")
            self.client = {"apiKey": "sk-secret"}

    chat: AgentChat = AgentGroupChat(Agent())
    assert isinstance(chat, AgentGroupChat)
    assert "sk-secret" not in chat.model_dump_json()
    assert parse(chat.model_dump_json())["participants"] == [
        {"id": "one", "type": "ChatCompletionAgent"}
    ]
    assert [Participant.model_validate(one).id for one in chat.model_dump()["participants"]] == ["one"]
