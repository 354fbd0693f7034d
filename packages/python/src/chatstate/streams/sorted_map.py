"""A map in the order of its keys, of which a copy costs nothing.

A map and its copies share what none of them has changed since, so that to change one costs little, too.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import Any, Final, Generic, TypeVar

K = TypeVar("K", bound=Any)
V = TypeVar("V")

_MOST: Final = 32
"""So many entries a node has at most."""


class _Node:
    """Keys with their values; on the upper levels the least keys with the nodes below them."""

    __slots__ = ("entries", "keys", "owner")

    def __init__(self, owner: object, keys: list[Any], entries: list[Any]) -> None:
        self.owner = owner
        """Stands for the map that may change the node; all others copy it."""
        self.keys = keys
        self.entries = entries

    def owned(self, owner: object) -> _Node:
        """Gives the node to change, or a copy."""
        if self.owner is owner:
            return self
        return _Node(owner, self.keys.copy(), self.entries.copy())


class SortedMap(Generic[K, V]):
    """A tree of nodes, in each of which the keys are in order. All leaves are equally deep."""

    __slots__ = ("_depth", "_owner", "_root", "_size")

    def __init__(self) -> None:
        """There is no key."""
        self._owner = object()
        self._root = _Node(self._owner, [], [])
        self._depth = 0
        """How many levels are above the leaves."""
        self._size = 0

    def copy(self) -> SortedMap[K, V]:
        """Gives the same map, to go another way."""
        copied = type(self).__new__(type(self))
        copied._root, copied._depth, copied._size = self._root, self._depth, self._size
        copied._owner, self._owner = object(), object()
        return copied

    def __len__(self) -> int:
        """How many keys there are."""
        return self._size

    def get(self, key: K) -> V | None:
        """Gives the value of a key."""
        node = self._root
        for _ in range(self._depth):
            node = node.entries[bisect_right(node.keys, key, 1) - 1]
        keys = node.keys
        index = bisect_left(keys, key)
        return node.entries[index] if index < len(keys) and keys[index] == key else None

    def set(self, key: K, value: V) -> None:
        """Sets the value of a key."""
        path, node = self._path_to(key)
        index = bisect_left(node.keys, key)
        if index < len(node.keys) and node.keys[index] == key:
            node.entries[index] = value
        else:
            self._insert(path, node, index, key, value)

    def add(self, key: K, value: V) -> V | None:
        """Adds a key, or gives the value of one that is there and stays as it is."""
        path, node = self._path_to(key)
        index = bisect_left(node.keys, key)
        if index < len(node.keys) and node.keys[index] == key:
            known: V = node.entries[index]
            return known
        self._insert(path, node, index, key, value)
        return None

    def remove(self, key: K) -> None:
        """Removes a key, if it is there."""
        path, node = self._path_to(key)
        index = bisect_left(node.keys, key)
        if index == len(node.keys) or node.keys[index] != key:
            return
        self._size -= 1
        del node.keys[index], node.entries[index]
        while path and not node.keys:
            node, index = path.pop()
            del node.keys[index], node.entries[index]
        if not self._root.keys:
            self._depth = 0
        while self._depth and len(self._root.keys) == 1:
            self._root = self._root.entries[0]
            self._depth -= 1

    def items(self, after: K | None = None) -> Iterator[tuple[K, V]]:
        """Gives the keys in order with their values, from the first one on or from after a key."""
        stack: list[tuple[_Node, int]] = []
        node = self._root
        for _ in range(self._depth):
            index = 0 if after is None else bisect_right(node.keys, after, 1) - 1
            stack.append((node, index + 1))
            node = node.entries[index]
        index = 0 if after is None else bisect_right(node.keys, after)
        yield from zip(node.keys[index:], node.entries[index:], strict=True)
        while stack:
            node, index = stack.pop()
            if index < len(node.entries):
                stack.append((node, index + 1))
                node = node.entries[index]
                if len(stack) < self._depth:
                    stack.append((node, 0))
                else:
                    yield from zip(node.keys, node.entries, strict=True)

    def _insert(
        self, path: list[tuple[_Node, int]], node: _Node, index: int, key: K, value: V
    ) -> None:
        """Inserts a key into a leaf, and splits what becomes too large."""
        self._size += 1
        node.keys.insert(index, key)
        node.entries.insert(index, value)
        half = _MOST // 2
        while len(node.keys) > _MOST:
            behind = _Node(self._owner, node.keys[half:], node.entries[half:])
            del node.keys[half:], node.entries[half:]
            if not path:
                keys = [node.keys[0], behind.keys[0]]
                self._root = _Node(self._owner, keys, [node, behind])
                self._depth += 1
                return
            node, index = path.pop()
            node.keys.insert(index + 1, behind.keys[0])
            node.entries.insert(index + 1, behind)

    def _path_to(self, key: K) -> tuple[list[tuple[_Node, int]], _Node]:
        """Gives the leaf where a key belongs and the way to it, all to be changed."""
        owner = self._owner
        node = self._root = self._root.owned(owner)
        path: list[tuple[_Node, int]] = []
        for _ in range(self._depth):
            # The least key of all is not looked at, since there is no other place for what is less.
            index = bisect_right(node.keys, key, 1) - 1
            below = node.entries[index].owned(owner)
            node.entries[index] = below
            path.append((node, index))
            node = below
        return path, node
