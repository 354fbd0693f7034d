//! The events that most of a log is, taken from a tape as they stand: text that is appended, and
//! snapshots of the state.
//!
//! Only events with no other members than these need are taken, and only where nothing about them
//! is in doubt. All others are for the reader of whole events.

use crate::head::Delta;
use crate::sequence::ItemKind;
use chatstate_json::{self as json, Kind, Raw, SplitText, Value};
use chatstate_types::generated::{Event, JsonPatch, PatchOperation};

/// An event that is plain to see.
pub(super) enum Plain<'a> {
    /// Text is appended to the item of this kind and id.
    Text(ItemKind, &'a str, Text<'a>),
    /// The state is this value.
    State(&'a str),
}

/// Text that is appended.
pub(super) enum Text<'a> {
    /// It stands in the event as it is.
    Whole(&'a str),
    /// It has escapes, and may begin or end with half a character.
    Decoded(SplitText),
}

impl Text<'_> {
    /// What the text says about its place between other texts.
    pub fn delta(&self) -> Delta {
        match self {
            Self::Whole(text) => Delta {
                is_empty: text.is_empty(),
                ..Delta::default()
            },
            Self::Decoded(text) => Delta::from(text),
        }
    }
}

impl<'a> Plain<'a> {
    /// What an event says, if that is plain to see.
    pub fn of(event: Raw<'a>) -> Option<Self> {
        if event.kind() != Kind::Object {
            return None;
        }
        let (mut tag, mut message, mut call) = (None, None, None);
        let (mut delta, mut snapshot) = (None, None);
        for (name, value) in event.members() {
            match name.as_ref() {
                "type" => tag = Some(value.plain()?),
                "messageId" => message = Some(value.plain()?),
                "toolCallId" => call = Some(value.plain()?),
                "delta" => delta = Some(value),
                "snapshot" => snapshot = Some(value),
                "timestamp" if is_small(value.get()) => {}
                _ => return None,
            }
        }
        match (tag?, message, call, delta, snapshot) {
            ("TEXT_MESSAGE_CONTENT", Some(id), None, Some(delta), None) => {
                Self::text(ItemKind::Text, id, delta)
            }
            ("REASONING_MESSAGE_CONTENT", Some(id), None, Some(delta), None) => {
                Self::text(ItemKind::Reasoning, id, delta)
            }
            ("TOOL_CALL_ARGS", None, Some(id), Some(delta), None) => {
                Self::text(ItemKind::ToolCall, id, delta)
            }
            ("STATE_SNAPSHOT", None, None, None, Some(state)) => {
                let is_whole = !state.has_unpaired_surrogate();
                is_whole.then(|| Self::State(state.get()))
            }
            _ => None,
        }
    }

    fn text(kind: ItemKind, id: &'a str, delta: Raw<'a>) -> Option<Self> {
        let text = match delta.plain() {
            Some(text) => Text::Whole(text),
            None if delta.kind() == Kind::String => Text::Decoded(delta.decoded()?),
            None => return None,
        };
        Some(Self::Text(kind, id, text))
    }
}

/// Whether a number is an integer that fits wherever one may stand.
fn is_small(number: &str) -> bool {
    number.len() <= 18 && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// So many patches wait at most.
const MOST_WAITING: usize = 256;

/// A state that nobody has asked for yet: a snapshot, and the patches after it. The next snapshot
/// nearly always comes first.
#[derive(Default)]
pub(super) struct WaitingState {
    snapshot: Option<String>,
    patches: Vec<JsonPatch>,
}

impl WaitingState {
    /// The state is another value.
    pub fn set(&mut self, snapshot: &str) {
        self.patches.clear();
        let text = self.snapshot.get_or_insert_default();
        text.clear();
        text.push_str(snapshot);
    }

    /// Whether a patch may wait: not without a snapshot before it, and not if a `copy` in it may be
    /// refused for what it makes of the state.
    pub fn may_wait(&self, patch: &JsonPatch) -> bool {
        let copies = |operation: &PatchOperation| matches!(operation, PatchOperation::Copy(_));
        self.snapshot.is_some() && self.patches.len() < MOST_WAITING && !patch.0.iter().any(copies)
    }

    /// Keeps the patch that an event is until somebody asks for the state.
    pub fn patch(&mut self, event: Event) {
        if let Event::StateDelta(event) = event {
            self.patches.push(event.delta);
        }
    }

    /// The state that waits is nothing any more.
    pub fn forget(&mut self) {
        self.snapshot = None;
        self.patches.clear();
    }

    /// Takes out the snapshot and its patches.
    pub fn take(&mut self) -> Option<(Value, Vec<JsonPatch>)> {
        let snapshot = json::parse(&self.snapshot.take()?).ok()?;
        Some((snapshot, std::mem::take(&mut self.patches)))
    }
}
