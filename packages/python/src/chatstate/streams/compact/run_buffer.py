"""The run in progress: its events as slots, of which some are filled or emptied later."""

from __future__ import annotations

from ...generated.events import EVENTS, ItemKind
from ..conversation import Conversation
from ..kinds import (
    ITEM_ROLES,
    STREAMED,
    JsonEvent,
    ids_written_by,
    unknown_members,
    writes_its_item,
)
from ..sequence import Beginning, OpenItem
from .delta import PendingDelta, Place, is_delta
from .emit import delta_event, description_of, end_event, start_event
from .open_items import ChunkItem, ChunkPart, ExplicitItem, OpenItems
from .slots import Slots
from .state_fold import StateFold


class RunBuffer:
    """The compacted events of the run in progress; it is the taker of their steps."""

    __slots__ = (
        "_arrival",
        "_closes_kept",
        "_event",
        "_is_kept",
        "_items",
        "_slots",
        "_state",
        "conversation",
    )

    def __init__(self) -> None:
        """There is no run."""
        self._forget(Conversation())
        self.arrive(0, {}, is_kept=False)

    def _forget(self, conversation: Conversation) -> None:
        self.conversation = conversation
        """What the path of the run says up to here."""
        self._slots = Slots()
        self._items = OpenItems()
        self._state = StateFold()
        self._closes_kept = False
        """Whether the event that has come has closed an item with a chunk that the caller keeps."""

    def begin(self, start: JsonEvent, conversation: Conversation) -> None:
        """Begins the run with an event. The conversation is what its path says up to there."""
        self._forget(conversation)
        self._slots.place(start)

    def begin_inside(self, conversation: Conversation) -> None:
        """Begins with a run whose first event is elsewhere."""
        self._forget(conversation)

    def arrive(self, arrival: int, event: JsonEvent, *, is_kept: bool) -> None:
        """Notes the event that has come, before its steps. `is_kept` says that it stays as it is."""
        self._arrival, self._event, self._is_kept = arrival, event, is_kept

    # Steps: what the event that has come begins, continues and ends.

    def begun(self, index: int, beginning: Beginning) -> None:
        """A START, or the chunk that opens an item."""
        kind, id = beginning.kind, beginning.id
        if kind not in STREAMED:
            return
        event = self._event
        self._bar(kind, ids_written_by(event))
        self.conversation.begun(beginning, event.get("metadata"))
        if ITEM_ROLES[event["type"]].does == "chunk":
            self._open_chunks(kind, id)
        else:
            self._slots.place(event)
            self._items.push(kind, id, ExplicitItem(self._arrival))

    def appended(self, kind: ItemKind, id: str, owner: str | None) -> None:
        """A delta event, or a chunk that continues an item.

        The delta of the chunk that opens an item is there by now.
        """
        item = self._items.get(kind, id)
        if item is None or item.arrival == self._arrival:
            return
        if isinstance(item, ChunkItem):
            self._continue_chunks(kind, id, item)
        else:
            self._delta(kind, id, item)

    def idle(self, kind: ItemKind, id: str, owner: str | None) -> None:
        """A chunk that says nothing leaves nothing, unless the caller keeps it."""
        if self._is_kept:
            self.appended(kind, id, owner)

    def ended(self, kind: ItemKind, id: str, owner: str | None) -> None:
        """The END of an item stays where it is."""
        if kind not in STREAMED:
            return
        event = self._event
        self._bar(kind, ids_written_by(event))
        self._write_pending(kind, id)
        self._items.remove(kind, id)
        self._slots.place(event)
        self.conversation.continued(kind, id, None, event.get("metadata"))

    def closed(self, kind: ItemKind, id: str, owner: str | None) -> None:
        """An item that chunks kept open gets START, deltas and END.

        If the caller keeps one of its chunks, it stays as it came, and what would close it stands before it.
        """
        item = self._items.get(kind, id)
        if isinstance(item, ChunkItem) and item.is_kept:
            self._write_lane(item.lane)
        if writes_its_item(kind):
            self._bar(kind, [id])
        if not isinstance(item, ChunkItem):
            return
        self._end_part(kind, id, item)
        self._items.remove(kind, id)
        if item.is_kept:
            self._closes_kept = True
            self._restore(item)
        else:
            self._spell_out(kind, id, item)

    def left(self, index: int, item: OpenItem) -> None:
        """What is left open by the end of the run is written there."""

    # The event itself, whose steps are taken.

    def take(self) -> None:
        """Takes the event that has come; the terminal event goes to `end`."""
        role = EVENTS.get(self._event["type"])
        item = None if role is None else role.item
        if item == "state":
            self._state_event()
        elif item not in STREAMED:
            self._other()
        self._closes_kept = False

    def end(self) -> list[JsonEvent]:
        """Gives the events of the run with its terminal event, which has come."""
        self._write_all_pending()
        self._write_state()
        self._slots.place(self._event)
        self.conversation.event(self._event)
        return self._slots.in_order()

    def finish(self) -> list[JsonEvent]:
        """Gives the events of the run, which is not over. What is open goes where it was last."""
        for (kind, id), item in self._items.all():
            if isinstance(item, ChunkItem):
                self._restore(item)
            elif item.delta is not None:
                event = delta_event(kind, id, item.delta)
                self._slots.place_late(item.delta.place, event)
        state = self._state.take()
        if state is not None:
            self._slots.place_late(state.place, state.event())
        return self._slots.in_order()

    def item_of_plain_deltas(self, kind: ItemKind, id: str) -> ExplicitItem | None:
        """Gives an open item whose plain deltas may be merged without another look."""
        item = self._items.get(kind, id)
        if not isinstance(item, ExplicitItem) or self._items.is_shared(kind, id):
            return None
        return item

    def join_plain(
        self,
        kind: ItemKind,
        id: str,
        item: ExplicitItem,
        first: JsonEvent,
        texts: list[str],
        arrival: int,
    ) -> None:
        """Joins delta events that have a text, perhaps a timestamp, and nothing else.

        `arrival` is the number of the first of them.
        """
        place = Place(len(self._slots), arrival + len(texts) - 1)
        if item.delta is None:
            item.delta = PendingDelta(first, place)
            self._items.note_pending(kind, id, item)
            texts = texts[1:]
        if texts:
            item.delta.join_plain(texts, first.get("timestamp"), place)

    def _delta(self, kind: ItemKind, id: str, item: ExplicitItem) -> None:
        """An explicit delta: merged, or alone in its place."""
        event = self._event
        is_alone = self._is_kept or self._closes_kept or self._items.is_shared(kind, id)
        if is_alone or unknown_members(event):
            self._write_pending(kind, id)
            self._bar(kind, ids_written_by(event))
            self._slots.place(event)
            self.conversation.continued(kind, id, event["delta"], event.get("metadata"))
        elif item.delta is None:
            item.delta = PendingDelta(event, self._next_place())
            self._items.note_pending(kind, id, item)
        else:
            item.delta.join(event, self._next_place())

    def _other(self) -> None:
        """An event that is about no item of its own."""
        event = self._event
        tag = event["type"]
        role = EVENTS.get(tag)
        if role is not None and role.writes == "all":
            self._write_all_pending()
        elif role is not None:
            self._bar(None, ids_written_by(event))
        self._slots.place(event)
        self.conversation.event(event)

    def _state_event(self) -> None:
        event, place = self._event, self._next_place()
        is_kept = self._is_kept or self._closes_kept
        if EVENTS[event["type"]].does == "replace":
            for slot in self._state.standing:
                self._slots.empty(slot)
            outcome = self._state.snapshot(event, place, is_kept=is_kept)
        else:
            outcome = self._state.delta(event, place, is_kept=is_kept)
        self.conversation.event(event)
        if outcome == "folded":
            return
        self._write_state()
        slot = self._slots.place(event)
        if outcome == "bars":
            self._state = StateFold()
        elif not is_kept:
            self._state.standing.append(slot)

    def _write_state(self) -> None:
        """Writes the folded state, if there is one."""
        state = self._state.take()
        if state is not None:
            slot = self._slots.place(state.event())
            self._note_movable(state.owner, slot, state.place)
            self._state.standing.append(slot)

    # Items that chunks keep open.

    def _open_chunks(self, kind: ItemKind, id: str) -> None:
        event = self._event
        is_alone = self._items.is_shared(kind, id) or self._is_kept
        part = ChunkPart(PendingDelta.of_opener(event, self._next_place()))
        start = self._slots.reserve()
        item = ChunkItem(self._arrival, event, description_of(event), start, part)
        item.is_kept = self._is_kept
        self._items.push(kind, id, item)
        if is_alone or part.delta.extra:
            self._write_pending(kind, id)

    def _continue_chunks(self, kind: ItemKind, id: str, item: ChunkItem) -> None:
        """A further chunk, or an explicit delta, of an item that chunks keep open."""
        event = self._event
        is_delta_event = is_delta(event)
        is_alone = self._items.is_shared(kind, id) or self._is_kept
        if not is_alone and is_delta_event:
            is_alone = self._closes_kept or bool(unknown_members(event))
        if is_alone:
            self._write_pending(kind, id)
            if is_delta_event and writes_its_item(kind):
                self._bar(kind, [id])
        place = self._next_place()
        item.raw.append((place, event))
        item.is_kept = item.is_kept or self._is_kept
        part = item.pending()
        if part is not None:
            part.delta.join(event, place)
        elif is_delta_event:
            item.parts.append(ChunkPart(PendingDelta(event, place)))
            self._items.note_pending(kind, id, item)
        if is_alone:
            self._write_pending(kind, id)

    def _end_part(self, kind: ItemKind, id: str, item: ChunkItem) -> None:
        """Ends the pending part of a chunk item, whose delta is written when the item is closed."""
        part = item.pending()
        if part is None:
            return
        self._items.note_written(item)
        part.slot = self._slots.reserve()
        if part.delta.count:
            self._say(kind, id, part.delta)
            if not part.delta.has_chunks:
                self._note_movable(None, part.slot, part.delta.place)

    def _spell_out(self, kind: ItemKind, id: str, item: ChunkItem) -> None:
        start = start_event(kind, id, item.description, item.lane, item.parts[0].delta)
        self._slots.fill(item.start, start)
        for number, part in enumerate(item.parts):
            delta = part.delta
            if not delta.count or part.slot is None:
                continue
            if number == 0 or delta.has_chunks:
                delta.timestamp = None
            # A chunk that names no owner belongs to the lane of the parent agent.
            delta.owner = item.lane if delta.has_chunks else None
            delta.event = None
            self._slots.fill(part.slot, delta_event(kind, id, delta))
        self._slots.place(end_event(kind, id, item.lane))

    def _restore(self, item: ChunkItem) -> None:
        """Puts an item back as it came, and before it what would close it."""
        for slot, place in item.movable:
            self._slots.move(slot, place)
        for place, event in item.raw:
            self._slots.place_late(place, event)

    # Pending deltas.

    def _bar(self, kind: ItemKind | None, ids: list[str | None]) -> None:
        """Writes the pending deltas of all other kinds of items with the ids that are written."""
        for of, id in self._items.pending_of(kind, ids):
            self._write_pending(of, id)

    def _write_all_pending(self) -> None:
        for kind, id in self._items.pending():
            self._write_pending(kind, id)

    def _write_pending(self, kind: ItemKind, id: str) -> None:
        """Ends the pending delta of an item, which is here.

        It may yet be moved to where it was last, so that it does not close what chunks keep open.
        """
        item = self._items.get(kind, id)
        if isinstance(item, ChunkItem):
            self._end_part(kind, id, item)
        elif item is not None and item.delta is not None:
            delta, item.delta = item.delta, None
            self._items.note_written(item)
            self._say(kind, id, delta)
            slot = self._slots.place(delta_event(kind, id, delta))
            self._note_movable(delta.owner, slot, delta.place)

    def _write_lane(self, lane: str | None) -> None:
        """Writes what would close a lane by standing any later: the pending deltas and the folded state."""
        for kind, id in self._items.pending_in(lane):
            self._write_pending(kind, id)
        if self._state.closes(lane):
            self._write_state()

    def _note_movable(self, lane: str | None, slot: int, place: Place) -> None:
        """Notes that what takes a slot closes a lane in which chunks keep an item open.

        If the item is not spelled out, it has to stand where it stood before the chunks.
        """
        item = self._items.holder(lane)
        if item is not None:
            item.movable.append((slot, place))

    def _say(self, kind: ItemKind, id: str, delta: PendingDelta) -> None:
        """Lets the conversation know what a merged delta says."""
        self.conversation.continued(kind, id, delta.text, delta.metadata)

    def _next_place(self) -> Place:
        return Place(len(self._slots), self._arrival)
