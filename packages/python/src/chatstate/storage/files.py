"""Events in the files of a folder."""

from __future__ import annotations

import asyncio
import os
import string
import threading
from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from typing import BinaryIO, Final
from urllib.parse import unquote

from ..generated.models import Event
from .._runtime.json_text import parse
from .._runtime.whole import Whole
from .store import ThreadSnapshot, read_event

_LOG: Final = ".jsonl"
_SNAPSHOT: Final = ".snapshot.json"

_LONGEST_NAME: Final = 200
"""The longest name of a file without its suffix, which every file system takes."""

_UNESCAPED: Final = frozenset((string.ascii_lowercase + string.digits + "-_").encode())
"""Capital letters are escaped too, since some file systems take them for small ones."""

_FEW: Final = 256
"""So many lines are read at once."""


class FileEventStore(Whole):
    """Keeps events in the files of a folder: an append-only log in JSON Lines, and a snapshot beside it.

    A writer that dies leaves a torn line at the end of a log. What is after the last line feed was
    never appended: it is not read, and the next append takes it away. A folder has one writing store at
    a time.
    """

    saved_by = "make another one of its folder"

    def __init__(self, folder: str | Path) -> None:
        """Keeps events in a folder, which is made if it is not there."""
        self._folder = Path(folder)
        self._folder.mkdir(parents=True, exist_ok=True)
        self._writing = threading.Lock()
        self._known: dict[Path, tuple[int, int]] = {}
        """By log, its length in bytes and its number of events when this store wrote it last."""

    async def append(self, thread_id: str, events: Iterable[Event]) -> int:
        """Appends events to a thread, and gives the number of events that it has now."""
        path = self._path(thread_id, _LOG)
        texts = [event.to_json() for event in events]
        return await asyncio.to_thread(self._append, path, texts)

    async def read(self, thread_id: str, start: int = 0) -> AsyncIterator[Event]:
        """Reads the events of a thread from a position on."""
        path = self._path(thread_id, _LOG)
        offset = position = 0
        while True:
            lines, offset = await asyncio.to_thread(_whole_lines, path, offset)
            if not lines:
                return
            for line in lines:
                if position >= start:
                    yield read_event(line, position)
                position += 1

    async def save_snapshot(self, thread_id: str, snapshot: ThreadSnapshot) -> None:
        """Keeps a snapshot of a thread: it is there whole, or the one before is."""
        path = self._path(thread_id, _SNAPSHOT)
        await asyncio.to_thread(self._replace, path, snapshot.to_json().encode())

    async def load_snapshot(self, thread_id: str) -> ThreadSnapshot | None:
        """Gives the snapshot of a thread, if there is one."""
        path = self._path(thread_id, _SNAPSHOT)
        try:
            text = await asyncio.to_thread(path.read_bytes)
        except FileNotFoundError:
            return None
        return ThreadSnapshot.from_value(parse(text))

    async def list_threads(self) -> list[str]:
        """Gives the threads that have events or a snapshot."""
        names = await asyncio.to_thread(os.listdir, self._folder)
        ids = {
            unquote(name[: -len(suffix)])
            for suffix in (_LOG, _SNAPSHOT)
            for name in names
            if name.endswith(suffix)
        }
        return sorted(ids)

    def _append(self, path: Path, texts: list[str]) -> int:
        if not texts and not path.exists():
            return 0
        with self._writing, path.open("a+b") as log:
            count = self._mended(path, log)
            log.write("".join(f"{text}\n" for text in texts).encode())
            log.flush()
            os.fsync(log.fileno())
            self._known[path] = log.seek(0, os.SEEK_END), count + len(texts)
        return count + len(texts)

    def _replace(self, path: Path, text: bytes) -> None:
        written = path.with_name(path.name + ".new")
        with self._writing:
            with written.open("wb") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            written.replace(path)

    def _mended(self, path: Path, log: BinaryIO) -> int:
        """Takes a torn line away, and gives the number of events."""
        length, known = log.seek(0, os.SEEK_END), self._known.get(path)
        if known is not None and known[0] == length:
            return known[1]
        count = whole = 0
        while True:
            lines, end = _whole_lines(path, whole)
            if not lines:
                break
            count, whole = count + len(lines), end
        if whole < length:
            log.truncate(whole)
        return count

    def _path(self, thread_id: str, suffix: str) -> Path:
        name = "".join(
            chr(part) if part in _UNESCAPED else f"%{part:02X}" for part in thread_id.encode()
        )
        if not 0 < len(name) <= _LONGEST_NAME:
            raise ValueError(
                f"the id of the thread takes {len(name)} characters in the name of a file; 1 to "
                f"{_LONGEST_NAME} are possible"
            )
        return self._folder / (name + suffix)


def _whole_lines(path: Path, offset: int) -> tuple[list[bytes], int]:
    """Gives a few lines from an offset on, and the offset after them. A torn line is none."""
    lines: list[bytes] = []
    try:
        log = path.open("rb")
    except FileNotFoundError:
        return lines, offset
    with log:
        log.seek(offset)
        while len(lines) < _FEW:
            line = log.readline()
            if not line.endswith(b"\n"):
                break
            lines.append(line)
            offset += len(line)
    return lines, offset
