"""The types of events by what they do, as the schema says it: the lists that the hot loops ask.

They are built once, from the generated table. Nothing here names a type of event.
"""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple, TypeAlias, cast, get_args

from ..generated.events import EVENTS, ITEMS, EventRole, Item, ItemKind

JsonEvent: TypeAlias = dict[str, Any]
"""An event as `json.loads` gives it."""

ItemAction: TypeAlias = Literal["begin", "append", "end", "chunk"]
"""What events do to items that have a beginning and an end."""


class ItemRole(NamedTuple):
    """What the events of one type do to an item."""

    does: ItemAction
    item: ItemKind
    id: str
    """The member that names the item."""


class Streamed(NamedTuple):
    """An item that text is appended to: the member that names it, and the types of its events."""

    id: str
    begin: str
    append: str
    end: str
    chunk: str


_ITEM_ACTIONS: Final = frozenset(get_args(ItemAction))


def _item_role(role: EventRole) -> ItemRole | None:
    if role.does not in _ITEM_ACTIONS or role.id is None:
        return None
    return ItemRole(cast(ItemAction, role.does), cast(ItemKind, role.item), role.id)


def _streamed(item: Item) -> Streamed | None:
    if item.id is None or item.begin is None or item.append is None or item.chunk is None:
        return None
    return Streamed(item.id, item.begin, item.append, item.ends[0], item.chunk)


ITEM_ROLES: Final[dict[str, ItemRole]] = {
    tag: item_role for tag, role in EVENTS.items() if (item_role := _item_role(role)) is not None
}
"""What each type does to an item; those that are not here do nothing to any."""

STREAMED: Final[dict[ItemKind, Streamed]] = {
    cast(ItemKind, name): streamed
    for name, item in ITEMS.items()
    if (streamed := _streamed(item)) is not None
}
"""The items that text is appended to."""

DELTAS: Final = {tag: role for tag, role in ITEM_ROLES.items() if role.does == "append"}
"""The events that append text to an item that they name."""

RUN_EVENTS: Final = frozenset(tag for tag, role in EVENTS.items() if role.item == "run")
"""The events that begin and end runs."""

TERMINAL: Final = frozenset(tag for tag, role in EVENTS.items() if role.does == "end-run")
"""The events that end a run."""

CLOSING_ALL: Final = frozenset(tag for tag, role in EVENTS.items() if role.closes == "all")
"""The events that close what chunks keep open in all lanes."""

CLOSING_A_LANE: Final = frozenset(tag for tag, role in EVENTS.items() if role.closes == "lane")
"""The events that close what chunks keep open in the lane of their subagent."""

_PARENTS: Final = {tag: role.parent for tag, role in EVENTS.items() if role.parent is not None}

_OWNERS: Final = {tag: role.owner for tag, role in EVENTS.items() if role.owner is not None}

_WRITES: Final = {
    tag: role.writes for tag, role in EVENTS.items() if isinstance(role.writes, tuple)
}

_MEMBERS: Final = {tag: role.members.keys() for tag, role in EVENTS.items()}


def owner_of(event: JsonEvent) -> str | None:
    """Gives the subagent that an event names as the owner of its item."""
    named_by = _OWNERS.get(event["type"])
    return None if named_by is None else event.get(named_by)


def parent_of(event: JsonEvent) -> str | None:
    """Gives what an event names as that which its item is part of, or as the run that a run goes on from."""
    named_by = _PARENTS.get(event["type"])
    return None if named_by is None else event.get(named_by)


def ids_written_by(event: JsonEvent) -> list[str | None]:
    """Gives the ids of what an event writes to, of one that does not write to everything."""
    return [event.get(name) for name in _WRITES.get(event["type"], ())]


def writes_its_item(kind: ItemKind) -> bool:
    """Whether text that is appended to an item is a write to its id, which other items may share."""
    item = STREAMED[kind]
    return item.id in _WRITES[item.append]


def unknown_members(event: JsonEvent) -> JsonEvent:
    """Gives the members of an event of a known type which the schema does not name."""
    known = _MEMBERS[event["type"]]
    if event.keys() <= known:
        return {}
    return {name: value for name, value in event.items() if name not in known}
