"""The encoded form of a chat state: each state in it is the Base64 of its canonical JSON.

This discourages editing by hand and protects nothing: everybody can decode it.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from typing import Any

from .._runtime.canonical import canonical
from ..generated.models import ChatMessage, ChatState, EncodedChatState, Participant
from .._runtime.json_text import is_array, parse, write
from .._runtime.model import check_value, plain
from .._runtime.rejection import Rejection


def encode(state: ChatState) -> EncodedChatState:
    """Gives the encoded form; what the schema does not name stays as it is."""
    _reject_sealed(state)
    members: dict[str, Any] = plain(state)
    members.pop("encoding", None)
    members["history"] = _encoded(members["history"])
    if "participants" in members:
        members["participants"] = [_encoded(one) for one in members["participants"]]
    members["channels"] = [
        {**channel, "channelstate": _encoded(channel["channelstate"])}
        for channel in members["channels"]
    ]
    return EncodedChatState.from_json(write({**members, "encoding": "base64"}))


def decode(encoded: EncodedChatState) -> ChatState:
    """Gives the plain form: what was encoded, without an `encoding`."""
    _reject_sealed(encoded)
    members: dict[str, Any] = plain(encoded)
    del members["encoding"]
    members["history"] = _decoded(members["history"], _check_history, "history")
    if "participants" in members:
        members["participants"] = [
            _decoded(one, _check_participant, "participants", index)
            for index, one in enumerate(members["participants"])
        ]
    for index, channel in enumerate(members["channels"]):
        state = channel["channelstate"]
        channel["channelstate"] = _decoded(state, _accept, "channels", index, "channelstate")
    # States that are read one by one may be too deep together.
    return ChatState.from_json(write(members))


def _reject_sealed(state: ChatState | EncodedChatState) -> None:
    if state.seal is not None:
        message = "a seal holds for one form of a document only; take it off before the form changes"
        raise Rejection("semantic", "encoding.sealed", message, "/seal")


def _encoded(value: Any) -> str:
    return base64.b64encode(canonical(value).encode()).decode()


def _decoded(text: str, check: Callable[[Any], None], *place: str | int) -> Any:
    """Gives what one text encodes. The text is the place of a rejection: there is none inside of it."""
    try:
        value = parse(_bytes(text))
        check(value)
    except Rejection as inner:
        message = f"what is encoded here is rejected: {inner}"
        raise Rejection(inner.category, inner.rule, message).within(*place) from None
    return value


def _bytes(text: str) -> bytes:
    try:
        decoded = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        decoded = None
    # Python takes bits that are left over for nothing; written again, they would be other bits.
    if decoded is None or base64.b64encode(decoded).decode() != text:
        message = "must be Base64 of RFC 4648 section 4, with padding and without line breaks"
        raise Rejection("schema", "pattern", message)
    return decoded


def _check_history(value: Any) -> None:
    if not is_array(value):
        raise Rejection("schema", "type", "must be of type array")
    for index, message in enumerate(value):
        check_value(ChatMessage, message, index)


def _check_participant(value: Any) -> None:
    check_value(Participant, value)


def _accept(_: Any) -> None:
    """The state of a channel is any value."""
