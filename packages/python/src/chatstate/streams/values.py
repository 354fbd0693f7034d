"""JSON values: whether two are the same, how deep one is, and places within one."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from .._runtime.canonical import canonical
from .._runtime.json_text import is_array, is_object

_INDEX = re.compile("0|[1-9][0-9]*", re.ASCII)
_TILDE = re.compile("~(?![01])")


def same(left: Any, right: Any) -> bool:
    """Whether two values have one canonical form; `True` is not `1`, and `1.0` is."""
    # A list instead of recursion, since documents may nest deeper than functions.
    pairs: list[tuple[Any, Any]] = [(left, right)]
    while pairs:
        one, other = pairs.pop()
        if one is other:
            continue
        if is_object(one):
            if not is_object(other) or one.keys() != other.keys():
                return False
            for name, value in one.items():
                # Most of what messages hold are texts, which need no further look.
                if type(value) is not str or value != other[name]:
                    pairs.append((value, other[name]))
        elif is_array(one):
            if not is_array(other) or len(one) != len(other):
                return False
            pairs.extend(zip(one, other, strict=True))
        elif not _same_scalar(one, other):
            return False
    return True


def _same_scalar(left: Any, right: Any) -> bool:
    if isinstance(left, str) or left is None or isinstance(left, bool):
        return type(left) is type(right) and left == right
    if isinstance(right, bool) or not isinstance(right, (int, float, Decimal)):
        return False
    if isinstance(left, int) and isinstance(right, int):
        return left == right
    return canonical(left) == canonical(right)


def depth_of(value: Any) -> int:
    """Gives how deep arrays and objects are nested: 0 for a scalar, 1 for `[]`."""
    level: list[Any] = [value]
    depth = 0
    while True:
        containers = [inner for inner in level if is_object(inner) or is_array(inner)]
        if not containers:
            return depth
        depth += 1
        level = []
        for container in containers:
            level.extend(container.values() if is_object(container) else container)


def segments_of(pointer: str) -> list[str] | None:
    """Gives the segments of a JSON pointer; None if the text is none."""
    if not pointer:
        return []
    if pointer[0] != "/":
        return None
    segments = pointer[1:].split("/")
    if "~" not in pointer:
        return segments
    if _TILDE.search(pointer):
        return None
    return [segment.replace("~1", "/").replace("~0", "~") for segment in segments]


def index_of(segment: str) -> int | None:
    """Gives the index that a segment is in an array: digits without a leading zero."""
    return int(segment) if _INDEX.fullmatch(segment) and len(segment) < 19 else None


def step_into(value: Any, segment: str) -> Any:
    """Gives what a segment names in a value; `LookupError` if there is nothing."""
    if is_object(value):
        return value[segment]
    if is_array(value):
        index = index_of(segment)
        if index is not None:
            return value[index]
    raise LookupError(segment)
