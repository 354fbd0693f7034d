"""Sessions: entries stay text until they are read, and what was read is live."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from pydantic import BaseModel

from chatstate import ChatMessage, ChatState, ProviderState, Rejection, Session, StateBag
from chatstate.sessions import (
    InMemoryChatMessageStoreState,
    StoreRegistry,
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


def test_a_store_is_attached_and_never_saved() -> None:
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
