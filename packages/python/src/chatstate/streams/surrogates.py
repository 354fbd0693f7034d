"""Unpaired surrogates at the ends of texts that are still open."""

from __future__ import annotations

import re

from ..generated.events import ItemKind
from .kinds import STREAMED
from .violation import Violation

_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def begins_with_low_surrogate(text: str) -> bool:
    """Whether a text begins with an unpaired low surrogate."""
    return "\udc00" <= text[:1] <= "\udfff"


def ends_with_high_surrogate(text: str) -> bool:
    """Whether a text ends with an unpaired high surrogate."""
    return "\ud800" <= text[-1:] <= "\udbff"


def meet(text: str) -> str:
    """Makes one character of two adjacent surrogates."""
    if text.isascii() or not _PAIR.search(text):
        return text
    return _PAIR.sub(
        lambda pair: chr(0x10000 + ((ord(pair[0][0]) - 0xD800) << 10) + ord(pair[0][1]) - 0xDC00),
        text,
    )


def appended(text: str, delta: str) -> str:
    """Appends a delta. An unpaired surrogate that cannot be completed any more becomes U+FFFD; one at the end may still be."""
    joined = text + delta
    if joined.isascii() or not delta or not text:
        return joined
    if ends_with_high_surrogate(text) == begins_with_low_surrogate(delta):
        return meet(joined)
    going_on = "\ufffd" + delta[1:] if begins_with_low_surrogate(delta) else delta
    return _SURROGATE.sub("\ufffd", text) + going_on


def joined(pieces: list[str]) -> str:
    """Joins pieces of one text."""
    text = "".join(pieces)
    if text.isascii() or not _SURROGATE.search(text):
        return text
    text = ""
    for piece in pieces:
        text = appended(text, piece)
    return text


class PendingSurrogates:
    """The open texts that end in an unpaired surrogate: contents of messages and arguments of calls.

    A text and a reasoning message of one id write to the same message.
    """

    __slots__ = ("_open",)

    def __init__(self) -> None:
        """No text ends in an unpaired surrogate."""
        self._open: dict[tuple[bool, str], int] = {}

    def __bool__(self) -> bool:
        """Whether there is such a text."""
        return bool(self._open)

    def copy(self) -> PendingSurrogates:
        """Gives a copy, to continue in another way."""
        copied = PendingSurrogates()
        copied._open = dict(self._open)
        return copied

    def append(self, index: int, kind: ItemKind, id: str, text: str) -> None:
        """Takes what is appended to a text. It must begin with an unpaired low surrogate exactly if the text ends with a high one."""
        key = kind == "tool-call", id
        before = self._open.pop(key, None)
        if (before is not None) != begins_with_low_surrogate(text):
            raise _unpaired(before)
        if ends_with_high_surrogate(text):
            self._open[key] = index

    def end(self, kind: ItemKind, id: str) -> None:
        """Rejects the end of a text that ends with an unpaired surrogate."""
        if self._open and kind in STREAMED:
            before = self._open.pop((kind == "tool-call", id), None)
            if before is not None:
                raise _unpaired(before)

    def clear(self) -> None:
        """Discards all, as the end of a run and a `MESSAGES_SNAPSHOT` do."""
        self._open.clear()

    def stand_like(self, other: PendingSurrogates) -> bool:
        """Whether the same texts end with an unpaired surrogate in both."""
        return self._open.keys() == other._open.keys()


def _unpaired(other: int | None) -> Violation:
    message = "the text holds an unpaired surrogate that nothing completes"
    return Violation("text.unpaired-surrogate", message, other)
