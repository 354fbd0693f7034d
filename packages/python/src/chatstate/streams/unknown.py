"""What an event holds that the schema does not know: readers that strip it do not see it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .._runtime.json_text import is_array, is_object
from .._runtime.rejection import pointer
from ..generated.events import EVENTS, KNOWN
from .kinds import JsonEvent
from .remark import Remark

EVENT = next(iter(KNOWN))
"""The definition of events."""


def unknown_in(index: int, event: JsonEvent) -> Iterator[Remark]:
    """Gives what is unknown in an event of a known type; an event of another type is unknown itself."""
    if event["type"] in EVENTS:
        yield from _in_definition(index, EVENT, event, ())


def _in_definition(
    index: int, definition: str, value: Any, path: tuple[str | int, ...]
) -> Iterator[Remark]:
    tag, names = KNOWN[definition]
    if tag is None:
        yield from _in_object(index, definition, value, path)
        return
    chosen: str = value[tag]
    variant = names.get(chosen)
    if variant is not None:
        yield from _in_definition(index, variant, value, path)
        return
    message = f"the schema does not know the `{tag}` `{chosen}` here"
    yield Remark("verify.unknown-variant", index, pointer(path), message)


def _in_object(index: int, definition: str, value: Any, path: tuple[str | int, ...]) -> Iterator[Remark]:
    names = KNOWN[definition].names
    for name, member in value.items():
        place = (*path, name)
        inside = names.get(name)
        if name not in names:
            message = f"the schema has no member `{name}` of `{definition}`"
            yield Remark("verify.unknown-member", index, pointer(place), message)
        elif inside and is_object(member):
            yield from _in_definition(index, inside, member, place)
        elif inside and is_array(member):
            for number, element in enumerate(member):
                yield from _in_definition(index, inside, element, (*place, number))
