"""The canonical form of a JSON value: RFC 8785 with exact numbers, and what is made of it."""

from __future__ import annotations

import hashlib
from decimal import Decimal
from typing import Any

from pydantic import BaseModel

from .json_text import is_array, is_object, parse, write

_MAX_PLAIN_DIGITS = 1000


def canonical(value: Any) -> str:
    """Gives the canonical text of a JSON value, such as `parse` gives, or of a model."""
    parts: list[str] = []
    _append(parts, value)
    return "".join(parts)


def canonicalize(text: str | bytes) -> str:
    """Gives the canonical text of a document; `Rejection` if it is not JSON."""
    return canonical(parse(text))


def digest(value: Any) -> str:
    """Gives the lower-case hexadecimal SHA-256 of the canonical text of a JSON value or a model."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def equals(left: Any, right: Any) -> bool:
    """Whether two JSON values or models mean the same: order of members and spelling aside.

    A text is a value of JSON, too; `parse` gives the value that JSON text has.
    """
    return canonical(left) == canonical(right)


def _append(parts: list[str], value: Any) -> None:
    if is_object(value):
        separator = "{"
        for name in sorted(value, key=_utf16):
            parts.append(f"{separator}{write(name)}:")
            _append(parts, value[name])
            separator = ","
        parts.append("}" if value else "{}")
    elif is_array(value):
        separator = "["
        for item in value:
            parts.append(separator)
            _append(parts, item)
            separator = ","
        parts.append("]" if value else "[]")
    elif isinstance(value, (int, float, Decimal)) and not isinstance(value, bool):
        parts.append(_number(value))
    elif isinstance(value, BaseModel):
        # The models are made of what is here.
        from .model import plain

        _append(parts, plain(value))
    else:
        parts.append(write(value))


def _utf16(name: str) -> bytes:
    """The order of names: that of their UTF-16 code units."""
    return name.encode("utf-16-be", "surrogatepass")


def _number(value: float | Decimal) -> str:
    """Gives the spelling of a double if it has exactly this value, else the exact one."""
    if isinstance(value, float):
        return _double(value)
    if isinstance(value, int) and -(2**53) <= value <= 2**53:
        return str(value)
    exact = Decimal(value)
    try:
        nearest = float(exact)
    except OverflowError:
        return _decimal(exact)
    text = _double(nearest)
    return text if Decimal(text) == exact else _decimal(exact)


def _double(value: float) -> str:
    """Spells a double as ECMAScript does."""
    if value != value or value in (float("inf"), float("-inf")):
        return "Infinity"
    sign, digits, point = _digits(Decimal(repr(value)))
    if not digits:
        return "0"
    if len(digits) <= point <= 21:
        return f"{sign}{digits}{'0' * (point - len(digits))}"
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    return _scientific(sign, digits, point)


def _decimal(value: Decimal) -> str:
    """Spells a number exactly: integers in plain digits, unless they are very long."""
    sign, digits, point = _digits(value)
    if not digits:
        return "0"
    if len(digits) <= point <= _MAX_PLAIN_DIGITS:
        return f"{sign}{digits}{'0' * (point - len(digits))}"
    return _scientific(sign, digits, point)


def _scientific(sign: str, digits: str, point: int) -> str:
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{fraction}e{point - 1:+d}"


def _digits(value: Decimal) -> tuple[str, str, int]:
    """Gives the sign, the digits without zeros at either end, and where the point is."""
    parts = value.as_tuple()
    if not isinstance(parts.exponent, int):
        raise ValueError(f"`{value}` is no number of JSON")
    text = "".join(map(str, parts.digits))
    point = len(text) + parts.exponent
    stripped = text.lstrip("0")
    point -= len(text) - len(stripped)
    return "-" if parts.sign else "", stripped.rstrip("0"), point
