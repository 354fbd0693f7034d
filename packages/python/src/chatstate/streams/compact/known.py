"""What is known of the messages of a log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

from ..thread import Message
from ..values import same
from .path import ACTIVITIES, CONVERSATION, NO_RUN, REASONING, Path

Role: TypeAlias = Literal["assistant", "activity", "reasoning", "other", "shared", "doubtful"]
"""What a message is, as far as it decides what events do to it.

`shared` are messages of one id, of which none is an assistant's; `doubtful` is where nobody can tell, or
whether there is such a message at all.
"""

_CLASSES: Final[dict[Role, int]] = {
    "assistant": CONVERSATION,
    "other": CONVERSATION,
    "activity": ACTIVITIES,
    "reasoning": REASONING,
}


_ROLES: Final[dict[str, Role]] = {
    "assistant": "assistant",
    "activity": "activity",
    "reasoning": "reasoning",
}


def role_named(name: str) -> Role:
    """Gives the role of this name."""
    return _ROLES.get(name, "other")


def class_of(role: Role) -> int | None:
    """Gives the class of messages that a snapshot restates together, or leaves alone."""
    return _CLASSES.get(role)


def when_restated(role: Role) -> Role:
    """Gives what is left to know once a snapshot may have taken one of several messages away."""
    return "doubtful" if role == "shared" else role


def with_result(role: Role) -> Role:
    """Gives the role of messages of one id, once a tool's result is one of them."""
    return "doubtful" if role in ("assistant", "doubtful") else "shared"


class Known(NamedTuple):
    """A message as it is known."""

    role: Role
    value: Message | None = None
    """None if something changed it after the run that made it."""

    def has_value(self, message: Message) -> bool:
        """Whether the message is known to have this value."""
        return self.value is not None and same(self.value, message)


@dataclass(eq=False)
class Entry:
    """What one run made of a message."""

    known: Known
    made: int
    confirmed: int
    """The last run that restated it as it was."""
    older: Entry | None
    """What an earlier run made of a message with the same id."""


class Entries:
    """What is known of the messages of all runs."""

    __slots__ = ("_latest",)

    def __init__(self) -> None:
        """There is no message."""
        self._latest: dict[str, Entry] = {}

    def at(self, path: Path, run: int, id: str) -> tuple[Entry, Known] | None:
        """Gives the message with this id at the end of a run, if the run's path has one."""
        entry = self._latest.get(id)
        while entry is not None:
            if path.is_on(entry.made, run):
                if not _is_there(path, run, entry):
                    return None
                return entry, Known(_role_at(path, run, entry), entry.known.value)
            entry = entry.older
        return None

    def add(self, run: int, id: str, known: Known) -> None:
        """Notes what a run made of a message."""
        self._latest[id] = Entry(known, run, run, self._latest.get(id))

    def confirm(self, path: Path, run: int, entry: Entry) -> bool:
        """Notes that a run restated a message as it was.

        False if another branch restated it last, so that this run needs an entry of its own.
        """
        is_free = path.is_on(entry.confirmed, run)
        if is_free:
            entry.confirmed = run
        return is_free


def _is_there(path: Path, run: int, entry: Entry) -> bool:
    """Whether a message that a run on the path made is still there.

    It is if no run after it restated the messages of its class without it.
    """
    message_class = class_of(entry.known.role)
    if message_class is None:
        return True
    restated = path.restated(run, message_class)
    return (
        restated == NO_RUN
        or path.is_on(restated, entry.made)
        or path.is_on(restated, entry.confirmed)
    )


def _role_at(path: Path, run: int, entry: Entry) -> Role:
    """Gives what the role of a message is at the end of a run."""
    restated = path.restated(run, CONVERSATION)
    if restated == NO_RUN or path.is_on(restated, entry.made):
        return entry.known.role
    return when_restated(entry.known.role)
