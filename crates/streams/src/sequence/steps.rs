//! Events as steps: what is begun, continued and ended.

use super::open::{ItemKind, OpenItem};
use chatstate_types::generated::TextMessageRole;
use chatstate_types::generated::roles::{self, Begin};

/// One thing that an event does to an item.
///
/// Text and metadata are not repeated here: the caller has the event.
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

impl<'a> Part<'a> {
    pub fn of(kind: ItemKind, id: &'a str, subagent_run_id: Option<&'a str>) -> Self {
        Self {
            kind,
            id,
            subagent_run_id,
        }
    }
}

impl<'a> Beginning<'a> {
    pub fn of(begin: Begin<'a>) -> Self {
        let Begin {
            item: kind,
            id,
            owner: subagent_run_id,
            opening,
        } = begin;
        let opening = match (opening, kind) {
            // Without a role, a text message has the role `assistant`.
            (roles::Opening::Text { role, name }, _) => Opening::Message {
                role: role.map_or("assistant", TextMessageRole::as_str),
                name,
            },
            (
                roles::Opening::ToolCall {
                    tool_call_name,
                    parent_message_id,
                },
                _,
            ) => Opening::Call {
                name: tool_call_name,
                parent: parent_message_id,
            },
            (roles::Opening::Nothing, ItemKind::Reasoning) => Opening::Message {
                role: "reasoning",
                name: None,
            },
            (roles::Opening::Nothing, _) => Opening::Span,
        };
        Self {
            kind,
            id,
            subagent_run_id,
            opening,
        }
    }
}
