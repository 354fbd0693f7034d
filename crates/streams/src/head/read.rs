//! Heads from the text of events.

use std::borrow::Cow;

use super::earlier::EarlierMessages;
use super::kind::{EventKind, Shape, values_of};
use super::level::{OtherNames, split_text, text};
use super::member::{Member, Set};
use super::messages::{Messages, read_messages};
use super::{Delta, Head, Values};
use chatstate_json::{Class, Rejection};
use chatstate_json::{Kind, Scanner, Spelling};
use chatstate_types::generated::Event;

impl<'a> Head<'a> {
    /// Reads the head of the event that this text is. Values that no head holds are passed over as
    /// long as they are JSON; their members are not looked at.
    ///
    /// What is refused is refused as the reader of whole events says it.
    pub fn read(text: &'a str) -> Result<Self, Rejection> {
        Self::read_after(text, &EarlierMessages::default())
    }

    /// The same, for an event that may repeat messages.
    pub(super) fn read_after(
        text: &'a str,
        earlier: &EarlierMessages<'a>,
    ) -> Result<Self, Rejection> {
        let mut raw = RawHead::default();
        let mut scanner = Scanner::of(text);
        let read = raw.read(&mut scanner, earlier);
        let read = read.and_then(|()| scanner.end());
        if read.is_some()
            && let Some(kind) = raw.kind
        {
            let mut head = Self::new(kind, std::mem::take(&mut raw.tag));
            if raw.fill(&mut head).is_some() {
                return Ok(head);
            }
        }
        Err(refusal(text))
    }
}

/// Looking for the reason again costs a second pass, which only bad events pay.
#[cold]
fn refusal(text: &str) -> Rejection {
    match Event::from_json(text) {
        Err(rejection) => rejection,
        Ok(_) => Rejection::new(Class::Syntax, "json", "the event's head cannot be read"),
    }
}

/// The members of an event before its type has said what they mean.
#[derive(Default)]
struct RawHead<'a> {
    kind: Option<EventKind>,
    tag: Cow<'a, str>,
    seen: Set,
    has_others: bool,
    raw: [Option<&'a str>; Member::READ],
    messages: Option<Messages<'a>>,
    input: Option<Input<'a>>,
}

impl<'a> RawHead<'a> {
    /// Reads the members of the event that is next.
    fn read(&mut self, scanner: &mut Scanner<'a>, earlier: &EarlierMessages<'a>) -> Option<()> {
        let mut others = OtherNames::default();
        scanner.members(|scanner, name| match Member::named(&name) {
            None => {
                others.add(name);
                scanner.value()
            }
            Some(member) if self.seen.add(member) => self.member(member, scanner, earlier),
            Some(_) => None,
        })?;
        self.has_others = !others.is_empty();
        others.check()
    }

    /// Takes the value of a member. Where the type is known by now, as it nearly always is, what
    /// carries messages is read at once instead of being stepped over first.
    fn member(
        &mut self,
        member: Member,
        scanner: &mut Scanner<'a>,
        earlier: &EarlierMessages<'a>,
    ) -> Option<()> {
        match (member, self.kind) {
            (Member::Type, _) => {
                self.tag = text(scanner.raw()?)?;
                self.kind = Some(EventKind::of(&self.tag));
            }
            (Member::Input, Some(EventKind::RunStarted)) => {
                self.input = Some(Input::read(scanner, earlier)?);
            }
            (Member::Messages, Some(EventKind::MessagesSnapshot)) => {
                self.messages = Some(read_messages(scanner, earlier)?);
            }
            _ => match self.raw.get_mut(member as usize) {
                Some(place) => *place = Some(scanner.raw()?),
                None => scanner.value()?,
            },
        }
        Some(())
    }

    /// Fills in what the members say, if they are what the type asks for.
    fn fill(self, head: &mut Head<'a>) -> Option<()> {
        let shape = Shape::get(head.kind);
        if !shape.required.is_within(self.seen) {
            return None;
        }
        head.has_unknown_members = self.has_others || !self.seen.is_within(shape.known);
        if head.kind == EventKind::Unknown {
            return Some(());
        }
        for member in self.seen.texts_within(shape.known) {
            let text = text(self.raw(member)?)?;
            let values = values_of(head.kind, member);
            if values.is_some_and(|values| !values.contains(&text.as_ref())) {
                return None;
            }
            head.texts.set(member, text);
        }
        self.base(head)?;
        self.values(head)
    }

    fn raw(&self, member: Member) -> Option<&'a str> {
        *self.raw.get(member as usize)?
    }

    /// The members that every event may have.
    fn base(&self, head: &mut Head<'a>) -> Option<()> {
        if let Some(raw) = self.raw(Member::Metadata) {
            head.values.metadata = Some(of_kind(raw, Kind::Object)?);
            head.has_metadata = true;
        }
        if let Some(raw) = self.raw(Member::Timestamp) {
            head.values.timestamp = Some(of_kind(raw, Kind::Number)?);
        }
        if let Some(raw) = self.raw(Member::RawEvent) {
            head.has_raw_event = Kind::of_text(raw) != Kind::Null;
            head.has_raw_event.then_some(())?;
        }
        Some(())
    }

    /// The values that only some events have.
    fn values(self, head: &mut Head<'a>) -> Option<()> {
        let earlier = &EarlierMessages::default();
        let Values {
            delta, snapshot, ..
        } = &mut head.values;
        match (head.kind, self.raw(Member::Delta)) {
            (EventKind::StateDelta, raw) => *delta = Some(of_kind(raw?, Kind::Array)?),
            (kind, Some(raw)) if kind.role().text.is_some() => {
                let (text, spelling) = Scanner::of(raw).text()?;
                *delta = Some(text);
                head.delta = Some(delta_of(text, spelling)?);
            }
            _ => {}
        }
        match head.kind {
            EventKind::StateSnapshot => *snapshot = Some(self.raw(Member::Snapshot)?),
            EventKind::ActivitySnapshot => {
                let replace = self.raw(Member::Replace);
                let replace = replace.map(|raw| of_kind(raw, Kind::Boolean).ok_or(()));
                head.replace = replace.transpose().ok()?.map(|text| text == "true");
            }
            EventKind::MessagesSnapshot => {
                head.messages = match (self.messages, self.raw[Member::Messages as usize]) {
                    (Some(messages), _) => messages,
                    (None, raw) => read_messages(&mut Scanner::of(raw?), earlier)?,
                };
            }
            EventKind::RunStarted => {
                let input = match (self.input, self.raw[Member::Input as usize]) {
                    (Some(input), _) => input,
                    (None, Some(raw)) => Input::read(&mut Scanner::of(raw), earlier)?,
                    (None, None) => return Some(()),
                };
                head.values.input_state = input.state;
                head.messages = input.messages;
            }
            _ => {}
        }
        Some(())
    }
}

/// The input of a run.
struct Input<'a> {
    state: Option<&'a str>,
    messages: Messages<'a>,
}

impl<'a> Input<'a> {
    /// Reads the input that is next.
    fn read(scanner: &mut Scanner<'a>, earlier: &EarlierMessages<'a>) -> Option<Self> {
        let (mut state, mut messages, mut others) = (None, None, OtherNames::default());
        let mut ids = 0;
        scanner.members(|scanner, name| {
            match name.as_ref() {
                "state" if state.is_none() => state = Some(scanner.raw()?),
                "messages" if messages.is_none() => {
                    messages = Some(read_messages(scanner, earlier)?);
                }
                "state" | "messages" => return None,
                "threadId" | "runId" => {
                    ids += 1;
                    text(scanner.raw()?)?;
                    others.add(name);
                }
                _ => {
                    others.add(name);
                    scanner.value()?;
                }
            }
            Some(())
        })?;
        others.check()?;
        let messages = messages.filter(|_| ids == 2)?;
        Some(Self { state, messages })
    }
}

fn of_kind(raw: &str, kind: Kind) -> Option<&str> {
    (Kind::of_text(raw) == kind).then_some(raw)
}

/// What a string says of its place between others. Without escapes by code unit it holds no half of
/// a surrogate pair, so it need not be decoded.
pub(super) fn delta_of(raw: &str, spelling: Spelling) -> Option<Delta> {
    if spelling == Spelling::Unpaired {
        return split_text(raw).as_ref().map(Delta::from);
    }
    Some(Delta {
        is_empty: raw.len() == "\"\"".len(),
        ..Delta::default()
    })
}
