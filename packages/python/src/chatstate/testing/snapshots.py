"""Snapshot tests: a value is compared with a file by what it means, and not by how it is written."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path
from typing import Any

from .._runtime.canonical import canonical
from .._runtime.json_text import parse
from .._runtime.model import plain
from .._runtime.whole import Whole
from .differences import differences

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\{\}|\[\]|[][{},:]|[^][{},:"]+', re.DOTALL)
_UNUSUAL = re.compile(r"[^A-Za-z0-9_.-]+")


def assert_same(actual: Any, expected: Any) -> None:
    """Fails if two values do not mean the same, with every difference and its class of loss.

    A value is a model of this package or a JSON value.
    """
    __tracebackhide__ = True
    found = _told(actual, expected)
    if found:
        raise AssertionError(f"{found} from what was expected:\n{_lines(actual, expected)}")


def _told(actual: Any, expected: Any) -> str:
    count = len(differences(plain(expected), plain(actual)))
    return f"{count} difference(s)" if count else ""


def _lines(actual: Any, expected: Any) -> str:
    found = differences(plain(expected), plain(actual))
    return "\n".join(f"  {difference}" for difference in found)


def _file_name(test: str, name: str) -> str:
    """The name of a file, the same for the same test alone: what a name of a file may not hold is told apart."""
    whole = "-".join(filter(None, [test, name]))
    plain_name = _UNUSUAL.sub("-", whole)
    if plain_name != whole:
        plain_name += "-" + sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return plain_name + ".json"


def _laid_out(text: str) -> str:
    """Gives JSON text a line for each member and item, so that a review shows what changed."""
    out: list[str] = []
    depth, place = 0, 0
    while place < len(text):
        token = _TOKEN.match(text, place)
        if token is None:
            out.append(text[place])
            place += 1
            continue
        word, place = token.group(), token.end()
        if word in ("{", "["):
            depth += 1
            word += "\n" + "  " * depth
        elif word in ("}", "]"):
            depth -= 1
            word = "\n" + "  " * depth + word
        elif word == ",":
            word += "\n" + "  " * depth
        elif word == ":":
            word += " "
        out.append(word)
    return "".join(out)


class ChatSnapshot(Whole):
    """Compares values with the files of one test."""

    def __init__(self, folder: Path, test: str, *, update: bool) -> None:
        """Takes the folder, the name of the test, and whether files are written instead of compared."""
        self._folder = folder
        self._test = test
        self._update = update

    def __call__(self, value: Any, name: str = "") -> None:
        """Fails if a value is not what its file says; a test that has several gives each a name."""
        __tracebackhide__ = True
        path = self._folder / _file_name(self._test, name)
        if self._update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(_laid_out(canonical(plain(value))) + "\n", encoding="utf-8")
            return
        if not path.exists():
            raise AssertionError(f"`{path}` is not there; run pytest with `--update-chat-snapshots`")
        expected = parse(path.read_bytes())
        found = _told(value, expected)
        if found:
            raise AssertionError(
                f"{found} from `{path}`; if they are right, run pytest with `--update-chat-snapshots`:\n"
                f"{_lines(value, expected)}"
            )
