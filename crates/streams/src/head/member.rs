//! The members of events by name.

/// A member of events. Those that hold plain text a head keeps come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of the members")]
pub enum Member {
    MessageId,
    ToolCallId,
    SubagentRunId,
    EntityId,
    ParentMessageId,
    ParentSubagentRunId,
    ParentToolCallId,
    ThreadId,
    RunId,
    ParentRunId,
    StepName,
    Role,
    Name,
    ToolCallName,
    ActivityType,
    Subtype,
    Delta,
    Timestamp,
    RawEvent,
    Metadata,
    Snapshot,
    Replace,
    Input,
    Messages,
    Type,
    ProtocolVersion,
    Result,
    Outcome,
    Usage,
    Message,
    Code,
    Content,
    Patch,
    EncryptedValue,
    EncryptedValueType,
    Description,
    Event,
    Source,
    Value,
}

impl Member {
    /// How many members hold plain text that a head keeps.
    pub const TEXTS: usize = Self::Subtype as usize + 1;
    /// How many of them an event has together at most.
    pub(super) const PLACES: usize = 5;

    /// The member of this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "type" => Self::Type,
            "messageId" => Self::MessageId,
            "delta" => Self::Delta,
            "toolCallId" => Self::ToolCallId,
            "subagentRunId" => Self::SubagentRunId,
            "timestamp" => Self::Timestamp,
            "rawEvent" => Self::RawEvent,
            "metadata" => Self::Metadata,
            "entityId" => Self::EntityId,
            "parentMessageId" => Self::ParentMessageId,
            "parentSubagentRunId" => Self::ParentSubagentRunId,
            "parentToolCallId" => Self::ParentToolCallId,
            "threadId" => Self::ThreadId,
            "runId" => Self::RunId,
            "parentRunId" => Self::ParentRunId,
            "stepName" => Self::StepName,
            "role" => Self::Role,
            "name" => Self::Name,
            "toolCallName" => Self::ToolCallName,
            "activityType" => Self::ActivityType,
            "subtype" => Self::Subtype,
            "snapshot" => Self::Snapshot,
            "replace" => Self::Replace,
            "input" => Self::Input,
            "messages" => Self::Messages,
            "protocolVersion" => Self::ProtocolVersion,
            "result" => Self::Result,
            "outcome" => Self::Outcome,
            "usage" => Self::Usage,
            "message" => Self::Message,
            "code" => Self::Code,
            "content" => Self::Content,
            "patch" => Self::Patch,
            "encryptedValue" => Self::EncryptedValue,
            "encryptedValueType" => Self::EncryptedValueType,
            "description" => Self::Description,
            "event" => Self::Event,
            "source" => Self::Source,
            "value" => Self::Value,
            _ => return None,
        })
    }

    /// The place of the text in a head. Members that no event has together share one.
    pub(super) const fn place(self) -> usize {
        match self {
            Self::ToolCallId | Self::RunId | Self::Name | Self::ActivityType | Self::Subtype => 1,
            Self::SubagentRunId | Self::ParentRunId => 2,
            Self::ParentMessageId | Self::Role => 3,
            Self::ParentToolCallId => 4,
            _ => 0,
        }
    }

    /// The members that hold plain text that a head keeps.
    pub const ALL_TEXTS: [Self; Self::TEXTS] = [
        Self::MessageId,
        Self::ToolCallId,
        Self::SubagentRunId,
        Self::EntityId,
        Self::ParentMessageId,
        Self::ParentSubagentRunId,
        Self::ParentToolCallId,
        Self::ThreadId,
        Self::RunId,
        Self::ParentRunId,
        Self::StepName,
        Self::Role,
        Self::Name,
        Self::ToolCallName,
        Self::ActivityType,
        Self::Subtype,
    ];
}

/// A set of members.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Set(u64);

impl Set {
    /// Adds a member; `false` if it was there.
    pub fn add(&mut self, member: Member) -> bool {
        let bit = 1 << member as u64;
        let is_new = self.0 & bit == 0;
        self.0 |= bit;
        is_new
    }

    /// Whether a member is there.
    pub fn holds(self, member: Member) -> bool {
        self.0 & (1 << member as u64) != 0
    }
}
