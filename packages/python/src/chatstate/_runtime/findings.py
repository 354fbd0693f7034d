"""What pydantic finds, as one rejection."""

from __future__ import annotations

import ast
from typing import Any, cast

from pydantic import ValidationError

from .json_text import is_object
from .rejection import Rejection, pointer

_RULES = {
    "missing": "required",
    "extra_forbidden": "additionalProperties",
    "greater_than_equal": "minimum",
    "less_than_equal": "maximum",
    "string_pattern_mismatch": "pattern",
    "string_too_short": "minLength",
    "string_too_long": "maxLength",
    "too_short": "minItems",
    "too_long": "maxItems",
    "union_tag_invalid": "oneOf",
    "union_tag_not_found": "oneOf",
}
"""The keyword of JSON Schema for what pydantic says."""

_OURS = frozenset(
    [
        "type",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "uniqueItems",
        "const",
        "not",
        "oneOf",
    ]
)
"""The keywords that the annotations of this package say themselves."""


def rejection_of(error: ValidationError, document: Any) -> Rejection:
    """Gives the first finding as a rejection; `document` is what was read."""
    for finding in error.errors(include_url=False):
        # Of an integer, the second question says what is wrong.
        if "[plain]" not in finding["loc"]:
            return _rejection(cast(dict[str, Any], finding), document)
    return Rejection("schema", "type", str(error))


def _rejection(finding: dict[str, Any], document: Any) -> Rejection:
    path, value = _place(finding["loc"], document)
    kind, message = finding["type"], finding["msg"]
    inner = finding.get("ctx", {}).get("error")
    if isinstance(inner, Rejection):
        return inner.within(*path)
    message = message[:1].lower() + message[1:]
    if kind == "tag":
        return _tag(path, value, finding["ctx"], message)
    if kind in ("string_unicode", "unpaired-surrogate"):
        return Rejection("syntax", "unpaired-surrogate", message, pointer(path))
    if kind == "recursion_loop":
        return Rejection("limit", "depth", "the document is nested too deeply", pointer(path))
    if kind == "literal_error":
        rule = _literal(finding)
    else:
        rule = kind if kind in _OURS else _RULES.get(kind, "type")
    return Rejection("schema", rule, message, pointer(path))


def _place(location: tuple[str | int, ...], document: Any) -> tuple[tuple[str | int, ...], Any]:
    """Gives the path in the document, and what is there; variants of unions are no part of it."""
    path: list[str | int] = []
    value: Any = document
    for step in location:
        is_label = isinstance(step, str) and step.startswith("[") and step.endswith("]")
        if is_label and not (is_object(value) and step in value):
            continue
        path.append(step)
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            value = None
    return tuple(path), value


def _tag(path: tuple[str | int, ...], value: Any, context: Any, message: str) -> Rejection:
    """Says what is wrong with the tag of a union."""
    if not is_object(value):
        return Rejection("schema", "type", "must be of type object", pointer(path))
    name = cast(str, context["tag"])
    at = pointer((*path, name))
    if name not in value:
        return Rejection("schema", "required", f"the member `{name}` is missing", at)
    if not isinstance(value[name], str):
        return Rejection("schema", "type", "must be of type string", at)
    return Rejection("schema", "oneOf", message, at)


def _literal(finding: dict[str, Any]) -> str:
    """Tells a constant from an enumeration, and a value of another kind from one of its own."""
    expected = finding["ctx"]["expected"]
    try:
        ast.literal_eval(expected)
    except (ValueError, SyntaxError):
        known = int if expected[:1].isdigit() or expected[:1] == "-" else str
        return "enum" if type(finding["input"]) is known else "type"
    return "const"
