"""The second form of documents: CBOR (RFC 8949), with the same values, in the one way of its section 4.2.1.

It does not keep the order of members or the spelling of numbers.
"""

from __future__ import annotations

import re
import struct
from decimal import Decimal
from typing import Any, Final

from .._runtime.canonical import canonical
from .._runtime.json_fault import pairless
from .._runtime.json_text import (
    holds_unpaired,
    is_array,
    is_object,
    is_split,
    parse,
    parse_with_unpaired,
    write,
)
from .._runtime.rejection import Rejection

_MAX_DEPTH: Final = 512
_MAX_DIGITS: Final = 100_000
_INTEGER: Final = re.compile(r"-?[0-9]+")
_SIMPLE: Final[dict[int, Any]] = {20: False, 21: True, 22: None}
_FLOATS: Final = ((">e", 0xF9), (">f", 0xFA), (">d", 0xFB))
_POSITIVE, _NEGATIVE, _DECIMAL, _SPLIT_TEXT = 2, 3, 4, 273


def to_cbor(text: str | bytes) -> bytes:
    """Gives a document in CBOR; `Rejection` if it is not JSON."""
    value, _ = parse_with_unpaired(text)
    parts: list[bytes] = []
    _write(parts, value)
    return b"".join(parts)


def from_cbor(encoded: bytes) -> str:
    """Gives the document in CBOR as JSON text.

    `Rejection` of what JSON does not have, with the place and the byte where it begins. Integers and floats of any
    width are read, and names in any order.
    """
    reader = _Reader(bytes(encoded))
    value = reader.value()
    if reader.position < len(reader.encoded):
        raise _rejection("cbor", reader.position, "there are bytes after the value")
    return write(value)


def _head(major: int, count: int) -> bytes:
    """The head of a value: its kind and a number, which is not negative, in the shortest form."""
    if count < 24:
        return bytes([major << 5 | count])
    for code, width in ((24, 1), (25, 2), (26, 4), (27, 8)):
        if count < 1 << (8 * width):
            return bytes([major << 5 | code]) + count.to_bytes(width, "big")
    raise OverflowError("a head has at most eight bytes")


def _write(parts: list[bytes], value: Any) -> None:
    if is_object(value):
        parts.append(_head(5, len(value)))
        names = {_text(name): name for name in value}
        for encoded in sorted(names):
            parts.append(encoded)
            _write(parts, value[names[encoded]])
    elif is_array(value):
        parts.append(_head(4, len(value)))
        for item in value:
            _write(parts, item)
    elif isinstance(value, str):
        parts.append(_text(value))
    elif isinstance(value, bool) or value is None:
        code = next(code for code, simple in _SIMPLE.items() if simple is value)
        parts.append(_head(7, code))
    else:
        _write_number(parts, canonical(value))


def _text(text: str) -> bytes:
    if not holds_unpaired(text):
        encoded = text.encode()
        return _head(3, len(encoded)) + encoded
    if not is_split(text):
        raise pairless()
    encoded = text.encode("utf-8", "surrogatepass")
    return _head(6, _SPLIT_TEXT) + _head(2, len(encoded)) + encoded


def _write_number(parts: list[bytes], text: str) -> None:
    """Writes a number by its canonical text, so that the spellings of one value have one encoding."""
    if _INTEGER.fullmatch(text) and len(text) < 22 and -(2**64) <= int(text) < 2**64:
        parts.append(_integer(int(text)))
        return
    double = float(text)
    if canonical(double) == text:
        parts.append(_float(double))
        return
    if len(text) > _MAX_DIGITS:
        raise _too_many_digits()
    mantissa, _, exponent = text.partition("e")
    if not exponent:
        parts.append(_big(Decimal(text)))
        return
    whole, _, fraction = mantissa.partition(".")
    parts.append(_head(6, _DECIMAL) + _head(4, 2) + _integer(int(exponent) - len(fraction)))
    digits = Decimal(whole + fraction)
    parts.append(_integer(int(digits)) if -(2**64) <= digits < 2**64 else _big(digits))


def _integer(value: int) -> bytes:
    return _head(0, value) if value >= 0 else _head(1, -1 - value)


def _big(value: Decimal) -> bytes:
    """An integer beyond 64 bits, by its sign and its bytes."""
    integer = int(value)
    magnitude = integer if integer >= 0 else -1 - integer
    encoded = magnitude.to_bytes((magnitude.bit_length() + 7) // 8, "big")
    return _head(6, _POSITIVE if integer >= 0 else _NEGATIVE) + _head(2, len(encoded)) + encoded


def _float(value: float) -> bytes:
    """A double in the shortest form that has its value."""
    for form, first in _FLOATS:
        try:
            encoded = struct.pack(form, value)
        except OverflowError:
            continue
        if struct.unpack(form, encoded)[0] == value:
            return bytes([first]) + encoded
    raise OverflowError("a double has eight bytes")


def _rejection(rule: str, byte: int, message: str) -> Rejection:
    return Rejection("syntax", rule, f"{message} (byte {byte})")


def _cut_off(byte: int) -> Rejection:
    return _rejection("cbor", byte, "the document ends in the middle of a value")


def _too_many_digits() -> Rejection:
    message = f"a number has more than {_MAX_DIGITS:,} digits; write it as text"
    return Rejection("limit", "number-digits", message)


class _Opened:
    """An array or a map that is being read."""

    def __init__(self, value: list[Any] | dict[str, Any], left: int) -> None:
        self.value = value
        self.left = left
        """How many values are to come. The head claims so; there may be fewer."""
        self.step: str | int | None = None
        """Where the next value goes."""

    def take(self, value: Any) -> None:
        """Takes the value that was read."""
        if isinstance(self.value, dict):
            self.value[str(self.step)] = value
        else:
            self.value.append(value)
        self.left -= 1


class _Reader:
    """Reads a value after the other."""

    def __init__(self, encoded: bytes) -> None:
        self.encoded = encoded
        self.position = 0

    def value(self) -> Any:
        """Reads the next value, however deep it is: what is open is kept beside the stack of the program."""
        opened: list[_Opened] = []
        try:
            while True:
                done = self._begun(opened)
                while not isinstance(done, _Opened) or done.left == 0:
                    value = done.value if isinstance(done, _Opened) else done
                    if not opened:
                        return value
                    done = opened[-1]
                    done.take(value)
                    if done.left == 0:
                        opened.pop()
                if not opened or opened[-1] is not done:
                    opened.append(done)
                done.step = None
                inside = done.value
                done.step = self._name(inside) if isinstance(inside, dict) else len(inside)
        except Rejection as rejection:
            steps = (it.step for it in opened if it.step is not None)
            raise rejection.within(*steps) from None

    def _begun(self, opened: list[_Opened]) -> Any:
        """Reads a value that holds no other, or the head of one that does."""
        at = self.position
        major, code, count = self._head()
        if major == 4 or major == 5:
            if len(opened) == _MAX_DEPTH:
                message = f"the document nests deeper than {_MAX_DEPTH} levels (byte {at})"
                raise Rejection("limit", "depth", message)
            return _Opened([] if major == 4 else {}, count)
        if major < 2:
            return count if major == 0 else -1 - count
        if major == 3:
            return self._text(at, count)
        if major == 6:
            return self._tagged(at, count)
        return self._simple(at, code, count) if major == 7 else _no_json(at, "a byte string")

    def _head(self) -> tuple[int, int, int]:
        """Reads a head: the kind, how the number is written, and the number."""
        at = self.position
        if at >= len(self.encoded):
            raise _cut_off(at)
        major, code = self.encoded[at] >> 5, self.encoded[at] & 31
        self.position += 1
        if code < 24:
            return major, code, code
        if code == 31 and 2 <= major <= 5:
            message = "a length is left open; write it with definite lengths"
            raise _rejection("cbor.indefinite", at, message)
        if code > 27:
            raise _rejection("cbor", at, "this byte begins no value")
        return major, code, int.from_bytes(self._bytes(at, 1 << (code - 24)), "big")

    def _bytes(self, at: int, count: int) -> bytes:
        taken = self.encoded[self.position : self.position + count]
        if len(taken) < count:
            raise _cut_off(at)
        self.position += count
        return taken

    def _text(self, at: int, count: int) -> str:
        try:
            return self._bytes(at, count).decode()
        except UnicodeDecodeError:
            raise _rejection("utf-8", at, "a text is not UTF-8") from None

    def _name(self, members: dict[str, Any]) -> str:
        at = self.position
        major, _, count = self._head()
        if major != 3:
            raise _rejection("cbor.key", at, "a key is not text, and JSON has keys of text only")
        name = self._text(at, count)
        if name in members:
            message = f"the member `{name}` appears more than once"
            raise _rejection("duplicate-member", at, message).within(name)
        return name

    def _simple(self, at: int, code: int, count: int) -> Any:
        if code in (25, 26, 27):
            form, _ = _FLOATS[code - 25]
            (double,) = struct.unpack(form, self.encoded[self.position - struct.calcsize(form) : self.position])
            if double - double != 0:
                raise _rejection("cbor.value", at, "JSON has no such number")
            return double
        if code < 24 and count in _SIMPLE:
            return _SIMPLE[count]
        return _no_json(at, "a simple value")

    def _tagged(self, at: int, tag: int) -> Any:
        if tag in (_POSITIVE, _NEGATIVE):
            return self._number(self._big(tag))
        if tag == _DECIMAL:
            return self._decimal(at)
        if tag != _SPLIT_TEXT:
            message = f"the tag {tag} has no meaning in JSON; convert it before"
            raise _rejection("cbor.tag", at, message)
        try:
            text = self._bytes_after_tag().decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            text = ""
        # Two halves that meet are a character, which is no case for this tag.
        if not holds_unpaired(text) or not is_split(text) or _SURROGATE_PAIR.search(text):
            raise _rejection("utf-8", at, "no unpaired surrogate is at an end")
        return text

    def _bytes_after_tag(self) -> bytes:
        at = self.position
        major, _, count = self._head()
        if major != 2:
            raise _rejection("cbor.tag", at, "the tag is not followed by bytes")
        return self._bytes(at, count)

    def _big(self, tag: int) -> Decimal:
        encoded = self._bytes_after_tag()
        # Five bytes have twelve digits.
        if len(encoded) // 5 * 12 > _MAX_DIGITS:
            raise _too_many_digits()
        magnitude = int.from_bytes(encoded, "big")
        return Decimal(magnitude if tag == _POSITIVE else -1 - magnitude)

    def _decimal(self, at: int) -> Any:
        major, _, count = self._head()
        if major != 4 or count != 2:
            raise _rejection("cbor.tag", at, "a decimal is a pair of two integers")
        exponent = self._integer_of_pair(with_tags=False)
        return self._number(self._integer_of_pair(with_tags=True), exponent)

    def _integer_of_pair(self, *, with_tags: bool) -> Decimal:
        at = self.position
        major, _, count = self._head()
        if major < 2:
            return Decimal(count if major == 0 else -1 - count)
        if major == 6 and with_tags and count in (_POSITIVE, _NEGATIVE):
            return self._big(count)
        raise _rejection("cbor.tag", at, "a decimal is a pair of two integers")

    def _number(self, digits: Decimal, exponent: Decimal | None = None) -> Any:
        """A number from its text, which the reader of JSON judges: its exponent has a limit."""
        text = format(digits, "f")
        return parse(text if exponent is None else f"{text}e{exponent:f}")


_SURROGATE_PAIR: Final = re.compile("[\ud800-\udbff][\udc00-\udfff]")


def _no_json(at: int, what: str) -> Any:
    raise _rejection("cbor.value", at, f"this is {what}, which JSON does not have")
