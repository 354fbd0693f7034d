"""The state of a path of runs.

A run takes the state of its predecessor along and changes it in place. The predecessor keeps what its
events did to the state, so that a second run that continues it finds it again.
"""

from __future__ import annotations

from typing import Any

from .._runtime.rejection import Rejection
from .patch import Patch, Patched, PatchFailure, has_unknown_operations


class SharedState:
    """The state, and how it came about since the run began."""

    __slots__ = ("_changes", "_patched", "_whole", "has_moved_on", "is_known", "is_left_out")

    def __init__(self, *, is_left_out: bool = False) -> None:
        """Begins with the empty state; one that is left out is not computed."""
        self._patched: Patched | None = None if is_left_out else Patched({})
        self._whole: Patched | None = None
        """The last value that was said whole; without one, the state continues the predecessor's."""
        self._changes: list[Patch] = []
        """The patches since then."""
        self.is_left_out = is_left_out
        """Whether the state is not asked for."""
        self.has_moved_on = False
        """Whether a later run has the state."""
        self.is_known = True
        """Whether no operation was left out since the state was last said whole."""

    @property
    def value(self) -> Any:
        """The state as it is now, which is shared from now on."""
        return None if self._patched is None else self._patched.value

    @property
    def says_whole(self) -> bool:
        """Whether the events of the run said the state whole."""
        return self._whole is not None

    def begin_run(self) -> None:
        """A run begins, which may copy as much as any."""
        if self._patched is not None:
            self._patched.copied = 0

    def set(self, value: Any) -> None:
        """The state is another value from now on."""
        self.is_known = True
        if not self.is_left_out:
            self._whole, self._changes = Patched(value), []
            self._patched = Patched(value)

    def apply(self, patch: Patch) -> None:
        """Applies a patch, as `Patched` does."""
        self.is_known = self.is_known and not has_unknown_operations(patch)
        if self._patched is not None:
            self._changes.append(patch)
            self._patched.apply(patch)

    def move_on(self) -> SharedState:
        """Gives the state away to the first run that continues here."""
        moved = SharedState(is_left_out=self.is_left_out)
        moved._patched, moved.has_moved_on = self._patched, self.has_moved_on
        moved.is_known = self.is_known
        if not self.is_left_out:
            self._patched, self.has_moved_on = None, True
        return moved

    def recall(self, before: SharedState | None) -> None:
        """Works the state out again that was given away."""
        whole = before if self._whole is None else self._whole
        patched = Patched({} if whole is None else whole.value)
        for patch in self._changes:
            try:
                patched.apply(patch)
            except (PatchFailure, Rejection):
                # A patch that did not apply then does not apply now.
                continue
        self._patched, self.has_moved_on = patched, False
