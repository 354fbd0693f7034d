"""The operation `restore`: a restore as data, run on the chats of the package."""

import asyncio
from collections.abc import Sequence
from typing import Any

from chatstate import ChannelState, ChatMessage, Participant, Rejection, parse, write
from chatstate.chats import (
    AgentChatSerializer,
    Channel,
    Chat,
    ChatChannel,
    HistoryChannel,
    OpaqueChannel,
    chat_state,
)

Json = dict[str, Any]
Text = str | bytes


class AgentRow:
    """An agent as a request describes it."""

    def __init__(self, row: Json) -> None:
        """Takes the description."""
        self.id: str = row["id"]
        self.name: str | None = row.get("name")
        self.agent_type: str = row["type"]
        self._row = row

    def channel_keys(self) -> Sequence[str]:
        """What its channel is known by."""
        return list(self._row["channelkeys"])

    async def create_channel(self) -> Channel:
        """A new channel of its kind."""
        kind = self._row.get("channel", "opaque")
        if kind == "history":
            return HistoryChannel()
        return ChatChannel(chat_of(self._row["agents"])) if kind == "chat" else OpaqueChannel()

    async def restore_channel(self, state: Any) -> Channel:
        """A channel of its kind that continues."""
        kind = self._row.get("channel", "opaque")
        if kind == "history":
            return HistoryChannel.restored(state)
        if kind == "chat":
            return await ChatChannel.restored(chat_of(self._row["agents"]), state)
        return OpaqueChannel(state)


def chat_of(rows: list[Json]) -> Chat:
    """A chat of these agents."""
    return Chat(*map(AgentRow, rows))


def values_of(documents: Sequence[ChatMessage | Participant]) -> list[Any]:
    """The JSON values of documents."""
    return [parse(document.to_json()) for document in documents]


def messages_of(value: Any, *place: str) -> list[ChatMessage]:
    """Reads messages of a request."""
    try:
        return HistoryChannel.restored(value).messages
    except Rejection as rejection:
        raise rejection.within(*place) from None


async def target_of(target: Json) -> Chat:
    """The chat to restore into."""
    chat = chat_of(target["agents"])
    for row in target.get("channels", []):
        saved = ChannelState.from_json(write(row))
        chat.open_channel(saved.channelkey, OpaqueChannel(saved.channelstate))
    for message in messages_of(target.get("history", []), "target", "history"):
        await chat.add_message(message)
    return chat


def placed(rejection: Rejection, target: Json) -> Rejection:
    """Where a restore was rejected: only a channel rejects what is in the document."""
    if rejection.rule == "restore.empty":
        return rejection.within("target", "agents")
    if rejection.rule == "restore.invalid":
        return rejection.within("target", "history" if target.get("history") else "channels")
    return rejection.within("state")


async def restored(input: Json, *, save: bool) -> Json:
    """Restores, and lets those who join take part."""
    try:
        serializer = AgentChatSerializer.from_json(write(input["state"]))
    except Rejection as rejection:
        raise rejection.within("state") from None
    chat = await target_of(input["target"])
    try:
        came_to = await serializer.restore(chat)
    except Rejection as rejection:
        raise placed(rejection, input["target"]) from None
    synchronized: dict[str, int] = {}
    for row in input.get("join", []):
        chat.add_agent(AgentRow(row))
        count = await chat.take_part(row["id"])
        if count is not None:
            synchronized[list(chat.channels)[-1]] = count
    answer: Json = {
        "participants": values_of(serializer.get_participants()),
        "restored": came_to.restored,
        "pending": chat.pending(),
        "unclaimed": came_to.unclaimed,
        "history": values_of(chat.history),
        "synchronized": synchronized,
    }
    return {**answer, "saved": parse(chat_state(chat).to_json())} if save else answer


def restore(text: Text, request: Json) -> str:
    """Restores a saved chat."""
    return write(asyncio.run(restored(parse(text), save=request.get("save", False))))
