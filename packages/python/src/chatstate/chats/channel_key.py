"""The key under which the state of a channel is saved."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable

from .._runtime.json_text import is_array, parse
from .._runtime.rejection import Rejection


def channel_key(keys: Iterable[str]) -> str:
    """Gives the channel key of an agent's keys: Base64 of the SHA-256 of the keys joined by `:`."""
    return base64.b64encode(hashlib.sha256(":".join(keys).encode()).digest()).decode()


def channel_key_of(text: str | bytes) -> str:
    """Gives the channel key of a JSON array of strings."""
    keys = parse(text)
    if not is_array(keys):
        raise Rejection("schema", "type", "must be of type array")
    for index, key in enumerate(keys):
        if not isinstance(key, str):
            raise Rejection("schema", "type", "must be of type string", f"/{index}")
    return channel_key(keys)
