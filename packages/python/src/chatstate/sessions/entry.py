"""One entry of a state bag: text until it is read as a type."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from .._runtime.canonical import canonical
from .._runtime.findings import rejection_of
from .._runtime.json_text import parse, write
from .._runtime.model import Readable, plain
from .._runtime.pydantic_calls import EXACT_TEXT
from .._runtime.rejection import Rejection
from ..streams.values import same
from .merge import merged

T = TypeVar("T")


@dataclass
class _Reading:
    """A value of a caller's type, and what it gave back when it was read."""

    type: type[Any]
    held: Any
    before: Any


class Entry:
    """One entry.

    Once it is read as a type, it holds the value of that type, which is what later reads give and what
    is written.
    """

    __slots__ = ("_reading", "_text")

    def __init__(self, text: str | None, reading: _Reading | None = None) -> None:
        """Takes the JSON text of a value that was not read; None for what only a caller has set."""
        self._text = text
        self._reading = reading

    @classmethod
    def of_state(cls, state: object) -> Entry:
        """Gives an entry that a caller sets; what cannot be written is rejected now."""
        plain_of(state)
        return cls(None, _Reading(type(state), state, None))

    @classmethod
    def of_tagged(cls, state: object, tag: str, kind: str) -> Entry:
        """Gives an entry whose value says its kind in a member that its type does not know."""
        known = plain_of(state)
        return cls(write({tag: kind, **known}), _Reading(type(state), state, known))

    def unread(self) -> Entry:
        """Gives this entry, or a copy of one that was not read yet: reading that leaves this one as it is."""
        return self if self._reading is not None else Entry(self._text)

    @property
    def is_null(self) -> bool:
        """Whether the entry is null."""
        return self._text == "null"

    def read(self, kind: type[T]) -> T:
        """Gives the entry, which is not null, as a type."""
        if self._reading is None:
            held = state_of(kind, self._origin())
            self._reading = _Reading(kind, held, plain_of(held))
        if self._reading.type is not kind:
            message = (
                f"the entry is in use as `{self._reading.type.__name__}` and cannot be read as "
                f"`{kind.__name__}`; give the two different keys"
            )
            raise Rejection("semantic", "session.other-type", message)
        held_value: T = self._reading.held
        return held_value

    def text(self) -> str:
        """Gives the JSON text: the very text that was read, unless a type has changed the value."""
        reading = self._reading
        if reading is None:
            return self._text or "null"
        after = plain_of(reading.held)
        if self._text is None:
            return write(after)
        if same(reading.before, after):
            return self._text
        return write(merged(self._origin(), reading.before, after))

    def _origin(self) -> Any:
        return parse(self._text or "null")


_ADAPTERS: dict[type[Any], TypeAdapter[Any]] = {}


def _adapter(kind: type[T]) -> TypeAdapter[T]:
    """Gives what reads and writes a type, which is made once."""
    adapter = _ADAPTERS.get(kind)
    if adapter is None:
        adapter = _ADAPTERS[kind] = TypeAdapter(kind)
    return adapter


def state_of(kind: type[T], value: Any) -> T:
    """Gives a value as a type that pydantic knows; `Rejection` if it does not fit.

    Nothing is converted. `3e0` is an integer here, too, since the value is read in its canonical form.
    """
    try:
        if issubclass(kind, Readable):
            return kind.from_json(write(value))
        token = EXACT_TEXT.set(True)
        try:
            return _adapter(kind).validate_json(canonical(value), strict=True)
        finally:
            EXACT_TEXT.reset(token)
    except ValidationError as error:
        found = rejection_of(error, value)
    except Rejection as rejection:
        found = rejection
    message = f"the entry is no `{kind.__name__}`: {found.message}"
    raise Rejection(found.category, found.rule, message, found.at)


def plain_of(state: Any) -> Any:
    """Gives the members that a type knows, as a value: all that was read or set."""
    if isinstance(state, Readable):
        return plain(state)
    adapter: TypeAdapter[Any] = _adapter(state.__class__)
    text = adapter.dump_json(state, by_alias=True, exclude_unset=True)
    return parse(text)
