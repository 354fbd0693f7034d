"""Lets chatstate test an SDK."""

import json
import sys
import traceback
from typing import Any

NAME = "my-sdk"

# What the SDK promises. A case that needs something else is skipped.
CAPABILITIES = ["round-trip", "chat", "sessions", "events", "unknown-members"]


def read_and_write(document_type: str, text: str) -> str:
    """Reads a document and writes it again.

    Put here the calls with which your users load and save a document of `document_type`, such as
    `ChatState` or `Event`.
    """
    del document_type
    return json.dumps(json.loads(text))


def rejected(category: str, error: Exception) -> dict[str, Any]:
    """A rejection: `syntax` for what is not JSON, `schema` for a value that breaks the schema.

    Add `"at"`, a JSON Pointer, if the SDK says where.
    """
    return {"rejected": {"class": category, "message": str(error)}}


def start(request: dict[str, Any]) -> dict[str, Any]:
    """Answers the handshake."""
    if request.get("protocol") != 1:
        return {"protocol": 0, "error": "this adapter supports protocol 1"}
    implementation = {"name": NAME, "version": "0.1.0", "language": "python"}
    return {"protocol": 1, "implementation": implementation, "capabilities": CAPABILITIES}


def run(request: dict[str, Any]) -> dict[str, Any]:
    """Answers one request: what the SDK makes of one document."""
    if request["op"] != "round-trip":
        return {"unsupported": "only `round-trip` is there"}
    if "input" not in request:
        # Documents that are not UTF-8 arrive as `inputBase64`; no text of Python can hold one.
        return rejected("syntax", ValueError("the document is not UTF-8"))
    try:
        return {"ok": read_and_write(request["type"], request["input"])}
    except json.JSONDecodeError as error:
        return rejected("syntax", error)
    except Exception:  # shown as a fault of this case, and the next case continues
        return {"fault": traceback.format_exc()}


def main() -> None:
    """Serves until `stop` or the end of the input."""
    for line in sys.stdin.buffer:
        request = json.loads(line)
        if request["cmd"] == "stop":
            return
        if request["cmd"] == "start":
            answer = start(request)
        else:
            answer = {"seq": request["seq"], **run(request)}
        print(json.dumps(answer), flush=True)


main()
