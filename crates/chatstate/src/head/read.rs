//! Heads from the text of events.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::kind::EventKind;
use super::level::{Name, OtherNames, duplicate, escaped, read_with, split_text, text};
use super::member::{Member, Set};
use super::messages::{MessageHead, MessageList, Messages};
use super::{Delta, Head, Values};
use crate::generated::Event;
use crate::json::{self, Kind, MAX_DEPTH};
use crate::rejection::{Class, Rejection};

impl<'a> Head<'a> {
    /// Reads the head of the event that this text is. Values that no head holds are passed over as
    /// long as they are JSON; their members are not looked at.
    ///
    /// What is refused is refused as the reader of whole events says it.
    pub fn read(text: &'a str) -> Result<Self, Rejection> {
        let mut raw = RawHead::default();
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let read = deserializer.deserialize_map(EventLevel(&mut raw));
        if read.is_ok()
            && deserializer.end().is_ok()
            && !is_too_deep(text)
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

/// Whether values are nested deeper than is read. Each level takes two bytes at least, and counting
/// brackets is cheap, so that hardly any text is read twice for it.
fn is_too_deep(text: &str) -> bool {
    text.len() > 2 * MAX_DEPTH
        && opening_brackets(text.as_bytes()) > MAX_DEPTH
        && json::check(text).is_err_and(|rejection| rejection.class == Class::Limit)
}

/// How many bytes are `[` or `{`, which differ in one bit. Small sums of small blocks let the
/// compiler count many bytes at once.
fn opening_brackets(bytes: &[u8]) -> usize {
    let of_block = |block: &[u8]| -> usize {
        let marks = block.iter().map(|byte| u8::from(byte | 0x20 == b'{'));
        usize::from(marks.sum::<u8>())
    };
    bytes.chunks(128).map(of_block).sum()
}

/// The members of an event before its type has said what they mean.
#[derive(Default)]
struct RawHead<'a> {
    kind: Option<EventKind>,
    tag: Cow<'a, str>,
    seen: Set,
    has_others: bool,
    raw: [Option<&'a RawValue>; Member::READ],
    messages: Option<Vec<MessageHead<'a>>>,
    input: Option<Input<'a>>,
}

/// Fills in place, since the members would else be copied from one function to the next.
struct EventLevel<'m, 'a>(&'m mut RawHead<'a>);

impl<'de> Visitor<'de> for EventLevel<'_, 'de> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an event")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (head, mut others) = (self.0, OtherNames::default());
        while let Some(Name(name)) = map.next_key()? {
            match Member::named(&name) {
                None => {
                    others.add(name);
                    map.next_value::<IgnoredAny>()?;
                }
                Some(member) if head.seen.add(member) => head.member(member, &mut map)?,
                Some(_) => return Err(duplicate()),
            }
        }
        head.has_others = !others.is_empty();
        others.check()
    }
}

impl<'a> RawHead<'a> {
    /// Takes the value of a member. Where the type is known by now, as it nearly always is, what
    /// carries messages is read at once instead of being stepped over first.
    fn member<A: MapAccess<'a>>(&mut self, member: Member, map: &mut A) -> Result<(), A::Error> {
        match (member, self.kind) {
            (Member::Type, _) => {
                let tag = text(map.next_value()?);
                self.tag = tag.ok_or_else(|| A::Error::custom("the type is no text"))?;
                self.kind = Some(EventKind::of(&self.tag));
            }
            (Member::Input, Some(EventKind::RunStarted)) => {
                self.input = Some(map.next_value_seed(InputLevel)?);
            }
            (Member::Messages, Some(EventKind::MessagesSnapshot)) => {
                self.messages = Some(map.next_value_seed(MessageList)?);
            }
            _ => match self.raw.get_mut(member as usize) {
                Some(place) => *place = Some(map.next_value()?),
                None => drop(map.next_value::<IgnoredAny>()?),
            },
        }
        Ok(())
    }

    /// Fills in what the members say, if they are what the type asks for.
    fn fill(self, head: &mut Head<'a>) -> Option<()> {
        let shape = head.kind.shape();
        if !shape.required.is_within(self.seen) {
            return None;
        }
        head.has_unknown_members = self.has_others || !self.seen.is_within(shape.known);
        if head.kind == EventKind::Unknown {
            return Some(());
        }
        for member in self.seen.texts_within(shape.known) {
            let text = text(self.raw(member)?)?;
            let values = head.kind.values_of(member);
            if values.is_some_and(|values| !values.contains(&text.as_ref())) {
                return None;
            }
            head.set(member, text);
        }
        self.base(head)?;
        self.values(head)
    }

    fn raw(&self, member: Member) -> Option<&'a RawValue> {
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
            head.has_raw_event = Kind::of_text(raw.get()) != Kind::Null;
            head.has_raw_event.then_some(())?;
        }
        Some(())
    }

    /// The values that only some events have.
    fn values(self, head: &mut Head<'a>) -> Option<()> {
        let Values {
            delta, snapshot, ..
        } = &mut head.values;
        match (head.kind, self.raw(Member::Delta)) {
            (EventKind::StateDelta, raw) => *delta = Some(of_kind(raw?, Kind::Array)?),
            (kind, Some(raw)) if kind.has_text() => {
                *delta = Some(raw.get());
                head.delta = Some(delta_of(raw)?);
            }
            _ => {}
        }
        match head.kind {
            EventKind::StateSnapshot => *snapshot = Some(self.raw(Member::Snapshot)?.get()),
            EventKind::ActivitySnapshot => {
                let replace = self.raw(Member::Replace);
                let replace = replace.map(|raw| of_kind(raw, Kind::Boolean).ok_or(()));
                head.replace = replace.transpose().ok()?.map(|text| text == "true");
            }
            EventKind::MessagesSnapshot => {
                head.messages =
                    Messages::read(match (self.messages, self.raw[Member::Messages as usize]) {
                        (Some(messages), _) => messages,
                        (None, raw) => read_with(raw?.get(), MessageList)?,
                    });
            }
            EventKind::RunStarted => {
                let input = match (self.input, self.raw[Member::Input as usize]) {
                    (Some(input), _) => input,
                    (None, Some(raw)) => read_with(raw.get(), InputLevel)?,
                    (None, None) => return Some(()),
                };
                head.values.input_state = input.state.map(RawValue::get);
                head.messages = Messages::read(input.messages);
            }
            _ => {}
        }
        Some(())
    }
}

/// The input of a run.
struct Input<'a> {
    state: Option<&'a RawValue>,
    messages: Vec<MessageHead<'a>>,
}

struct InputLevel;

impl<'de> DeserializeSeed<'de> for InputLevel {
    type Value = Input<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for InputLevel {
    type Value = Input<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the input of a run")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut state, mut messages, mut others) = (None, None, OtherNames::default());
        let mut ids = 0;
        while let Some(Name(name)) = map.next_key()? {
            match name.as_ref() {
                "state" if state.is_none() => state = Some(map.next_value()?),
                "messages" if messages.is_none() => {
                    messages = Some(map.next_value_seed(MessageList)?);
                }
                "state" | "messages" => return Err(duplicate()),
                "threadId" | "runId" => {
                    ids += 1;
                    text(map.next_value()?).ok_or_else(|| A::Error::custom("the id is no text"))?;
                    others.add(name);
                }
                _ => {
                    others.add(name);
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        others.check()?;
        match messages {
            Some(messages) if ids == 2 => Ok(Input { state, messages }),
            _ => Err(A::Error::custom("a member is missing")),
        }
    }
}

fn of_kind(raw: &RawValue, kind: Kind) -> Option<&str> {
    (Kind::of_text(raw.get()) == kind).then(|| raw.get())
}

/// Text without Unicode escapes holds no half of a surrogate pair, so it need not be decoded.
fn delta_of(raw: &RawValue) -> Option<Delta> {
    let inner = escaped(raw)?;
    if inner.contains("\\u") {
        return split_text(raw).as_ref().map(Delta::from);
    }
    Some(Delta {
        is_empty: inner.is_empty(),
        ..Delta::default()
    })
}
