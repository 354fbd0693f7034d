"""What keeps the messages of a session: attached when the session is used, never saved with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from pydantic import Field

from ..generated.models import ChatMessage
from .._runtime.json_text import is_object, parse, write
from .._runtime.model import Model
from .._runtime.rejection import Rejection
from .._runtime.whole import Whole
from .entry import Entry, plain_of
from .session import Session

T = TypeVar("T")

_TAG = "$type"
"""The member that names the kind of a state."""


class InMemoryChatMessageStoreState(Model):
    """The state of the store that there is without a factory: the messages themselves."""

    messages: list[ChatMessage] = Field(default_factory=list[ChatMessage])
    """The messages in order. A document without the member has none."""


class StoreState(Whole):
    """A state of one of several kinds, which says by `$type` which one it is."""

    saved_by = "use `to_value()`"

    def __init__(self, kind: str, entry: Entry, *, is_known: bool) -> None:
        """Takes the kind, the state, and whether the registry that read it knows its kind."""
        self.kind = kind
        self.is_known = is_known
        self._entry = entry

    @classmethod
    def of(cls, state: object) -> StoreState:
        """Gives a state of a type; it gets the name of the type as its `$type`."""
        kind = type(state).__name__
        entry = Entry(write({_TAG: kind, **plain_of(state)}))
        entry.read(type(state))
        return cls(kind, entry, is_known=True)

    def read(self, kind: type[T]) -> T:
        """Gives the state as its type, live; another type than that of its kind is rejected."""
        if self.kind != kind.__name__:
            message = f"the state is a `{self.kind}` and cannot be read as `{kind.__name__}`"
            raise Rejection("semantic", "session.other-type", message).within(_TAG)
        return self._entry.read(kind)

    def to_value(self) -> Any:
        """Gives the JSON value: what was read, with the changes made to its type."""
        return parse(self._entry.text())


class StoreRegistry(Whole):
    """The kinds of states that a program knows, by their `$type`, which is the name of the type."""

    def __init__(self, *kinds: type[Any]) -> None:
        """Knows some types."""
        self._kinds: dict[str, type[Any]] = {}
        for kind in kinds:
            self.register(kind)

    def register(self, kind: type[Any]) -> None:
        """Adds a type under its name; a second type of one name is rejected."""
        if kind.__name__ in self._kinds:
            message = f"a kind of state is registered as `{kind.__name__}` already"
            raise Rejection("semantic", "session.store-twice", message)
        self._kinds[kind.__name__] = kind

    def read(self, value: Any) -> StoreState:
        """Reads a state. The place of `$type` among the members does not matter.

        A state of a known kind is read now; one of an unknown kind is kept as it is.
        """
        if not is_object(value):
            raise Rejection("schema", "type", "must be of type object")
        if _TAG not in value:
            raise Rejection("schema", "required", f"the member `{_TAG}` is missing").within(_TAG)
        tag = value[_TAG]
        if not isinstance(tag, str):
            raise Rejection("schema", "type", "must be of type string").within(_TAG)
        entry, kind = Entry(write(value)), self._kinds.get(tag)
        if kind is not None:
            entry.read(kind)
        return StoreState(tag, entry, is_known=kind is not None)


class ChatMessageStore(Protocol):
    """What keeps the messages of one session: in the session, or at a service that its state names."""

    @property
    def state(self) -> StoreState:
        """The state, which is all that is saved of it."""
        ...


class _InMemoryStore:
    """The store that there is without a factory."""

    def __init__(self, state: StoreState) -> None:
        self.state = state


Factory = Callable[["StoreState | None"], ChatMessageStore]
"""Makes a store of the state in a session, or a new one where the session has none.

It has the clients and keys that a store needs and that no session holds.
"""


def attach_store(
    session: Session, key: str, registry: StoreRegistry, factory: Factory | None = None
) -> ChatMessageStore:
    """Attaches a store to a session that is used.

    Without a state, what the factory makes of nothing is attached, or a new store in memory, and the
    session gets its state. A state goes to the factory, whatever its kind. Without a factory, a state in
    memory is attached as it is and one of another kind rejected, with class `restore`. A rejection, of the
    factory too, leaves the session as it was.
    """
    value = session.bag[key] if key in session.bag else None
    if value is None:
        made = factory or _in_memory
        store = made(None)
        session.bag[key] = store.state.to_value()
        return store
    try:
        state = registry.read(value)
        if factory is None:
            _check_in_memory(state)
    except Rejection as rejection:
        raise rejection.within("stateBag", key) from None
    return _InMemoryStore(state) if factory is None else factory(state)


def _in_memory(_: StoreState | None) -> ChatMessageStore:
    return _InMemoryStore(StoreState.of(InMemoryChatMessageStoreState(messages=[])))


def _check_in_memory(state: StoreState) -> None:
    if state.kind != InMemoryChatMessageStoreState.__name__:
        message = f"the state is a `{state.kind}`, and the agent has no factory for it; give it one"
        raise Rejection("restore", "session.attach-unknown", message).within(_TAG)
    state.read(InMemoryChatMessageStoreState)
