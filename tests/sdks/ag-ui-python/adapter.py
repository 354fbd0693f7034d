"""Lets the chatstate runner talk to the PyPI package `ag-ui-protocol`.

One JSON request per line on stdin, one JSON answer per line on stdout (adapter protocol 1).
Documents travel as strings of JSON text, so that only the package itself ever reads or writes them.
"""

import base64
import json
import sys
import traceback
from functools import cache
from importlib.metadata import version
from typing import Any

from ag_ui import core
from ag_ui.core import Event, StateDeltaEvent
from pydantic import TypeAdapter, ValidationError

PROTOCOL = 1


@cache
def reader_of(name: str) -> TypeAdapter[Any] | None:
    """What reads a definition, by its name in the specification, or none."""
    if name == "EventStream":
        return TypeAdapter(list[Event])
    # Patches and their operations are not exported, only defined beside the event that has them.
    exported = getattr(core, name, None) or getattr(sys.modules[StateDeltaEvent.__module__], name, None)
    return None if exported is None else TypeAdapter(exported)


# What AG-UI 1.0 promises to the user of an SDK: numbers and text keep their values, and what a newer
# peer adds survives an older reader. A capability that is left out turns a finding into a skip, so the
# promises that this package does not keep are declared too; expected-failures.toml lists them.
CAPABILITIES = [
    "round-trip",
    "validate",
    "events",
    "chunks",
    "unknown-members",
    "unknown-variants",
    "big-numbers",
    "split-surrogates",
    "definitions",
]

Json = dict[str, Any]


def start(request: Json) -> Json:
    """Answers the handshake; another version of the protocol is rejected."""
    if request.get("protocol") != PROTOCOL:
        error = f"this adapter supports protocol {PROTOCOL}, not {request.get('protocol')}"
        return {"protocol": 0, "error": error}
    name = "ag-ui-protocol"
    implementation = {"name": name, "version": version(name), "language": "python"}
    return {
        "protocol": PROTOCOL,
        "implementation": implementation,
        "capabilities": CAPABILITIES,
        "maxInFlight": 16,
    }


def run(request: Json) -> Json:
    """Answers one case. Only what the package says about the input is a rejection."""
    op = request.get("op")
    reader = reader_of(str(request.get("type"))) if op in ("round-trip", "validate") else None
    if reader is None:
        return {"unsupported": f"`{op}` of `{request.get('type')}`"}
    text: str | bytes = request.get("input", "")
    if "inputBase64" in request:
        text = base64.b64decode(request["inputBase64"])
    try:
        value = reader.validate_json(text)
    except ValidationError as error:
        return {"rejected": rejection(error, text)}
    if op == "validate":
        return {"ok": "true"}
    # The package's own encoder writes `model_dump_json(by_alias=True)`; this is the same for any type.
    return {"ok": reader.dump_json(value, by_alias=True).decode()}


def rejection(error: ValidationError, text: str | bytes) -> Json:
    """Gives pydantic's findings as one rejection, with a place only where they agree on one."""
    details = error.errors(include_url=False, include_input=False)
    if details[0]["type"] == "json_invalid":
        syntax_class = "limit" if "recursion limit" in details[0]["msg"] else "syntax"
        return {"class": syntax_class, "message": details[0]["msg"]}
    document = json.loads(text)
    places = [place(detail, document) for detail in details]
    found: Json = {"class": "schema", "message": "; ".join(detail["msg"] for detail in details)[:500]}
    # A member that takes text or a list has findings for both; the deepest of them is the precise one.
    deepest = max(places, key=lambda pointer: len(pointer or ""))
    if all(pointer is not None and f"{deepest}/".startswith(f"{pointer}/") for pointer in places):
        found["at"] = deepest
    return found


def place(detail: Any, document: Any) -> str | None:
    """Gives the JSON pointer of one finding; None if pydantic's location does not say."""
    segments = resolve(document, list(detail["loc"]), detail["type"] == "missing")
    if segments is None:
        return None
    if detail["type"] in ("union_tag_invalid", "union_tag_not_found"):
        segments.append(detail["ctx"]["discriminator"].strip("'"))
    return "".join("/" + str(segment).replace("~", "~0").replace("/", "~1") for segment in segments)


def resolve(value: Any, location: list[str | int], missing: bool) -> list[str | int] | None:
    """Reads pydantic's location as the path in the document: it also names the union variants it tried."""
    if not location:
        return []
    head, rest = location[0], location[1:]
    known = (isinstance(value, dict) and head in value) or (
        isinstance(value, list) and isinstance(head, int) and head < len(value)
    )
    if known:
        path = resolve(value[head], rest, missing)
        if path is not None:
            return [head, *path]
    tags = [value.get(tag) for tag in ("type", "role", "op")] if isinstance(value, dict) else []
    if head in tags or head == "str" or str(head).startswith("list["):
        if rest or not missing:
            path = resolve(value, rest, missing)
            if path is not None:
                return path
    return [head] if missing and not rest and isinstance(value, dict) else None


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
