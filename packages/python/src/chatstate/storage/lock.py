"""One writer at a time, of all processes and languages, and what a writer that died has left."""

from __future__ import annotations

import json
import os
import platform
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NamedTuple

from .._runtime.rejection import Rejection

_ATTEMPTS: Final = 500
_PAUSE: Final = 0.01


class _Held(NamedTuple):
    """What a lock says."""

    owner: dict[str, Any] | None
    """Who has it, by `host`, `pid` and `started`; none before its writer could say so."""
    length: int | None
    """How long the log was before the events that are being appended."""


class WriterLock:
    """A file beside a log that is there as long as somebody writes to the files of its thread.

    Its first line says who writes. Before events are written, a second one says how long the log is, so that what a
    writer leaves that fails or dies is taken away by itself or by the next one, and read by nobody.
    """

    def __init__(self, log: Path) -> None:
        """Makes the lock of a log, without taking it."""
        self._log = log
        self._path = _lock_of(log)
        self._length: int | None = None

    def __enter__(self) -> WriterLock:
        """Takes the lock; `Rejection` if another writer keeps it."""
        seen, times = None, 0
        while times < _ATTEMPTS:
            if self._taken():
                return self
            if not self._taken_from_dead(nameless=False):
                time.sleep(_PAUSE)
            # As long as others take turns, this one waits for its own.
            held = _read(self._path)
            seen, times = held, times + 1 if held == seen else 0
        # Who has not said in all this time who it is was killed before it could.
        if self._taken_from_dead(nameless=True) and self._taken():
            return self
        owner = (_read(self._path) or _Held(None, None)).owner
        who = f"process {owner['pid']} on `{owner['host']}`" if owner else "a process"
        raise Rejection(
            "semantic",
            "store.locked",
            f"`{self._path.name}` says that {who} writes to this thread; "
            f"try again, or if none does, remove it and `{self._claim().name}`",
        )

    def __exit__(
        self, error: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Gives the lock back. After an error, the log is as long as it was, or else it stays locked."""
        if error is not None and self._length is not None:
            _take_back(self._log, self._length)
        self._path.unlink()

    def keep(self, length: int) -> None:
        """Says how long the log is, before anything is written to it."""
        self._length = length
        with self._path.open("ab") as lock:
            lock.write(f'{{"length":{length}}}\n'.encode())

    def _taken(self) -> bool:
        owner = json.dumps(_owner(os.getpid())).encode() + b"\n"
        try:
            lock = self._path.open("xb")
        except FileExistsError:
            return False
        try:
            with lock:
                lock.write(owner)
        except BaseException:
            self._path.unlink()
            raise
        # A process that was suspended before it wrote this may have been taken for dead.
        return self._path.exists() and self._path.read_bytes() == owner

    def _taken_from_dead(self, nameless: bool) -> bool:
        """Removes the lock of a writer that died. Only who has the claim does, so that no other lock is removed."""
        if not _is_dead(_read(self._path), nameless):
            return False
        try:
            self._claim().open("xb").close()
        except FileExistsError:
            return False
        try:
            held = _read(self._path)
            if held is not None and _is_dead(held, nameless):
                if held.length is not None:
                    _take_back(self._log, held.length)
                self._path.unlink()
        finally:
            self._claim().unlink()
        return True

    def _claim(self) -> Path:
        return self._path.with_name(self._path.name + ".old")


def appended_length(log: Path) -> int:
    """Gives the length of a log without what is being appended now."""
    try:
        length = log.stat().st_size
    except FileNotFoundError:
        return 0
    # The lock is read after the length: if it is gone by now, the append was whole or taken back.
    held = _read(_lock_of(log))
    return length if held is None or held.length is None else min(length, held.length)


def _lock_of(log: Path) -> Path:
    return log.with_suffix(".lock")


def _take_back(log: Path, length: int) -> None:
    if length == 0:
        log.unlink(missing_ok=True)
    elif log.stat().st_size > length:
        os.truncate(log, length)


def _read(lock: Path) -> _Held | None:
    """Reads a lock, if there is one. What has no line feed yet is not said."""
    try:
        *lines, _ = lock.read_bytes().split(b"\n")
    except FileNotFoundError:
        return None
    owner = json.loads(lines[0]) if lines else None
    return _Held(owner, json.loads(lines[1])["length"] if len(lines) > 1 else None)


def _is_dead(held: _Held | None, nameless: bool) -> bool:
    """Whether the writer is a process of this machine that is not there any more, or one without a name."""
    if held is None:
        return False
    if held.owner is None:
        return nameless
    if held.owner["host"] != _host():
        return False
    pid = held.owner["pid"]
    return not _is_running(pid) or _started(pid) != held.owner["started"]


def _is_running(pid: int) -> bool:
    if os.name == "nt":
        # Nothing in the library of Python asks for a process there without ending it.
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _owner(pid: int) -> dict[str, Any]:
    return {"host": _host(), "pid": pid, "started": _started(pid)}


def _host() -> str:
    """The machine, and on Linux what its process ids are of, since containers have their own ones."""
    try:
        return f"{platform.node()} {os.readlink('/proc/self/ns/pid')}"
    except OSError:
        return platform.node()


def _started(pid: int) -> str:
    """When a process was started, as Linux counts it; empty elsewhere, and for one that has ended.

    An id is used again by later processes.
    """
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except OSError:
        return ""
    fields = stat.rpartition(")")[2].split()
    return "" if fields[0] in "ZX" else fields[19]
