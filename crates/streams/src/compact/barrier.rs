//! Barriers: events that write to an item on behalf of something else, so that none of its deltas is
//! joined across them.

use crate::head::{EventKind, Head, Member};
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
    pub fn of(head: &'a Head<'_>) -> Self {
        use EventKind as E;
        let kind = match head.kind {
            E::TextMessageStart | E::TextMessageContent | E::TextMessageEnd => Some(ItemKind::Text),
            E::ReasoningMessageStart | E::ReasoningMessageContent | E::ReasoningMessageEnd => {
                Some(ItemKind::Reasoning)
            }
            E::ToolCallStart => Some(ItemKind::ToolCall),
            _ => None,
        };
        let ids = match head.kind {
            E::TextMessageStart
            | E::TextMessageContent
            | E::TextMessageEnd
            | E::ReasoningMessageStart
            | E::ReasoningMessageContent
            | E::ReasoningMessageEnd
            | E::ToolCallResult
            | E::ActivitySnapshot
            | E::ActivityDelta
            | E::ReasoningStart
            | E::ReasoningEnd => [head.text(Member::MessageId), None],
            E::ToolCallStart => [
                head.text(Member::ToolCallId),
                head.text(Member::ParentMessageId),
            ],
            E::ReasoningEncryptedValue => [head.text(Member::EntityId), None],
            _ => [None, None],
        };
        Self { kind, ids }
    }
}
