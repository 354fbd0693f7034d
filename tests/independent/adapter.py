"""A second implementation of the format, written after SPEC.md and `schema/v1` with Python's standard
library alone. It shares no code with the reference and none that is generated, so that the kit does
not merely agree with itself."""

import base64
import binascii
import hashlib
import json
import platform
import re
import sys
import traceback

import schema
import seals
from json_text import Rejection, check_text, parse, pointer, write

FEATURES = ["chat", "sessions", "events", "unknown-members", "unknown-variants", "big-numbers", "split-surrogates", "definitions"]
VERSIONED = {"ChatState", "EncodedChatState", "AgentSession"}
BLANK = re.compile(r"\s*")


def check(value, name):
    """Rejects a document that is not of this type: its version first, then its values, then its sense."""
    sessions = list(enumerate(value)) if name == "SessionList" and isinstance(value, list) else []
    if name in VERSIONED:
        check_version(value, "")
    for index, session in sessions:
        check_version(session, pointer("", index))
    schema.check(value, name)
    if name == "AgentSession":
        check_bag(value, "")
    for index, session in sessions:
        check_bag(session, pointer("", index))


def check_version(value, at):
    version = value.get("schemaVersion") if isinstance(value, dict) else None
    if isinstance(version, str) and not re.fullmatch(r"1(\.[0-9]+)?", version):
        raise Rejection("version", "version.unspoken", pointer(at, "schemaVersion"))


def check_bag(session, at):
    for key in session["stateBag"]:
        if BLANK.fullmatch(key):
            raise Rejection("semantic", "session.blank-key", pointer(pointer(at, "stateBag"), key))


def check_all_text(value, at):
    """Text that no type allows to be cut has no half surrogate pair."""
    if isinstance(value, str):
        check_text(value, at)
    for step, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        if isinstance(step, str):
            check_text(step, at)
        check_all_text(inner, pointer(at, step))


def round_trip(document, name):
    value = parse(document)
    check(value, name)
    return write(value)


def validate(document, name):
    check(parse(document), name)
    return "true"


def canonicalize(document):
    value = parse(document)
    check_all_text(value, "")
    return write(value)


def channel_key(document):
    parts = parse(document)
    if not isinstance(parts, list):
        raise Rejection("schema", "type", "")
    for index, part in enumerate(parts):
        if not isinstance(part, str):
            raise Rejection("schema", "type", pointer("", index))
        check_text(part, pointer("", index))
    digest = hashlib.sha256(":".join(parts).encode()).digest()
    return write(base64.b64encode(digest).decode())


def encode(document):
    state = parse(document)
    check(state, "ChatState")
    reject_seal(state)
    encoded = {name: value for name, value in state.items() if name != "encoding"}
    encoded["encoding"] = "base64"
    encoded["history"] = encode_value(state["history"])
    if "participants" in state:
        encoded["participants"] = [encode_value(one) for one in state["participants"]]
    encoded["channels"] = [one | {"channelstate": encode_value(one["channelstate"])} for one in state["channels"]]
    return write(encoded)


def encode_value(value):
    return base64.b64encode(write(value).encode()).decode()


def decode(document):
    encoded = parse(document)
    check(encoded, "EncodedChatState")
    reject_seal(encoded)
    state = {name: value for name, value in encoded.items() if name != "encoding"}
    state["history"] = decode_value(encoded["history"], {"type": "array", "items": {"$ref": "#/$defs/ChatMessage"}}, "/history")
    if "participants" in encoded:
        state["participants"] = [
            decode_value(one, {"$ref": "#/$defs/Participant"}, f"/participants/{index}")
            for index, one in enumerate(encoded["participants"])
        ]
    state["channels"] = [
        one | {"channelstate": decode_value(one["channelstate"], {}, f"/channels/{index}/channelstate")}
        for index, one in enumerate(encoded["channels"])
    ]
    return write(state)


def decode_value(text, kind, at):
    """The value in an encoded text. The place of a rejection is the text: there is none inside."""
    try:
        decoded = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise Rejection("schema", "pattern", at) from error
    if base64.b64encode(decoded).decode() != text:
        raise Rejection("schema", "pattern", at)
    try:
        value = parse(decoded)
        schema.check_against(value, kind, "")
    except Rejection as rejection:
        raise Rejection(rejection.kind, rejection.rule, at) from rejection
    return value


def reject_seal(state):
    if "seal" in state:
        raise Rejection("semantic", "encoding.sealed", "/seal")


OPERATIONS = {
    "round-trip": round_trip,
    "validate": validate,
    "canonicalize": canonicalize,
    "channel-key": channel_key,
    "encode": encode,
    "decode": decode,
}


# The operations that need a key.
SEALING = {"seal": seals.seal, "unseal": seals.unseal}


def start(request):
    if request["protocol"] != 1:
        return {"protocol": 0, "error": "this adapter supports protocol 1"}
    implementation = {"name": "python-standard-library", "version": platform.python_version(), "language": "python"}
    return {"protocol": 1, "implementation": implementation, "capabilities": [*OPERATIONS, *SEALING, *FEATURES]}


def run(request):
    operation = OPERATIONS.get(request["op"], SEALING.get(request["op"]))
    if operation is None:
        return {"unsupported": f"`{request['op']}` is not there"}
    document = base64.b64decode(request["inputBase64"]) if "inputBase64" in request else request["input"]
    try:
        if request["op"] in SEALING:
            return {"ok": operation(document, request)}
        return {"ok": operation(document, request["type"]) if "type" in request else operation(document)}
    except Rejection as rejection:
        place = {} if rejection.at is None else {"at": rejection.at}
        return {"rejected": {"class": rejection.kind, "rule": rejection.rule, "message": str(rejection)} | place}


def main():
    for line in sys.stdin.buffer:
        request = json.loads(line)
        if request["cmd"] == "stop":
            break
        if request["cmd"] == "start":
            answer = start(request)
        else:
            try:
                answer = run(request)
            except Exception:  # a defect of this adapter costs one case and not the run
                answer = {"fault": traceback.format_exc()}
            answer["seq"] = request["seq"]
        print(json.dumps(answer), flush=True)


main()
