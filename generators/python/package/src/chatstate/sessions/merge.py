"""What a type changed, carried over to a value of which it may know only a part."""

from __future__ import annotations

from typing import Any

from ..json_text import is_array, is_object
from ..streams.values import same


def merged(origin: Any, before: Any, after: Any) -> Any:
    """Gives a value, changed as a type has changed what it knows of it.

    What did not change stays as it stands in `origin`, and so do members that the type does not know.
    The items of a list are matched by their places if there are as many as before; of a list of another
    length, those at both ends that did not change are.
    """
    if same(before, after):
        return origin
    if is_object(origin) and is_object(before) and is_object(after):
        return _members(origin, before, after)
    if is_array(origin) and is_array(before) and is_array(after) and len(origin) == len(before):
        return _items(origin, before, after)
    return after


def _members(
    origin: dict[str, Any], before: dict[str, Any], after: dict[str, Any]
) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for name, value in origin.items():
        if name in after:
            members[name] = merged(value, before[name], after[name]) if name in before else after[name]
        elif name not in before:
            members[name] = value
    for name, value in after.items():
        if name not in origin and not (name in before and same(before[name], value)):
            members[name] = value
    return members


def _items(origin: list[Any], before: list[Any], after: list[Any]) -> list[Any]:
    if len(before) == len(after):
        return [merged(*values) for values in zip(origin, before, after, strict=True)]
    first = _equal_items(before, after)
    last = _equal_items(before[first:][::-1], after[first:][::-1])
    return [*origin[:first], *after[first : len(after) - last], *origin[len(origin) - last :]]


def _equal_items(left: list[Any], right: list[Any]) -> int:
    """Gives how many items are the same from the beginning on."""
    count = 0
    for one, other in zip(left, right, strict=False):
        if not same(one, other):
            break
        count += 1
    return count
