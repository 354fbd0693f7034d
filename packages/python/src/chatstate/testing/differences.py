"""What is different between two JSON values, by the classes of losses."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from .._runtime.canonical import canonical
from .._runtime.json_text import is_array, is_object, write
from .._runtime.rejection import pointer
from ..streams.values import same

_NOTHING: Any = object()


@dataclass(frozen=True)
class Difference:
    """One difference between two documents."""

    loss: str
    """What kind of change it is, such as `member-dropped`, by the names that `chatstate diff` has for them."""
    at: str
    """The JSON pointer into the first document; into the second for what was added."""
    message: str
    """What was there and what is there now."""

    def __str__(self) -> str:
        """Says the difference on one line."""
        return f"{self.loss} at {self.at or 'the whole document'}: {self.message}"


def differences(before: Any, after: Any) -> list[Difference]:
    """Gives the differences from one JSON value to another; none if they mean the same."""
    found: list[Difference] = []
    _compare(before, after, (), found)
    return found


_Path = tuple[str | int, ...]


def _note(found: list[Difference], loss: str, path: _Path, before: Any, after: Any) -> None:
    there = [write(value) for value in (before, after) if value is not _NOTHING]
    start = _start(*there) if len(there) == 2 else 0
    shown = [_shown(text, start) for text in there]
    found.append(Difference(loss, pointer(path), " became ".join(shown)))


_LONGEST = 80
"""The most characters that are shown of a value."""


def _start(one: str, other: str) -> int:
    """Where to begin to show two texts, so that their first difference is shown."""
    if max(len(one), len(other)) <= _LONGEST:
        return 0
    pairs = enumerate(zip(one, other, strict=False))
    same = next((index for index, (left, right) in pairs if left != right), min(len(one), len(other)))
    return max(0, same - _LONGEST // 2)


def _shown(text: str, start: int) -> str:
    end = start + _LONGEST
    return f"{'...' if start else ''}{text[start:end]}{'...' if len(text) > end else ''}"


def _compare(before: Any, after: Any, path: _Path, found: list[Difference]) -> None:
    if same(before, after):
        return
    if is_object(before) and is_object(after):
        _compare_members(before, after, path, found)
    elif is_array(before) and is_array(after):
        _compare_items(list(before), list(after), path, found)
    else:
        _note(found, _changed(before, after), path, before, after)


def _compare_members(
    before: dict[str, Any], after: dict[str, Any], path: _Path, found: list[Difference]
) -> None:
    gone = [name for name in before if name not in after]
    new = [name for name in after if name not in before]
    respelled = {name: other for name in gone for other in new if _folded(name) == _folded(other)}
    for name, value in before.items():
        if name in after:
            _compare(value, after[name], (*path, name), found)
        elif name in respelled:
            _note(found, "member-renamed", (*path, name), value, after[respelled[name]])
        else:
            loss = "absent-for-null" if value is None else "member-dropped"
            _note(found, loss, (*path, name), value, _NOTHING)
    for name in new:
        if name not in respelled.values():
            loss = "null-for-absent" if after[name] is None else "member-added"
            _note(found, loss, (*path, name), _NOTHING, after[name])


def _compare_items(
    before: list[Any], after: list[Any], path: _Path, found: list[Difference]
) -> None:
    if len(before) == len(after):
        if sorted(map(canonical, before)) == sorted(map(canonical, after)):
            _note(found, "array-reordered", path, before, after)
            return
        last = 0
    else:
        # Of arrays of other lengths, what is equal at both ends belongs together.
        first = _equal_items(before, after)
        last = _equal_items(before[first:][::-1], after[first:][::-1])
    paired = min(len(before), len(after)) - last
    for index in range(paired):
        _compare(before[index], after[index], (*path, index), found)
    for index in range(paired, len(before) - last):
        _note(found, "item-dropped", (*path, index), before[index], _NOTHING)
    for index in range(paired, len(after) - last):
        _note(found, "item-added", (*path, index), _NOTHING, after[index])


def _equal_items(left: list[Any], right: list[Any]) -> int:
    count = 0
    for one, other in zip(left, right, strict=False):
        if not same(one, other):
            break
        count += 1
    return count


def _folded(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, Decimal)) and not isinstance(value, bool)


def _changed(before: Any, after: Any) -> str:
    """Gives the class of two values that are not both objects or both arrays."""
    if isinstance(before, bool) and isinstance(after, bool):
        return "boolean-changed"
    if isinstance(before, str) and isinstance(after, str):
        return "text-changed"
    if _is_number(before) and _is_number(after):
        return "number-rounded" if float(before) == float(after) else "number-changed"
    for number, other in ((before, after), (after, before)):
        if _is_number(number) and isinstance(other, str) and other == canonical(number):
            return "number-retyped"
    return "kind-changed"
