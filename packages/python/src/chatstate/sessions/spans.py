"""Where the members of an object are in a JSON text, so that they can be kept as they are."""

from __future__ import annotations

import json
import re
from typing import Final

_WHITE_SPACE: Final = re.compile(r"[ \t\n\r]*")
_DECODER: Final = json.JSONDecoder()
_NUMBER: Final = re.compile(r"-?[0-9][0-9.eE+-]*")


def members_of(text: str) -> dict[str, str]:
    """Gives the text of each member of an object, whose text is JSON."""
    members: dict[str, str] = {}
    at = _after_space(text, text.index("{") + 1)
    while text[at] != "}":
        name, at = _DECODER.raw_decode(text, at)
        start = _after_space(text, _after_space(text, at) + 1)
        end = _end_of_value(text, start)
        members[name] = text[start:end]
        at = _after_space(text, end)
        if text[at] == ",":
            at = _after_space(text, at + 1)
    return members


def items_of(text: str) -> list[str]:
    """Gives the text of each item of an array, whose text is JSON."""
    items: list[str] = []
    at = _after_space(text, text.index("[") + 1)
    while text[at] != "]":
        end = _end_of_value(text, at)
        items.append(text[at:end])
        at = _after_space(text, end)
        if text[at] == ",":
            at = _after_space(text, at + 1)
    return items


def _end_of_value(text: str, start: int) -> int:
    number = _NUMBER.match(text, start)
    # Python makes no number of very many digits, and none is needed here.
    return number.end() if number else _DECODER.raw_decode(text, start)[1]


def _after_space(text: str, at: int) -> int:
    space = _WHITE_SPACE.match(text, at)
    return at if space is None else space.end()
