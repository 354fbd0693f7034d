//! Chunks, and the events that end what chunks have opened.

use super::Reducer;
use super::items::Beginning;
use crate::generated::{
    Event, ReasoningMessageChunkEvent, TextMessageChunkEvent, ToolCallChunkEvent,
};
use crate::json::{Object, SplitText};
use crate::rejection::Rejection;
use crate::replay::chunks::{Chunk, ChunkItem, missing_head};
use crate::replay::open::ItemKind;

impl Reducer {
    /// Ends the chunk items that an event ends by standing there.
    pub(super) fn close_chunks_before(&mut self, event: &Event) -> Result<(), Rejection> {
        let closed = match event {
            Event::RunStarted(_)
            | Event::RunFinished(_)
            | Event::RunError(_)
            | Event::MessagesSnapshot(_) => self.lanes.close_all(),
            Event::TextMessageChunk(_)
            | Event::ToolCallChunk(_)
            | Event::ReasoningMessageChunk(_)
            | Event::Raw(_)
            | Event::ActivitySnapshot(_)
            | Event::ActivityDelta(_)
            | Event::ReasoningEncryptedValue(_)
            | Event::SubagentStarted(_)
            | Event::Unknown(_) => return Ok(()),
            other => self.lanes.close(owner_of(other)).into_iter().collect(),
        };
        closed
            .iter()
            .try_for_each(|item| self.ended(item.kind, &item.id, None))
    }

    pub(super) fn text_chunk(&mut self, event: &TextMessageChunkEvent) -> Result<(), Rejection> {
        let role = event.role.as_ref().map(|role| role.as_str());
        let chunk = Chunk {
            kind: ItemKind::Text,
            id: event.message_id.as_deref(),
            subagent_run_id: event.subagent_run_id.as_deref(),
            heads: vec![("role", role), ("name", event.name.as_deref())],
        };
        let id = self.place(&chunk, event.metadata.as_ref(), |this, beginning| {
            this.message_started(
                beginning,
                role.unwrap_or("assistant"),
                event.name.as_deref(),
            )
        })?;
        self.chunk_appended(&chunk, &id, event.delta.as_ref(), event.metadata.as_ref())
    }

    pub(super) fn reasoning_chunk(
        &mut self,
        event: &ReasoningMessageChunkEvent,
    ) -> Result<(), Rejection> {
        let chunk = Chunk {
            kind: ItemKind::Reasoning,
            id: event.message_id.as_deref(),
            subagent_run_id: event.subagent_run_id.as_deref(),
            heads: Vec::new(),
        };
        let id = self.place(&chunk, event.metadata.as_ref(), |this, beginning| {
            this.message_started(beginning, "reasoning", None)
        })?;
        self.chunk_appended(&chunk, &id, event.delta.as_ref(), event.metadata.as_ref())
    }

    pub(super) fn call_chunk(&mut self, event: &ToolCallChunkEvent) -> Result<(), Rejection> {
        let name = event.tool_call_name.as_deref();
        let parent = event.parent_message_id.as_deref();
        let chunk = Chunk {
            kind: ItemKind::ToolCall,
            id: event.tool_call_id.as_deref(),
            subagent_run_id: event.subagent_run_id.as_deref(),
            heads: vec![("toolCallName", name), ("parentMessageId", parent)],
        };
        let id = self.place(&chunk, event.metadata.as_ref(), |this, beginning| {
            let name = name.ok_or_else(|| missing_head("toolCallName"))?;
            this.call_begun(beginning, name, parent)
        })?;
        self.chunk_appended(&chunk, &id, event.delta.as_ref(), event.metadata.as_ref())
    }

    /// Finds the item that a chunk continues, or ends what its lane has open and begins a new one.
    /// Gives the item's id.
    pub(super) fn place(
        &mut self,
        chunk: &Chunk<'_>,
        metadata: Option<&Object>,
        begin: impl FnOnce(&mut Self, &Beginning<'_>) -> Result<(), Rejection>,
    ) -> Result<String, Rejection> {
        let lane = self.lanes.lane_of(chunk)?;
        if let Some(item) = self.lanes.continued(lane.as_deref(), chunk)? {
            return Ok(item.id.clone());
        }
        if let Some(item) = self.lanes.close(lane.as_deref()) {
            self.ended(item.kind, &item.id, None)?;
        }
        let name = if chunk.kind == ItemKind::ToolCall {
            "toolCallId"
        } else {
            "messageId"
        };
        let id = chunk.id.ok_or_else(|| missing_head(name))?;
        let subagent_run_id = chunk.subagent_run_id;
        begin(
            self,
            &Beginning {
                kind: chunk.kind,
                id,
                subagent_run_id,
                metadata,
            },
        )?;
        self.lanes.open(lane, ChunkItem::opened_by(chunk, id));
        Ok(id.to_owned())
    }

    /// Appends what a chunk carries. A chunk without text may still carry metadata.
    pub(super) fn chunk_appended(
        &mut self,
        chunk: &Chunk<'_>,
        id: &str,
        delta: Option<&SplitText>,
        metadata: Option<&Object>,
    ) -> Result<(), Rejection> {
        match delta {
            None if metadata.is_none() => Ok(()),
            None => self.appended(chunk.kind, id, &SplitText::default(), metadata),
            Some(delta) => self.appended(chunk.kind, id, delta, metadata),
        }
    }
}

/// The subagent that an event of an item, a step, the state or a subagent's end belongs to.
fn owner_of(event: &Event) -> Option<&str> {
    let owner = match event {
        Event::TextMessageStart(event) => &event.subagent_run_id,
        Event::TextMessageContent(event) => &event.subagent_run_id,
        Event::TextMessageEnd(event) => &event.subagent_run_id,
        Event::ToolCallStart(event) => &event.subagent_run_id,
        Event::ToolCallArgs(event) => &event.subagent_run_id,
        Event::ToolCallEnd(event) => &event.subagent_run_id,
        Event::ToolCallResult(event) => &event.subagent_run_id,
        Event::StateSnapshot(event) => &event.subagent_run_id,
        Event::StateDelta(event) => &event.subagent_run_id,
        Event::Custom(event) => &event.subagent_run_id,
        Event::StepStarted(event) => &event.subagent_run_id,
        Event::StepFinished(event) => &event.subagent_run_id,
        Event::ReasoningStart(event) => &event.subagent_run_id,
        Event::ReasoningMessageStart(event) => &event.subagent_run_id,
        Event::ReasoningMessageContent(event) => &event.subagent_run_id,
        Event::ReasoningMessageEnd(event) => &event.subagent_run_id,
        Event::ReasoningEnd(event) => &event.subagent_run_id,
        Event::SubagentFinished(event) => return Some(&event.subagent_run_id),
        Event::SubagentError(event) => return Some(&event.subagent_run_id),
        _ => return None,
    };
    owner.as_deref()
}
