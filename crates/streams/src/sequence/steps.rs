//! Events as steps: what is begun, continued and ended.

use super::open::{ItemKind, OpenItem};
use crate::head::{EventKind, Head, Member};

/// One thing that an event does to an item.
///
/// Text and metadata are not repeated here: whoever wants them has the event at hand.
pub(crate) enum Step<'a> {
    /// The item is begun.
    Begin(Beginning<'a>),
    /// The item is continued by the event's text, and by none if it has none.
    Append(Part<'a>),
    /// The item is ended by an event of its own.
    End(Part<'a>),
    /// The item, which chunks kept open, is ended by an event that is about something else.
    Close(Part<'a>),
    /// The item, begun by the event of this index, is left open by the end of its run.
    Left(usize, OpenItem),
}

/// What an event says of the item that it begins.
#[derive(Clone, Copy)]
pub(crate) struct Beginning<'a> {
    pub kind: ItemKind,
    pub id: &'a str,
    pub subagent_run_id: Option<&'a str>,
    pub opening: Opening<'a>,
}

/// What only some kinds of items say at their beginning.
#[derive(Clone, Copy)]
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
#[derive(Clone, Copy)]
pub(crate) struct Part<'a> {
    pub kind: ItemKind,
    pub id: &'a str,
    pub subagent_run_id: Option<&'a str>,
}

/// The opening of every reasoning message.
pub(super) const REASONING: Opening<'static> = Opening::Message {
    role: "reasoning",
    name: None,
};

/// The opening of a text message; without a role it speaks as the assistant.
pub(super) fn message_opening<'a>(head: &'a Head<'_>) -> Opening<'a> {
    Opening::Message {
        role: head.text(Member::Role).unwrap_or("assistant"),
        name: head.text(Member::Name),
    }
}

/// What an event does by its own words; chunks speak for what stands around them too.
pub(super) enum Doing<'a> {
    Begins(Beginning<'a>),
    Continues(Part<'a>),
    Ends(Part<'a>),
    Nothing,
}

/// What an event begins, continues or ends, if it is not a chunk.
pub(super) fn doing<'a>(head: &'a Head<'_>) -> Doing<'a> {
    use EventKind as K;
    let begins = |kind, id, opening| {
        Doing::Begins(Beginning {
            kind,
            id: head.text(id).unwrap_or_default(),
            subagent_run_id: head.subagent_run_id(),
            opening,
        })
    };
    let part = |kind, id| Part {
        kind,
        id: head.text(id).unwrap_or_default(),
        subagent_run_id: head.subagent_run_id(),
    };
    match head.kind {
        K::TextMessageStart => begins(ItemKind::Text, Member::MessageId, message_opening(head)),
        K::ToolCallStart => {
            let name = head.text(Member::ToolCallName).unwrap_or_default();
            let parent = head.text(Member::ParentMessageId);
            let opening = Opening::Call { name, parent };
            begins(ItemKind::ToolCall, Member::ToolCallId, opening)
        }
        K::ReasoningMessageStart => begins(ItemKind::Reasoning, Member::MessageId, REASONING),
        K::StepStarted => begins(ItemKind::Step, Member::StepName, Opening::Span),
        K::ReasoningStart => begins(ItemKind::ReasoningSpan, Member::MessageId, Opening::Span),
        K::SubagentStarted => Doing::Begins(Beginning {
            kind: ItemKind::Subagent,
            id: head.subagent_run_id().unwrap_or_default(),
            subagent_run_id: head.text(Member::ParentSubagentRunId),
            opening: Opening::Span,
        }),
        K::TextMessageContent => Doing::Continues(part(ItemKind::Text, Member::MessageId)),
        K::ToolCallArgs => Doing::Continues(part(ItemKind::ToolCall, Member::ToolCallId)),
        K::ReasoningMessageContent => {
            Doing::Continues(part(ItemKind::Reasoning, Member::MessageId))
        }
        K::TextMessageEnd => Doing::Ends(part(ItemKind::Text, Member::MessageId)),
        K::ToolCallEnd => Doing::Ends(part(ItemKind::ToolCall, Member::ToolCallId)),
        K::ReasoningMessageEnd => Doing::Ends(part(ItemKind::Reasoning, Member::MessageId)),
        K::StepFinished => Doing::Ends(part(ItemKind::Step, Member::StepName)),
        K::ReasoningEnd => Doing::Ends(part(ItemKind::ReasoningSpan, Member::MessageId)),
        K::SubagentFinished | K::SubagentError => Doing::Ends(Part {
            subagent_run_id: None,
            ..part(ItemKind::Subagent, Member::SubagentRunId)
        }),
        _ => Doing::Nothing,
    }
}
