"""JSON Patch (RFC 6902): all operations or none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from .._runtime.json_fault import MAX_DEPTH
from .._runtime.json_text import is_array, is_object, write
from .._runtime.rejection import Rejection
from .values import depth_of, index_of, same, segments_of, step_into

MAX_COPY = 64 * 1024 * 1024
"""The longest compact text, in bytes, that a document may have after a `copy`, and that the `copy`
operations of a run may copy."""

MAX_PATCHED_DEPTH = MAX_DEPTH - 3
"""How deep a patched document may be nested: an activity stands three levels down in a `MESSAGES_SNAPSHOT`."""

Patch = list[dict[str, Any]]
"""The operations of a patch."""

_Undo = list[Callable[[], Any]]


class PatchFailure(Exception):
    """A patch does not apply; the document is as it was before."""

    def __init__(self, index: int, reason: str) -> None:
        """Names the operation that fails, by its number from 0, and why it does."""
        super().__init__(f"operation {index} of the patch does not apply: {reason}")
        self.index = index


class Patched:
    """A value that patches change, and that others may hold too.

    The value that it begins with stays as it is: an array or an object is copied when a patch first
    reaches into it.
    """

    __slots__ = ("_bound", "_own", "_root", "copied")

    def __init__(self, value: Any, copied: int = 0) -> None:
        """Begins with a value, and with what the run has copied before."""
        self._root = value
        self._own: dict[int, Any] = {}
        """The arrays and objects that are copies, by their identity, which lasts as long as they do."""
        self._bound: int | None = None
        """What the compact text is not longer than; unknown until a `copy` makes it matter."""
        self.copied = copied
        """How many bytes of compact text this run has copied, whether its patches applied or not."""

    @property
    def value(self) -> Any:
        """The value as it is now. The caller shares it, so that it is not changed any more."""
        self._own.clear()
        return self._root

    def apply(self, patch: Patch) -> None:
        """Applies a patch; `PatchFailure` if it does not apply, `Rejection` of a copy beyond the limit."""
        before = self._root
        undo: _Undo = []
        try:
            for index, operation in enumerate(patch):
                reason = self._step(operation, undo)
                if reason is not None:
                    raise PatchFailure(index, reason)
        except BaseException:
            for take_back in reversed(undo):
                take_back()
            self._root = before
            raise

    def _step(self, operation: dict[str, Any], undo: _Undo) -> str | None:
        """Does one operation; gives the reason if it does not apply."""
        op = operation["op"]
        if op not in _KNOWN:
            # What a newer version means by it is not known; the rest of the patch holds all the same.
            return None
        path = segments_of(operation["path"])
        if path is None:
            return f"`{operation['path']}` is not a JSON pointer"
        try:
            if op == "add":
                return self._add(path, operation["value"], undo)
            if op == "replace":
                return self._replace(path, operation["value"], undo)
            if op == "remove":
                self._take(path, undo)
                return None
            if op == "test":
                tested = same(self._find(path), operation["value"])
                return None if tested else "the value is not the tested one"
            return self._transfer(op, operation["from"], operation["path"], path, undo)
        except LookupError:
            return f"there is nothing at `{operation.get('from', operation['path'])}`"

    def _transfer(
        self, op: str, origin: str, pointer: str, path: list[str], undo: _Undo
    ) -> str | None:
        """Moves or copies a value."""
        source = segments_of(origin)
        if source is None:
            return f"`{origin}` is not a JSON pointer"
        if op == "move":
            if pointer.startswith(origin + "/"):
                return f"`{origin}` cannot move into itself"
            return self._add(path, self._take(source, undo), undo)
        # The copy and the original are two values from here on, so neither may own what is in both.
        self._own.clear()
        value = self._find(source)
        self.copied += _length(value)
        if self.copied > MAX_COPY:
            raise too_long("the patches of this run copy more")
        reason = self._add(path, value, undo)
        if reason is None and (self._bound is None or self._bound > MAX_COPY):
            self._bound = _length(self._root)
            if self._bound > MAX_COPY:
                raise too_long("a `copy` makes the document longer")
        return reason

    def _find(self, path: list[str]) -> Any:
        value = self._root
        for segment in path:
            value = step_into(value, segment)
        return value

    def _container(self, path: list[str]) -> Any:
        """Gives the value at a place to be changed, after copying what others may hold on the way."""
        own = self._own
        value = self._root
        if id(value) not in own:
            value = self._root = self._copied(value)
        for segment in path:
            inner = step_into(value, segment)
            if id(inner) not in own:
                inner = self._copied(inner)
                value[segment if is_object(value) else int(segment)] = inner
            value = inner
        return value

    def _copied(self, value: Any) -> Any:
        copied: Any
        if is_object(value):
            copied = dict(value)
        elif is_array(value):
            copied = list(value)
        else:
            raise LookupError
        if len(self._own) >= _MOST_OWNED:
            self._own.clear()
        self._own[id(copied)] = copied
        return copied

    def _add(self, path: list[str], value: Any, undo: _Undo) -> str | None:
        if _is_too_deep(path, value):
            return _TOO_DEEP
        if self._bound is not None:
            # As text, a character of a name takes six bytes at most; quotes, colon and comma.
            self._bound += _length(value) + 6 * len(path[-1] if path else "") + 4
        if not path:
            undo.append(partial(setattr, self, "_root", self._root))
            self._root = value
            return None
        container, name = self._container(path[:-1]), path[-1]
        if is_object(container):
            _set(container, name, value, undo)
            return None
        items: list[Any] = container
        index = len(items) if name == "-" else index_of(name)
        if index is None or index > len(items):
            return f"`{name}` is no place in an array of {len(items)} item(s)"
        items.insert(index, value)
        undo.append(partial(items.pop, index))
        return None

    def _replace(self, path: list[str], value: Any, undo: _Undo) -> str | None:
        if _is_too_deep(path, value):
            return _TOO_DEEP
        if self._bound is not None:
            # As text, a character of a name takes six bytes at most; quotes, colon and comma.
            self._bound += _length(value) + 6 * len(path[-1] if path else "") + 4
        if not path:
            undo.append(partial(setattr, self, "_root", self._root))
            self._root = value
            return None
        container, name = self._container(path[:-1]), path[-1]
        before = step_into(container, name)
        place = name if is_object(container) else int(name)
        container[place] = value
        undo.append(partial(container.__setitem__, place, before))
        return None

    def _take(self, path: list[str], undo: _Undo) -> Any:
        if not path:
            raise LookupError
        container, name = self._container(path[:-1]), path[-1]
        value = step_into(container, name)
        if is_object(container):
            del container[name]
            undo.append(partial(container.__setitem__, name, value))
        else:
            index = int(name)
            del container[index]
            undo.append(partial(container.insert, index, value))
        return value


_KNOWN = frozenset(["add", "remove", "replace", "move", "copy", "test"])


def unknown_operations(patch: Patch) -> Iterator[tuple[int, str]]:
    """Gives the operations of a patch that are left out, since they are unknown."""
    for number, operation in enumerate(patch):
        if operation["op"] not in _KNOWN:
            yield number, operation["op"]


def has_unknown_operations(patch: Patch) -> bool:
    """Whether a patch has such operations."""
    return any(operation["op"] not in _KNOWN for operation in patch)


_MOST_OWNED = 4096
"""So many copies are remembered at most; one that is forgotten is made again when it changes."""

_TOO_DEEP = f"the document would be nested deeper than {MAX_PATCHED_DEPTH} levels"


def _length(value: Any) -> int:
    return len(write(value).encode("utf-8", "surrogatepass"))


def _is_too_deep(path: list[str], value: Any) -> bool:
    if not is_object(value) and not is_array(value):
        return len(path) > MAX_PATCHED_DEPTH
    return len(path) + depth_of(value) > MAX_PATCHED_DEPTH


def _set(members: dict[str, Any], name: str, value: Any, undo: _Undo) -> None:
    if name in members:
        undo.append(partial(members.__setitem__, name, members[name]))
    else:
        undo.append(partial(members.pop, name))
    members[name] = value


def too_long(what: str) -> Rejection:
    """Gives the rejection of a `copy` beyond a limit."""
    mebibytes = MAX_COPY // (1024 * 1024)
    message = f"{what} than {mebibytes} MiB; send the value with `add` instead"
    return Rejection("limit", "patch-copy", message)
