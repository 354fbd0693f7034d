//! The run in progress: its events as slots, of which some are filled or emptied later.

use super::part::Part;
use super::piece::{Chunk, Piece, chunk_of, delta_event, delta_of};
use super::reach::{Closes, Writes};
use super::span::{
    Body, ChunkBody, ChunkPart, Slot, Span, Spans, end_event, open_chunks, part_delta, start_event,
};
use super::state::{Fate, StateFold};
use crate::generated::Event;
use crate::json::Object;
use crate::replay::ItemKind;

/// What stands in a slot.
pub(super) enum Content {
    /// Nothing, or not yet.
    Nothing,
    /// An event that stays where it is.
    Event(Event),
    /// Deltas as one. At the end of the input it may have to stand before an open chunk.
    Joined(Event),
}

/// The compacted events of the run in progress.
#[derive(Default)]
pub(super) struct RunInProgress {
    slots: Vec<Content>,
    spans: Spans,
    state: StateFold,
}

impl RunInProgress {
    /// Takes the next event of the run; the terminal event goes to [`Self::end`].
    pub fn push(&mut self, event: &Event) {
        self.close_chunks(&Closes::of(event));
        if let Some((kind, id, piece)) = delta_of(event) {
            return self.delta(event, kind, id, piece);
        }
        if let Some(chunk) = chunk_of(event) {
            return self.chunk(event, chunk);
        }
        match event {
            Event::StateSnapshot(snapshot) => {
                let (vanished, fate) = self.state.snapshot(snapshot);
                for slot in vanished {
                    self.slots[slot] = Content::Nothing;
                }
                self.state_event(event, &fate);
            }
            Event::StateDelta(delta) => {
                let fate = self.state.delta(delta);
                self.state_event(event, &fate);
            }
            Event::MessagesSnapshot(_) => {
                self.flush_all();
                self.place(Content::Event(event.clone()));
            }
            other => self.other(other),
        }
    }

    /// The events of the run with its terminal event.
    pub fn end(mut self, terminal: &Event) -> Vec<Event> {
        self.close_chunks(&Closes::Everything);
        let mut events = self.finish();
        events.push(terminal.clone());
        events
    }

    /// The events of the run, which is not over.
    pub fn finish(mut self) -> Vec<Event> {
        self.flush_all();
        let state_place = self.state.place;
        let state = self.state.into_event();
        let open = self.spans.0.into_iter().flat_map(open_chunks).collect();
        super::placement::in_order(self.slots, open, state, state_place)
    }

    /// An event that is neither a delta nor a chunk nor of the state or all messages.
    fn other(&mut self, event: &Event) {
        self.bar(&Writes::of(event));
        if let Some((kind, id)) = ended_by(event)
            && let Some(position) = self.spans.position(kind, id)
        {
            self.flush(position);
            self.spans.0.remove(position);
        }
        self.place(Content::Event(event.clone()));
        if let Some((kind, id)) = begun_by(event) {
            self.spans.0.push(Span {
                kind,
                id: id.to_owned(),
                body: Body::Explicit(None),
            });
        }
    }

    fn state_event(&mut self, event: &Event, fate: &Fate) {
        if matches!(fate, Fate::Folded) {
            return;
        }
        if self.state.needs_place() {
            self.state.place = Some(self.place(Content::Nothing));
        }
        let slot = self.place(Content::Event(event.clone()));
        self.state.standing.push(slot);
    }

    /// An explicit delta: joined, or alone in its place.
    fn delta(&mut self, event: &Event, kind: ItemKind, id: &str, piece: Piece) {
        let shared = self.spans.is_shared(kind, id);
        let Some(position) = self.spans.position(kind, id) else {
            return self.other(event);
        };
        if !piece.extra.is_empty() || shared {
            self.flush(position);
            return self.other(event);
        }
        let Body::Explicit(part) = &mut self.spans.0[position].body else {
            return self.continue_chunks(position, piece);
        };
        let joined = part.as_mut().map(|part| part.join(piece.clone()));
        if joined.is_none_or(|result| result.is_err()) {
            self.flush(position);
            if let Body::Explicit(part) = &mut self.spans.0[position].body {
                *part = Some(Part::of(piece));
            }
        }
    }

    fn chunk(&mut self, event: &Event, chunk: Chunk) {
        if let Some(position) = self.spans.continued(&chunk) {
            return self.continue_chunks(position, chunk.piece);
        }
        self.close_chunks(&Closes::Lane(chunk.piece.subagent_run_id.as_deref()));
        match chunk.id.clone() {
            Some(id) => self.open_chunks(id, chunk),
            // Nobody can tell what it continues; a verifier refuses it.
            None => self.other(event),
        }
    }

    fn open_chunks(&mut self, id: String, chunk: Chunk) {
        let parent = chunk.heads.parent_message_id.as_deref();
        self.bar(&Writes::of_beginning(chunk.kind, &id, parent));
        let shared = self.spans.is_shared(chunk.kind, &id);
        let first = self.place(Content::Nothing);
        let part = Part::of_opener(chunk.piece);
        let stands_alone = shared || part.is_alone();
        let lane = part.piece().subagent_run_id.clone();
        let part = ChunkPart {
            first,
            delta: None,
            part,
        };
        let body = ChunkBody {
            lane,
            heads: chunk.heads,
            parts: vec![part],
        };
        self.spans.0.push(Span {
            kind: chunk.kind,
            id,
            body: Body::Chunks(body),
        });
        if stands_alone {
            self.flush(self.spans.0.len() - 1);
        }
    }

    /// A further chunk, or an explicit delta, of an item that chunks keep open.
    fn continue_chunks(&mut self, position: usize, mut piece: Piece) {
        if !piece.says_something() {
            piece.extra = Object::new();
        }
        let span = &self.spans.0[position];
        let shared = self.spans.is_shared(span.kind, &span.id);
        let stands_alone = shared || !piece.extra.is_empty();
        if stands_alone {
            self.flush(position);
            let (kind, id) = (
                self.spans.0[position].kind,
                self.spans.0[position].id.clone(),
            );
            if piece.says_something() {
                self.bar(&Writes::of_progress(kind, &id));
            }
        }
        let Body::Chunks(body) = &mut self.spans.0[position].body else {
            return;
        };
        if let Some(pending) = body.pending()
            && pending.part.join(piece.clone()).is_ok()
        {
            return;
        }
        self.flush(position);
        if piece.says_something() {
            self.begin_part(position, piece);
        }
        if stands_alone {
            self.flush(position);
        }
    }

    fn begin_part(&mut self, position: usize, piece: Piece) {
        let first = self.place(Content::Nothing);
        if let Body::Chunks(body) = &mut self.spans.0[position].body {
            body.parts.push(ChunkPart {
                first,
                delta: None,
                part: Part::of(piece),
            });
        }
    }

    /// Ends the parts of all other kinds of items with the ids that are written.
    fn bar(&mut self, writes: &Writes<'_>) {
        for position in 0..self.spans.0.len() {
            let span = &self.spans.0[position];
            let mut ids = writes.ids.iter().flatten();
            if ids.any(|id| span.is_barred_by(writes.kind, id)) {
                self.flush(position);
            }
        }
    }

    fn flush_all(&mut self) {
        for position in 0..self.spans.0.len() {
            if self.spans.0[position].chunks().is_none() {
                self.flush(position);
            }
        }
    }

    /// Ends the part of an item: its joined delta stands here.
    fn flush(&mut self, position: usize) {
        let place = self.slots.len();
        let span = &mut self.spans.0[position];
        let content = match &mut span.body {
            Body::Explicit(part) => match part.take() {
                Some(part) => Content::Joined(delta_event(span.kind, &span.id, part.into_delta())),
                None => return,
            },
            Body::Chunks(body) => match body.pending() {
                Some(pending) => {
                    pending.delta = Some(place);
                    Content::Nothing
                }
                None => return,
            },
        };
        self.place(content);
    }

    fn close_chunks(&mut self, closes: &Closes<'_>) {
        match closes {
            Closes::Nothing => {}
            Closes::Lane(lane) => {
                if let Some(position) = self.spans.in_lane(*lane) {
                    self.close(position);
                }
            }
            Closes::Everything => {
                let is_chunk = |span: &Span| span.chunks().is_some();
                while let Some(position) = self.spans.0.iter().position(is_chunk) {
                    self.close(position);
                }
            }
        }
    }

    /// Ends an item that chunks kept open: its slots get START, deltas and END.
    fn close(&mut self, position: usize) {
        let span = &self.spans.0[position];
        let (kind, id) = (span.kind, span.id.clone());
        self.bar(&Writes::of_progress(kind, &id));
        self.flush(position);
        let span = self.spans.0.remove(position);
        let Body::Chunks(body) = &span.body else {
            return;
        };
        self.slots[body.parts[0].first] = Content::Event(start_event(&span, body));
        let Body::Chunks(body) = span.body else {
            return;
        };
        for part in body.parts {
            if let Some(slot) = part.delta.filter(|_| part.part.has_delta()) {
                let delta = part_delta(kind, &id, body.lane.as_deref(), part.part);
                self.slots[slot] = Content::Event(delta);
            }
        }
        self.place(Content::Event(end_event(kind, &id, body.lane.as_deref())));
    }

    fn place(&mut self, content: Content) -> Slot {
        self.slots.push(content);
        self.slots.len() - 1
    }
}

/// The item that a START begins.
fn begun_by(event: &Event) -> Option<(ItemKind, &str)> {
    match event {
        Event::TextMessageStart(event) => Some((ItemKind::Text, &event.message_id)),
        Event::ReasoningMessageStart(event) => Some((ItemKind::Reasoning, &event.message_id)),
        Event::ToolCallStart(event) => Some((ItemKind::ToolCall, &event.tool_call_id)),
        _ => None,
    }
}

/// The item that an END ends.
fn ended_by(event: &Event) -> Option<(ItemKind, &str)> {
    match event {
        Event::TextMessageEnd(event) => Some((ItemKind::Text, &event.message_id)),
        Event::ReasoningMessageEnd(event) => Some((ItemKind::Reasoning, &event.message_id)),
        Event::ToolCallEnd(event) => Some((ItemKind::ToolCall, &event.tool_call_id)),
        _ => None,
    }
}
