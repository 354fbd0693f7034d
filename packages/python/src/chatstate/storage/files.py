"""Events in the files of a folder."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from typing import Final

from ..generated.models import AnyEvent, Event
from .._runtime.json_text import parse
from .._runtime.whole import Whole
from .lock import WriterLock, appended_length
from .names import LOG, SNAPSHOT, ThreadFiles, name_of
from .store import ThreadSnapshot, read_event

_FEW: Final = 256
"""So many lines are read at once."""


class FileEventStore(Whole):
    """Keeps events in the files of a folder: an append-only log in JSON Lines, and a snapshot beside it.

    An append that fails, or whose process dies, appended nothing. Several processes may write to a folder; the stores of
    the other languages have the same files.
    """

    saved_by = "make another one of its folder"

    def __init__(self, folder: str | Path) -> None:
        """Keeps events in a folder, which is made if it is not there."""
        Path(folder).mkdir(parents=True, exist_ok=True)
        self._files = ThreadFiles(Path(folder))
        self._writing = threading.Lock()
        self._known: dict[Path, tuple[int, int]] = {}
        """By log, its length in bytes and its number of events when this store wrote it last."""

    async def append(self, thread_id: str, events: Iterable[Event]) -> int:
        """Appends events to a thread, and gives the number of events that it has now.

        `Rejection` of the rule `store.locked` if another process writes to the thread for seconds.
        """
        name = name_of(thread_id)
        texts = [event.to_json() for event in events]
        return await asyncio.to_thread(self._append, name, texts)

    async def read(self, thread_id: str, start: int = 0) -> AsyncIterator[AnyEvent]:
        """Reads the events of a thread from a position on."""
        path = await asyncio.to_thread(self._files.path, name_of(thread_id), LOG)
        length = await asyncio.to_thread(appended_length, path)
        offset = position = 0
        while True:
            lines = await asyncio.to_thread(_whole_lines, path, offset, length)
            if not lines:
                return
            for line in lines:
                if position >= start:
                    yield read_event(line, position)
                position += 1
                offset += len(line)

    async def save_snapshot(self, thread_id: str, snapshot: ThreadSnapshot) -> None:
        """Keeps a snapshot of a thread: it is there whole, or the one before is."""
        await asyncio.to_thread(self._save, name_of(thread_id), snapshot.to_json().encode())

    async def load_snapshot(self, thread_id: str) -> ThreadSnapshot | None:
        """Gives the snapshot of a thread, if there is one."""
        path = await asyncio.to_thread(self._files.path, name_of(thread_id), SNAPSHOT)
        try:
            text = await asyncio.to_thread(path.read_bytes)
        except FileNotFoundError:
            return None
        return ThreadSnapshot.from_value(parse(text))

    async def list_threads(self) -> list[str]:
        """Gives the threads that have events or a snapshot. Other files of the folder are passed over."""
        return await asyncio.to_thread(self._files.threads)

    def _append(self, name: str, texts: list[str]) -> int:
        path = self._files.path(name, LOG)
        if not texts:
            return self._counted(path, appended_length(path))[0]
        added = "".join(f"{text}\n" for text in texts).encode()
        with self._writing, WriterLock(path) as lock:
            count, length = self._mended(path)
            lock.keep(length)
            with path.open("ab") as log:
                log.write(added)
                log.flush()
                os.fsync(log.fileno())
            self._known[path] = length + len(added), count + len(texts)
        return count + len(texts)

    def _save(self, name: str, text: bytes) -> None:
        path = self._files.path(name, SNAPSHOT)
        written = path.with_name(path.name + ".new")
        with self._writing, WriterLock(self._files.path(name, LOG)):
            try:
                with written.open("wb") as file:
                    file.write(text)
                    file.flush()
                    os.fsync(file.fileno())
                written.replace(path)
            except BaseException:
                written.unlink(missing_ok=True)
                raise

    def _mended(self, path: Path) -> tuple[int, int]:
        """Takes a torn line away, and gives the number of events and their length."""
        length = path.stat().st_size if path.exists() else 0
        count, whole = self._counted(path, length)
        if whole < length:
            os.truncate(path, whole)
        return count, whole

    def _counted(self, path: Path, length: int) -> tuple[int, int]:
        """Counts the events of a log of a length, and gives their number and their length."""
        whole, count = self._known.get(path, (0, 0))
        if whole > length:
            whole = count = 0
        while lines := _whole_lines(path, whole, length):
            count += len(lines)
            whole += sum(map(len, lines))
        return count, whole


def _whole_lines(path: Path, offset: int, length: int) -> list[bytes]:
    """Gives a few lines from an offset on, of a log of a length. A torn line is none."""
    lines: list[bytes] = []
    if offset >= length:
        return lines
    try:
        log = path.open("rb")
    except FileNotFoundError:
        return lines
    with log:
        log.seek(offset)
        while len(lines) < _FEW and offset < length:
            line = log.readline(length - offset)
            if not line.endswith(b"\n"):
                break
            lines.append(line)
            offset += len(line)
    return lines
