"""Lets the chatstate runner test the generated Python package.

One JSON request per line on stdin, one JSON answer per line on stdout (adapter protocol 1).
Documents travel as strings of JSON text, so that only the package itself reads or writes them.
"""

import base64
import json
import sys
import traceback
from collections.abc import Callable
from functools import cache
from typing import Any, Protocol, cast

import chatstate
from behaviour import BEHAVIOUR
from chatstate import Rejection, SealKey
from chatstate._runtime.model import Document as Root
from chatstate._runtime.model import Readable
from chatstate.chats.channel_key import channel_key_of
from chatstate.generated import models


class Document(Protocol):
    """What every type can do."""

    @classmethod
    def from_json(cls, text: str | bytes) -> "Document":
        """Reads a document."""
        ...

    def to_json(self) -> str:
        """Writes it again."""
        ...


@cache
def document_type(name: str) -> type[Document] | None:
    """The class for a definition of the schema, or none. One that is no class gets one of its own."""
    exported: object = getattr(models, name, None)
    if exported is None or isinstance(exported, type) and not issubclass(exported, Readable):
        return None
    if isinstance(exported, type):
        return cast(type[Document], exported)
    return cast(type[Document], type(name, (Root,), {"__annotations__": {"root": exported}}))


Json = dict[str, Any]
Text = str | bytes

def bytes_in(text: Text) -> bytes:
    """The bytes whose Base64 a JSON string is."""
    encoded = chatstate.parse(text)
    try:
        decoded = base64.b64decode(encoded, validate=True)
        if base64.b64encode(decoded).decode() == encoded:
            return decoded
    except (TypeError, ValueError):
        pass
    raise Rejection("schema", "base64", "must be Base64 in a text")


# The operations on a document that has no type of its own.
OPERATIONS: dict[str, Callable[[Text], str]] = {
    "canonicalize": chatstate.canonicalize,
    "encode": lambda text: chatstate.encode(chatstate.ChatState.from_json(text)).to_json(),
    "decode": lambda text: chatstate.decode(chatstate.EncodedChatState.from_json(text)).to_json(),
    "channel-key": lambda text: chatstate.write(channel_key_of(text)),
    "to-cbor": lambda text: chatstate.write(base64.b64encode(chatstate.to_cbor(text)).decode()),
    "from-cbor": lambda text: chatstate.from_cbor(bytes_in(text)),
}

# The operations that need a key.
SEALING: dict[str, Callable[[Text, SealKey], str]] = {"seal": chatstate.seal, "unseal": chatstate.unseal}

CAPABILITIES = [
    "round-trip",
    "validate",
    *OPERATIONS,
    *SEALING,
    *BEHAVIOUR,
    "snapshots",
    "warnings",
    "branches",
    "chat",
    "sessions",
    "events",
    "chunks",
    "unknown-members",
    "unknown-variants",
    "big-numbers",
    "split-surrogates",
    "definitions",
]


def start(request: Json) -> Json:
    """Answers the handshake; another version of the protocol is rejected."""
    if request.get("protocol") != 1:
        error = f"this adapter supports protocol 1, not {request.get('protocol')}"
        return {"protocol": 0, "error": error}
    implementation = {"name": "chatstate", "version": "0.1.0", "language": "python"}
    return {
        "protocol": 1,
        "implementation": implementation,
        "capabilities": CAPABILITIES,
        "maxInFlight": 16,
    }


def run(request: Json) -> Json:
    """Answers one case."""
    op, name = str(request.get("op")), str(request.get("type"))
    text: Text = request.get("input", "")
    if "inputBase64" in request:
        text = base64.b64decode(request["inputBase64"])
    try:
        if op in OPERATIONS:
            return {"ok": OPERATIONS[op](text)}
        if op in SEALING:
            key = SealKey(base64.b64decode(request["key"]), request.get("keyId"))
            return {"ok": SEALING[op](text, key)}
        if op in BEHAVIOUR:
            return {"ok": BEHAVIOUR[op](text, request)}
        found = document_type(name) if op in ("round-trip", "validate") else None
        if found is None:
            return {"unsupported": f"`{op}` of `{name}`"}
        document = found.from_json(text)
    except Rejection as rejection:
        return {"rejected": rejected(rejection)}
    return {"ok": "true" if op == "validate" else document.to_json()}


def rejected(rejection: Rejection) -> Json:
    """Spells a rejection as the protocol does."""
    return {
        "class": rejection.category,
        "at": rejection.at,
        "rule": rejection.rule,
        "message": rejection.message,
    }


def main() -> None:
    """Serves until `stop` or the end of the input."""
    for line in sys.stdin.buffer:
        request = json.loads(line)
        command = request.get("cmd")
        if command == "stop":
            return
        if command == "start":
            answer = start(request)
        else:
            try:
                answer = run(request)
            except Exception:  # the runner shows it as a fault of this case, and the next case continues
                answer = {"fault": traceback.format_exc()}
            answer = {"seq": request.get("seq"), **answer}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
