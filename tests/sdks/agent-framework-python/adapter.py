"""Lets the chatstate runner talk to the PyPI package `agent-framework-core`.

One JSON request per line on stdin, one JSON answer per line on stdout (adapter protocol 1). The runner
converts documents into the package's own format and back, because the handshake names the dialect, so
that this adapter only loads and saves sessions and messages as a user of the package does.
"""

import base64
import json
import sys
import traceback
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

from agent_framework import AgentSession, Message

PROTOCOL = 1

# The package takes contents of unknown types and keeps them, and a session's state may hold anything. It
# does not take unknown members; that is a finding and no reason to skip, see expected-failures.toml.
CAPABILITIES = ["round-trip", "chat", "sessions", "unknown-members", "unknown-variants", "big-numbers"]

Json = dict[str, Any]


def session(value: Any) -> Any:
    """Restores a session and makes it plain data again."""
    return AgentSession.from_dict(value).to_dict()


def message(value: Any) -> Any:
    """Restores a message and makes it plain data again."""
    return Message.from_dict(value).to_dict()


# The package makes plain data; its users save that with `json`. A chat is a list of messages.
ROUND_TRIPS: dict[str, Callable[[Any], Any]] = {
    "AgentSession": session,
    "SessionList": lambda values: [session(value) for value in values],
    "ChatMessage": message,
    "ChatState": lambda values: [message(value) for value in values],
}


def start(request: Json) -> Json:
    """Answers the handshake; another version of the protocol is rejected."""
    if request.get("protocol") != PROTOCOL:
        error = f"this adapter supports protocol {PROTOCOL}, not {request.get('protocol')}"
        return {"protocol": 0, "error": error}
    implementation = {
        "name": "agent-framework-core",
        "version": version("agent-framework-core"),
        "language": "python",
    }
    return {
        "protocol": PROTOCOL,
        "implementation": implementation,
        "capabilities": CAPABILITIES,
        "dialect": "agent-framework-python",
        "maxInFlight": 16,
    }


def run(request: Json) -> Json:
    """Answers one case. Only what the package says about the input is a rejection."""
    round_trip = ROUND_TRIPS.get(str(request.get("type")))
    if request.get("op") != "round-trip" or round_trip is None:
        return {"unsupported": f"`{request.get('op')}` of `{request.get('type')}`"}
    text = request.get("input", "")
    if "inputBase64" in request:
        text = base64.b64decode(request["inputBase64"])
    try:
        document = json.loads(text)
    except ValueError as error:
        return {"rejected": {"class": "syntax", "message": str(error)}}
    try:
        return {"ok": json.dumps(round_trip(document))}
    except ValueError as error:
        return {"rejected": {"class": "schema", "message": str(error)}}


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
