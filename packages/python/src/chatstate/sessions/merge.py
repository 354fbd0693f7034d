"""What a type changed, carried over to a value of which it may know only a part."""

from __future__ import annotations

from typing import Any

from .._runtime.json_text import is_array, is_object
from ..streams.values import same


def merged(origin: Any, before: Any, after: Any) -> Any:
    """Gives a value, changed as a type has changed what it knows of it.

    What did not change stays as it is in `origin`, and so do members that the type does not know.
    The items of a list are matched by their places if there are as many as before; of a list of another
    length, those at both ends that did not change are.
    """
    if same(before, after):
        return origin
    if is_object(origin) and is_object(before) and is_object(after):
        members = _without_gone(origin, before, after)
        for name, value in after.items():
            if name in origin and name in before:
                members[name] = merged(origin[name], before[name], value)
            elif name in origin or not (name in before and same(before[name], value)):
                members[name] = value
        return members
    if is_array(origin) and is_array(before) and is_array(after) and len(origin) == len(before):
        if len(before) != len(after):
            return _items(origin, before, after)
        items: list[Any] = []
        for values in zip(origin, before, after, strict=True):
            items.append(merged(*values))
        return items
    return after


def _without_gone(
    origin: dict[str, Any], before: dict[str, Any], after: dict[str, Any]
) -> dict[str, Any]:
    """Gives the members but for those that the type knew and took away."""
    return {name: value for name, value in origin.items() if name in after or name not in before}


def _items(origin: list[Any], before: list[Any], after: list[Any]) -> list[Any]:
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
