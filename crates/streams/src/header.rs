//! Events as far as their order matters: what they do, whom they name, and whether they carry text.

mod message;

pub use chatstate_types::generated::roles::EventKind;
pub use message::MessageHeader;

use chatstate_json::SplitText;
use chatstate_types::generated::roles::{Action, ItemKind, Written};
use chatstate_types::generated::{Event, Message};

/// An event as far as its order matters.
#[derive(Debug, Clone)]
pub struct Header<'e> {
    /// The type of the event.
    pub kind: EventKind,
    /// What it does, with the values that it names.
    pub action: Action<'e>,
    /// The messages of a run's input or of a `MESSAGES_SNAPSHOT`.
    pub messages: &'e [Message],
    source: HeaderSource<'e>,
}

/// Where a header is from.
#[derive(Debug, Clone, Copy)]
enum HeaderSource<'e> {
    Event(&'e Event),
    /// A delta event, of which the other members do not matter.
    Delta {
        id: &'e str,
        subagent_run_id: Option<&'e str>,
    },
}

impl<'e> Header<'e> {
    /// The header of an event.
    #[must_use]
    pub fn of(event: &'e Event) -> Self {
        let messages = match event {
            Event::RunStarted(event) => event.input.as_ref().map(|input| &input.messages),
            Event::MessagesSnapshot(event) => Some(&event.messages),
            _ => None,
        };
        Self {
            kind: event.kind(),
            action: event.action(),
            messages: messages.map(Vec::as_slice).unwrap_or_default(),
            source: HeaderSource::Event(event),
        }
    }

    /// The header of an event that appends text to an item.
    pub(crate) fn of_delta(
        item: ItemKind,
        kind: EventKind,
        id: &'e str,
        subagent_run_id: Option<&'e str>,
        text: &'e SplitText,
    ) -> Self {
        Self {
            kind,
            action: Action::Append {
                item,
                id,
                owner: subagent_run_id,
                text,
            },
            messages: &[],
            source: HeaderSource::Delta {
                id,
                subagent_run_id,
            },
        }
    }

    /// The whole event; none of a delta that was not read as one.
    pub(crate) fn event(&self) -> Option<&'e Event> {
        match self.source {
            HeaderSource::Event(event) => Some(event),
            HeaderSource::Delta { .. } => None,
        }
    }

    /// The discriminator, the member `type`.
    #[must_use]
    pub fn tag(&self) -> &'e str {
        match self.source {
            HeaderSource::Event(event) => event.tag(),
            HeaderSource::Delta { .. } => self.kind.role().tag,
        }
    }

    /// The subagent that the event names as its own.
    #[must_use]
    pub fn subagent_run_id(&self) -> Option<&'e str> {
        match self.source {
            HeaderSource::Event(event) => event.subagent_run_id(),
            HeaderSource::Delta {
                subagent_run_id, ..
            } => subagent_run_id,
        }
    }

    /// What the event writes to.
    pub(crate) fn written(&self) -> Written<'e> {
        use chatstate_types::generated::roles::Writes;
        match (self.source, self.kind.role().writes) {
            (HeaderSource::Event(event), _) => event.written(),
            (_, Writes::All) => Written::All,
            (_, Writes::Members([])) => Written::Ids([None; 2]),
            (HeaderSource::Delta { id, .. }, Writes::Members(_)) => Written::Ids([Some(id), None]),
        }
    }

    /// Whether an event carries something beside text: an original event or metadata.
    pub(crate) fn has_more_than_text(&self) -> bool {
        let event = self.event();
        event.is_some_and(|event| event.raw_event().is_some() || event.metadata().is_some())
    }

    /// Whether there is an original event.
    pub(crate) fn has_raw_event(&self) -> bool {
        self.event()
            .is_some_and(|event| event.raw_event().is_some())
    }
}

/// What streamed text says about its place between other texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Delta {
    /// Whether there is no text at all, not even an unpaired surrogate.
    pub is_empty: bool,
    /// Whether the text begins with an unpaired low surrogate.
    pub begins_with_low_surrogate: bool,
    /// Whether the text ends with an unpaired high surrogate.
    pub ends_with_high_surrogate: bool,
}

impl Delta {
    /// The text of an event that could carry some and does not.
    pub const NOTHING: Self = Self {
        is_empty: true,
        begins_with_low_surrogate: false,
        ends_with_high_surrogate: false,
    };
}

impl From<&SplitText> for Delta {
    fn from(text: &SplitText) -> Self {
        Self {
            is_empty: text.is_empty(),
            begins_with_low_surrogate: text.leading().is_some(),
            ends_with_high_surrogate: text.trailing().is_some(),
        }
    }
}
