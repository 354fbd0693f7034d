//! Events as steps: what is begun, continued and ended.

use super::open::{ItemKind, OpenItem};
use crate::head::{Head, Member};
use chatstate_types::generated::roles::{Does, Subject};

/// One thing that an event does to an item.
///
/// Text and metadata are not repeated here: whoever wants them has the event at hand.
pub(crate) enum Step<'a> {
    /// The item is begun.
    Begin(Beginning<'a>),
    /// The item is continued by the event's text, and by none if it has none.
    Append(Part<'a>),
    /// The item is continued by a chunk that says nothing.
    Idle(Part<'a>),
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

/// What an event does by itself; a chunk also depends on the open item of its lane.
pub(super) enum Doing<'a> {
    Begins(Beginning<'a>),
    Continues(Part<'a>),
    Ends(Part<'a>),
    Nothing,
}

/// What an event begins, continues or ends, if it is not a chunk. Who reads events refuses those
/// that lack a member that this needs.
pub(super) fn doing<'a>(head: &'a Head<'_>) -> Doing<'a> {
    let role = head.kind.role();
    let (Subject::Item(kind), Some(id)) = (role.subject, head.named(role.id)) else {
        return Doing::Nothing;
    };
    let subagent_run_id = head.named(role.owner);
    let part = Part {
        kind,
        id,
        subagent_run_id,
    };
    match (role.does, opening_of(kind, head)) {
        (Does::Begin, Ok(opening)) => Doing::Begins(Beginning {
            kind,
            id,
            subagent_run_id,
            opening,
        }),
        (Does::Append, _) => Doing::Continues(part),
        (Does::End, _) => Doing::Ends(part),
        _ => Doing::Nothing,
    }
}

/// What a beginning or a first chunk says of its item, or the name of a member that it lacks.
pub(super) fn opening_of<'a>(
    kind: ItemKind,
    head: &'a Head<'_>,
) -> Result<Opening<'a>, &'static str> {
    Ok(match kind {
        // Without a role, a text message speaks as the assistant.
        ItemKind::Text => Opening::Message {
            role: head.text(Member::Role).unwrap_or("assistant"),
            name: head.text(Member::Name),
        },
        ItemKind::Reasoning => Opening::Message {
            role: "reasoning",
            name: None,
        },
        ItemKind::ToolCall => Opening::Call {
            name: head.text(Member::ToolCallName).ok_or("toolCallName")?,
            parent: head.text(Member::ParentMessageId),
        },
        ItemKind::Step | ItemKind::ReasoningSpan | ItemKind::Subagent => Opening::Span,
    })
}
