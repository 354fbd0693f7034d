//! The run in progress: its events as slots, of which some are filled or emptied later.

use std::ops::Range;

use super::core::Give;
use super::held::{Held, Item};
use super::part::Part;
use super::piece::{Chunk, Heads, Piece, chunk_of, delta_of};
use super::placement::{Content, StayingChunk, in_order};
use super::reach::{Closes, Writes};
use super::span::{Body, ChunkBody, ChunkPart, Slot, Span, Spans};
use super::state::{Fate, StateFold};
use super::writing::{write_chunk, write_delta, write_end, write_start};
use crate::head::{EventKind, Head, Member};
use crate::replay::ItemKind;
use chatstate_json::Rejection;

/// The compacted events of the run in progress.
#[derive(Default)]
pub(super) struct RunInProgress {
    /// The texts of all events, in the order in which they were known.
    texts: String,
    slots: Vec<Content>,
    spans: Spans,
    state: StateFold,
    /// The chunks of items that are closed, but with a chunk that is kept as it is.
    kept_chunks: Vec<StayingChunk>,
    pub held: Held,
}

type Outcome = Result<(), Rejection>;

impl RunInProgress {
    /// Begins the run with an event, given in pieces.
    pub fn begin(&mut self, event: &[&str]) {
        self.forget();
        let start = self.texts.len();
        for piece in event {
            self.texts.push_str(piece);
        }
        self.place(Content::Event(start..self.texts.len()));
    }

    /// Takes the next event of the run; the terminal event goes to [`Self::end`].
    pub fn push(&mut self, event: &str, head: &Head<'_>, is_kept: bool) -> Outcome {
        self.close_chunks(&Closes::of(head));
        if let Some((kind, id)) = delta_of(head) {
            return self.delta(event, head, kind, id, is_kept);
        }
        if let Some((kind, named_by)) = chunk_of(head) {
            let chunk = Chunk {
                kind,
                id: head.text(named_by),
                heads: Heads::of(head),
                piece: Piece::of(event, head, is_kept)?,
            };
            return self.chunk(head, &chunk);
        }
        match head.kind {
            EventKind::StateSnapshot => {
                let (vanished, fate) = self.state.snapshot(event, head, is_kept)?;
                for slot in vanished {
                    self.slots[slot] = Content::Nothing;
                }
                self.state_event(event, &fate, is_kept);
                Ok(())
            }
            EventKind::StateDelta => {
                let fate = self.state.delta(head, is_kept)?;
                self.state_event(event, &fate, is_kept);
                Ok(())
            }
            EventKind::MessagesSnapshot => {
                self.flush_all();
                self.stand(event, head)
            }
            _ => self.other(event, head),
        }
    }

    /// Gives the events of the run with its terminal event, and forgets them.
    pub fn end(&mut self, terminal: &str, give: &mut Give<'_>) {
        self.close_chunks(&Closes::Everything);
        // A state without a place of its own stands before the terminal event.
        self.finish(give);
        give(terminal);
    }

    /// Gives the events of the run, which is not over, and forgets them.
    pub fn finish(&mut self, give: &mut Give<'_>) {
        self.flush_all();
        let state = std::mem::take(&mut self.state);
        let place = state.place.unwrap_or(self.slots.len());
        let state = state.write(&mut self.texts).map(|state| (place, state));
        let mut chunks = std::mem::take(&mut self.kept_chunks);
        for span in std::mem::take(&mut self.spans.0) {
            chunks.extend(self.staying_chunks(span, None));
        }
        let texts = &self.texts;
        in_order(&self.slots, &chunks, state, |event| give(&texts[event]));
        self.forget();
    }

    /// Forgets the events, also when they are not needed.
    pub fn forget(&mut self) {
        // One large run should not hold its memory until the end of the log.
        self.texts.clear();
        self.texts.shrink_to(MOST_KEPT);
        self.slots.clear();
        self.slots.shrink_to(MOST_KEPT / size_of::<Content>());
        self.spans.0.clear();
        self.state = StateFold::default();
        self.kept_chunks.clear();
    }

    /// An event that is neither a delta nor a chunk nor of the state or all messages.
    fn other(&mut self, event: &str, head: &Head<'_>) -> Outcome {
        self.bar(&Writes::of(head));
        if let Some((kind, id)) = ended_by(head)
            && let Some(position) = self.spans.position(kind, id)
        {
            self.flush(position);
            self.spans.0.remove(position);
        }
        self.stand(event, head)?;
        if let Some((kind, id)) = begun_by(head) {
            self.spans.0.push(Span {
                kind,
                id: id.to_owned(),
                body: Body::Explicit(None),
            });
        }
        Ok(())
    }

    /// An event stays as it is.
    fn stand(&mut self, event: &str, head: &Head<'_>) -> Outcome {
        let event_range = self.keep(event);
        self.place(Content::Event(event_range));
        self.held.event(event, head)
    }

    fn state_event(&mut self, event: &str, fate: &Fate, is_kept: bool) {
        if matches!(fate, Fate::Folded) {
            return;
        }
        if self.state.needs_place() {
            self.state.place = Some(self.place(Content::Nothing));
        }
        let event = self.keep(event);
        let slot = self.place(Content::Event(event));
        if !is_kept {
            self.state.standing.push(slot);
        }
    }

    /// An explicit delta: joined, or alone in its place.
    fn delta(
        &mut self,
        event: &str,
        head: &Head<'_>,
        kind: ItemKind,
        id: &str,
        is_kept: bool,
    ) -> Outcome {
        let shared = self.spans.is_shared(kind, id);
        let Some(position) = self.spans.position(kind, id) else {
            return self.other(event, head);
        };
        if is_kept || head.has_unknown_members || shared {
            self.flush(position);
            return self.other(event, head);
        }
        let piece = Piece::of(event, head, false)?;
        match &mut self.spans.0[position].body {
            Body::Explicit(Some(part)) => part.join(&piece),
            Body::Explicit(None) => {
                let mut part = Part::of(&piece)?;
                part.event = Some(self.keep(event));
                self.spans.0[position].body = Body::Explicit(Some(part));
                Ok(())
            }
            Body::Chunks(_) => self.continue_chunks(position, piece),
        }
    }

    fn chunk(&mut self, head: &Head<'_>, chunk: &Chunk<'_>) -> Outcome {
        if let Some(position) = self.spans.continued(chunk) {
            return self.continue_chunks(position, chunk.piece.clone());
        }
        self.close_chunks(&Closes::Lane(chunk.piece.subagent_run_id));
        match chunk.id {
            Some(id) => self.open_chunks(id, chunk),
            // Nobody can tell what it continues; a verifier refuses it.
            None => self.other(chunk.piece.event, head),
        }
    }

    fn open_chunks(&mut self, id: &str, chunk: &Chunk<'_>) -> Outcome {
        let (kind, piece) = (chunk.kind, &chunk.piece);
        let parent = chunk.heads.parent_message_id.as_deref();
        self.bar(&Writes::of_beginning(kind, id, parent));
        let stands_alone = self.spans.is_shared(kind, id) || piece.stands_alone();
        let first = self.place(Content::Nothing);
        let mut part = Part::of_opener(piece)?;
        if piece.is_kept {
            part.event = Some(self.keep(piece.event));
        }
        self.held.begin(&Item {
            kind,
            id,
            heads: &chunk.heads,
            subagent_run_id: piece.subagent_run_id,
            metadata: None,
        })?;
        let body = ChunkBody {
            lane: piece.subagent_run_id.map(str::to_owned),
            heads: chunk.heads.clone(),
            parts: vec![ChunkPart {
                first,
                delta: None,
                part,
            }],
            is_kept: piece.is_kept,
        };
        self.spans.0.push(Span {
            kind,
            id: id.to_owned(),
            body: Body::Chunks(body),
        });
        if stands_alone {
            self.flush(self.spans.0.len() - 1);
        }
        Ok(())
    }

    /// A further chunk, or an explicit delta, of an item that chunks keep open.
    fn continue_chunks(&mut self, position: usize, mut piece: Piece<'_>) -> Outcome {
        if !piece.says_something() {
            piece.extra.clear();
        }
        let span = &self.spans.0[position];
        let (kind, shared) = (span.kind, self.spans.is_shared(span.kind, &span.id));
        let stands_alone = shared || piece.stands_alone();
        if stands_alone {
            self.flush(position);
            if piece.says_something() {
                let id = self.spans.0[position].id.clone();
                self.bar(&Writes::of_progress(kind, &id));
            }
        }
        let Body::Chunks(body) = &mut self.spans.0[position].body else {
            return Ok(());
        };
        body.is_kept |= piece.is_kept;
        if let Some(pending) = body.pending() {
            return pending.part.join(&piece);
        }
        if piece.says_something() || piece.is_kept {
            self.begin_part(position, &piece)?;
        }
        if stands_alone {
            self.flush(position);
        }
        Ok(())
    }

    fn begin_part(&mut self, position: usize, piece: &Piece<'_>) -> Outcome {
        let first = self.place(Content::Nothing);
        let mut part = Part::of(piece)?;
        if piece.is_kept {
            part.event = Some(self.keep(piece.event));
        }
        if let Body::Chunks(body) = &mut self.spans.0[position].body {
            body.parts.push(ChunkPart {
                first,
                delta: None,
                part,
            });
        }
        Ok(())
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
        let Span { kind, id, body } = &mut self.spans.0[position];
        let content = match body {
            Body::Explicit(part) => {
                let Some(part) = part.take() else {
                    return;
                };
                self.held.append(*kind, id, &part);
                let event = part.event.clone().unwrap_or_else(|| {
                    let start = self.texts.len();
                    write_delta(&mut self.texts, *kind, id, &part);
                    start..self.texts.len()
                });
                Content::Joined(event, part.subagent_run_id.map(String::into_boxed_str))
            }
            Body::Chunks(body) => {
                let Some(pending) = body.pending() else {
                    return;
                };
                pending.delta = Some(place);
                self.held.append(*kind, id, &pending.part);
                Content::Nothing
            }
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
        if span.chunks().is_some_and(|body| body.is_kept) {
            let closed = self.place(Content::Nothing);
            let chunks = self.staying_chunks(span, Some(closed));
            self.kept_chunks.extend(chunks);
            return;
        }
        let Body::Chunks(body) = span.body else {
            return;
        };
        let lane = body.lane.as_deref();
        for (index, part) in body.parts.into_iter().enumerate() {
            let mut written = part.part;
            if index == 0 {
                let start = self.texts.len();
                write_start(&mut self.texts, kind, &id, &body.heads, lane, &written);
                self.slots[part.first] = Content::Event(start..self.texts.len());
            }
            if let Some(slot) = part.delta.filter(|_| written.has_delta()) {
                let is_explicit = written.is_explicit;
                if index == 0 || !is_explicit {
                    written.timestamp = None;
                }
                // Whose it is is said if a chunk says it, since what did not would close what chunks
                // keep open in the parent agent's lane.
                let owner = lane.filter(|_| !is_explicit);
                written.subagent_run_id = owner.map(str::to_owned);
                let delta = self.write(|out| write_delta(out, kind, &id, &written));
                self.slots[slot] = if is_explicit {
                    Content::Joined(delta, None)
                } else {
                    Content::Event(delta)
                };
            }
        }
        let start = self.texts.len();
        write_end(&mut self.texts, kind, &id, lane);
        self.place(Content::Event(start..self.texts.len()));
    }

    /// The chunks that stand for the parts of an item, with their places. Only the first chunk says
    /// what the item is: a later one with its id would be longer than the delta it stands for. Delta
    /// events stay delta events, since a chunk would have to say whose it is.
    fn staying_chunks(&mut self, span: Span, closed: Option<Slot>) -> Vec<StayingChunk> {
        let Body::Chunks(body) = span.body else {
            return Vec::new();
        };
        let (kind, id, lane) = (span.kind, span.id.as_str(), body.lane.as_deref());
        let mut chunks = Vec::new();
        for (
            index,
            ChunkPart {
                first, mut part, ..
            },
        ) in body.parts.into_iter().enumerate()
        {
            let mut stay = |event| {
                chunks.push(StayingChunk {
                    slot: first,
                    event,
                    lane: body.lane.clone(),
                    closed,
                });
            };
            if let Some(event) = &part.event {
                stay(event.clone());
                continue;
            }
            let opening = (index == 0).then_some((id, &body.heads));
            let opener = part.opener_alone();
            if let Some(chunk) = opener.as_ref().filter(|_| index == 0) {
                stay(self.write(|out| write_chunk(out, kind, opening, lane, chunk)));
                (part.timestamp, part.subagent_run_id) = (None, None);
            }
            stay(self.write(|out| match opener {
                Some(_) => write_delta(out, kind, id, &part),
                None => write_chunk(out, kind, opening, lane, &part),
            }));
        }
        chunks
    }

    /// Adds the text that is written.
    fn write(&mut self, write: impl FnOnce(&mut String)) -> Range<usize> {
        let start = self.texts.len();
        write(&mut self.texts);
        start..self.texts.len()
    }

    /// Adds the text of an event.
    fn keep(&mut self, event: &str) -> Range<usize> {
        let start = self.texts.len();
        self.texts.push_str(event);
        start..self.texts.len()
    }

    fn place(&mut self, content: Content) -> Slot {
        self.slots.push(content);
        self.slots.len() - 1
    }
}

/// How much memory, in bytes, stays from one run to the next.
const MOST_KEPT: usize = 1024 * 1024;

/// The item that a START begins.
fn begun_by<'a>(head: &'a Head<'_>) -> Option<(ItemKind, &'a str)> {
    let (kind, id) = match head.kind {
        EventKind::TextMessageStart => (ItemKind::Text, Member::MessageId),
        EventKind::ReasoningMessageStart => (ItemKind::Reasoning, Member::MessageId),
        EventKind::ToolCallStart => (ItemKind::ToolCall, Member::ToolCallId),
        _ => return None,
    };
    Some((kind, head.text(id)?))
}

/// The item that an END ends.
fn ended_by<'a>(head: &'a Head<'_>) -> Option<(ItemKind, &'a str)> {
    let (kind, id) = match head.kind {
        EventKind::TextMessageEnd => (ItemKind::Text, Member::MessageId),
        EventKind::ReasoningMessageEnd => (ItemKind::Reasoning, Member::MessageId),
        EventKind::ToolCallEnd => (ItemKind::ToolCall, Member::ToolCallId),
        _ => return None,
    };
    Some((kind, head.text(id)?))
}
