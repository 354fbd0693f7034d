"""One pass over the events of a path of runs: what they mean."""

from __future__ import annotations

from .._runtime.rejection import Rejection
from ..generated.events import ItemKind
from .conversation import Conversation
from .kinds import ITEM_ROLES, JsonEvent
from .sequence import Beginning, OpenItem, Tracker
from .values import same
from .violation import Violation


class Reducer:
    """A replay between two events: what is open, and what was said. It is the taker of their steps."""

    __slots__ = ("_event", "conversation", "tracker")

    def __init__(
        self, tracker: Tracker | None = None, conversation: Conversation | None = None
    ) -> None:
        """Begins with nothing, or continues somewhere."""
        self.tracker = Tracker() if tracker is None else tracker
        self.conversation = Conversation() if conversation is None else conversation
        self._event: JsonEvent = {}

    def apply(self, index: int, event: JsonEvent) -> None:
        """Applies the event of this index; `Rejection` without a place if it cannot be here."""
        self.conversation.index, self._event = index, event
        try:
            self.tracker.take(index, event, self)
        except Violation as violation:
            raise Rejection("sequence", violation.rule, violation.message) from None
        self.conversation.event(event)

    def apply_all(self, events: list[JsonEvent], indexes: range) -> None:
        """Applies the events of these indexes."""
        for index in indexes:
            try:
                self.apply(index, events[index])
            except Rejection as rejection:
                raise rejection.within(index) from None

    def stands_like(self, other: Reducer) -> bool:
        """Whether messages, state and interrupts are the same.

        Whatever follows makes the same of both, then.
        """
        mine, theirs = self.conversation, other.conversation
        return (
            self.tracker.stands_like(other.tracker)
            and mine.thread.equals(theirs.thread)
            and same(mine.state.value, theirs.state.value)
            and same(mine.interrupts, theirs.interrupts)
        )

    def begun(self, index: int, beginning: Beginning) -> None:
        """An item is begun."""
        self.conversation.begun(beginning, self._event.get("metadata"))

    def appended(self, kind: ItemKind, id: str, owner: str | None) -> None:
        """An item is continued."""
        event = self._event
        text: str | None = event.get("delta")
        if text is None and ITEM_ROLES[event["type"]].does == "chunk":
            # A chunk that continues an item appends nothing, which makes an empty text of none.
            text = ""
        self.conversation.continued(kind, id, text, event.get("metadata"))

    def ended(self, kind: ItemKind, id: str, owner: str | None) -> None:
        """An item is ended by an event of its own, whose `delta` would be an unknown member."""
        self.conversation.continued(kind, id, None, self._event.get("metadata"))

    def idle(self, kind: ItemKind, id: str, owner: str | None) -> None:
        """A chunk that says nothing leaves nothing."""

    closed = idle
    """Who ends an item by being about something else says nothing of it."""

    def left(self, index: int, item: OpenItem) -> None:
        """An item that is left open stays as it is."""
