//! Events as far as their order matters: what they are, whom they name, and whether they carry text.
//!
//! A [`Head`] is taken from a typed event, which was read against the schema.

mod kind;
mod member;
mod messages;
mod texts;
mod typed;

pub use kind::EventKind;
pub use member::Member;
pub use messages::{MessageHead, Messages};

use std::borrow::Cow;

use chatstate_json::SplitText;
use texts::Texts;

/// An event as far as its order matters.
#[derive(Debug, Clone)]
pub struct Head<'a> {
    /// The type of the event.
    pub kind: EventKind,
    tag: Cow<'a, str>,
    texts: Texts<'a>,
    /// The streamed text of a message or of a tool call's arguments, if the event carries any.
    pub delta: Option<Delta>,
    /// What an `ACTIVITY_SNAPSHOT` says of replacing the activity.
    pub replace: Option<bool>,
    /// The messages of a run's input or of a `MESSAGES_SNAPSHOT`.
    pub messages: Messages<'a>,
    /// Whether there is a `rawEvent`.
    pub has_raw_event: bool,
    /// Whether there is `metadata`.
    pub has_metadata: bool,
    /// Whether there is a member that the schema does not name for this type of event.
    pub has_unknown_members: bool,
}

impl<'a> Head<'a> {
    /// A head of which only the type is known.
    fn new(kind: EventKind, tag: Cow<'a, str>) -> Self {
        Self {
            kind,
            tag,
            texts: Texts::default(),
            delta: None,
            replace: None,
            messages: Messages::default(),
            has_raw_event: false,
            has_metadata: false,
            has_unknown_members: false,
        }
    }

    /// The discriminator, the member `type`.
    #[must_use]
    pub fn tag(&self) -> &str {
        &self.tag
    }

    /// The decoded text of a member; `None` if the event lacks it, if the schema does not name it
    /// for this type of event, and for members that hold no plain text.
    #[must_use]
    pub fn text(&self, member: Member) -> Option<&str> {
        self.texts.get(member)
    }

    /// The decoded text of the member that a role names, under the same conditions.
    pub(crate) fn named(&self, member: Option<&str>) -> Option<&str> {
        self.text(Member::named(member?)?)
    }

    /// The subagent that the event names as its own.
    #[must_use]
    pub fn subagent_run_id(&self) -> Option<&str> {
        self.text(Member::SubagentRunId)
    }
}

/// What streamed text says about its place between other texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Delta {
    /// Whether there is no text at all, not even half a character.
    pub is_empty: bool,
    /// Whether the text begins with the second half of a surrogate pair.
    pub has_leading_half: bool,
    /// Whether the text ends with the first half of a surrogate pair.
    pub has_trailing_half: bool,
}

impl Delta {
    /// The text of an event that could carry some and does not.
    pub const NOTHING: Self = Self {
        is_empty: true,
        has_leading_half: false,
        has_trailing_half: false,
    };
}

impl From<&SplitText> for Delta {
    fn from(text: &SplitText) -> Self {
        Self {
            is_empty: text.is_empty(),
            has_leading_half: text.leading().is_some(),
            has_trailing_half: text.trailing().is_some(),
        }
    }
}
