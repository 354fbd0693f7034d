//! The plain texts of an event by member.

use std::borrow::Cow;

use super::member::{Member, Set};

/// The texts that a head keeps. There are heads of many events at once, so that they are small.
#[derive(Debug, Clone, Default)]
pub(super) struct Texts<'a> {
    /// The members whose texts are in their places.
    held: Set,
    places: [&'a str; Member::PLACES],
    /// The texts that stand with escapes in the event, which hardly any does.
    decoded: Vec<(Member, String)>,
}

impl<'a> Texts<'a> {
    /// The text of a member, if the event has one.
    pub fn get(&self, member: Member) -> Option<&str> {
        if self.held.holds(member) {
            return self.places.get(member.place()).copied();
        }
        let decoded = self.decoded.iter().find(|(known, _)| *known == member);
        decoded.map(|(_, text)| text.as_str())
    }

    /// Notes the text of a member that holds plain text.
    pub fn set(&mut self, member: Member, text: Cow<'a, str>) {
        match (text, self.places.get_mut(member.place())) {
            (Cow::Borrowed(text), Some(place)) => {
                *place = text;
                self.held.add(member);
            }
            (Cow::Owned(text), _) => self.decoded.push((member, text)),
            (Cow::Borrowed(_), None) => {}
        }
    }
}
