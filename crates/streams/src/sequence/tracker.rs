//! One pass over the events, with chunks resolved.

use super::chunks::{ChunkItem, Lanes, missing_opening};
use super::open::{OpenItem, OpenItems};
use super::steps::{Beginning, Part, Step};
use super::surrogates::PendingSurrogates;
use super::{Id, Violation};
use crate::header::{Delta, Header};
use chatstate_types::generated::roles::{Action, Chunk, Closes, ValueKind};

/// What takes the steps.
type Emit<'e> = dyn FnMut(Step<'_>) + 'e;

/// What is open between two events.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tracker {
    items: Items,
    lanes: Lanes,
}

impl Tracker {
    /// Takes the event of this index and passes on its steps in order. An event that is not allowed
    /// here is rejected; what it did before is done, so that a caller may continue after it.
    pub fn take(
        &mut self,
        index: usize,
        header: &Header<'_>,
        emit: &mut Emit<'_>,
    ) -> Result<(), Violation> {
        self.close_chunks_before(header, emit)?;
        match header.action {
            Action::StartRun { .. } | Action::EndRun { .. } => self.items.leave(emit),
            Action::Replace {
                value: ValueKind::Messages,
                ..
            } => {
                self.items.surrogates.clear();
            }
            Action::Chunk(chunk) => return self.chunk(index, header, &chunk, emit),
            Action::Begin(begin) => self.items.begin(index, Beginning::of(begin), emit)?,
            Action::Append {
                item,
                id,
                owner,
                text,
            } => {
                let part = Part::of(item, id, owner);
                self.items.append(index, part, text.into(), emit)?;
            }
            Action::End { item, id, owner } => {
                self.lanes.require_none(item, id)?;
                self.items.end(Part::of(item, id, owner), emit, Step::End)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// The open items in the order of beginning, each with the index of its first event.
    pub fn open(&self) -> Vec<(usize, OpenItem)> {
        self.items.open.list()
    }

    /// Whether the same may follow on both, and means the same.
    pub fn stands_like(&self, other: &Self) -> bool {
        let items = |tracker: &Self| -> Vec<OpenItem> {
            tracker.open().into_iter().map(|(_, item)| item).collect()
        };
        items(self) == items(other)
            && self.lanes.is_equivalent(&other.lanes)
            && self.items.surrogates.is_equivalent(&other.items.surrogates)
    }

    /// Ends the chunk items that an event ends by standing there.
    fn close_chunks_before(
        &mut self,
        header: &Header<'_>,
        emit: &mut Emit<'_>,
    ) -> Result<(), Violation> {
        match header.kind.role().closes {
            Closes::All => {
                let items = &mut self.items;
                self.lanes
                    .close_all()
                    .into_iter()
                    .map(|(lane, item)| items.close(lane.as_deref(), &item, emit))
                    .fold(Ok(()), Result::and)
            }
            Closes::Lane => self.close_lane(header.subagent_run_id(), emit),
            Closes::Nothing => Ok(()),
        }
    }

    fn close_lane(&mut self, lane: Option<&str>, emit: &mut Emit<'_>) -> Result<(), Violation> {
        match self.lanes.close(lane) {
            Some(item) => self.items.close(lane, &item, emit),
            None => Ok(()),
        }
    }

    /// Continues the item that a chunk belongs to, or ends what its lane has open and begins one.
    fn chunk(
        &mut self,
        index: usize,
        header: &Header<'_>,
        chunk: &Chunk<'_>,
        emit: &mut Emit<'_>,
    ) -> Result<(), Violation> {
        let lane = self.lanes.lane_of(chunk)?;
        let Some(item) = self.lanes.continued(lane, chunk)? else {
            let lane = lane.map(Id::from);
            return self.opening_chunk(index, lane, header, chunk, emit);
        };
        // What is continued belongs to the caller that opened it, also when the chunk does not say
        // so.
        let part = Part::of(chunk.item, &item.id, lane);
        // A chunk without text may carry metadata.
        if chunk.text.is_none() && !header.has_more_than_text() {
            emit(Step::Idle(part));
            return Ok(());
        }
        let delta = chunk.text.map_or(Delta::NOTHING, Delta::from);
        self.items.append(index, part, delta, emit)
    }

    fn opening_chunk(
        &mut self,
        index: usize,
        lane: Option<Id>,
        header: &Header<'_>,
        chunk: &Chunk<'_>,
        emit: &mut Emit<'_>,
    ) -> Result<(), Violation> {
        self.close_lane(lane.as_deref(), emit)?;
        let begin = chunk.beginning().map_err(missing_opening)?;
        self.items.begin(index, Beginning::of(begin), emit)?;
        let part = Part::of(chunk.item, begin.id, lane.as_deref());
        // The metadata of a chunk that begins its item belongs to the beginning.
        let appended = if chunk.text.is_some() || header.has_raw_event() {
            let delta = chunk.text.map_or(Delta::NOTHING, Delta::from);
            self.items.append(index, part, delta, emit)
        } else {
            Ok(())
        };
        let item = ChunkItem::opened_by(index, chunk, begin.id);
        self.lanes.open(lane, item);
        appended
    }
}

/// What is open, and which texts of it end in an unpaired surrogate.
#[derive(Debug, Clone, Default)]
struct Items {
    open: OpenItems,
    surrogates: PendingSurrogates,
}

impl Items {
    fn begin(
        &mut self,
        index: usize,
        beginning: Beginning<'_>,
        emit: &mut Emit<'_>,
    ) -> Result<(), Violation> {
        let Beginning { kind, id, .. } = beginning;
        self.open
            .begin(index, kind, id, beginning.subagent_run_id)?;
        emit(Step::Begin(beginning));
        Ok(())
    }

    fn append(
        &mut self,
        index: usize,
        part: Part<'_>,
        delta: Delta,
        emit: &mut Emit<'_>,
    ) -> Result<(), Violation> {
        self.open.require(part.kind, part.id)?;
        self.surrogates.append(index, part.kind, part.id, delta)?;
        emit(Step::Append(part));
        Ok(())
    }

    fn end<'a>(
        &mut self,
        part: Part<'a>,
        emit: &mut Emit<'_>,
        step: fn(Part<'a>) -> Step<'a>,
    ) -> Result<(), Violation> {
        let (kind, id) = (part.kind, part.id);
        self.open.end(kind, id, part.subagent_run_id)?;
        let whole = match kind.appends() {
            Some(_) => self.surrogates.end(kind, id),
            None => Ok(()),
        };
        emit(step(part));
        whole
    }

    /// Ends an item that chunks kept open.
    fn close(
        &mut self,
        lane: Option<&str>,
        item: &ChunkItem,
        emit: &mut Emit<'_>,
    ) -> Result<(), Violation> {
        let part = Part {
            kind: item.kind,
            id: &item.id,
            subagent_run_id: lane,
        };
        self.end(part, emit, Step::Close)
    }

    /// Leaves everything as it is, as the end of a run does.
    fn leave(&mut self, emit: &mut Emit<'_>) {
        self.surrogates.clear();
        for (index, item) in self.open.take() {
            emit(Step::Left(index, item));
        }
    }
}
