"""JSON text to Python values and back, without a loss.

`json` of the standard library does the work. Around it: duplicate names are rejected,
numbers keep their value where a double would not, and an unpaired surrogate is kept only where it
is allowed. Whatever is unusual about a text is left to `json_fault`, which reads it again and says
what is wrong and where.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from decimal import Decimal, InvalidOperation
from functools import cache
from math import isfinite
from typing import Any

from .json_fault import MAX_DEPTH, find_fault, pairless
from .rejection import Rejection

_SURROGATE_ESCAPE = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])"
    r"|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F]"
)
_WHITE_SPACE = " \t\n\r"
_SURROGATE = re.compile("[\ud800-\udfff]")


def parse(text: str | bytes) -> Any:
    """Reads a document; `Rejection` if it is not JSON, or holds an unpaired surrogate."""
    value, has_unpaired = parse_with_unpaired(text)
    if has_unpaired:
        reject_unpaired(value)
    return value


def parse_with_unpaired(text: str | bytes) -> tuple[Any, bool]:
    """Reads a document, and says whether an unpaired surrogate is at an end of a text in it."""
    if type(text) is not str or not text.isascii():
        text = text_of(text)
    if text[:1] in _WHITE_SPACE:
        text = text.lstrip(_WHITE_SPACE)
    try:
        value, end = _decode(text)
    except (ValueError, InvalidOperation, RecursionError) as error:
        if "digits" not in str(error):
            raise _fault_of(text) from None
        value, end = _decode_long(text)
    if end != len(text) and text[end:].strip(_WHITE_SPACE):
        raise _fault_of(text)
    if text.count("[") + text.count("{") > MAX_DEPTH:
        _reject_deep(value)
    has_unpaired = "\\u" in text and _may_hold_unpaired(text)
    if has_unpaired:
        fault = find_fault(text)
        if fault is not None:
            raise fault
    return value, has_unpaired


def _may_hold_unpaired(text: str) -> bool:
    # An escaped backslash before `u` only looks like an escape; telling the two apart is not worth it.
    return "\\\\u" in text or _SURROGATE_ESCAPE.search(text) is not None


def write(value: Any, inside: Callable[[Any], Any] | None = None) -> str:
    """Writes a value as compact JSON text; `TypeError` or `ValueError` if it is none.

    A `Rejection` if it is nested too deeply. `inside` gives what represents a value that is no type of JSON.
    """
    try:
        return with_escaped_halves(_written(value, inside))
    except RecursionError:
        raise too_deep() from None


def too_deep() -> Rejection:
    """Gives the rejection of a value in which Python calls itself too often."""
    message = f"the value holds itself, or is nested beyond what is read again ({MAX_DEPTH} levels)"
    return Rejection("limit", "depth", message)


def _written(value: Any, inside: Callable[[Any], Any] | None) -> str:
    try:
        return _writer(inside)(value)
    except _DecimalFound:
        parts: list[str] = []
        _append(parts, value, inside)
        return "".join(parts)


def with_escaped_halves(text: str) -> str:
    """Gives a JSON text with its unpaired surrogates as escapes, so that it can be encoded."""
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            return _SURROGATE.sub(lambda surrogate: f"\\u{ord(surrogate[0]):04x}", text)
    return text


def is_object(value: Any) -> bool:
    """Whether a value is an object of JSON."""
    return isinstance(value, dict)


def is_array(value: Any) -> bool:
    """Whether a value is an array of JSON."""
    return isinstance(value, (list, tuple))


def reject_unpaired(value: Any, *path: str | int) -> None:
    """Rejects an unpaired surrogate anywhere in a value."""
    for inner, step in members_of(value):
        reject_unpaired(inner, *path, step)
    if type(value) is str and holds_unpaired(value):
        raise pairless().within(*path)


def members_of(value: Any) -> Iterator[tuple[Any, str | int]]:
    """Gives what an object or an array holds, and where."""
    if is_object(value):
        for name, member in value.items():
            yield member, name
    elif is_array(value):
        for index, item in enumerate(value):
            yield item, index


def holds_unpaired(text: str) -> bool:
    """Whether a text holds an unpaired surrogate."""
    return not text.isascii() and _SURROGATE.search(text) is not None


def is_split(text: str) -> bool:
    """Whether a text holds an unpaired surrogate only at its ends, a low one at the start or a high one at the end."""
    low, high = "\udc00" <= text[:1] <= "\udfff", "\ud800" <= text[-1:] < "\udc00"
    return not holds_unpaired(text[low : len(text) - high])


def text_of(text: str | bytes) -> str:
    """Gives the text of a document; `Rejection` of bytes that are no UTF-8, and of a byte order mark."""
    try:
        if isinstance(text, str):
            # A text of Python may hold unpaired surrogates itself; encoding finds them.
            if not text.isascii():
                text.encode()
        else:
            text = bytes(text).decode()
    except UnicodeError as error:
        message = f"the document is not UTF-8 ({error}); save it as UTF-8"
        raise Rejection("syntax", "utf-8", message) from None
    if text.startswith("\ufeff"):
        message = "the document begins with a byte order mark; save it as UTF-8 without one"
        raise Rejection("syntax", "byte-order-mark", message)
    return text


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _NotPlainError
    return members


def _number(text: str) -> float | Decimal:
    """Gives the double if it has the value of the text, else the exact decimal."""
    double = float(text)
    if isfinite(double):
        shortest = repr(double)
        if shortest == text or Decimal(shortest) == Decimal(text):
            return double
    return Decimal(text)


def _constant(_: str) -> Any:
    raise _NotPlainError


class _NotPlainError(ValueError):
    """The text is not what it should be; the second reader says why."""


_decode = json.JSONDecoder(
    object_pairs_hook=_object, parse_float=_number, parse_constant=_constant
).raw_decode

# Python makes no integer of more than some thousand digits; a decimal has no such limit.
_decode_long = json.JSONDecoder(
    object_pairs_hook=_object, parse_float=_number, parse_constant=_constant, parse_int=Decimal
).raw_decode


def _fault_of(text: str) -> Rejection:
    fault = find_fault(text)
    if fault is not None:
        return fault
    message = f"a number or the nesting is beyond what is read here ({MAX_DEPTH} levels)"
    return Rejection("limit", "depth", message)


_CONTAINERS = frozenset([dict, list])


def _reject_deep(value: Any) -> None:
    level: list[Any] = [value]
    depth = 0
    while level:
        level = [
            inner
            for outer in level
            for inner in (outer.values() if is_object(outer) else outer)
            if type(inner) in _CONTAINERS
        ]
        depth += 1
        if depth > MAX_DEPTH:
            message = f"the document is nested deeper than {MAX_DEPTH} levels"
            raise Rejection("limit", "depth", message)


class _DecimalFound(Exception):
    """A value holds a number that `json` would round."""


@cache
def _writer(inside: Callable[[Any], Any] | None) -> Callable[[Any], str]:
    """Gives the writer of values without decimals.

    `encode` makes its inner part again for each value, which costs more than writing a small document;
    where the inner part can be had, it is made once.
    """

    def default(value: Any) -> Any:
        if isinstance(value, Decimal):
            raise _DecimalFound
        return _no_json(value) if inside is None else inside(value)

    encode = json.JSONEncoder(
        ensure_ascii=False,
        check_circular=False,
        allow_nan=False,
        separators=(",", ":"),
        default=default,
    ).encode
    make: Any = getattr(json.encoder, "c_make_encoder", None)
    escape: Any = getattr(json.encoder, "encode_basestring", None)
    if make is None or escape is None:
        return encode
    chunks = make(None, default, escape, None, ":", ",", False, False, False)
    return lambda value: "".join(chunks(value, 0))


def _no_json(value: Any) -> Any:
    raise TypeError(f"`{type(value).__name__}` is no type of JSON; use dict, list, str, int or float")


def _append(parts: list[str], value: Any, inside: Callable[[Any], Any] | None) -> None:
    """Appends a value part by part, which is slow and loses no digit."""
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise ValueError(f"`{value}` is no number of JSON")
        parts.append(str(value))
    elif is_object(value):
        separator = "{"
        for name, member in value.items():
            parts.append(f"{separator}{write(name)}:")
            _append(parts, member, inside)
            separator = ","
        parts.append("}" if value else "{}")
    elif is_array(value):
        separator = "["
        for item in value:
            parts.append(separator)
            _append(parts, item, inside)
            separator = ","
        parts.append("]" if value else "[]")
    elif value is None or isinstance(value, (bool, int, float, str)):
        parts.append(write(value))
    else:
        _append(parts, (inside or _no_json)(value), inside)
