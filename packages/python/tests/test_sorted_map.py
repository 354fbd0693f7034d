"""A map in the order of its keys, and its copies."""

from __future__ import annotations

import random

from chatstate.streams.sorted_map import SortedMap


def test_maps_and_their_copies_go_their_own_ways() -> None:
    decide = random.Random(1)
    ways: list[tuple[SortedMap[int, int], dict[int, int]]] = [(SortedMap(), {})]
    for step in range(6000):
        found, expected = decide.choice(ways)
        key = decide.randrange(400)
        choice = decide.randrange(100)
        if choice < 50:
            found.set(key, step)
            expected[key] = step
        elif choice < 65:
            assert found.add(key, step) == expected.get(key)
            expected.setdefault(key, step)
        elif choice < 97:
            found.remove(key)
            expected.pop(key, None)
        elif len(ways) < 8:
            ways.append((found.copy(), dict(expected)))
    for found, expected in ways:
        assert len(found) == len(expected)
        assert list(found.items()) == sorted(expected.items())
        for key in range(-1, 401):
            assert found.get(key) == expected.get(key)
            behind = [entry for entry in sorted(expected.items()) if entry[0] > key]
            assert list(found.items(key)) == behind


def test_a_map_that_was_emptied_takes_keys_again() -> None:
    found = SortedMap[int, None]()
    for key in range(100):
        found.set(key, None)
    for key in range(100):
        found.remove(key)
    assert not found and list(found.items()) == []
    found.set(1, None)
    assert list(found.items()) == [(1, None)]
