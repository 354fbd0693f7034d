"""Saves and restores an `AgentGroupChat` with the serializer of chatstate's Python package.

    run restore.py      prints what came of it, one line of JSON

Semantic Kernel for Python has no serializer of chats of its own. What it takes is `GroupChat`, a class around its chat
that uses nothing but its public members.
"""

import asyncio
import io
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[3] / "packages" / "python" / "src"))

from chatstate import AgentChatSerializer, ChatMessage, Rejection, TextContent
from chatstate.chats import HistoryChannel, Origin
from semantic_kernel.agents import AgentGroupChat, ChatCompletionAgent, ChatHistoryAgentThread
from semantic_kernel.agents.channels.agent_channel import AgentChannel
from semantic_kernel.agents.group_chat.agent_chat_utils import KeyEncoder
from semantic_kernel.connectors.ai.chat_completion_client_base import ChatCompletionClientBase
from semantic_kernel.connectors.ai.prompt_execution_settings import PromptExecutionSettings
from semantic_kernel.contents import ChatHistory, ChatMessageContent
from semantic_kernel.contents import TextContent as KernelText


class Echo(ChatCompletionClientBase):
    """A model that says how many messages it has seen, and what the last one was."""

    async def _inner_get_chat_message_contents(
        self, chat_history: ChatHistory, settings: PromptExecutionSettings
    ) -> list[ChatMessageContent]:
        messages = [message for message in chat_history.messages if message.role.value != "system"]
        text = f"{len(messages)} seen, the last one: {messages[-1].content}"
        return [ChatMessageContent(role="assistant", content=text)]


def from_kernel(message: ChatMessageContent) -> ChatMessage:
    """A message of the package as one of chatstate."""
    items = [TextContent(text=item.text) for item in message.items if isinstance(item, KernelText)]
    return ChatMessage(role=message.role.value, name=message.name, items=list(items))


def to_kernel(message: ChatMessage) -> ChatMessageContent:
    """A message of chatstate as one of the package."""
    texts = [item.text or "" for item in message.items if isinstance(item, TextContent)]
    items = [KernelText(text=text) for text in texts]
    return ChatMessageContent(role=message.role, name=message.name, items=items)


class KernelChannel:
    """A channel of the package whose state is its messages."""

    channel_type = "ChatHistoryChannel"

    def __init__(self, channel: AgentChannel) -> None:
        self.channel: Any = channel

    async def receive(self, messages: Sequence[ChatMessage]) -> None:
        await self.channel.receive([to_kernel(message) for message in messages])

    async def said(self, message: ChatMessage) -> None:
        await self.receive([message])

    def state(self) -> Any:
        return HistoryChannel([from_kernel(one) for one in self.channel.messages]).state()


class KernelAgent:
    """An agent of the package."""

    def __init__(self, agent: Any) -> None:
        self.agent = agent
        self.id, self.name, self.agent_type = agent.id, agent.name, type(agent).__name__

    def channel_keys(self) -> Sequence[str]:
        return list(self.agent.get_channel_keys())

    async def create_channel(self) -> KernelChannel:
        return KernelChannel(await self.agent.create_channel())

    async def restore_channel(self, state: Any) -> KernelChannel:
        restored = await self.create_channel()
        messages = list(map(to_kernel, HistoryChannel.restored(state).messages))
        restored.channel.messages.extend(messages)
        # The agent is shown the last message of its channel and all of its thread.
        thread = ChatHistory(messages=list(messages))
        restored.channel.thread = ChatHistoryAgentThread(chat_history=thread)
        return restored


class GroupChat:
    """A group chat of the package, as the serializer asks for it."""

    def __init__(self, *agents: Any) -> None:
        self.origin: Origin | None = None
        self.chat = AgentGroupChat(agents=list(agents))

    @property
    def agents(self) -> Sequence[KernelAgent]:
        return [KernelAgent(agent) for agent in self.chat.agents]

    @property
    def history(self) -> Sequence[ChatMessage]:
        return [from_kernel(message) for message in self.chat.history.messages]

    @property
    def channels(self) -> Mapping[str, KernelChannel]:
        return {key: KernelChannel(channel) for key, channel in self.chat.agent_channels.items()}

    def take_over(self, history: Sequence[ChatMessage], channels: Mapping[str, Any]) -> None:
        self.chat.history.messages.extend(map(to_kernel, history))
        self.chat.agent_channels.update({key: one.channel for key, one in channels.items()})


def agent(name: str) -> ChatCompletionAgent:
    """An agent that the application makes again."""
    return ChatCompletionAgent(id=f"agent-{name}", name=name, service=Echo(ai_model_id="echo"))


async def asked(chat: GroupChat, text: str, who: Any) -> str:
    """What an agent of a chat answers."""
    await chat.chat.add_chat_message(text)
    answers = [answer.content async for answer in chat.chat.invoke(who)]
    return answers[-1]


async def rejected(serializer: AgentChatSerializer, chat: GroupChat) -> str:
    """The rule by which a restore is rejected."""
    try:
        await serializer.restore(chat)
    except Rejection as rejection:
        return rejection.rule
    return "restored"


async def main() -> None:
    """Saves a chat and restores it into others."""
    first, stream = GroupChat(writer := agent("Ann")), io.BytesIO()
    said = [await asked(first, "hello", writer)]
    await AgentChatSerializer.serialize(first, stream)
    saved = stream.getvalue()
    serializer = await AgentChatSerializer.deserialize(io.BytesIO(saved))
    names = [participant.name or "" for participant in serializer.get_participants()]

    again = GroupChat(*(made := [agent(name) for name in names]))
    restored = await serializer.restore(again)
    copy = io.BytesIO()
    await AgentChatSerializer.serialize(again, copy)
    said += [await asked(again, "and now?", made[0]), await asked(first, "and now?", writer)]
    empty = GroupChat()
    result = {
        "participants": names,
        "key": restored.restored == [KeyEncoder.generate_hash(made[0].get_channel_keys())],
        "saved again": copy.getvalue() == saved,
        "said": said,
        "refused": [await rejected(serializer, again), await rejected(serializer, empty)],
    }
    empty.chat.add_agent(agent("Ann"))
    print(json.dumps({**result, "then": await rejected(serializer, empty)}))


asyncio.run(main())
