"""How the files of threads are named, which is the same in the stores of all languages."""

from __future__ import annotations

import os
import re
import string
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Final
from urllib.parse import unquote_to_bytes

from .._runtime.rejection import Rejection

LOG: Final = ".jsonl"
SNAPSHOT: Final = ".snapshot.json"

_LONGEST: Final = 200
"""The longest name of a file without its suffix, which every file system takes."""

_UNESCAPED: Final = frozenset((string.ascii_lowercase + string.digits + "-_").encode())
"""Capital letters are escaped too, since some file systems take them for small ones."""

_DEVICE: Final = re.compile("con|prn|aux|nul|com[0-9]|lpt[0-9]")
"""What is a device on Windows, whatever suffix follows it."""


def name_of(thread_id: str) -> str:
    """Gives the name of a thread's files without their suffix; `Rejection` for an id that no file can have."""
    try:
        name = _escaped(thread_id)
    except UnicodeEncodeError:
        raise _refused("has an unpaired surrogate") from None
    if not name:
        raise _refused("is empty")
    if len(name) > _LONGEST:
        raise _refused(f"takes {len(name)} characters in the name of a file, and {_LONGEST} are the most")
    return f"%{ord(name[0]):02X}{name[1:]}" if _DEVICE.fullmatch(name) else name


def thread_of(name: str) -> str | None:
    """Gives the thread whose files have a name, or had it in former versions."""
    try:
        thread_id = unquote_to_bytes(name).decode()
        current = name_of(thread_id)
    except ValueError:
        return None
    return thread_id if name in (current, _escaped(thread_id).lower()) else None


def in_order(threads: Iterable[str]) -> list[str]:
    """Orders threads by the UTF-16 code units of their ids, as all languages can."""
    return sorted(threads, key=lambda thread_id: thread_id.encode("utf-16-be"))


class ThreadFiles:
    """The files of a folder. Those with a former name are renamed when they are used."""

    def __init__(self, folder: Path) -> None:
        """Takes the files of a folder."""
        self._folder = folder
        self._looking = threading.Lock()
        self._former: dict[str, str] | None = None
        """By file, its former name; none before the folder was looked at."""

    def path(self, name: str, suffix: str) -> Path:
        """Gives the file of a thread by its name."""
        path = self._folder / (name + suffix)
        with self._looking:
            if self._former is None:
                self._former = self._former_names()
            former = self._former.get(path.name)
            if former is not None:
                self._rename(former, path)
                del self._former[path.name]
        return path

    def threads(self) -> list[str]:
        """Gives the threads that have files, and passes over files that are of none."""
        found = (_thread_and_suffix(name) for name in os.listdir(self._folder))
        return in_order({thread_id for thread_id, _ in filter(None, found)})

    def _former_names(self) -> dict[str, str]:
        former: dict[str, str] = {}
        for name in os.listdir(self._folder):
            if found := _thread_and_suffix(name):
                thread_id, suffix = found
                if name != (current := name_of(thread_id) + suffix):
                    former[current] = name
        return former

    def _rename(self, former: str, path: Path) -> None:
        if path.name in os.listdir(self._folder):
            # The next use looks again.
            self._former = None
            raise Rejection(
                "semantic",
                "store.two-files",
                f"`{path.name}` and `{former}` are of one thread; append the events of one to the other, and remove it",
            )
        try:
            (self._folder / former).rename(path)
        except FileNotFoundError:
            # Another process has renamed it.
            return


def _thread_and_suffix(name: str) -> tuple[str, str] | None:
    for suffix in (SNAPSHOT, LOG):
        if name.endswith(suffix):
            thread_id = thread_of(name[: -len(suffix)])
            return None if thread_id is None else (thread_id, suffix)
    return None


def _escaped(thread_id: str) -> str:
    return "".join(chr(part) if part in _UNESCAPED else f"%{part:02X}" for part in thread_id.encode())


def _refused(why: str) -> Rejection:
    return Rejection("semantic", "store.thread-id", f"the id of the thread {why}; choose another id")
