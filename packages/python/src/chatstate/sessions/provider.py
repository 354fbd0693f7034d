"""What a provider keeps in a session, so that the provider itself keeps nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from .._runtime.rejection import Rejection
from .._runtime.whole import Whole
from .bag import check_key
from .session import Session

T = TypeVar("T")


class ProviderState(Whole, Generic[T]):
    """The state of one provider: where it is in a session, and what it is at first.

    A provider has one of these and no state of its own, so that one provider serves any number of
    sessions at a time.
    """

    def __init__(self, key: str, kind: type[T], initial: Callable[[Session], T]) -> None:
        """Takes the key, the type, and what makes the state for a session that has none."""
        check_key(key)
        self.key = key
        self._kind = kind
        self._initial = initial

    def get(self, session: Session) -> T:
        """Gives the state in a session, to change in place. Where there is none, or null, it begins.

        A state of another type or shape is rejected and never replaced.
        """
        state = session.bag.read(self.key, self._kind)
        if state is None:
            state = self._initial(session)
            session.bag.put(self.key, state)
        return state

    def save(self, session: Session, state: T) -> None:
        """Replaces the state in a session, and all that was there."""
        session.bag.put(self.key, state)


def check_provider_keys(keys: Iterable[str]) -> None:
    """Rejects providers of one agent of which two have the same key, letter by letter.

    Each would read and write the other's state.
    """
    known: set[str] = set()
    for key in keys:
        check_key(key)
        if key in known:
            message = f"two providers have the key `{key}`; give each a key of its own"
            raise Rejection("semantic", "session.provider-conflict", message)
        known.add(key)
