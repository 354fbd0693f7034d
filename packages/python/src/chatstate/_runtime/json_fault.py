"""The second reader of JSON text: what is wrong with one, and where.

It makes no values and is slow, so that it is asked only about texts that the first reader rejects or
that hold an unpaired surrogate.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from .rejection import Rejection, pointer

MAX_DEPTH = 512
"""The deepest nesting of arrays and objects that is read."""

MAX_EXPONENT_DIGITS = 18
"""The longest exponent, in digits."""

_WHITE_SPACE = re.compile(r"[ \t\n\r]*")
_SCALAR = re.compile(
    r"true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?0*(?P<exponent>[0-9]+))?"
)
_STRING = re.compile(r'"((?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*)"')
_UNIT = re.compile(r"\\(?:u([0-9a-fA-F]{4})|.)|([^\\])", re.DOTALL)


@dataclass
class _Container:
    """An open array or object."""

    names: set[str] | None
    place: str | int | None = None


@dataclass
class _Reader:
    """The position of the reader."""

    text: str
    at: int = 0
    open: list[_Container] = field(default_factory=list[_Container])

    def reject(self, rule: str, message: str, category: str = "syntax") -> Rejection:
        before = self.text[: self.at]
        line = before.count("\n") + 1
        column = self.at - before.rfind("\n")
        places = tuple(holder.place for holder in self.open if holder.place is not None)
        return Rejection(category, rule, f"{message} (line {line}, column {column})", pointer(places))

    def expected(self, what: str) -> Rejection:
        found = f"there is {self.text[self.at]!r}" if self.at < len(self.text) else "the document ends"
        return self.reject("json", f"not JSON: expected {what}, but {found}")

    def skip(self) -> None:
        white_space = _WHITE_SPACE.match(self.text, self.at)
        self.at = white_space.end() if white_space else self.at

    def next_is(self, character: str) -> bool:
        if not self.text.startswith(character, self.at):
            return False
        self.at += 1
        self.skip()
        return True


def find_fault(text: str) -> Rejection | None:
    """Gives the first reason why a text is not read; unpaired surrogates at the ends of texts are accepted."""
    reader = _Reader(text)
    try:
        _document(reader)
    except Rejection as fault:
        return fault
    return None


def pairless() -> Rejection:
    """Gives the rejection of an unpaired surrogate."""
    message = "text holds an unpaired surrogate; only a string `delta` may begin or end with one"
    return Rejection("syntax", "unpaired-surrogate", message)


def _document(reader: _Reader) -> None:
    reader.skip()
    while True:
        if _begin(reader):
            continue
        if _end(reader):
            break
    if reader.at < len(reader.text):
        raise reader.expected("the end of the document")


def _begin(reader: _Reader) -> bool:
    """Reads a scalar or an empty container; true if a container was opened and a value comes."""
    if reader.text.startswith(("{", "["), reader.at):
        if len(reader.open) == MAX_DEPTH:
            message = f"the document is nested deeper than {MAX_DEPTH} levels"
            raise Rejection("limit", "depth", message)
        is_object = reader.text[reader.at] == "{"
        reader.open.append(_Container(set() if is_object else None, None if is_object else 0))
        reader.at += 1
        reader.skip()
        if reader.text.startswith("}" if is_object else "]", reader.at):
            return False
        if is_object:
            _name(reader)
        return True
    _scalar(reader)
    return False


def _end(reader: _Reader) -> bool:
    """Steps over what is after a value; true if it was the last one."""
    reader.skip()
    while reader.open:
        holder = reader.open[-1]
        closing = "]" if holder.names is None else "}"
        if reader.next_is(closing):
            reader.open.pop()
        elif reader.next_is(","):
            if isinstance(holder.place, int):
                holder.place += 1
            else:
                _name(reader)
            return False
        else:
            raise reader.expected(f"`,` or `{closing}`")
    return True


def _name(reader: _Reader) -> None:
    """Reads a member name and its colon."""
    holder = reader.open[-1]
    start = reader.at
    holder.place = None
    if not reader.text.startswith('"', start):
        raise reader.expected("a member name in double quotes")
    name, has_unpaired = _string(reader)
    if has_unpaired:
        raise reader.reject("unpaired-surrogate", pairless().message)
    holder.place = name
    if holder.names is not None:
        if name in holder.names:
            message = "a member name occurs twice in one object, so remove one of the members"
            raise reader.reject("duplicate-member", message)
        holder.names.add(name)
    reader.skip()
    if not reader.next_is(":"):
        raise reader.expected("`:` after the member name")


def _scalar(reader: _Reader) -> None:
    if reader.text.startswith('"', reader.at):
        _string(reader)
        return
    scalar = _SCALAR.match(reader.text, reader.at)
    if scalar is None:
        raise reader.expected("a value")
    if len(scalar["exponent"] or "") > MAX_EXPONENT_DIGITS:
        message = f"a number's exponent has more than {MAX_EXPONENT_DIGITS} digits"
        raise reader.reject("number-exponent", message, "limit")
    reader.at = scalar.end()


def _string(reader: _Reader) -> tuple[str, bool]:
    """Reads a string; gives its text, and whether it begins or ends with an unpaired surrogate."""
    match = _STRING.match(reader.text, reader.at)
    if match is None:
        raise reader.expected("a string with its closing quote and with escapes that JSON has")
    units = _units(match[1])
    for index, unit in enumerate(units):
        at_an_end = index == 0 if _is_low(unit) else index == len(units) - 1
        if 0xD800 <= ord(unit) <= 0xDFFF and not at_an_end:
            raise reader.reject("unpaired-surrogate", pairless().message)
    reader.at = match.end()
    has_unpaired = any(0xD800 <= ord(unit) <= 0xDFFF for unit in units)
    return "".join(units), has_unpaired


def _is_low(unit: str) -> bool:
    return 0xDC00 <= ord(unit) <= 0xDFFF


_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


def _units(raw: str) -> list[str]:
    """Gives the characters of a string's inside; a high and a low surrogate that meet are one character."""
    if "\\" not in raw:
        return list(raw)
    units: list[str] = []
    for match in _UNIT.finditer(raw):
        escape, plain = match[1], match[2]
        unit = chr(int(escape, 16)) if escape else plain or _ESCAPES.get(match[0][1], match[0][1])
        if units and _is_low(unit) and 0xD800 <= ord(units[-1]) < 0xDC00:
            high = units.pop()
            unit = chr(0x10000 + ((ord(high) - 0xD800) << 10) + ord(unit) - 0xDC00)
        units.append(unit)
    return units
