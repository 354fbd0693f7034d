"""Chats of agents: what they hold, how they are saved, and how they are restored."""

from .agent import Agent, AgentChat, Channel, ChannelOrigin, Origin
from .channels import AggregatorAgent, ChatChannel, HistoryAgent, HistoryChannel, OpaqueChannel
from .chat import Chat
from .serializer import AgentChatSerializer, Readable, Restored, Writable, chat_state

__all__ = [
    "Agent",
    "AgentChat",
    "AgentChatSerializer",
    "AggregatorAgent",
    "Channel",
    "ChannelOrigin",
    "Chat",
    "ChatChannel",
    "HistoryAgent",
    "HistoryChannel",
    "OpaqueChannel",
    "Origin",
    "Readable",
    "Restored",
    "Writable",
    "chat_state",
]
