"""The run in progress: its events as slots, of which some are filled or emptied later."""

from __future__ import annotations

from typing import Any

from ...generated.events import EVENTS, EventRole
from ..kinds import (
    CLOSING_A_LANE,
    CLOSING_ALL,
    ITEM_ROLES,
    STREAMED,
    ItemKind,
    ItemRole,
    JsonEvent,
    ids_written_by,
    owner_of,
    unknown_members,
    writes_its_item,
)
from .held import Held
from .pieces import Part, Piece
from .placement import Joined, Slot, StayingChunk, in_order
from .spans import ChunkBody, ChunkPart, Span, Spans
from .state_fold import StateFold
from .writing import Heads, chunk_event, delta_event, end_event, heads_of, start_event


class RunInProgress:
    """The compacted events of the run in progress."""

    __slots__ = ("_kept_chunks", "_slots", "_spans", "_state", "held")

    def __init__(self) -> None:
        """There is no run."""
        self.held = Held()
        self._forget()

    def _forget(self) -> None:
        self._slots: list[Slot] = []
        self._spans = Spans()
        self._state = StateFold()
        self._kept_chunks: list[StayingChunk] = []
        """The chunks of items that are closed, but with a chunk that is kept as it is."""

    def begin(self, start: JsonEvent) -> None:
        """Begins the run."""
        self._forget()
        self._slots.append(start)

    def push(self, event: JsonEvent, *, is_kept: bool) -> None:
        """Takes the next event of the run; the terminal event goes to `end`."""
        tag = event["type"]
        if self._spans.items:
            self._close_chunks_before(event, tag)
        role = ITEM_ROLES.get(tag)
        if role is None:
            self._item_free(event, EVENTS.get(tag), is_kept)
        elif role.does == "chunk":
            self._chunk(event, role, Piece(event, is_kept=is_kept))
        elif role.does == "append":
            self._delta(event, role.item, event[role.id], is_kept)
        else:
            self._item_event(event, role)

    def open_item(self, kind: ItemKind, id: str) -> Span | None:
        """Gives an open item whose plain deltas may be joined without another look."""
        span = self._spans.find(kind, id)
        if span is None or span.chunks is not None or self._spans.is_shared(kind, id):
            return None
        return span

    def join_plain(self, span: Span, first: JsonEvent, texts: list[str]) -> None:
        """Joins delta events that have a text, perhaps a timestamp, and nothing else."""
        if span.part is not None:
            span.part.join_plain(texts, first.get("timestamp"))
            return
        span.part = part = Part.of(Piece(first, is_kept=False))
        part.event = first
        if len(texts) > 1:
            part.join_plain(texts[1:], None)

    def end(self, terminal: JsonEvent) -> list[JsonEvent]:
        """Gives the events of the run with its terminal event, and forgets them."""
        self._close_all()
        return [*self.finish(), terminal]

    def finish(self) -> list[JsonEvent]:
        """Gives the events of the run, which is not over, and forgets them."""
        self._flush_all()
        state = self._state.event()
        place = len(self._slots) if self._state.place is None else self._state.place
        chunks = self._kept_chunks
        for span in self._spans.items:
            if span.chunks is not None:
                chunks.extend(_staying_chunks(span, span.chunks, None))
        events = in_order(self._slots, chunks, None if state is None else (place, state))
        self._forget()
        return events

    def _place(self, content: Slot) -> int:
        self._slots.append(content)
        return len(self._slots) - 1

    # Events that are about no item that has deltas.

    def _item_free(self, event: JsonEvent, role: EventRole | None, is_kept: bool) -> None:
        if role is None:
            self._slots.append(event)
        elif role.item == "state":
            self._state_event(event, role, is_kept)
        else:
            if role.writes == "all":
                self._flush_all()
            elif role.writes:
                self._bar(None, *ids_written_by(event))
            self._slots.append(event)
            self._held_whole(event, role)

    def _state_event(self, event: JsonEvent, role: EventRole, is_kept: bool) -> None:
        if role.does == "replace":
            for slot in self._state.standing:
                self._slots[slot] = None
            self._state = StateFold.beginning_with(event, is_kept=is_kept)
            if not self._state.is_folding:
                self._state_stands(event, is_kept)
        elif not self._state.delta(event, is_kept=is_kept):
            self._state_stands(event, is_kept)

    def _held_whole(self, event: JsonEvent, role: EventRole) -> None:
        if role.item == "messages":
            self.held.messages_snapshot(event["messages"])
        elif role.item == "message":
            self.held.call_result(event)
        elif role.item == "activity":
            if role.does == "replace":
                self.held.activity_snapshot(event)
            else:
                self.held.activity_delta(event["messageId"])
        elif role.does == "annotate":
            self.held.encrypted_value(event)

    def _state_stands(self, event: JsonEvent, is_kept: bool) -> None:
        if self._state.needs_place():
            self._state.place = self._place(None)
        slot = self._place(event)
        if not is_kept:
            self._state.standing.append(slot)

    # Items: begun, continued and ended by events of their own.

    def _item_event(self, event: JsonEvent, role: ItemRole) -> None:
        """A START or an END stays where it is."""
        kind, id, begins = role.item, event[role.id], role.does == "begin"
        self._bar(kind, *ids_written_by(event))
        if kind not in STREAMED:
            self._slots.append(event)
            return
        if not begins:
            span = self._spans.find(kind, id)
            if span is not None:
                self._flush(span)
                self._spans.items.remove(span)
        self._slots.append(event)
        metadata: dict[str, Any] | None = event.get("metadata")
        if begins:
            self.held.begin(kind, id, heads_of(event), owner_of(event), metadata)
            self._spans.items.append(Span(kind, id))
        else:
            self.held.append(kind, id, None, metadata)

    def _delta(self, event: JsonEvent, kind: ItemKind, id: str, is_kept: bool) -> None:
        """A delta is joined, or alone in its place."""
        span = self._spans.find(kind, id)
        if span is None:
            self._alone(event, kind, id)
        elif is_kept or unknown_members(event) or self._spans.is_shared(kind, id):
            self._flush(span)
            self._alone(event, kind, id)
        elif span.chunks is not None:
            self._continue_chunks(span, span.chunks, Piece(event, is_kept=False))
        elif span.part is not None:
            span.part.join(Piece(event, is_kept=False))
        else:
            span.part = Part.of(Piece(event, is_kept=False))
            span.part.event = event

    def _alone(self, event: JsonEvent, kind: ItemKind, id: str) -> None:
        self._bar(kind, *ids_written_by(event))
        self._slots.append(event)
        self.held.append(kind, id, [event["delta"]], event.get("metadata"))

    # Chunks.

    def _chunk(self, event: JsonEvent, role: ItemRole, piece: Piece) -> None:
        id = event.get(role.id)
        span = self._spans.continued(role.item, id, piece.owner)
        if span is not None and span.chunks is not None:
            self._continue_chunks(span, span.chunks, piece)
            return
        self._close_lane(piece.owner)
        if id is None:
            # Nobody can tell what it continues; a verifier refuses it.
            self._slots.append(event)
        else:
            self._open_chunks(role.item, id, heads_of(event), piece)

    def _open_chunks(self, kind: ItemKind, id: str, heads: Heads, piece: Piece) -> None:
        self._bar(kind, *ids_written_by(piece.event))
        stands_alone = piece.stands_alone() or self._spans.is_shared(kind, id)
        first = self._place(None)
        part = Part.of_opener(piece)
        if piece.is_kept:
            part.event = piece.event
        self.held.begin(kind, id, heads, piece.owner, None)
        body = ChunkBody(piece.owner, heads, [ChunkPart(first, part)], piece.is_kept)
        span = Span(kind, id, body)
        self._spans.items.append(span)
        if stands_alone:
            self._flush(span)

    def _continue_chunks(self, span: Span, body: ChunkBody, piece: Piece) -> None:
        """A further chunk, or an explicit delta, of an item that chunks keep open."""
        if not piece.says_something():
            piece.extra = {}
        stands_alone = piece.stands_alone() or self._spans.is_shared(span.kind, span.id)
        if stands_alone:
            self._flush(span)
            if piece.says_something() and writes_its_item(STREAMED[span.kind].append):
                self._bar(span.kind, span.id)
        body.is_kept |= piece.is_kept
        pending = body.pending()
        if pending is not None:
            pending.part.join(piece)
            return
        if piece.says_something() or piece.is_kept:
            part = Part.of(piece)
            if piece.is_kept:
                part.event = piece.event
            body.parts.append(ChunkPart(self._place(None), part))
        if stands_alone:
            self._flush(span)

    def _close_chunks_before(self, event: JsonEvent, tag: str) -> None:
        if tag in CLOSING_ALL:
            self._close_all()
        elif tag in CLOSING_A_LANE:
            self._close_lane(event.get("subagentRunId"))

    def _close_lane(self, lane: str | None) -> None:
        span = self._spans.in_lane(lane)
        if span is not None and span.chunks is not None:
            self._close(span, span.chunks)

    def _close_all(self) -> None:
        for span in list(self._spans.items):
            if span.chunks is not None:
                self._close(span, span.chunks)

    def _close(self, span: Span, body: ChunkBody) -> None:
        """Ends an item that chunks kept open: its slots get START, deltas and END."""
        kind, id, lane = span.kind, span.id, body.lane
        if writes_its_item(STREAMED[kind].end):
            self._bar(kind, id)
        self._flush(span)
        self._spans.items.remove(span)
        if body.is_kept:
            closed = self._place(None)
            self._kept_chunks.extend(_staying_chunks(span, body, closed))
            return
        for index, place in enumerate(body.parts):
            part = place.part
            if index == 0:
                self._slots[place.first] = start_event(kind, id, body.heads, lane, part)
            if place.delta is not None and part.has_delta:
                if index == 0 or not part.is_explicit:
                    part.timestamp = None
                # Whose it is is said if a chunk says it, since what did not would close what chunks
                # keep open in the parent agent's lane.
                part.owner = None if part.is_explicit else lane
                delta = delta_event(kind, id, part)
                self._slots[place.delta] = Joined(delta, None) if part.is_explicit else delta
        self._slots.append(end_event(kind, id, lane))

    # Barriers.

    def _bar(self, kind: ItemKind | None, *ids: str | None) -> None:
        """Ends the parts of all other kinds of items with the ids that are written."""
        for span in self._spans.items:
            if span.id in ids and span.kind != kind:
                self._flush(span)

    def _flush_all(self) -> None:
        for span in self._spans.items:
            if span.chunks is None:
                self._flush(span)

    def _flush(self, span: Span) -> None:
        """Ends the part of an item: its joined delta stands here."""
        if span.chunks is not None:
            pending = span.chunks.pending()
            if pending is not None:
                pending.delta = self._place(None)
                self._hold(span, pending.part)
        elif span.part is not None:
            part, span.part = span.part, None
            self._hold(span, part)
            event = part.event or delta_event(span.kind, span.id, part)
            self._slots.append(Joined(event, part.owner))

    def _hold(self, span: Span, part: Part) -> None:
        texts = (part.pieces or []) if part.has_delta else None
        self.held.append(span.kind, span.id, texts, part.metadata)


def _staying_chunks(span: Span, body: ChunkBody, closed: int | None) -> list[StayingChunk]:
    """Gives the chunks that stand for the parts of an item, with their places.

    Only the first chunk says what the item is: a later one with its id would be longer than the delta
    it stands for. Delta events stay delta events, since a chunk would have to say whose it is.
    """
    kind, id, lane = span.kind, span.id, body.lane
    chunks: list[StayingChunk] = []
    for index, place in enumerate(body.parts):
        part = place.part
        if part.event is not None:
            chunks.append(StayingChunk(place.first, part.event, lane, closed))
            continue
        opening = (id, body.heads) if index == 0 else None
        opener = part.opener_alone()
        if opener is None:
            event = chunk_event(kind, opening, lane, part)
        else:
            if index == 0:
                alone = chunk_event(kind, opening, lane, opener)
                chunks.append(StayingChunk(place.first, alone, lane, closed))
                part.timestamp = part.owner = None
            event = delta_event(kind, id, part)
        chunks.append(StayingChunk(place.first, event, lane, closed))
    return chunks
