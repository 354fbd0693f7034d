//! One pass over the events, with chunks resolved.

use super::Violation;
use super::chunks::{Chunk, ChunkItem, Lanes, missing_head};
use super::halves::Halves;
use super::open::{ItemKind, OpenItem, OpenItems};
use super::steps::{Beginning, Opening, Part, REASONING, Step, beginning_of, owner_of, part_of};
use crate::generated::{
    Event, ReasoningMessageChunkEvent, TextMessageChunkEvent, ToolCallChunkEvent,
};
use crate::json::{Object, SplitText};

/// Whoever takes the steps.
type Emit<'e> = dyn FnMut(Step<'_>) + 'e;

/// What stands open between two events.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tracker {
    open: OpenItems,
    lanes: Lanes,
    halves: Halves,
}

impl Tracker {
    /// Takes the event of this index and hands on its steps in order. An event that cannot stand
    /// here is refused; what it did before is done, so that a caller may go on after it.
    pub fn take(
        &mut self,
        index: usize,
        event: &Event,
        emit: &mut Emit<'_>,
    ) -> Result<(), Violation> {
        self.close_chunks_before(event, emit)?;
        match event {
            Event::RunStarted(_) | Event::RunFinished(_) | Event::RunError(_) => {
                self.halves.clear();
                for (index, item) in self.open.take() {
                    emit(Step::Left(index, item));
                }
                Ok(())
            }
            Event::MessagesSnapshot(_) => {
                self.halves.clear();
                Ok(())
            }
            Event::TextMessageChunk(event) => self.text_chunk(index, event, emit),
            Event::ToolCallChunk(event) => self.call_chunk(index, event, emit),
            Event::ReasoningMessageChunk(event) => self.reasoning_chunk(index, event, emit),
            other => match (beginning_of(other), part_of(other)) {
                (Some(beginning), _) => self.begin(index, beginning, emit),
                (None, Some((part, true))) => self.end_explicitly(part, emit),
                (None, Some((part, false))) => self.append(index, part, emit),
                // The others begin, continue and end nothing.
                (None, None) => Ok(()),
            },
        }
    }

    /// The open items in the order of beginning.
    pub fn into_open(mut self) -> Vec<OpenItem> {
        self.open.take().into_iter().map(|(_, item)| item).collect()
    }

    /// The open items in the order of beginning, each with the index of its first event.
    pub fn open(&self) -> Vec<(usize, OpenItem)> {
        self.open.list()
    }

    /// Whether the same may follow on both, and means the same.
    pub fn stands_like(&self, other: &Self) -> bool {
        let items = |tracker: &Self| -> Vec<OpenItem> {
            tracker.open().into_iter().map(|(_, item)| item).collect()
        };
        items(self) == items(other)
            && self.lanes.stand_like(&other.lanes)
            && self.halves.stand_like(&other.halves)
    }

    fn begin(
        &mut self,
        index: usize,
        beginning: Beginning<'_>,
        emit: &mut Emit<'_>,
    ) -> Result<(), Violation> {
        let Beginning {
            kind,
            id,
            subagent_run_id,
            ..
        } = beginning;
        self.open.begin(index, kind, id, subagent_run_id)?;
        emit(Step::Begin(beginning));
        Ok(())
    }

    fn append(
        &mut self,
        index: usize,
        part: Part<'_>,
        emit: &mut Emit<'_>,
    ) -> Result<(), Violation> {
        self.open.require(part.kind, part.id)?;
        if let Some(delta) = part.delta {
            self.halves.append(index, part.kind, part.id, delta)?;
        }
        emit(Step::Append(part));
        Ok(())
    }

    fn end_explicitly(&mut self, part: Part<'_>, emit: &mut Emit<'_>) -> Result<(), Violation> {
        self.lanes.require_none(part.kind, part.id)?;
        self.end(part, emit)
    }

    fn end(&mut self, part: Part<'_>, emit: &mut Emit<'_>) -> Result<(), Violation> {
        let (kind, id) = (part.kind, part.id);
        self.open.end(kind, id, part.subagent_run_id)?;
        let whole = match kind {
            ItemKind::Text | ItemKind::Reasoning | ItemKind::ToolCall => self.halves.end(kind, id),
            ItemKind::Step | ItemKind::ReasoningSpan | ItemKind::Subagent => Ok(()),
        };
        emit(Step::End(part));
        whole
    }

    /// Ends the chunk items that an event ends by standing there.
    fn close_chunks_before(&mut self, event: &Event, emit: &mut Emit<'_>) -> Result<(), Violation> {
        match event {
            Event::RunStarted(_)
            | Event::RunFinished(_)
            | Event::RunError(_)
            | Event::MessagesSnapshot(_) => {
                let closed: Vec<_> = self.lanes.close_all().collect();
                closed
                    .iter()
                    .map(|(lane, item)| self.end_chunks(lane.as_deref(), item, emit))
                    .fold(Ok(()), Result::and)
            }
            Event::TextMessageChunk(_)
            | Event::ToolCallChunk(_)
            | Event::ReasoningMessageChunk(_)
            | Event::Raw(_)
            | Event::ActivitySnapshot(_)
            | Event::ActivityDelta(_)
            | Event::ReasoningEncryptedValue(_)
            | Event::SubagentStarted(_)
            | Event::Unknown(_) => Ok(()),
            other => self.close_lane(owner_of(other), emit),
        }
    }

    fn close_lane(&mut self, lane: Option<&str>, emit: &mut Emit<'_>) -> Result<(), Violation> {
        match self.lanes.close(lane) {
            Some(item) => self.end_chunks(lane, &item, emit),
            None => Ok(()),
        }
    }

    fn end_chunks(
        &mut self,
        lane: Option<&str>,
        item: &ChunkItem,
        emit: &mut Emit<'_>,
    ) -> Result<(), Violation> {
        let part = Part {
            kind: item.kind,
            id: &item.id,
            subagent_run_id: lane,
            delta: None,
            metadata: None,
        };
        self.end(part, emit)
    }

    fn text_chunk(
        &mut self,
        index: usize,
        event: &TextMessageChunkEvent,
        emit: &mut Emit<'_>,
    ) -> Result<(), Violation> {
        let (role, name) = (event.role.as_ref(), event.name.as_deref());
        let role = role.map(|role| role.as_str());
        let chunk = Chunk {
            kind: ItemKind::Text,
            id: event.message_id.as_deref(),
            subagent_run_id: event.subagent_run_id.as_deref(),
            heads: vec![("role", role), ("name", name)],
        };
        let opening = || {
            Ok(Opening::Message {
                role: role.unwrap_or("assistant"),
                name,
            })
        };
        let content = Content {
            delta: event.delta.as_ref(),
            metadata: event.metadata.as_ref(),
            is_raw: event.raw_event.is_some(),
        };
        self.chunk(index, &chunk, &content, opening, emit)
    }

    fn reasoning_chunk(
        &mut self,
        index: usize,
        event: &ReasoningMessageChunkEvent,
        emit: &mut Emit<'_>,
    ) -> Result<(), Violation> {
        let chunk = Chunk {
            kind: ItemKind::Reasoning,
            id: event.message_id.as_deref(),
            subagent_run_id: event.subagent_run_id.as_deref(),
            heads: Vec::new(),
        };
        let content = Content {
            delta: event.delta.as_ref(),
            metadata: event.metadata.as_ref(),
            is_raw: event.raw_event.is_some(),
        };
        self.chunk(index, &chunk, &content, || Ok(REASONING), emit)
    }

    fn call_chunk(
        &mut self,
        index: usize,
        event: &ToolCallChunkEvent,
        emit: &mut Emit<'_>,
    ) -> Result<(), Violation> {
        let name = event.tool_call_name.as_deref();
        let parent = event.parent_message_id.as_deref();
        let chunk = Chunk {
            kind: ItemKind::ToolCall,
            id: event.tool_call_id.as_deref(),
            subagent_run_id: event.subagent_run_id.as_deref(),
            heads: vec![("toolCallName", name), ("parentMessageId", parent)],
        };
        let opening = || {
            let name = name.ok_or_else(|| missing_head("toolCallName"))?;
            Ok(Opening::Call { name, parent })
        };
        let content = Content {
            delta: event.delta.as_ref(),
            metadata: event.metadata.as_ref(),
            is_raw: event.raw_event.is_some(),
        };
        self.chunk(index, &chunk, &content, opening, emit)
    }

    /// Continues the item that a chunk belongs to, or ends what its lane has open and begins one.
    fn chunk<'a>(
        &mut self,
        index: usize,
        chunk: &Chunk<'a>,
        content: &Content<'_>,
        opening: impl FnOnce() -> Result<Opening<'a>, Violation>,
        emit: &mut Emit<'_>,
    ) -> Result<(), Violation> {
        let lane = self.lanes.lane_of(chunk)?;
        let continued = self.lanes.continued(lane.as_deref(), chunk)?;
        let continued = continued.map(|item| item.id.clone());
        let id = match (&continued, chunk.id) {
            (Some(id), _) => id,
            (None, id) => {
                self.close_lane(lane.as_deref(), emit)?;
                let name = match chunk.kind {
                    ItemKind::ToolCall => "toolCallId",
                    _ => "messageId",
                };
                let id = id.ok_or_else(|| missing_head(name))?;
                let beginning = Beginning {
                    kind: chunk.kind,
                    id,
                    subagent_run_id: chunk.subagent_run_id,
                    metadata: content.metadata,
                    opening: opening()?,
                };
                self.begin(index, beginning, emit)?;
                let item = ChunkItem::opened_by(index, chunk, id);
                self.lanes.open(lane.clone(), item);
                id
            }
        };
        if content.is_empty(continued.is_none()) {
            return Ok(());
        }
        let nothing = SplitText::default();
        let part = Part {
            kind: chunk.kind,
            id,
            // What is continued belongs to whoever opened it, also when the chunk does not say so.
            subagent_run_id: lane.as_deref(),
            delta: Some(content.delta.unwrap_or(&nothing)),
            metadata: content.metadata,
        };
        self.append(index, part, emit)
    }
}

/// What a chunk carries beside the heads of its item. A chunk without text may carry metadata.
struct Content<'a> {
    delta: Option<&'a SplitText>,
    metadata: Option<&'a Object>,
    is_raw: bool,
}

impl Content<'_> {
    /// Whether there is nothing to append. The metadata of a chunk that begins its item is at home
    /// on the beginning.
    fn is_empty(&self, begins: bool) -> bool {
        self.delta.is_none() && !self.is_raw && (begins || self.metadata.is_none())
    }
}
