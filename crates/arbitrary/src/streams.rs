//! Valid event streams.

mod builder;
mod generate;
mod items;

pub use generate::{Stream, generate, generate_with};

/// What a stream may have in it that a reader could stumble over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feature {
    /// Items that are open at the same time.
    Interleaving,
    /// Items that are open where the stream ends.
    OpenAtEnd,
    /// A run that fails.
    RunError,
    /// An error after the end of its run.
    ErrorAfterFinish,
    /// An error before any run.
    ErrorFirst,
    /// A run that waits for an answer.
    Interrupt,
    /// More than one run.
    SeveralRuns,
    /// A run that does not continue the one just before.
    Branches,
    /// A parent that the stream does not have.
    ParentOutside,
    /// All messages at once.
    MessagesSnapshot,
    /// A whole state.
    StateSnapshot,
    /// A patch of the state.
    StateDelta,
    /// A patch that does not apply.
    FailingPatch,
    /// Items by chunks.
    Chunks,
    /// Chunks of several subagents at the same time.
    ChunkLanes,
    /// A delta event, seen from another lane, of an item that chunks keep open.
    DeltaAcrossLanes,
    /// Subagents.
    Subagents,
    /// Metadata of events.
    Metadata,
    /// Timestamps.
    Timestamps,
    /// The events that others were made from.
    OriginalEvents,
    /// A letter and its accent in two deltas.
    SplitCharacter,
    /// A character beyond the basic plane in two deltas.
    SplitSurrogatePair,
    /// An event of an unknown type.
    UnknownEvent,
    /// A member that the schema does not name.
    UnknownMember,
    /// An id that items of several kinds have.
    SharedId,
    /// Messages in the input of a run.
    InputMessages,
    /// Messages of subagents in the input of a run.
    InputOwners,
    /// A state in the input of a run.
    InputState,
    /// Activities.
    Activity,
    /// Encrypted values.
    EncryptedValue,
    /// Reasoning messages.
    Reasoning,
    /// Tool calls.
    ToolCalls,
}

/// All features.
pub const FEATURES: &[Feature] = &[
    Feature::Interleaving,
    Feature::OpenAtEnd,
    Feature::RunError,
    Feature::ErrorAfterFinish,
    Feature::ErrorFirst,
    Feature::Interrupt,
    Feature::SeveralRuns,
    Feature::Branches,
    Feature::ParentOutside,
    Feature::MessagesSnapshot,
    Feature::StateSnapshot,
    Feature::StateDelta,
    Feature::FailingPatch,
    Feature::Chunks,
    Feature::ChunkLanes,
    Feature::DeltaAcrossLanes,
    Feature::Subagents,
    Feature::Metadata,
    Feature::Timestamps,
    Feature::OriginalEvents,
    Feature::SplitCharacter,
    Feature::SplitSurrogatePair,
    Feature::UnknownEvent,
    Feature::UnknownMember,
    Feature::SharedId,
    Feature::InputMessages,
    Feature::InputOwners,
    Feature::InputState,
    Feature::Activity,
    Feature::EncryptedValue,
    Feature::Reasoning,
    Feature::ToolCalls,
];
