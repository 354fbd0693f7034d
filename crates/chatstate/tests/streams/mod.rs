//! Valid event streams made at random, and what tests of laws need beside them.

// Each test program uses a part of this.
#![allow(dead_code, unused_imports)]

mod builder;
mod generate;
mod items;
mod shrink;
mod source;
mod validity;

pub use generate::{Stream, generate};
pub use shrink::{attach_case, case, shrink};
pub use source::{Source, cuts, setting};

/// What a stream may have in it that a law could stumble over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feature {
    Interleaving,
    OpenAtEnd,
    RunError,
    ErrorAfterFinish,
    ErrorFirst,
    Interrupt,
    SeveralRuns,
    Branches,
    ParentOutside,
    MessagesSnapshot,
    StateSnapshot,
    StateDelta,
    FailingPatch,
    Chunks,
    ChunkLanes,
    /// A delta event, seen from another lane, of an item that chunks keep open.
    DeltaAcrossLanes,
    Subagents,
    Metadata,
    Timestamps,
    OriginalEvents,
    SplitCharacter,
    SplitSurrogatePair,
    UnknownEvent,
    UnknownMember,
    SharedId,
    InputMessages,
    InputOwners,
    InputState,
    Activity,
    EncryptedValue,
    Reasoning,
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
