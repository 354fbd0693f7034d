"""The messages of a thread in order, as events build them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal, cast

from .._runtime.json_text import is_array, is_object
from .halves import joined
from .values import same

Message = dict[str, Any]
"""A message as `json.loads` gives it."""

_Kind = Literal["activity", "reasoning", "other"]
"""What a snapshot may leave where it is: activities and reasoning."""

_KINDS: tuple[_Kind, ...] = ("activity", "reasoning", "other")


def _kind_of(message: Message) -> _Kind:
    role = message.get("role")
    return role if role == "activity" or role == "reasoning" else "other"


class Place:
    """A message in its place between two others."""

    __slots__ = ("after", "before", "is_there", "message", "owned")

    def __init__(self, message: Message) -> None:
        self.message = message
        self.owned = False
        """Whether nobody else holds the message, down to its calls."""
        self.is_there = True
        self.before: Place | None = None
        self.after: Place | None = None


class Thread:
    """The messages, with the places of ids kept beside them, so that an event costs what it changes.

    Messages that came from elsewhere are copied before they are changed. Text that is appended waits
    until somebody looks at it.
    """

    __slots__ = ("_calls", "_first", "_has_twins", "_last", "_nodes", "_places", "_results", "_waiting")

    def __init__(self) -> None:
        """There is no message."""
        self._first: Place | None = None
        self._last: Place | None = None
        self._places: dict[str, Place] = {}
        self._calls: dict[str, tuple[Place, int]] = {}
        self._nodes: dict[_Kind, list[Place]] = {kind: [] for kind in _KINDS}
        """The messages of each kind. One that went or changed its role is still named where it was."""
        self._results: dict[Place, Place] = {}
        """By assistant messages, the last of the results that follow them."""
        self._has_twins = False
        """Whether two messages or two calls have had one id, of which only the first is found."""
        self._waiting: dict[tuple[Place, int], list[str]] = {}
        """Text to be appended, by message and the place of the call, -1 for the message itself."""

    def copy(self) -> Thread:
        """Gives the same messages, to go another way."""
        copied = Thread()
        for message in self.messages():
            copied.push(message)
        return copied

    def messages(self) -> list[Message]:
        """Gives the messages in order. They are shared, so that later changes are made to copies."""
        self._settle()
        messages: list[Message] = []
        for node in self:
            node.owned = False
            messages.append(node.message)
        return messages

    def equals(self, other: Thread) -> bool:
        """Whether both have the same messages in the same order."""
        return same(self.messages(), other.messages())

    def find(self, id: Any) -> Message | None:
        """Gives the message with this id, but for text that waits; of several, the first."""
        node = self._places.get(id) if isinstance(id, str) else None
        return None if node is None else node.message

    def settled(self, id: str) -> Message | None:
        """Gives the message with this id with all its text."""
        self._settle()
        return self.find(id)

    def role(self, id: str) -> Any:
        """Gives the role of the message with this id."""
        message = self.find(id)
        return None if message is None else message.get("role")

    def holds_call(self, id: str) -> bool:
        """Whether a message holds this tool call."""
        return id in self._calls

    def find_call(self, id: str) -> dict[str, Any] | None:
        """Gives the tool call with this id, but for text that waits."""
        place = self._calls.get(id)
        return None if place is None else place[0].message["toolCalls"][place[1]]

    def change(self, id: str) -> Message | None:
        """Gives the message with this id to be changed; its id, role and calls must stay."""
        node = self._places.get(id)
        return None if node is None else _own(node)

    def change_call(self, id: str) -> dict[str, Any] | None:
        """Gives the tool call with this id to be changed; its id must stay."""
        place = self._calls.get(id)
        if place is None:
            return None
        node, index = place
        return cast(dict[str, Any], _own(node)["toolCalls"][index])

    def append_text(self, id: str, delta: str) -> None:
        """Appends text to the content of a message."""
        node = self._places[id]
        self._waiting.setdefault((node, -1), []).append(delta)

    def append_arguments(self, id: str, delta: str) -> None:
        """Appends text to the arguments of a tool call."""
        self._waiting.setdefault(self._calls[id], []).append(delta)

    def push(self, message: Message) -> Place:
        """Adds a message at the end. Of two messages of one id, the id only finds the first."""
        return self._insert(self._last, message)

    def place(self, id: str) -> Place:
        """Gives the place of the message with this id."""
        return self._places[id]

    def replace(self, id: str, message: Message) -> None:
        """Puts another message where the one with this id stands."""
        self._replace(self._places[id], message)
        self._note_twins()

    def push_call(self, place: Place, call_id: str, call: dict[str, Any]) -> None:
        """Adds a tool call to the assistant message at a place."""
        calls: list[Any] = _own(place).setdefault("toolCalls", [])
        calls.append(call)
        self._note_call(call_id, place, len(calls) - 1)

    def insert_result(self, call_id: str, message: Message) -> None:
        """Adds a tool's result after the message that made the call and the results that follow it.

        When nobody made the call it stands at the end.
        """
        place = self._calls.get(call_id)
        if place is None or place[0].message.get("role") != "assistant":
            self.push(message)
            return
        owner = place[0]
        last = self._results.get(owner, owner)
        while last.after is not None and last.after.message.get("role") == "tool":
            last = last.after
        self._results[owner] = self._insert(last, message)
        self._note_twins()

    def apply_snapshot(self, snapshot: list[Message]) -> None:
        """Makes the messages those of a snapshot.

        Known ids keep their place and take the snapshot's value, new ones follow in its order, others
        go. Activities go only if the snapshot has some of its own, and so does reasoning.
        """
        latest = {id: number for number, id in enumerate(map(_id_of, snapshot)) if id is not None}
        present = {_kind_of(message) for message in snapshot}
        goes: set[_Kind] = {kind for kind in _KINDS if kind == "other" or kind in present}
        if self._has_twins:
            self._apply_to_twins(snapshot, latest, goes)
            return
        self._remove(goes, latest.__contains__)
        places = dict(self._places)
        for number, message in enumerate(snapshot):
            id = _id_of(message)
            node = None if id is None else places.get(id)
            if id is None or node is None:
                self.push(message)
            elif latest[id] == number:
                self._replace(node, message)
        self._note_twins()

    def _apply_to_twins(
        self, snapshot: list[Message], latest: dict[str, int], goes: set[_Kind]
    ) -> None:
        """The same where an id does not tell two messages apart: both take the snapshot's value."""
        before = self.messages()
        known: set[str] = set()
        Thread.__init__(self)
        for message in before:
            id = _id_of(message)
            if id is not None:
                known.add(id)
            if id is not None and id in latest:
                self.push(snapshot[latest[id]])
            elif _kind_of(message) not in goes:
                self.push(message)
        for message in snapshot:
            if _id_of(message) not in known:
                self.push(message)

    def __iter__(self) -> Iterator[Place]:
        """Gives the places in order."""
        node = self._first
        while node is not None:
            yield node
            node = node.after

    def _settle(self) -> None:
        """Appends the text that waits."""
        waiting, self._waiting = self._waiting, {}
        for (node, index), pieces in waiting.items():
            if not node.is_there:
                continue
            holder, name = _own(node), "content"
            if index >= 0:
                holder, name = holder["toolCalls"][index]["function"], "arguments"
            before = holder.get(name)
            # A member of another kind begins anew.
            holder[name] = joined([before, *pieces]) if isinstance(before, str) else joined(pieces)

    def _insert(self, before: Place | None, message: Message) -> Place:
        node = Place(message)
        node.before = before
        node.after = self._first if before is None else before.after
        if before is None:
            self._first = node
        else:
            before.after = node
        if node.after is None:
            self._last = node
        else:
            node.after.before = node
        self._note(node)
        return node

    def _replace(self, node: Place, message: Message) -> None:
        self._forget(node)
        if node.message.get("role") != message.get("role"):
            self._results.clear()
        node.message, node.owned = message, False
        self._note(node)

    def _remove(self, goes: set[_Kind], holds: Callable[[str], bool]) -> None:
        """Removes the messages of some kinds but for those that a snapshot holds.

        Those will be noted again when they take its value.
        """
        for kind in goes:
            nodes, self._nodes[kind] = self._nodes[kind], []
            for node in nodes:
                id = _id_of(node.message)
                is_held = id is not None and holds(id)
                if node.is_there and _kind_of(node.message) == kind and not is_held:
                    self._forget(node)
                    self._unlink(node)
        self._results.clear()

    def _unlink(self, node: Place) -> None:
        node.is_there = False
        if node.before is None:
            self._first = node.after
        else:
            node.before.after = node.after
        if node.after is None:
            self._last = node.before
        else:
            node.after.before = node.before

    def _note(self, node: Place) -> None:
        """Notes where the ids of a message stand."""
        self._nodes[_kind_of(node.message)].append(node)
        id = _id_of(node.message)
        if id is not None and self._places.setdefault(id, node) is not node:
            self._has_twins = True
        for index, call_id in _call_ids(node.message):
            self._note_call(call_id, node, index)

    def _note_call(self, id: str, node: Place, index: int) -> None:
        if id in self._calls:
            self._has_twins = True
        else:
            self._calls[id] = node, index

    def _forget(self, node: Place) -> None:
        """Forgets where the ids of a message stand, and text that waits for it."""
        id = _id_of(node.message)
        if id is not None and self._places.get(id) is node:
            del self._places[id]
        self._waiting.pop((node, -1), None)
        for index, call_id in _call_ids(node.message):
            if call_id in self._calls and self._calls[call_id][0] is node:
                del self._calls[call_id]
            self._waiting.pop((node, index), None)

    def _note_twins(self) -> None:
        """Finds all ids again if one stands twice: which of the two is first may have changed.

        Ids are unique in a thread as it should be, so this hardly ever costs anything.
        """
        if not self._has_twins:
            return
        self._settle()
        self._has_twins = False
        self._places.clear()
        self._calls.clear()
        self._nodes = {kind: [] for kind in _KINDS}
        for node in self:
            self._note(node)


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


def _own(node: Place) -> Message:
    """Gives the message of a place to be changed, after copying what others may hold."""
    if not node.owned:
        message = dict(node.message)
        calls: Any = message.get("toolCalls")
        if is_array(calls):
            message["toolCalls"] = [_copied_call(call) for call in calls]
        node.message, node.owned = message, True
    return node.message


def _copied_call(call: Any) -> Any:
    if not is_object(call):
        return call
    copied: dict[str, Any] = dict(call)
    if is_object(copied.get("function")):
        copied["function"] = dict(copied["function"])
    return copied


def fold_metadata(holder: dict[str, Any], metadata: dict[str, Any] | None) -> None:
    """Folds metadata into an object, name by name; the last write wins."""
    if metadata is not None:
        before: Any = holder.get("metadata")
        holder["metadata"] = {**before, **metadata} if is_object(before) else dict(metadata)
