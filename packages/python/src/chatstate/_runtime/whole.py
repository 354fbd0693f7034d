"""What is saved as a whole or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar


class Whole:
    """An object that no writer takes apart.

    Writers that know nothing of an object write its attributes, which is another document than the one that
    is saved, and may hold what is a secret. They get an error instead that says how the object is saved.
    """

    saved_by: ClassVar[str] = "it is not saved"
    """How an object of this class is saved, for people."""

    if not TYPE_CHECKING:

        @property
        def __dict__(self):
            # `vars` and `dir` expect this kind of error.
            raise AttributeError(self._taken_apart())

    def __reduce_ex__(self, protocol: Any, /) -> Any:
        """Rejects pickling and copying; a class that can do both says how."""
        raise TypeError(self._taken_apart())

    if not TYPE_CHECKING:

        def __iter__(self):
            """Says how the object is saved to a writer that takes it for a mapping."""
            raise TypeError(self._taken_apart())

    def _taken_apart(self) -> str:
        return f"a `{type(self).__name__}` is saved as a whole or not at all: {self.saved_by}"
