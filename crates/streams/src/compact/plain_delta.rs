//! Deltas that are plain to see: what most of a log is.
//!
//! A delta event that has no other members than it needs, and no escapes in its ids, is checked on the
//! tape as it stands. The generated reader reads all others.

use crate::header::{EventKind, Header};
use crate::replay::ItemKind;
use chatstate_json::{Kind, Raw, SplitText};
use chatstate_types::generated::roles::Subject;
use chatstate_types::generated::{
    Event, ReasoningMessageContentEvent, TextMessageContentEvent, Timestamp, ToolCallArgsEvent,
};

/// A delta event, taken from its text.
#[derive(Debug, Clone)]
pub(crate) struct PlainDelta<'e> {
    item: ItemKind,
    kind: EventKind,
    id: &'e str,
    pub delta: &'e SplitText,
    pub timestamp: Option<Timestamp>,
    pub subagent_run_id: Option<&'e str>,
}

impl<'e> PlainDelta<'e> {
    /// What an event says, if it is a delta that is plain to see. What is wrong with other events is
    /// reported by the generated reader.
    ///
    /// Its text takes the place of `text`, so that the next one needs no new memory.
    pub fn of(event: Raw<'e>, text: &'e mut SplitText) -> Option<Self> {
        if event.kind() != Kind::Object {
            return None;
        }
        let (mut tag, mut message, mut call, mut delta) = (None, None, None, None);
        let (mut timestamp, mut subagent_run_id) = (None, None);
        for (name, value) in event.members() {
            match name.as_ref() {
                "type" => tag = Some(value.plain()?),
                "messageId" => message = Some(value.plain()?),
                "toolCallId" => call = Some(value.plain()?),
                "delta" => delta = Some(value),
                "subagentRunId" => subagent_run_id = Some(value.plain()?),
                "timestamp" => timestamp = Some(small(value.get())?),
                _ => return None,
            }
        }
        let kind = EventKind::of(tag?);
        let id = match kind.role().id {
            Some("messageId") if call.is_none() => message?,
            Some("toolCallId") if message.is_none() => call?,
            _ => return None,
        };
        let Subject::Item(item) = kind.role().subject else {
            return None;
        };
        (item.appends() == Some(kind)).then_some(Self {
            item,
            kind,
            id,
            delta: delta?.decode_into(text)?,
            timestamp: timestamp.map(Timestamp),
            subagent_run_id,
        })
    }

    /// What the event does.
    pub fn header(&self) -> Header<'_> {
        Header::of_delta(
            self.item,
            self.kind,
            self.id,
            self.subagent_run_id,
            self.delta,
        )
    }

    /// The whole event.
    pub fn event(&self) -> Event {
        let text = self.delta.clone();
        let timestamp = self.timestamp;
        let owner = self.subagent_run_id.map(str::to_owned);
        match self.kind {
            EventKind::ToolCallArgs => {
                let mut event = ToolCallArgsEvent::new(self.id, text);
                (event.timestamp, event.subagent_run_id) = (timestamp, owner);
                Event::ToolCallArgs(event)
            }
            EventKind::ReasoningMessageContent => {
                let mut event = ReasoningMessageContentEvent::new(self.id, text);
                (event.timestamp, event.subagent_run_id) = (timestamp, owner);
                Event::ReasoningMessageContent(event)
            }
            _ => {
                let mut event = TextMessageContentEvent::new(self.id, text);
                (event.timestamp, event.subagent_run_id) = (timestamp, owner);
                Event::TextMessageContent(event)
            }
        }
    }
}

/// An integer of few digits, which has only one spelling.
fn small(number: &str) -> Option<i64> {
    // `-0` is another spelling of `0`.
    let is_small = number.len() <= 15 && !number.starts_with('-');
    is_small.then(|| number.parse().ok())?
}
