"""A map in the order of its keys that never changes: to set a key gives a new map.

Both share all that is the same, so that to keep a map costs nothing and to change it costs little.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import Any, Generic, TypeVar

K = TypeVar("K", bound=Any)
V = TypeVar("V")

_Node = tuple[list[Any], list[Any]]
"""Keys with their values; on the upper levels the least keys with the nodes below them."""

_MOST = 32
"""So many entries a node has at most."""


class SortedMap(Generic[K, V]):
    """A tree of nodes, in each of which the keys are in order. All leaves are equally deep."""

    __slots__ = ("_depth", "_root", "_size")

    def __init__(self) -> None:
        """There is no key."""
        self._root: _Node = [], []
        self._depth = 0
        """How many levels are above the leaves."""
        self._size = 0

    def __len__(self) -> int:
        """How many keys there are."""
        return self._size

    def get(self, key: K) -> V | None:
        """Gives the value of a key."""
        keys, entries = self._root
        for _ in range(self._depth):
            keys, entries = entries[bisect_right(keys, key, 1) - 1]
        index = bisect_left(keys, key)
        return entries[index] if index < len(keys) and keys[index] == key else None

    def set(self, key: K, value: V) -> SortedMap[K, V]:
        """Gives the map in which a key has this value."""
        path, (keys, values) = self._path_to(key)
        index = bisect_left(keys, key)
        is_new = index == len(keys) or keys[index] != key
        after = index if is_new else index + 1
        keys = [*keys[:index], key, *keys[after:]]
        return self._replaced(path, (keys, [*values[:index], value, *values[after:]]), int(is_new))

    def remove(self, key: K) -> SortedMap[K, V]:
        """Gives the map without a key."""
        path, (keys, values) = self._path_to(key)
        index = bisect_left(keys, key)
        if index == len(keys) or keys[index] != key:
            return self
        return self._replaced(path, _without(keys, values, index), -1)

    def items(self, after: K | None = None) -> Iterator[tuple[K, V]]:
        """Gives the keys in order with their values, from the first one on or from behind a key."""
        stack = [(self._root, 0)]
        for _ in range(self._depth):
            keys, nodes = stack[-1][0]
            index = 0 if after is None else bisect_right(keys, after, 1) - 1
            stack[-1] = stack[-1][0], index + 1
            stack.append((nodes[index], 0))
        keys, _ = stack[-1][0]
        stack[-1] = stack[-1][0], 0 if after is None else bisect_right(keys, after)
        while stack:
            (keys, entries), index = stack.pop()
            if len(stack) == self._depth:
                yield from zip(keys[index:], entries[index:], strict=True)
            elif index < len(entries):
                stack.append(((keys, entries), index + 1))
                stack.append((entries[index], 0))

    def _path_to(self, key: K) -> tuple[list[tuple[_Node, int]], _Node]:
        """Gives the leaf where a key belongs, and the way to it."""
        path: list[tuple[_Node, int]] = []
        node = self._root
        for _ in range(self._depth):
            index = bisect_right(node[0], key, 1) - 1
            path.append((node, index))
            node = node[1][index]
        return path, node

    def _replaced(self, path: list[tuple[_Node, int]], node: _Node, more: int) -> SortedMap[K, V]:
        """Gives the map with another node at the end of a way."""
        pieces = _pieces(node)
        for (keys, nodes), index in reversed(path):
            firsts = [piece[0][0] for piece in pieces]
            keys = [*keys[:index], *firsts, *keys[index + 1 :]]
            pieces = _pieces((keys, [*nodes[:index], *pieces, *nodes[index + 1 :]]))
        changed = SortedMap[K, V]()
        changed._depth, changed._size = self._depth, self._size + more
        if len(pieces) > 1:
            changed._root = [piece[0][0] for piece in pieces], pieces
            changed._depth += 1
        elif pieces:
            changed._root = pieces[0]
        else:
            changed._depth = 0
        while changed._depth and len(changed._root[1]) == 1:
            changed._root = changed._root[1][0]
            changed._depth -= 1
        return changed


def _without(keys: list[Any], entries: list[Any], index: int) -> _Node:
    return [*keys[:index], *keys[index + 1 :]], [*entries[:index], *entries[index + 1 :]]


def _pieces(node: _Node) -> list[_Node]:
    """Gives a node that may have become too large or empty as nodes that are neither."""
    keys, entries = node
    if len(keys) <= _MOST:
        return [node] if keys else []
    middle = len(keys) // 2
    return [(keys[:middle], entries[:middle]), (keys[middle:], entries[middle:])]
