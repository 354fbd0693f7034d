//! One pass over the events, with chunks resolved.

use super::Violation;
use super::chunks::{Chunk, ChunkItem, Lanes, missing_head};
use super::halves::Halves;
use super::open::{ItemKind, OpenItem, OpenItems};
use super::steps::{Beginning, Doing, Part, Step, doing, opening_of};
use crate::head::{Delta, Head};
use chatstate_types::generated::roles::{Closes, Does, Subject, ValueKind};

/// Whoever takes the steps.
type Emit<'e> = dyn FnMut(Step<'_>) + 'e;

/// What stands open between two events.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tracker {
    items: Items,
    lanes: Lanes,
}

impl Tracker {
    /// Takes the event of this index and hands on its steps in order. An event that cannot stand
    /// here is refused; what it did before is done, so that a caller may go on after it.
    pub fn take(
        &mut self,
        index: usize,
        head: &Head<'_>,
        emit: &mut Emit<'_>,
    ) -> Result<(), Violation> {
        self.close_chunks_before(head, emit)?;
        let role = head.kind.role();
        match (role.does, role.subject) {
            (Does::StartRun | Does::EndRun, _) => {
                self.items.leave(emit);
                Ok(())
            }
            (Does::Replace, Subject::Value(ValueKind::Messages)) => {
                self.items.halves.clear();
                Ok(())
            }
            (Does::Chunk, Subject::Item(kind)) => self.chunk(index, kind, head, emit),
            _ => match doing(head) {
                Doing::Begins(beginning) => self.items.begin(index, beginning, emit),
                Doing::Continues(part) => self.items.append(index, part, head.delta, emit),
                Doing::Ends(part) => {
                    self.lanes.require_none(part.kind, part.id)?;
                    self.items.end(part, emit, Step::End)
                }
                Doing::Nothing => Ok(()),
            },
        }
    }

    /// The open items in the order of beginning.
    pub fn into_open(self) -> Vec<OpenItem> {
        let Items { mut open, .. } = self.items;
        open.take().into_iter().map(|(_, item)| item).collect()
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
            && self.lanes.stand_like(&other.lanes)
            && self.items.halves.stand_like(&other.items.halves)
    }

    /// Ends the chunk items that an event ends by standing there.
    fn close_chunks_before(
        &mut self,
        head: &Head<'_>,
        emit: &mut Emit<'_>,
    ) -> Result<(), Violation> {
        match head.kind.role().closes {
            Closes::All => {
                let items = &mut self.items;
                self.lanes
                    .close_all()
                    .map(|(lane, item)| items.close(lane.as_deref(), &item, emit))
                    .fold(Ok(()), Result::and)
            }
            Closes::Lane => self.close_lane(head.subagent_run_id(), emit),
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
        kind: ItemKind,
        head: &Head<'_>,
        emit: &mut Emit<'_>,
    ) -> Result<(), Violation> {
        let chunk = chunk_of(kind, head);
        let lane = self.lanes.lane_of(&chunk)?;
        let Some(item) = self.lanes.continued(lane, &chunk)? else {
            let lane = lane.map(str::to_owned);
            return self.opening_chunk(index, lane, head, &chunk, emit);
        };
        let part = Part {
            kind: chunk.kind,
            id: &item.id,
            // What is continued belongs to whoever opened it, also when the chunk does not say so.
            subagent_run_id: lane,
        };
        // A chunk without text may carry metadata.
        if head.delta.is_none() && !head.has_raw_event && !head.has_metadata {
            emit(Step::Idle(part));
            return Ok(());
        }
        let delta = Some(head.delta.unwrap_or(Delta::NOTHING));
        self.items.append(index, part, delta, emit)
    }

    fn opening_chunk(
        &mut self,
        index: usize,
        lane: Option<String>,
        head: &Head<'_>,
        chunk: &Chunk<'_>,
        emit: &mut Emit<'_>,
    ) -> Result<(), Violation> {
        self.close_lane(lane.as_deref(), emit)?;
        let id = chunk.id.ok_or(chunk.kind.id_member());
        let beginning = Beginning {
            kind: chunk.kind,
            id: id.map_err(missing_head)?,
            subagent_run_id: chunk.subagent_run_id,
            opening: opening_of(chunk.kind, head).map_err(missing_head)?,
        };
        self.items.begin(index, beginning, emit)?;
        let part = Part {
            kind: chunk.kind,
            id: beginning.id,
            subagent_run_id: lane.as_deref(),
        };
        // The metadata of a chunk that begins its item is at home on the beginning.
        let appended = if head.delta.is_some() || head.has_raw_event {
            let delta = Some(head.delta.unwrap_or(Delta::NOTHING));
            self.items.append(index, part, delta, emit)
        } else {
            Ok(())
        };
        let item = ChunkItem::opened_by(index, chunk, beginning.id);
        self.lanes.open(lane, item);
        appended
    }
}

/// What is open, and which texts of it end in half a character.
#[derive(Debug, Clone, Default)]
struct Items {
    open: OpenItems,
    halves: Halves,
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
        delta: Option<Delta>,
        emit: &mut Emit<'_>,
    ) -> Result<(), Violation> {
        self.open.require(part.kind, part.id)?;
        if let Some(delta) = delta {
            self.halves.append(index, part.kind, part.id, delta)?;
        }
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
            Some(_) => self.halves.end(kind, id),
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
        self.halves.clear();
        for (index, item) in self.open.take() {
            emit(Step::Left(index, item));
        }
    }
}

fn chunk_of<'a>(kind: ItemKind, head: &'a Head<'_>) -> Chunk<'a> {
    let role = head.kind.role();
    let mut heads = [("", None); 2];
    for (place, name) in heads.iter_mut().zip(role.opens) {
        *place = (*name, head.named(Some(name)));
    }
    Chunk {
        kind,
        id: head.named(role.id),
        subagent_run_id: head.named(role.owner),
        heads,
    }
}
