//! Heads of typed events.

use std::borrow::Cow;

use super::kind::{EventKind, Shape};
use super::member::Member;
use super::messages::Messages;
use super::{Delta, Head};
use chatstate_types::generated::Event;

impl<'a> Head<'a> {
    /// The head of a delta event, of which the other members do not matter.
    pub(crate) fn of_delta(
        kind: EventKind,
        id: &'a str,
        subagent_run_id: Option<&'a str>,
        delta: Delta,
    ) -> Self {
        let role = kind.role();
        let mut head = Self::new(kind, Cow::Borrowed(role.tag));
        let texts = [(role.id, Some(id)), (role.owner, subagent_run_id)];
        for (name, text) in texts {
            if let (Some(member), Some(text)) = (name.and_then(Member::named), text) {
                head.texts.set(member, Cow::Borrowed(text));
            }
        }
        head.delta = Some(delta);
        head
    }

    /// The head of a typed event.
    #[must_use]
    pub fn of(event: &'a Event) -> Self {
        let mut head = Self::new(event.kind(), Cow::Borrowed(event.tag()));
        for (member, name) in &Shape::get(head.kind).texts {
            if let Some(text) = event.text_of(name) {
                head.texts.set(*member, Cow::Borrowed(text));
            }
        }
        head.has_raw_event = event.raw_event().is_some();
        head.has_metadata = event.metadata().is_some();
        head.has_unknown_members = !event.extra().is_empty();
        head.delta = event.text().map(Delta::from);
        match event {
            Event::RunStarted(event) => {
                let messages = event.input.as_ref().map(|input| input.messages.as_slice());
                head.messages = Messages::typed(messages.unwrap_or_default());
            }
            Event::MessagesSnapshot(event) => head.messages = Messages::typed(&event.messages),
            Event::ActivitySnapshot(event) => head.replace = event.replace,
            _ => {}
        }
        head
    }
}
