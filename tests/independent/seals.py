"""Seals of documents, after the section of SPEC.md, with the standard library alone."""

import base64
import hashlib
import hmac

import schema
from json_text import Rejection, check_text, parse, pointer, write

FEWEST_BYTES = 16
SEAL_SCHEMA = {"$ref": "#/$defs/Seal"}


def key_of(request):
    """The bytes of the key, which may be too few, and its name."""
    key = base64.b64decode(request["key"], validate=True)
    if len(key) < FEWEST_BYTES or not any(key):
        raise Rejection("semantic", "seal.key", None)
    return key, request.get("keyId")


def object_of(document):
    value = parse(document)
    if not isinstance(value, dict):
        raise Rejection("schema", "type", "")
    check_whole_text(value, "")
    return value


def check_whole_text(value, at):
    """A canonical form has no half of a surrogate pair, whatever the kind of the document."""
    if isinstance(value, str):
        check_text(value, at)
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in steps:
        if isinstance(step, str):
            check_text(step, at)
        check_whole_text(inner, pointer(at, step))


def code_of(document, seal, key):
    """The code of a document with this seal, which does not count its own `mac`."""
    covered = document | {"seal": {name: value for name, value in seal.items() if name != "mac"}}
    return base64.b64encode(hmac.digest(key, write(covered).encode(), hashlib.sha256)).decode()


def seal(document, request):
    key, name = key_of(request)
    value = object_of(document)
    if "seal" in value:
        raise Rejection("semantic", "seal.present", "/seal")
    made = {"algorithm": "HMAC-SHA256"} | ({} if name is None else {"keyId": name})
    return write(value | {"seal": made | {"mac": code_of(value, made, key)}})


def unseal(document, request):
    key, name = key_of(request)
    value = object_of(document)
    if "seal" not in value:
        raise Rejection("semantic", "seal.missing", "/seal")
    found = value["seal"]
    schema.check_against(found, SEAL_SCHEMA, "/seal")
    if name is not None and found.get("keyId", name) != name:
        raise Rejection("semantic", "seal.other-key", "/seal/keyId")
    if not hmac.compare_digest(code_of(value, found, key), found["mac"]):
        raise Rejection("semantic", "seal.mismatch", "/seal/mac")
    return write({name: inner for name, inner in value.items() if name != "seal"})
