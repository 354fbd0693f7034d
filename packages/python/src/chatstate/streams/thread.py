"""The messages of a thread in order, as events build them.

A thread and its copies share what none of them has changed since. So the thread at the end of every run
can be kept, and branches cost what they change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import merge
from typing import Any, Final, NamedTuple, TypeVar, cast

from .._runtime.json_text import is_array, is_object
from .surrogates import joined
from .sorted_map import SortedMap
from .values import same

Message = dict[str, Any]
"""A message as `json.loads` gives it."""

_ACTIVITY, _REASONING, _OTHER = range(3)
"""What a snapshot may leave where it is, activities and reasoning, and all other messages."""

_CLASSES: Final = {"activity": _ACTIVITY, "reasoning": _REASONING}

_GAP: Final = 1 << 32
"""The gap after a message that is appended. Results that are inserted take the next rank."""


class Place(NamedTuple):
    """Where a message is kept. Ranks grow along the thread."""

    rank: int
    message_class: int


class CallPlace(NamedTuple):
    """Where a tool call is kept: its message, and its number among the calls of that."""

    message: Place
    call: int


_P = TypeVar("_P", Place, CallPlace)

_Ids = SortedMap[str, "_P | SortedMap[_P, None]"]
"""The places of ids. Hardly ever is an id there twice, and then the first place counts."""


class Thread:
    """The messages, with the places of ids kept beside them, so that an event costs what it changes.

    Messages that others may hold are copied before they are changed. Text that is appended waits until
    somebody looks at it.
    """

    __slots__ = ("_calls", "_ids", "_messages", "_next", "_owned", "_results", "_shared_ids", "_waiting")

    def __init__(self) -> None:
        """There is no message."""
        self._messages = tuple(SortedMap[int, Message]() for _ in range(3))
        """By class, the messages by their ranks."""
        self._ids: _Ids[Place] = SortedMap()
        self._calls: _Ids[CallPlace] = SortedMap()
        self._results = SortedMap[int, int]()
        """By the ranks of assistant messages, those of the last of the results that follow them."""
        self._next = _GAP
        """The rank of the message that is appended next."""
        self._shared_ids = 0
        """How many places of ids are not the only one of their id."""
        self._owned: set[Place] = set()
        """The messages that this thread alone holds, down to their calls."""
        self._waiting: dict[Place | CallPlace, list[str]] = {}
        """Text to be appended, by message or call."""

    def copy(self) -> Thread:
        """Gives the same messages, to go another way."""
        self._settle()
        self._owned.clear()
        copied = Thread.__new__(Thread)
        copied._messages = tuple(messages.copy() for messages in self._messages)
        copied._ids, copied._calls = self._ids.copy(), self._calls.copy()
        copied._results, copied._next = self._results.copy(), self._next
        copied._shared_ids = self._shared_ids
        copied._owned, copied._waiting = set(), {}
        return copied

    def __len__(self) -> int:
        """How many messages there are."""
        return sum(map(len, self._messages))

    def __iter__(self) -> Iterator[Message]:
        """Gives the messages in order, which are not to be changed any more."""
        self._settle()
        self._owned.clear()
        rows = self._messages
        if not rows[_ACTIVITY] and not rows[_REASONING]:
            return (message for _, message in rows[_OTHER].items())
        return (message for _, message in merge(*(row.items() for row in rows)))

    def messages(self) -> list[Message]:
        """Gives the messages in order. They are shared, so that later changes are made to copies."""
        return list(self)

    def equals(self, other: Thread) -> bool:
        """Whether both have the same messages in the same order."""
        return len(self) == len(other) and all(map(same, self, other))

    @property
    def has_shared_ids(self) -> bool:
        """Whether two messages or two tool calls have one id."""
        return self._shared_ids > 0

    def place(self, id: Any) -> Place | None:
        """Gives the place of the message with this id; of several, the first."""
        places = self._ids.get(id) if isinstance(id, str) else None
        return _first(places) if isinstance(places, SortedMap) else places

    def call_place(self, id: str) -> CallPlace | None:
        """Gives the place of the tool call with this id; of several, the first."""
        places = self._calls.get(id)
        return _first(places) if isinstance(places, SortedMap) else places

    def at(self, place: Place) -> Message:
        """Gives the message at a place, but for text that waits."""
        return cast(Message, self._messages[place.message_class].get(place.rank))

    def settled(self, id: Any) -> Message | None:
        """Gives the message with this id with all its text. It is shared from now on."""
        place = self.place(id)
        if place is None:
            return None
        self._settle()
        self._owned.discard(place)
        return self.at(place)

    def call_at(self, place: CallPlace) -> dict[str, Any]:
        """Gives the tool call at a place, but for text that waits."""
        return cast(dict[str, Any], self.at(place.message)["toolCalls"][place.call])

    def change(self, place: Place) -> Message:
        """Gives the message at a place to be changed; its id, role and calls must stay."""
        message = self.at(place)
        if place not in self._owned:
            message = dict(message)
            calls: Any = message.get("toolCalls")
            if is_array(calls):
                message["toolCalls"] = [_copied_call(call) for call in calls]
            self._messages[place.message_class].set(place.rank, message)
            self._owned.add(place)
        return message

    def change_call(self, place: CallPlace) -> dict[str, Any]:
        """Gives the tool call at a place to be changed; its id must stay."""
        return cast(dict[str, Any], self.change(place.message)["toolCalls"][place.call])

    def append_text(self, place: Place | CallPlace, delta: str) -> None:
        """Appends text to the content of a message, or to the arguments of a tool call."""
        waiting = self._waiting.get(place)
        if waiting is None:
            waiting = self._waiting[place] = []
            holder, name = self._text_holder(place)
            if not isinstance(holder.get(name), str):
                # There is no text, or a value of another kind, which begins again.
                self._text_holder(place, is_changed=True)[0][name] = ""
        waiting.append(delta)

    def push(self, message: Message) -> Place:
        """Adds a message at the end. Of two messages of one id, the id only finds the first."""
        rank = self._next
        self._next += _GAP
        return self._put(rank, message)

    def replace(self, place: Place, message: Message) -> None:
        """Puts another message in the place of one."""
        self._settle()
        self._replace(place, message)

    def push_call(self, place: Place, call_id: str, call: dict[str, Any]) -> None:
        """Adds a tool call to the assistant message at a place."""
        calls: list[Any] = self.change(place).setdefault("toolCalls", [])
        calls.append(call)
        self._shared_ids += _note(self._calls, call_id, CallPlace(place, len(calls) - 1))

    def insert_result(self, call_id: str, message: Message) -> None:
        """Adds a tool's result after the message that made the call and the results that follow it.

        When no message made the call it is at the end.
        """
        call = self.call_place(call_id)
        if call is None or self.at(call.message).get("role") != "assistant":
            self.push(message)
            return
        owner = call.message.rank
        last = self._results.get(owner) or owner
        behind = merge(*(row.items(last) for row in self._messages))
        following = next(behind, None)
        while following is not None and following[1].get("role") == "tool":
            last = following[0]
            following = next(behind, None)
        if following is not None and following[0] == last + 1:
            self._spread()
            self.insert_result(call_id, message)
            return
        self._results.set(owner, last + 1)
        self._put(last + 1, message)

    def apply_snapshot(self, snapshot: list[Message]) -> None:
        """Makes the messages those of a snapshot.

        Known ids keep their place and take the snapshot's value, new ones follow in its order, others
        go. Activities go only if the snapshot has some of its own, and so does reasoning.
        """
        self._settle()
        latest = {id: number for number, id in enumerate(map(_id_of, snapshot)) if id is not None}
        goes = {_class_of(message) for message in snapshot} | {_OTHER}
        for message_class in goes:
            self._remove_others(message_class, latest.__contains__)
        self._results = SortedMap[int, int]()
        known = [self._ids.get(id) if id is not None else None for id in map(_id_of, snapshot)]
        for number, (message, places) in enumerate(zip(snapshot, known, strict=True)):
            if places is None:
                self.push(message)
            elif latest[message["id"]] == number:
                for place in _all(places):
                    # Most snapshots repeat most messages, which stay shared.
                    if not same(self.at(place), message):
                        self._replace(place, message)

    def _settle(self) -> None:
        """Appends the text that waits."""
        if not self._waiting:
            return
        waiting, self._waiting = self._waiting, {}
        for place, pieces in waiting.items():
            holder, name = self._text_holder(place, is_changed=True)
            holder[name] = joined([holder[name], *pieces])

    def _text_holder(
        self, place: Place | CallPlace, *, is_changed: bool = False
    ) -> tuple[dict[str, Any], str]:
        """Gives what holds the text that is appended at a place, and the name of the member."""
        if isinstance(place, Place):
            return self.change(place) if is_changed else self.at(place), "content"
        call = self.change_call(place) if is_changed else self.call_at(place)
        return call["function"], "arguments"

    def _put(self, rank: int, message: Message) -> Place:
        place = Place(rank, _class_of(message))
        id = _id_of(message)
        if id is not None:
            self._shared_ids += _note(self._ids, id, place)
        for call, call_id in _call_ids(message):
            self._shared_ids += _note(self._calls, call_id, CallPlace(place, call))
        self._messages[place.message_class].set(rank, message)
        return place

    def _replace(self, place: Place, message: Message) -> None:
        if self.at(place).get("role") != message.get("role"):
            self._results = SortedMap[int, int]()
        self._remove(place)
        self._put(place.rank, message)

    def _remove(self, place: Place) -> None:
        message = self.at(place)
        id = _id_of(message)
        if id is not None:
            self._shared_ids -= _forget(self._ids, id, place)
        for call, call_id in _call_ids(message):
            self._shared_ids -= _forget(self._calls, call_id, CallPlace(place, call))
        self._owned.discard(place)
        self._messages[place.message_class].remove(place.rank)

    def _remove_others(self, message_class: int, holds: Callable[[str], bool]) -> None:
        """Removes the messages of a class but for those that a snapshot holds."""
        for rank, message in list(self._messages[message_class].items()):
            id = _id_of(message)
            if id is None or not holds(id):
                self._remove(Place(rank, message_class))

    def _spread(self) -> None:
        """Gives all ranks again, with whole gaps between them."""
        messages = self.messages()
        Thread.__init__(self)
        for message in messages:
            self.push(message)


def _class_of(message: Message) -> int:
    role = message.get("role")
    return _CLASSES.get(role, _OTHER) if isinstance(role, str) else _OTHER


def _id_of(message: Message) -> str | None:
    id = message.get("id")
    return id if isinstance(id, str) else None


def _call_ids(message: Message) -> Iterator[tuple[int, str]]:
    """Gives the tool calls of a message that have an id, each with its place among them."""
    calls: Any = message.get("toolCalls")
    if is_array(calls):
        for index, call in enumerate(calls):
            id: Any = call.get("id") if is_object(call) else None
            if isinstance(id, str):
                yield index, id


def _copied_call(call: Any) -> Any:
    if not is_object(call):
        return call
    copied: dict[str, Any] = dict(call)
    if is_object(copied.get("function")):
        copied["function"] = dict(copied["function"])
    return copied


def _first(places: SortedMap[_P, None]) -> _P | None:
    return next((place for place, _ in places.items()), None)


def _all(places: _P | SortedMap[_P, None]) -> list[_P]:
    return [place for place, _ in places.items()] if isinstance(places, SortedMap) else [places]


def _note(ids: _Ids[_P], id: str, place: _P) -> bool:
    """Notes that an id is at a place, and says whether it is elsewhere, too."""
    known = ids.add(id, place)
    if known is None:
        return False
    several = SortedMap[_P, None]()
    if isinstance(known, SortedMap):
        several = known.copy()
    else:
        several.set(known, None)
    several.set(place, None)
    ids.set(id, several)
    return True


def _forget(ids: _Ids[_P], id: str, place: _P) -> bool:
    """Removes a place of an id, and says whether the id is elsewhere."""
    places = ids.get(id)
    if isinstance(places, SortedMap):
        places = places.copy()
        places.remove(place)
        if places:
            ids.set(id, places)
            return True
    elif places != place:
        return places is not None
    ids.remove(id)
    return False


def fold_metadata(holder: dict[str, Any], metadata: dict[str, Any] | None) -> None:
    """Folds metadata into an object, name by name; the last write wins."""
    if metadata is not None:
        before: Any = holder.get("metadata")
        holder["metadata"] = {**before, **metadata} if is_object(before) else dict(metadata)


