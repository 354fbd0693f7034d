"""Snapshot tests: a value is compared with a file by what it means, and not by how it is written."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from .._runtime.canonical import canonical
from .._runtime.json_text import parse
from .._runtime.model import plain
from .._runtime.whole import Whole
from .differences import differences

_UNUSUAL = re.compile(r"[^A-Za-z0-9_.-]+")


def assert_same(actual: Any, expected: Any) -> None:
    """Fails if two values do not mean the same, with every difference and its class of loss.

    A value is a model of this package or a JSON value.
    """
    found = differences(plain(expected), plain(actual))
    if found:
        lines = "\n".join(f"  {difference}" for difference in found)
        raise AssertionError(f"{len(found)} difference(s) from what was expected:\n{lines}")


class ChatSnapshot(Whole):
    """Compares values with the files of one test."""

    def __init__(self, folder: Path, test: str, *, update: bool) -> None:
        """Takes the folder, the name of the test, and whether files are written instead of compared."""
        self._folder = folder
        self._test = test
        self._update = update

    def __call__(self, value: Any, name: str = "") -> None:
        """Fails if a value is not what its file says; a test that has several gives each a name."""
        path = self._folder / (_UNUSUAL.sub("-", "-".join(filter(None, [self._test, name]))) + ".json")
        if self._update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(canonical(plain(value)) + "\n", encoding="utf-8")
            return
        if not path.exists():
            raise AssertionError(f"`{path}` is not there; run pytest with `--update-chat-snapshots`")
        assert_same(value, parse(path.read_bytes()))
