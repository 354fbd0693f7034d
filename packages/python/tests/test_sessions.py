"""Sessions: entries stay text until they are read, and what was read is live."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from pydantic import BaseModel

from chatstate import ChatMessage, ChatState, ProviderState, Rejection, Session, StateBag
from chatstate.sessions import (
    InMemoryChatMessageStore,
    InMemoryChatMessageStoreState,
    StoreRegistry,
    StoreState,
    attach_store,
)

TEXT = '{"stateBag":{"profile": {"name":"Ann","size":1.00,"later":[1.10 ,null]} ,"none":null}}'


class Profile(BaseModel):
    """A type that knows one of the members."""

    name: str


@dataclass
class Notes:
    """A type that is no model."""

    notes: list[str]


def rejection(session: Session, key: str, kind: type[object]) -> tuple[str, str, str]:
    """Why an entry cannot be read as a type."""
    with pytest.raises(Rejection) as rejected:
        session.bag.read(key, kind)
    return rejected.value.class_, rejected.value.rule, rejected.value.at


def test_what_is_not_changed_stays_character_by_character() -> None:
    session = Session.from_json(TEXT)
    assert session.bag.read("profile", Profile) == Profile(name="Ann")
    assert session.bag["profile"] == {"name": "Ann", "size": 1, "later": [1.1, None]}
    written = '{"stateBag":{"profile":{"name":"Ann","size":1.00,"later":[1.10 ,null]},"none":null}}'
    assert session.to_json() == written


def test_what_was_read_is_live_and_keeps_what_its_type_does_not_know() -> None:
    session = Session.from_json(TEXT)
    profile = session.bag.read("profile", Profile)
    assert profile is not None
    profile.name = "Bob"
    assert session.bag.read("profile", Profile) is profile
    assert session.bag["profile"] == {"name": "Bob", "size": 1, "later": [1.1, None]}


def test_null_and_absent_are_two_things() -> None:
    bag = Session.from_json(TEXT).bag
    assert (bag.read("none", Profile), "none" in bag) == (None, True)
    assert (bag.read("other", Profile), "other" in bag) == (None, False)


def test_the_wrong_type_is_an_error_that_names_both() -> None:
    session = Session.from_json(TEXT)
    assert rejection(session, "profile", Notes) == ("schema", "required", "/stateBag/profile/notes")
    session.bag.read("profile", Profile)
    with pytest.raises(Rejection, match=r"`Profile`.*`Notes`") as rejected:
        session.bag.read("profile", Notes)
    assert rejected.value.rule == "session.other-type"


def test_the_bag_is_a_mapping() -> None:
    bag = StateBag()
    bag["a"] = {"n": [1]}
    bag.put("b", Notes(["x"]))
    bag.update(c=None)
    assert dict(bag) == {"a": {"n": [1]}, "b": {"notes": ["x"]}, "c": None}
    assert (list(bag), len(bag), bag.pop("a"), "a" in bag) == (["a", "b", "c"], 3, {"n": [1]}, False)
    with pytest.raises(Rejection, match="blank"):
        bag[" "] = 1
    assert bag.to_json() == '{"b":{"notes":["x"]},"c":null}'


def test_documents_of_this_package_are_types_too() -> None:
    bag = StateBag()
    bag["chat"] = {"history": [], "channels": [], "later": 12345678901234567890.5}
    state = bag.read("chat", ChatState)
    assert state is not None
    state.history.append(ChatMessage(role="user", items=[]))
    expected = '{"history":[{"role":"user","items":[]}],"channels":[],"later":12345678901234567000}'
    assert bag.text("chat") == expected.replace("12345678901234567000", "1.2345678901234567e+19")


def test_a_provider_begins_once() -> None:
    provider = ProviderState("notes", Notes, lambda _: Notes(["first"]))
    one, other = Session(), Session()
    provider.get(one).notes.append("second")
    assert provider.get(one).notes == ["first", "second"]
    assert provider.get(other).notes == ["first"]
    assert one.to_json() == '{"stateBag":{"notes":{"notes":["first","second"]}}}'


def test_a_list_of_sessions() -> None:
    text = '[ {"stateBag":{"a":1.0}} ,{"sessionId":"s","stateBag":{}} ]'
    sessions = Session.list_from_json(text)
    sessions[1].id = "t"
    assert Session.list_to_json(sessions) == '[{"stateBag":{"a":1.0}},{"sessionId":"t","stateBag":{}}]'


KINDS = StoreRegistry(InMemoryChatMessageStoreState)
HELLO = ChatMessage(role="user", items=[])
SAVED = '{"role":"user","items":[]}'


def state_in_memory(members: str) -> Session:
    """A session with the state of a store in memory."""
    return Session.from_json(
        '{"stateBag":{"h":{"$type":"InMemoryChatMessageStoreState"%s}}}' % members
    )


@pytest.mark.parametrize("members", ["", ',"messages":[ ] ', ',"later":1.10,"messages":[]'])
def test_what_is_added_to_an_attached_store_is_saved(members: str) -> None:
    session = state_in_memory(members)
    untouched = session.to_json()
    store = attach_store(session, "h", KINDS)
    assert (store.get_messages(), session.to_json()) == ([], untouched)
    store.append(HELLO)
    attach_store(session, "h", KINDS).messages.append(HELLO)
    assert store.get_messages() == [HELLO, HELLO]
    saved = Session.from_json(session.to_json())
    assert attach_store(saved, "h", KINDS).get_messages() == [HELLO, HELLO]
    expected = state_in_memory(members).bag["h"]
    assert isinstance(expected, dict)
    assert saved.bag["h"] == {**expected, "messages": [{"role": "user", "items": []}] * 2}


def test_what_is_added_to_a_new_store_is_saved() -> None:
    session = Session()
    attach_store(session, "h", KINDS).append(HELLO)
    assert session.to_json() == (
        '{"stateBag":{"h":{"$type":"InMemoryChatMessageStoreState","messages":[%s]}}}' % SAVED
    )


def test_messages_that_were_not_changed_keep_their_text() -> None:
    first = '{"role":"user","items":[],"later":1.10}'
    session = state_in_memory(f',"messages":[{first}]')
    attach_store(session, "h", KINDS).append(HELLO)
    messages = session.bag["h"]["messages"]
    assert [message.get("later") for message in messages] == [1.1, None]


@dataclass
class Thread:
    """The state of a store at a service."""

    thread: str


class ServiceStore:
    """A store at a service."""

    def __init__(self, state: StoreState | None) -> None:
        self.state = state or StoreState.of(Thread("new"))


def test_the_state_of_a_store_at_a_service_is_live() -> None:
    session, kinds = Session(), StoreRegistry(Thread)
    store = attach_store(session, "h", kinds, ServiceStore)
    store.state.read(Thread).thread = "moved"
    again = attach_store(session, "h", kinds, ServiceStore)
    assert again.state.read(Thread) is store.state.read(Thread)
    assert session.bag["h"] == {"$type": "Thread", "thread": "moved"}


def test_a_rejected_store_leaves_the_entry_unread() -> None:
    def refuse(_: StoreState | None) -> ServiceStore:
        raise Rejection("restore", "service", "no such thread")

    session = Session.from_json('{"stateBag":{"h":{"$type":"Thread","thread":"t"}}}')
    with pytest.raises(Rejection, match="no such thread"):
        attach_store(session, "h", StoreRegistry(Thread), refuse)
    assert session.bag.read("h", dict) == {"$type": "Thread", "thread": "t"}


@pytest.mark.parametrize("name", ["Messages", "MESSAGES"])
def test_messages_under_a_name_in_other_letters_are_rejected(name: str) -> None:
    session = state_in_memory(f',"{name}":[{SAVED}]')
    with pytest.raises(Rejection, match=f"`{name}`") as rejected:
        attach_store(session, "h", KINDS)
    rejection = rejected.value
    assert (rejection.class_, rejection.rule) == ("schema", "session.store-malformed")
    assert rejection.at == f"/stateBag/h/{name}"
    assert attach_store(state_in_memory(f',"messages":[],"{name}":[]'), "h", KINDS).messages == []


def test_a_store_may_be_used_without_a_session() -> None:
    store = InMemoryChatMessageStore()
    store.append(HELLO)
    assert InMemoryChatMessageStore(store.state).messages is store.messages


def test_a_store_is_attached_and_its_state_saved() -> None:
    session, registry = Session(), StoreRegistry(InMemoryChatMessageStoreState)
    attach_store(session, "history", registry)
    assert session.bag["history"] == {
        "$type": "InMemoryChatMessageStoreState",
        "messages": [],
    }
    session.bag["history"] = {"thread": "x", "$type": "Other"}
    with pytest.raises(Rejection) as rejected:
        attach_store(session, "history", registry)
    assert (rejected.value.rule, rejected.value.at) == (
        "session.attach-unknown",
        "/stateBag/history/$type",
    )
