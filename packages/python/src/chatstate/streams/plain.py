"""Events as plain values, whatever the caller has: models of this package or dicts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple, cast

from pydantic import ValidationError

from .._runtime.findings import rejection_of
from ..generated.events import EVENTS, EventRole
from ..generated.models import AnyEvent, Event
from .._runtime.json_text import is_array, is_object, is_split
from .._runtime.model import check_value, plain
from .kinds import JsonEvent
from .values import segments_of


class GivenEvents(NamedTuple):
    """Events as dicts, and whether the caller has models."""

    events: list[Any]
    are_models: bool


def given_events(events: Iterable[Event | dict[str, Any]]) -> GivenEvents:
    """Gives events as dicts, which are still to be held against the schema if there are no models."""
    given: list[Any] = list(events)
    if not any(isinstance(event, Event) for event in given):
        return GivenEvents(given, are_models=False)
    return GivenEvents(plain_events(given), are_models=True)


def plain_events(events: Iterable[Event | dict[str, Any]]) -> list[JsonEvent]:
    """Gives events as dicts; `Rejection` of one that does not fit the schema, with its place."""
    return [plain_event(event, index) for index, event in enumerate(events)]


def plain_event(event: Event | dict[str, Any], index: int) -> JsonEvent:
    """Gives one event as a dict; `Rejection` if it does not fit the schema."""
    if isinstance(event, Event):
        return cast(JsonEvent, plain(event))
    check_event(event, index)
    return event


def models_of(events: list[JsonEvent]) -> list[AnyEvent]:
    """Gives events as models."""
    validator = Event.__pydantic_validator__
    try:
        return [validator.validate_python(event, by_alias=True, by_name=False) for event in events]
    except ValidationError as error:
        raise rejection_of(error, events) from None


def check_event(event: Any, index: int) -> None:
    """Rejects a dict that is not an event, as reading it from its text does."""
    if not _is_plainly_valid(event):
        check_value(Event, event, index)


_TEXT, _DELTA, _TIME, _OBJECT, _ANY, _PATCH = range(6)

_KINDS: Final = {"text": _TEXT, "split-text": _DELTA, "object": _OBJECT, "any": _ANY}
"""The kinds of members that say all about them; what the other ones may be, pydantic knows."""


def _members(role: EventRole) -> dict[str, int]:
    members = {name: _KINDS[kind] for name, kind in role.members.items() if kind in _KINDS}
    if role.patch is not None:
        members[role.patch] = _PATCH
    return {**members, "type": _TEXT, "timestamp": _TIME}


_PLAIN: Final = {
    tag: (_members(role), frozenset(role.required)) for tag, role in EVENTS.items()
}
"""The members of events that are seen to be valid at first sight, and which of them they need.

An event that has no others, each of its kind, is valid; about all others pydantic is asked.
"""

LATEST: Final = 2**53 - 1
"""Up to here, a timestamp is in its range for certain."""


def _is_plainly_valid(event: Any) -> bool:
    """Whether an event is valid at first sight."""
    if not is_object(event):
        return False
    members: dict[str, Any] = event
    tag = members.get("type")
    if type(tag) is not str:
        return False
    row = _PLAIN.get(tag)
    if row is None:
        return True
    kinds, required = row
    if not required <= members.keys():
        return False
    return all(_is_of(kinds.get(name), value) for name, value in members.items())


def _is_of(kind: int | None, value: Any) -> bool:
    if kind == _TEXT:
        return type(value) is str and value.isascii()
    if kind == _DELTA:
        return type(value) is str and (value.isascii() or is_split(value))
    if kind == _TIME:
        return type(value) is int and 0 <= value <= LATEST
    if kind == _OBJECT:
        return is_object(value)
    return kind == _ANY or (kind == _PATCH and is_plain_patch(value))


_VALUED: Final = frozenset(["add", "replace", "test"])
_MOVING: Final = frozenset(["move", "copy"])


def is_plain_patch(patch: Any) -> bool:
    """Whether a patch is valid at first sight."""
    if not is_array(patch):
        return False
    for operation in patch:
        if not is_object(operation):
            return False
        op, path = operation.get("op"), operation.get("path")
        if type(path) is not str or not path.isascii() or segments_of(path) is None:
            return False
        if op in _VALUED:
            if "value" not in operation:
                return False
        elif op in _MOVING:
            origin = operation.get("from")
            if type(origin) is not str or not origin.isascii() or segments_of(origin) is None:
                return False
        elif op != "remove":
            return False
    return True
