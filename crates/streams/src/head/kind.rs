//! The types of events, and which members each may and must have.

use super::member::{Member, Set};
use Member as M;

/// The type of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of the events")]
pub enum EventKind {
    RunStarted,
    RunFinished,
    RunError,
    StepStarted,
    StepFinished,
    TextMessageStart,
    TextMessageContent,
    TextMessageEnd,
    TextMessageChunk,
    ToolCallStart,
    ToolCallArgs,
    ToolCallEnd,
    ToolCallChunk,
    ToolCallResult,
    StateSnapshot,
    StateDelta,
    MessagesSnapshot,
    ActivitySnapshot,
    ActivityDelta,
    ReasoningStart,
    ReasoningMessageStart,
    ReasoningMessageContent,
    ReasoningMessageEnd,
    ReasoningMessageChunk,
    ReasoningEnd,
    ReasoningEncryptedValue,
    SubagentStarted,
    SubagentFinished,
    SubagentError,
    Raw,
    Custom,
    /// A type that this version of the schema does not know.
    Unknown,
}

/// The members that an event of one type must have, and those that it may have beside them.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub required: Set,
    pub known: Set,
}

impl EventKind {
    /// The type that a discriminator names.
    #[must_use]
    pub fn of(tag: &str) -> Self {
        match tag {
            "RUN_STARTED" => Self::RunStarted,
            "RUN_FINISHED" => Self::RunFinished,
            "RUN_ERROR" => Self::RunError,
            "STEP_STARTED" => Self::StepStarted,
            "STEP_FINISHED" => Self::StepFinished,
            "TEXT_MESSAGE_START" => Self::TextMessageStart,
            "TEXT_MESSAGE_CONTENT" => Self::TextMessageContent,
            "TEXT_MESSAGE_END" => Self::TextMessageEnd,
            "TEXT_MESSAGE_CHUNK" => Self::TextMessageChunk,
            "TOOL_CALL_START" => Self::ToolCallStart,
            "TOOL_CALL_ARGS" => Self::ToolCallArgs,
            "TOOL_CALL_END" => Self::ToolCallEnd,
            "TOOL_CALL_CHUNK" => Self::ToolCallChunk,
            "TOOL_CALL_RESULT" => Self::ToolCallResult,
            "STATE_SNAPSHOT" => Self::StateSnapshot,
            "STATE_DELTA" => Self::StateDelta,
            "MESSAGES_SNAPSHOT" => Self::MessagesSnapshot,
            "ACTIVITY_SNAPSHOT" => Self::ActivitySnapshot,
            "ACTIVITY_DELTA" => Self::ActivityDelta,
            "REASONING_START" => Self::ReasoningStart,
            "REASONING_MESSAGE_START" => Self::ReasoningMessageStart,
            "REASONING_MESSAGE_CONTENT" => Self::ReasoningMessageContent,
            "REASONING_MESSAGE_END" => Self::ReasoningMessageEnd,
            "REASONING_MESSAGE_CHUNK" => Self::ReasoningMessageChunk,
            "REASONING_END" => Self::ReasoningEnd,
            "REASONING_ENCRYPTED_VALUE" => Self::ReasoningEncryptedValue,
            "SUBAGENT_STARTED" => Self::SubagentStarted,
            "SUBAGENT_FINISHED" => Self::SubagentFinished,
            "SUBAGENT_ERROR" => Self::SubagentError,
            "RAW" => Self::Raw,
            "CUSTOM" => Self::Custom,
            _ => Self::Unknown,
        }
    }

    /// Whether the event appends streamed text, also when it is a chunk.
    #[must_use]
    pub fn has_text(self) -> bool {
        matches!(
            self,
            Self::TextMessageContent
                | Self::TextMessageChunk
                | Self::ToolCallArgs
                | Self::ToolCallChunk
                | Self::ReasoningMessageContent
                | Self::ReasoningMessageChunk
        )
    }

    /// Whether the schema names a member for events of this type.
    pub(crate) fn has_member(self, name: &str) -> bool {
        Member::named(name).is_some_and(|member| Set::of(&[member]).is_within(self.shape().known))
    }

    /// The values that a closed member may have in an event of this type.
    pub(super) fn values_of(self, member: Member) -> Option<&'static [&'static str]> {
        match (self, member) {
            (Self::TextMessageStart | Self::TextMessageChunk, M::Role) => {
                Some(&["developer", "system", "assistant", "user"])
            }
            (Self::ReasoningMessageStart, M::Role) => Some(&["reasoning"]),
            (Self::ToolCallResult, M::Role) => Some(&["tool"]),
            (Self::ReasoningEncryptedValue, M::Subtype) => Some(&["tool-call", "message"]),
            _ => None,
        }
    }

    /// The members of an event of this type.
    pub(super) fn shape(self) -> Shape {
        SHAPES[self as usize]
    }
}

/// The shapes in the order of the types. A test holds them against the generated readers.
static SHAPES: [Shape; EventKind::Unknown as usize + 1] = [
    // Runs and steps.
    Shape::plain(
        &[M::ThreadId, M::RunId],
        &[M::ProtocolVersion, M::ParentRunId, M::Input],
    ),
    Shape::plain(&[M::ThreadId, M::RunId], &[M::Result, M::Outcome, M::Usage]),
    Shape::plain(&[M::Message], &[M::Code, M::Usage]),
    Shape::tagged(&[M::StepName], &[]),
    Shape::tagged(&[M::StepName], &[]),
    // Text messages.
    Shape::tagged(&[M::MessageId], &[M::Role, M::Name]),
    Shape::tagged(&[M::MessageId, M::Delta], &[]),
    Shape::tagged(&[M::MessageId], &[]),
    Shape::tagged(&[], &[M::MessageId, M::Role, M::Name, M::Delta]),
    // Tool calls.
    Shape::tagged(&[M::ToolCallId, M::ToolCallName], &[M::ParentMessageId]),
    Shape::tagged(&[M::ToolCallId, M::Delta], &[]),
    Shape::tagged(&[M::ToolCallId], &[]),
    Shape::tagged(
        &[],
        &[M::ToolCallId, M::ToolCallName, M::ParentMessageId, M::Delta],
    ),
    Shape::tagged(&[M::MessageId, M::ToolCallId, M::Content], &[M::Role]),
    // State, messages and activities.
    Shape::tagged(&[M::Snapshot], &[]),
    Shape::tagged(&[M::Delta], &[]),
    Shape::plain(&[M::Messages], &[]),
    Shape::tagged(&[M::MessageId, M::ActivityType, M::Content], &[M::Replace]),
    Shape::tagged(&[M::MessageId, M::ActivityType, M::Patch], &[]),
    // Reasoning.
    Shape::tagged(&[M::MessageId], &[]),
    Shape::tagged(&[M::MessageId, M::Role], &[]),
    Shape::tagged(&[M::MessageId, M::Delta], &[]),
    Shape::tagged(&[M::MessageId], &[]),
    Shape::tagged(&[], &[M::MessageId, M::Delta]),
    Shape::tagged(&[M::MessageId], &[]),
    Shape::tagged(
        &[M::Subtype, M::EntityId, M::EncryptedValue],
        &[M::EncryptedValueType],
    ),
    // Subagents.
    Shape::plain(
        &[M::SubagentRunId, M::Name],
        &[
            M::Description,
            M::ParentSubagentRunId,
            M::ParentToolCallId,
            M::ParentMessageId,
        ],
    ),
    Shape::plain(&[M::SubagentRunId], &[M::Result, M::Outcome]),
    Shape::plain(&[M::SubagentRunId, M::Message], &[M::Code]),
    // What is not the protocol's own.
    Shape::tagged(&[M::Event], &[M::Source]),
    Shape::tagged(&[M::Name, M::Value], &[]),
    Shape {
        required: Set::of(&[M::Type]),
        known: Set::of(&[M::Type]),
    },
];

impl Shape {
    /// The shape of an event that belongs to no subagent, or to the one that it must name.
    const fn plain(required: &[Member], optional: &[Member]) -> Self {
        let base = Set::of(&[M::Type, M::Timestamp, M::RawEvent, M::Metadata]);
        let required = Set::of(required);
        Self {
            required,
            known: required.with(Set::of(optional)).with(base),
        }
    }

    /// The shape of an event that may belong to a subagent.
    const fn tagged(required: &[Member], optional: &[Member]) -> Self {
        let Self { required, known } = Self::plain(required, optional);
        Self {
            required,
            known: known.with(Set::of(&[M::SubagentRunId])),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_that_an_event_has_together_do_not_share_a_place() {
        for shape in &SHAPES {
            let texts: Vec<Member> = shape.known.texts_within(shape.known).collect();
            let mut places: Vec<usize> = texts.iter().map(|member| member.place()).collect();
            places.sort_unstable();
            places.dedup();
            assert_eq!(places.len(), texts.len(), "{texts:?}");
            assert!(
                places.iter().all(|place| *place < Member::PLACES),
                "{texts:?}"
            );
        }
    }
}
