"""The operation `session`: steps on one session, done by the package."""

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel, model_serializer

from chatstate import Rejection, parse, write
from chatstate.sessions import (
    ChatMessageStore,
    InMemoryChatMessageStoreState,
    ProviderState,
    Session,
    StateBag,
    StoreRegistry,
    StoreState,
    attach_store,
    check_provider_keys,
)

Json = dict[str, Any]
Text = str | bytes


class Profile(BaseModel):
    """A type of the steps: a name, and perhaps a count."""

    name: str
    visits: int | None = None

    @model_serializer
    def known(self) -> Json:
        """Leaves out a count that is not there."""
        members = {"name": self.name, "visits": self.visits}
        return {name: value for name, value in members.items() if value is not None}


class Notes(BaseModel):
    """A type of the steps: a list of texts."""

    notes: list[str]


class RemoteChatMessageStoreState(BaseModel):
    """The state of a store whose messages are at a service."""

    thread: str


def state_of(kind: type[BaseModel], value: Any) -> BaseModel:
    """A value as a type, as a bag reads it."""
    bag = StateBag()
    bag["value"] = value
    state = bag.read("value", kind)
    if state is None:
        raise Rejection("schema", "type", "must be an object")
    return state


def known_of(state: BaseModel) -> Json:
    """The members that a type knows."""
    return state.model_dump(mode="json", exclude_unset=True)


class Store:
    """A store of any state, as the factory of the steps makes it."""

    def __init__(self, state: StoreState) -> None:
        """Takes the state."""
        self.state = state


TYPES: dict[str, type[BaseModel]] = {"Profile": Profile, "Notes": Notes}


def read(session: Session, step: Json) -> Json:
    """Reads an entry as a type."""
    if step["key"] not in session.bag:
        return {"absent": True}
    state = session.bag.read(step["key"], TYPES[step["as"]])
    return {"value": None if state is None else known_of(state)}


def change(session: Session, step: Json) -> Json:
    """Reads an entry and changes one member of what was read."""
    kind = TYPES[step["as"]]
    state = session.bag.read(step["key"], kind)
    if state is not None:
        changed = state_of(kind, {**known_of(state), step["member"]: step["value"]})
        for name in kind.model_fields:
            setattr(state, name, getattr(changed, name))
    return read(session, step)


def put(session: Session, step: Json) -> Json:
    """Sets an entry to a new value of the type."""
    session.bag.put(step["key"], state_of(TYPES[step["as"]], step["value"]))
    return {"done": True}


def remove(session: Session, step: Json) -> Json:
    """Removes an entry."""
    was_there = step["key"] in session.bag
    session.bag.pop(step["key"], None)
    return {"done": was_there}


def provide(session: Session, step: Json) -> Json:
    """What a provider works on."""
    kind = TYPES[step["as"]]
    provider = ProviderState(step["key"], kind, lambda _: state_of(kind, step["initial"]))
    return {"value": known_of(provider.get(session))}


def providers(_: Session, step: Json) -> Json:
    """Makes an agent with providers under these keys."""
    check_provider_keys(step["keys"])
    return {"done": True}


def use(session: Session, step: Json) -> Json:
    """Gives the session to an agent that takes a kind."""
    session.expect_kind(step["kind"])
    return {"done": True}


def converse(session: Session, step: Json) -> Json:
    """Sets the identity of the conversation."""
    session.conversation_id = step["id"]
    return {"done": True}


def attach(session: Session, step: Json) -> Json:
    """Attaches a message store whose state is the entry."""
    registry = StoreRegistry(InMemoryChatMessageStoreState, RemoteChatMessageStoreState)
    factory = made if step.get("factory") else None
    return {"attached": attach_store(session, step["key"], registry, factory).state.kind}


def made(state: StoreState | None) -> ChatMessageStore:
    """The factory of the steps: it takes every state, and begins with a thread called `new`."""
    return Store(state or StoreState.of(RemoteChatMessageStoreState(thread="new")))


STEPS: dict[str, Callable[[Session, Json], Json]] = {
    "read": read,
    "change": change,
    "write": put,
    "remove": remove,
    "provide": provide,
    "providers": providers,
    "use": use,
    "converse": converse,
    "attach": attach,
}


def run_steps(text: Text, _: Json) -> str:
    """Does the steps in their order; one that is rejected changes nothing."""
    input = parse(text)
    try:
        session = Session.from_json(write(input["session"]))
    except Rejection as rejection:
        raise rejection.within("session") from None
    results: list[Json] = []
    for step in input["steps"]:
        try:
            results.append(STEPS[step["do"]](session, step))
        except Rejection as rejection:
            results.append({"refused": rejection.category})
    return write({"session": parse(session.to_json()), "results": results})
