//! Events as steps: what is begun, continued and ended.

use super::open::{ItemKind, OpenItem};
use crate::generated::Event;
use crate::json::{Object, SplitText};

/// One thing that an event does to an item.
pub(crate) enum Step<'a> {
    /// The item is begun.
    Begin(Beginning<'a>),
    /// The item is continued.
    Append(Part<'a>),
    /// The item is ended.
    End(Part<'a>),
    /// The item, begun by the event of this index, is left open by the end of its run.
    Left(usize, OpenItem),
}

/// What an event says of the item that it begins.
pub(crate) struct Beginning<'a> {
    pub kind: ItemKind,
    pub id: &'a str,
    pub subagent_run_id: Option<&'a str>,
    pub metadata: Option<&'a Object>,
    pub opening: Opening<'a>,
}

/// What only some kinds of items say at their beginning.
pub(crate) enum Opening<'a> {
    /// A text or reasoning message.
    Message {
        role: &'a str,
        name: Option<&'a str>,
    },
    /// A tool call.
    Call {
        name: &'a str,
        parent: Option<&'a str>,
    },
    /// A step, a reasoning span or a subagent.
    Span,
}

/// What an event says of the item that it continues or ends.
pub(crate) struct Part<'a> {
    pub kind: ItemKind,
    pub id: &'a str,
    pub subagent_run_id: Option<&'a str>,
    pub delta: Option<&'a SplitText>,
    pub metadata: Option<&'a Object>,
}

/// The opening of every reasoning message.
pub(super) const REASONING: Opening<'static> = Opening::Message {
    role: "reasoning",
    name: None,
};

/// What an event begins, if it is not a chunk.
pub(super) fn beginning_of(event: &Event) -> Option<Beginning<'_>> {
    let (kind, id, subagent_run_id, metadata, opening) = match event {
        Event::TextMessageStart(e) => {
            let role = e.role.as_ref().map_or("assistant", |role| role.as_str());
            let name = e.name.as_deref();
            let opening = Opening::Message { role, name };
            let owner = &e.subagent_run_id;
            (ItemKind::Text, &e.message_id, owner, &e.metadata, opening)
        }
        Event::ToolCallStart(e) => {
            let (name, parent) = (e.tool_call_name.as_str(), e.parent_message_id.as_deref());
            let opening = Opening::Call { name, parent };
            let owner = &e.subagent_run_id;
            (
                ItemKind::ToolCall,
                &e.tool_call_id,
                owner,
                &e.metadata,
                opening,
            )
        }
        Event::ReasoningMessageStart(e) => {
            let owner = &e.subagent_run_id;
            (
                ItemKind::Reasoning,
                &e.message_id,
                owner,
                &e.metadata,
                REASONING,
            )
        }
        Event::StepStarted(e) => {
            let owner = &e.subagent_run_id;
            (
                ItemKind::Step,
                &e.step_name,
                owner,
                &e.metadata,
                Opening::Span,
            )
        }
        Event::ReasoningStart(e) => {
            let owner = &e.subagent_run_id;
            (
                ItemKind::ReasoningSpan,
                &e.message_id,
                owner,
                &e.metadata,
                Opening::Span,
            )
        }
        Event::SubagentStarted(e) => {
            let owner = &e.parent_subagent_run_id;
            (
                ItemKind::Subagent,
                &e.subagent_run_id,
                owner,
                &e.metadata,
                Opening::Span,
            )
        }
        _ => return None,
    };
    Some(Beginning {
        kind,
        id,
        subagent_run_id: subagent_run_id.as_deref(),
        metadata: metadata.as_ref(),
        opening,
    })
}

/// What an event continues or ends, if it is not a chunk; true if it ends it.
pub(super) fn part_of(event: &Event) -> Option<(Part<'_>, bool)> {
    let (kind, id, subagent_run_id, metadata, delta) = match event {
        Event::TextMessageContent(e) => (
            ItemKind::Text,
            &e.message_id,
            &e.subagent_run_id,
            &e.metadata,
            Some(&e.delta),
        ),
        Event::TextMessageEnd(e) => (
            ItemKind::Text,
            &e.message_id,
            &e.subagent_run_id,
            &e.metadata,
            None,
        ),
        Event::ToolCallArgs(e) => (
            ItemKind::ToolCall,
            &e.tool_call_id,
            &e.subagent_run_id,
            &e.metadata,
            Some(&e.delta),
        ),
        Event::ToolCallEnd(e) => (
            ItemKind::ToolCall,
            &e.tool_call_id,
            &e.subagent_run_id,
            &e.metadata,
            None,
        ),
        Event::ReasoningMessageContent(e) => (
            ItemKind::Reasoning,
            &e.message_id,
            &e.subagent_run_id,
            &e.metadata,
            Some(&e.delta),
        ),
        Event::ReasoningMessageEnd(e) => (
            ItemKind::Reasoning,
            &e.message_id,
            &e.subagent_run_id,
            &e.metadata,
            None,
        ),
        Event::StepFinished(e) => (
            ItemKind::Step,
            &e.step_name,
            &e.subagent_run_id,
            &e.metadata,
            None,
        ),
        Event::ReasoningEnd(e) => (
            ItemKind::ReasoningSpan,
            &e.message_id,
            &e.subagent_run_id,
            &e.metadata,
            None,
        ),
        Event::SubagentFinished(e) => (
            ItemKind::Subagent,
            &e.subagent_run_id,
            &None,
            &e.metadata,
            None,
        ),
        Event::SubagentError(e) => (
            ItemKind::Subagent,
            &e.subagent_run_id,
            &None,
            &e.metadata,
            None,
        ),
        _ => return None,
    };
    let part = Part {
        kind,
        id,
        subagent_run_id: subagent_run_id.as_deref(),
        delta,
        metadata: metadata.as_ref(),
    };
    let ends = delta.is_none();
    Some((part, ends))
}

/// The subagent that an event of an item, a step, the state or a subagent's end belongs to.
pub(super) fn owner_of(event: &Event) -> Option<&str> {
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
