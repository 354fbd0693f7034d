//! What an event reaches beyond itself: the items it writes to, and the chunks it closes.

use crate::generated::Event;
use crate::replay::ItemKind;

/// The ids that an event writes, and the kind of item on whose behalf. Deltas that are joined write
/// nothing where they stood, since they do not stay there.
pub(super) struct Writes<'a> {
    pub kind: Option<ItemKind>,
    pub ids: [Option<&'a str>; 2],
}

impl<'a> Writes<'a> {
    /// What a delta or the END of an item writes: those of a tool call reach nothing else.
    pub fn of_progress(kind: ItemKind, id: &'a str) -> Self {
        Self {
            kind: Some(kind),
            ids: [(kind != ItemKind::ToolCall).then_some(id), None],
        }
    }

    /// What the beginning of an item writes.
    pub fn of_beginning(kind: ItemKind, id: &'a str, parent: Option<&'a str>) -> Self {
        Self {
            kind: Some(kind),
            ids: [Some(id), parent],
        }
    }

    /// What an event that stays in its place writes.
    pub fn of(event: &'a Event) -> Self {
        use ItemKind::{Reasoning, Text, ToolCall};
        let (kind, first, second) = match event {
            Event::TextMessageStart(e) => (Some(Text), Some(&e.message_id), None),
            Event::TextMessageContent(e) => (Some(Text), Some(&e.message_id), None),
            Event::TextMessageEnd(e) => (Some(Text), Some(&e.message_id), None),
            Event::ReasoningMessageStart(e) => (Some(Reasoning), Some(&e.message_id), None),
            Event::ReasoningMessageContent(e) => (Some(Reasoning), Some(&e.message_id), None),
            Event::ReasoningMessageEnd(e) => (Some(Reasoning), Some(&e.message_id), None),
            Event::ToolCallStart(e) => (
                Some(ToolCall),
                Some(&e.tool_call_id),
                e.parent_message_id.as_ref(),
            ),
            Event::ToolCallResult(e) => (None, Some(&e.message_id), None),
            Event::ActivitySnapshot(e) => (None, Some(&e.message_id), None),
            Event::ActivityDelta(e) => (None, Some(&e.message_id), None),
            Event::ReasoningStart(e) => (None, Some(&e.message_id), None),
            Event::ReasoningEnd(e) => (None, Some(&e.message_id), None),
            Event::ReasoningEncryptedValue(e) => (None, Some(&e.entity_id), None),
            _ => (None, None, None),
        };
        Self {
            kind,
            ids: [first.map(String::as_str), second.map(String::as_str)],
        }
    }
}

/// The chunk items that an event closes by standing where it does.
pub(super) enum Closes<'a> {
    Nothing,
    /// What the lane of this subagent, or of the parent agent, has open.
    Lane(Option<&'a str>),
    Everything,
}

impl<'a> Closes<'a> {
    /// What an event closes; chunks decide for themselves.
    pub fn of(event: &'a Event) -> Self {
        let owner = match event {
            Event::RunStarted(_)
            | Event::RunFinished(_)
            | Event::RunError(_)
            | Event::MessagesSnapshot(_) => return Self::Everything,
            Event::TextMessageStart(e) => &e.subagent_run_id,
            Event::TextMessageContent(e) => &e.subagent_run_id,
            Event::TextMessageEnd(e) => &e.subagent_run_id,
            Event::ToolCallStart(e) => &e.subagent_run_id,
            Event::ToolCallArgs(e) => &e.subagent_run_id,
            Event::ToolCallEnd(e) => &e.subagent_run_id,
            Event::ToolCallResult(e) => &e.subagent_run_id,
            Event::StateSnapshot(e) => &e.subagent_run_id,
            Event::StateDelta(e) => &e.subagent_run_id,
            Event::Custom(e) => &e.subagent_run_id,
            Event::StepStarted(e) => &e.subagent_run_id,
            Event::StepFinished(e) => &e.subagent_run_id,
            Event::ReasoningStart(e) => &e.subagent_run_id,
            Event::ReasoningMessageStart(e) => &e.subagent_run_id,
            Event::ReasoningMessageContent(e) => &e.subagent_run_id,
            Event::ReasoningMessageEnd(e) => &e.subagent_run_id,
            Event::ReasoningEnd(e) => &e.subagent_run_id,
            Event::SubagentFinished(e) => return Self::Lane(Some(&e.subagent_run_id)),
            Event::SubagentError(e) => return Self::Lane(Some(&e.subagent_run_id)),
            _ => return Self::Nothing,
        };
        Self::Lane(owner.as_deref())
    }
}
