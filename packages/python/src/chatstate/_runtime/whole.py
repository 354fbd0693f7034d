"""What is saved as a whole or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

T = TypeVar("T", bound="Answer")


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


class Answer(Whole):
    """What a function answers, a dataclass whose writer has other names than its attributes."""

    saved_by = "use `to_value()`"

    def to_value(self) -> Any:
        """Gives the JSON value."""
        raise NotImplementedError

    def __reduce_ex__(self, protocol: Any, /) -> Any:
        """Copies and pickles all attributes."""
        names: tuple[str, ...] = getattr(type(self), "__match_args__", ())
        return type(self), tuple(getattr(self, name) for name in names)


def named_by_its_writer(answer: type[T]) -> type[T]:
    """Makes a dataclass one for its own constructor, comparison and text alone.

    Writers that know dataclasses would write the names of its attributes.
    """
    delattr(answer, "__dataclass_fields__")
    return answer
