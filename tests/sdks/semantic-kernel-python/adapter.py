"""Lets the chatstate runner talk to the PyPI package `semantic-kernel`.

One JSON request per line on stdin, one JSON answer per line on stdout (adapter protocol 1). The runner
converts documents into the package's own format and back, because the handshake names the dialect, so
that this adapter only loads and saves chats as a user of the package does.
"""

import base64
import json
import sys
import traceback
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

from pydantic import ValidationError
from semantic_kernel.agents.group_chat.agent_chat_utils import KeyEncoder
from semantic_kernel.contents import ChatHistory, ChatMessageContent
from semantic_kernel.exceptions import AgentExecutionException, ContentInitializationError

PROTOCOL = 1

# The package reads and writes no participants and no channels, and drops what it does not know. That is
# a finding about saved chats and no reason to skip them; expected-failures.toml lists what comes of it.
CAPABILITIES = ["round-trip", "channel-key", "chat", "unknown-members", "unknown-variants", "big-numbers"]

Json = dict[str, Any]


def chat(text: str) -> str:
    """Restores a chat history and serializes it again."""
    return ChatHistory.restore_chat_history(text).serialize()


def message(text: str) -> str:
    """Reads one message and writes it again, with the settings with which a history is serialized."""
    return ChatMessageContent.model_validate_json(text).model_dump_json(exclude_none=True, indent=2)


ROUND_TRIPS: dict[str, Callable[[str], str]] = {"ChatState": chat, "ChatMessage": message}


def channel_key(text: str) -> str:
    """Makes the key of a channel from the texts that identify it."""
    return json.dumps(KeyEncoder.generate_hash(json.loads(text)))


def start(request: Json) -> Json:
    """Answers the handshake; another version of the protocol is rejected."""
    if request.get("protocol") != PROTOCOL:
        error = f"this adapter supports protocol {PROTOCOL}, not {request.get('protocol')}"
        return {"protocol": 0, "error": error}
    implementation = {
        "name": "semantic-kernel",
        "version": version("semantic-kernel"),
        "language": "python",
    }
    return {
        "protocol": PROTOCOL,
        "implementation": implementation,
        "capabilities": CAPABILITIES,
        "dialect": "semantic-kernel-python",
        "maxInFlight": 16,
    }


def run(request: Json) -> Json:
    """Answers one case. Only what the package says about the input is a rejection."""
    is_key = request.get("op") == "channel-key"
    answer = channel_key if is_key else ROUND_TRIPS.get(str(request.get("type")))
    if request.get("op") not in ("round-trip", "channel-key") or answer is None:
        return {"unsupported": f"`{request.get('op')}` of `{request.get('type')}`"}
    text = request.get("input", "")
    if "inputBase64" in request:
        text = base64.b64decode(request["inputBase64"])
    try:
        return {"ok": answer(text)}
    except json.JSONDecodeError as error:
        return {"rejected": {"class": "syntax", "message": str(error)}}
    except (AgentExecutionException, ContentInitializationError, ValidationError) as error:
        return {"rejected": rejection(error)}


def rejection(error: Exception) -> Json:
    """Gives the package's rejection, with a class where pydantic has found the reason."""
    finding = error if isinstance(error, ValidationError) else error.__cause__ or error.__context__
    found: Json = {"message": str(error)[:500]}
    if isinstance(finding, ValidationError):
        is_json = finding.errors()[0]["type"] != "json_invalid"
        found["class"] = "schema" if is_json else "syntax"
    return found


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
