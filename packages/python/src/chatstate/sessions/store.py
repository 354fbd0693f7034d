"""What keeps the messages of a session: attached when the session is used. Its state is an entry of the bag."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar, overload

from pydantic import Field

from ..generated.models import ChatMessage
from .._runtime.json_text import is_object, parse, write
from .._runtime.model import Model
from .._runtime.rejection import Rejection
from .._runtime.whole import Whole
from .entry import Entry
from .session import Session

T = TypeVar("T")

_TAG = "$type"
"""The member that names the kind of a state."""


class InMemoryChatMessageStoreState(Model):
    """The state of the store that there is without a factory: the messages themselves."""

    messages: list[ChatMessage] = Field(default_factory=list[ChatMessage])
    """The messages in order. A document without the member has none."""

    def model_post_init(self, context: Any, /) -> None:
        """Rejects messages under a name in other letters, which would be taken for none.

        The list is written once something is in it, also if the document had none.
        """
        if "messages" not in self.model_fields_set:
            for name in self.model_extra or {}:
                if name.lower() == "messages":
                    message = f"the messages are in `{name}`; rename it to `messages`"
                    raise Rejection("schema", "session.store-malformed", message).within(name)
        self.model_fields_set.add("messages")


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
        """Gives a state of a type, live; it gets the name of the type as its `$type`."""
        kind = type(state).__name__
        return cls(kind, Entry.of_tagged(state, _TAG, kind), is_known=True)

    @property
    def entry(self) -> Entry:
        """The entry of a bag that holds the state once the store is attached."""
        return self._entry

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
        return self.state_of(Entry(write(value)))

    def state_of(self, entry: Entry) -> StoreState:
        """Reads the state that an entry holds; changes of the state are changes of the entry."""
        value = parse(entry.text())
        if not is_object(value):
            raise Rejection("schema", "type", "must be of type object")
        if _TAG not in value:
            raise Rejection("schema", "required", f"the member `{_TAG}` is missing").within(_TAG)
        tag = value[_TAG]
        if not isinstance(tag, str):
            raise Rejection("schema", "type", "must be of type string").within(_TAG)
        kind = self._kinds.get(tag)
        if kind is not None:
            entry.read(kind)
        return StoreState(tag, entry, is_known=kind is not None)


class ChatMessageStore(Protocol):
    """What keeps the messages of one session: in the session, or at a service that its state names."""

    @property
    def state(self) -> StoreState:
        """The state, which is all that is saved of it."""
        ...


class InMemoryChatMessageStore(Whole):
    """The store that there is without a factory: its messages are in its state, and saved with the session."""

    saved_by = "its state is saved with the session"

    def __init__(self, state: StoreState | None = None) -> None:
        """Continues a state in memory; without one, begins without messages."""
        empty = InMemoryChatMessageStoreState(messages=[])
        self.state = StoreState.of(empty) if state is None else state
        """The state, which is all that is saved of it."""
        self.state.read(InMemoryChatMessageStoreState)

    @property
    def messages(self) -> list[ChatMessage]:
        """The messages, the oldest first: the list itself, to change in place."""
        return self.state.read(InMemoryChatMessageStoreState).messages

    def get_messages(self) -> list[ChatMessage]:
        """Gives the messages, the oldest first, in a list of their own."""
        return list(self.messages)

    def append(self, *messages: ChatMessage) -> None:
        """Adds messages after those that there are."""
        self.messages.extend(messages)


Store = TypeVar("Store", bound=ChatMessageStore)

Factory = Callable[["StoreState | None"], Store]
"""Makes a store of the state in a session, or a new one where the session has none.

It has the clients and keys that a store needs and that no session holds.
"""


@overload
def attach_store(
    session: Session, key: str, registry: StoreRegistry, factory: None = None
) -> InMemoryChatMessageStore: ...


@overload
def attach_store(
    session: Session, key: str, registry: StoreRegistry, factory: Factory[Store]
) -> Store: ...


def attach_store(
    session: Session,
    key: str,
    registry: StoreRegistry,
    factory: Factory[ChatMessageStore] | None = None,
) -> ChatMessageStore:
    """Attaches a store to a session that is used.

    The state of the store is the entry of the session: what is added to it is saved with the session, by
    every store that is attached to it, and a state that was not changed is written as it was.

    Without a state, what the factory makes of nothing is attached, or a new store in memory, and the
    session gets its state. A state goes to the factory, whatever its kind. Without a factory, a state in
    memory is attached as it is and one of another kind rejected, with class `restore`. A rejection, of the
    factory too, leaves the session as it was.
    """
    entry = session.bag.entry(key)
    if entry is None:
        store = InMemoryChatMessageStore() if factory is None else factory(None)
        session.bag.attach(key, store.state.entry)
        return store
    try:
        state = registry.state_of(entry.unread())
        if factory is None:
            _check_in_memory(state)
    except Rejection as rejection:
        raise rejection.within("stateBag", key) from None
    store = InMemoryChatMessageStore(state) if factory is None else factory(state)
    session.bag.attach(key, store.state.entry)
    return store


def _check_in_memory(state: StoreState) -> None:
    if state.kind != InMemoryChatMessageStoreState.__name__:
        message = f"the state is a `{state.kind}`, and the agent has no factory for it; give it one"
        raise Rejection("restore", "session.attach-unknown", message).within(_TAG)
    state.read(InMemoryChatMessageStoreState)
