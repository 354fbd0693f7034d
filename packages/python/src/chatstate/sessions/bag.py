"""The state bag: plain data by key, read as types only on request."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import TypeVar

from .._runtime.annotations import JsonValue
from .._runtime.json_text import is_object, parse, write
from .._runtime.rejection import Rejection
from .entry import Entry
from .spans import members_of

T = TypeVar("T")


class StateBag(MutableMapping[str, JsonValue]):
    """The states of the providers of one session, by key, in the order of their document.

    As a mapping it gives and takes JSON values: what it gives is a copy, so that a change takes effect
    by setting the entry. `read` gives an entry as a type of the caller, live: what is changed in that
    value is what is written, beside all that the type does not know. An entry that is not read is
    written back as it was, character by character.

    A type is whatever pydantic can read and write: a model, a dataclass or a typed dict.
    """

    def __init__(self) -> None:
        """Begins without entries."""
        self._entries: dict[str, Entry] = {}

    @classmethod
    def from_json(cls, text: str) -> StateBag:
        """Reads a bag from the text of a JSON object; the entries stay text."""
        if not is_object(parse(text)):
            raise Rejection("schema", "type", "must be of type object")
        bag = cls()
        for key, value in members_of(text).items():
            check_key(key)
            bag._entries[key] = Entry(value)
        return bag

    def to_json(self) -> str:
        """Writes the bag. The text of unread entries is as it was, with its whitespace."""
        entries = (f"{write(key)}:{entry.text()}" for key, entry in self._entries.items())
        return "{" + ",".join(entries) + "}"

    def read(self, key: str, kind: type[T]) -> T | None:
        """Gives an entry as a type; None if it is null or not there, which `in` distinguishes.

        The first call reads it, and later ones give the same value. A value that is none of the type is
        rejected with class `schema`, and a second type with class `semantic`; the entry stays what it is.
        """
        entry = self._entries.get(key)
        if entry is None or entry.is_null:
            return None
        try:
            return entry.read(kind)
        except Rejection as rejection:
            raise rejection.within("stateBag", key) from None

    def put(self, key: str, state: object) -> None:
        """Sets an entry to a value of a type, which replaces all that was there, of whatever type.

        Later changes of that value are written, too. A blank key is rejected.
        """
        check_key(key)
        self._entries[key] = Entry.of_state(state)

    def entry(self, key: str) -> Entry | None:
        """Gives an entry itself, for what is attached to it; None if it is null or not there."""
        entry = self._entries.get(key)
        return None if entry is None or entry.is_null else entry

    def attach(self, key: str, entry: Entry) -> None:
        """Takes the entry that something is attached to. A blank key is rejected."""
        check_key(key)
        self._entries[key] = entry

    def text(self, key: str) -> str:
        """Gives an entry as JSON text, as it would be written now; `KeyError` if it is not there."""
        return self._entries[key].text()

    def __getitem__(self, key: str) -> JsonValue:
        """Gives an entry as a JSON value, as it would be written now, without reading it as a type."""
        return parse(self.text(key))

    def __setitem__(self, key: str, value: JsonValue) -> None:
        """Sets an entry to a JSON value, None for null. A blank key is rejected."""
        check_key(key)
        self._entries[key] = Entry(write(value))

    def __delitem__(self, key: str) -> None:
        """Removes an entry."""
        del self._entries[key]

    def __iter__(self) -> Iterator[str]:
        """Gives the keys in order."""
        return iter(self._entries)

    def __len__(self) -> int:
        """Gives the number of entries."""
        return len(self._entries)

    def __contains__(self, key: object) -> bool:
        """Whether there is an entry of this key, be it null."""
        return key in self._entries

    def __repr__(self) -> str:
        """Names the keys, and does not show what is in the entries."""
        return f"StateBag({', '.join(map(repr, self._entries))})"


def check_key(key: str) -> None:
    """Rejects a blank key."""
    if not key.strip():
        message = "the key of an entry is blank; name the provider whose state it is"
        rejection = Rejection("semantic", "session.blank-key", message)
        raise rejection.within("stateBag", key)
