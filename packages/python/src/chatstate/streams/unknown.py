"""What an event holds that the schema does not know: readers that strip it do not see it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from .._runtime.json_text import is_array, is_object
from .._runtime.rejection import pointer
from ..generated.events import EVENTS, KNOWN
from .kinds import JsonEvent
from .remark import Remark

EVENT = next(iter(KNOWN))
"""The definition of events."""


class KnownWords(NamedTuple):
    """What the schema knows of a definition."""

    tag: str | None
    """The member that distinguishes the variants, if it is a union."""
    definitions: dict[str, str]
    """The members, or the values of the tag, with the definition of what is inside, or no text."""


@cache
def known_words(definition: str) -> KnownWords:
    """Gives what the schema knows of a definition."""
    first, *rest = words = KNOWN[definition].split(" ")
    tag = first[:-1] if first.endswith(":") else None
    named = (word.partition(">") for word in (words if tag is None else rest))
    return KnownWords(tag, {name: inside for name, _, inside in named})


def unknown_in(index: int, event: JsonEvent) -> Iterator[Remark]:
    """Gives what is unknown in an event of a known type; an event of another type is unknown itself."""
    if event["type"] in EVENTS:
        yield from _in_definition(index, EVENT, event, ())


def _in_definition(
    index: int, definition: str, value: Any, path: tuple[str | int, ...]
) -> Iterator[Remark]:
    tag, definitions = known_words(definition)
    if tag is None:
        yield from _in_object(index, definition, value, path)
        return
    chosen: str = value[tag]
    if chosen in definitions:
        yield from _in_definition(index, definitions[chosen], value, path)
        return
    message = f"the schema does not know the `{tag}` `{chosen}` here"
    yield Remark("verify.unknown-variant", index, pointer(path), message)


def _in_object(index: int, definition: str, value: Any, path: tuple[str | int, ...]) -> Iterator[Remark]:
    known = known_words(definition).definitions
    for name, member in value.items():
        place = (*path, name)
        inside = known.get(name)
        if inside is None:
            message = f"the schema has no member `{name}` of `{definition}`"
            yield Remark("verify.unknown-member", index, pointer(place), message)
        elif inside and is_object(member):
            yield from _in_definition(index, inside, member, place)
        elif inside and is_array(member):
            for number, element in enumerate(member):
                yield from _in_definition(index, inside, element, (*place, number))
