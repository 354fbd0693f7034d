//! The messages that an event carries.

use std::borrow::Cow;

use super::digest::Digest;
use super::earlier::EarlierMessages;
use super::level::{OtherNames, read_level, text};
use chatstate_json::{Scanner, Value};
use chatstate_types::generated::Message;

/// The messages of a run's input or of a `MESSAGES_SNAPSHOT`.
#[derive(Debug, Clone, Default)]
pub struct Messages<'a>(Source<'a>);

#[derive(Debug, Clone)]
enum Source<'a> {
    Read {
        messages: Vec<MessageHead<'a>>,
        /// The digests of messages that were worked out when these were read.
        digests: Vec<Option<Digest>>,
    },
    Typed(&'a [Message]),
}

impl Default for Source<'_> {
    fn default() -> Self {
        Self::Typed(&[])
    }
}

/// A message as far as the order of events matters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageHead<'a> {
    /// The text of the message; empty for a typed one.
    pub value: &'a str,
    /// Its role.
    pub role: Cow<'a, str>,
    /// Its id; a message of an unknown role may lack one.
    pub id: Option<Cow<'a, str>>,
    /// The subagent that it belongs to.
    pub subagent_run_id: Option<Cow<'a, str>>,
    /// The tool calls that an assistant makes in it.
    pub call_ids: Vec<Cow<'a, str>>,
}

impl<'a> Messages<'a> {
    pub(super) fn typed(messages: &'a [Message]) -> Self {
        Self(Source::Typed(messages))
    }

    /// The messages that were read from text, in order; none of a typed event.
    #[must_use]
    pub fn as_read(&self) -> &[MessageHead<'a>] {
        match &self.0 {
            Source::Read { messages, .. } => messages,
            Source::Typed(_) => &[],
        }
    }

    /// The messages that were read from text, each with its digest if that is known by now.
    pub(crate) fn with_digests(&self) -> impl Iterator<Item = (&MessageHead<'a>, Option<Digest>)> {
        let digests = match &self.0 {
            Source::Read { digests, .. } => digests.as_slice(),
            Source::Typed(_) => &[],
        };
        let digests = digests.iter().copied().chain(std::iter::repeat(None));
        self.as_read().iter().zip(digests)
    }

    /// Hands on the messages in order.
    pub fn for_each(&self, mut take: impl FnMut(&MessageHead<'_>)) {
        match &self.0 {
            Source::Read { messages, .. } => messages.iter().for_each(take),
            Source::Typed(messages) => {
                for message in *messages {
                    take(&MessageHead::of(message));
                }
            }
        }
    }
}

impl<'a> MessageHead<'a> {
    /// The head of a typed message.
    #[must_use]
    pub fn of(message: &'a Message) -> Self {
        let (role, id, owner) = match message {
            Message::Developer(m) => ("developer", &m.id, &m.subagent_run_id),
            Message::System(m) => ("system", &m.id, &m.subagent_run_id),
            Message::Assistant(m) => ("assistant", &m.id, &m.subagent_run_id),
            Message::User(m) => ("user", &m.id, &m.subagent_run_id),
            Message::Tool(m) => ("tool", &m.id, &m.subagent_run_id),
            Message::Activity(m) => ("activity", &m.id, &m.subagent_run_id),
            Message::Reasoning(m) => ("reasoning", &m.id, &m.subagent_run_id),
            Message::Unknown(m) => {
                let text = |name| m.extra.get(name).and_then(Value::as_str).map(Cow::Borrowed);
                return Self {
                    value: "",
                    role: Cow::Borrowed(&m.role),
                    id: text("id"),
                    subagent_run_id: text("subagentRunId"),
                    call_ids: Vec::new(),
                };
            }
        };
        let calls = match message {
            Message::Assistant(message) => message.tool_calls.as_deref(),
            _ => None,
        };
        let call_ids = calls.unwrap_or_default().iter();
        Self {
            value: "",
            role: Cow::Borrowed(role),
            id: Some(Cow::Borrowed(id)),
            subagent_run_id: owner.as_deref().map(Cow::Borrowed),
            call_ids: call_ids
                .map(|call| Cow::Borrowed(call.id.as_str()))
                .collect(),
        }
    }

    /// Reads the message that is next.
    pub(super) fn read(scanner: &mut Scanner<'a>) -> Option<Self> {
        let mut members = MessageMembers::default();
        let value = members.read(scanner)?;
        let role = text(members.role?)?;
        let is_known = matches!(
            role.as_ref(),
            "developer" | "system" | "assistant" | "user" | "tool" | "activity" | "reasoning"
        );
        let (id, owner) = (members.id, members.subagent_run_id);
        let (id, subagent_run_id) = if is_known {
            let owner = owner.map(|raw| text(raw).ok_or(())).transpose().ok()?;
            (Some(text(id?)?), owner)
        } else {
            // What an unknown message has under these names may be no text.
            (id.and_then(text), owner.and_then(text))
        };
        let call_ids = match members.calls {
            Some(calls) if role == "assistant" => read_calls(&mut Scanner::of(calls))?,
            _ => members.call_ids,
        };
        Some(Self {
            value,
            role,
            id,
            subagent_run_id,
            call_ids,
        })
    }
}

/// The members of a message before its role has said what they mean.
#[derive(Default)]
struct MessageMembers<'a> {
    id: Option<&'a str>,
    role: Option<&'a str>,
    subagent_run_id: Option<&'a str>,
    /// The tool calls, unless they were read at once.
    calls: Option<&'a str>,
    call_ids: Vec<Cow<'a, str>>,
}

impl<'a> MessageMembers<'a> {
    /// Reads the members of the message that is next; gives its text.
    fn read(&mut self, scanner: &mut Scanner<'a>) -> Option<&'a str> {
        let (mut others, mut has_calls) = (OtherNames::default(), false);
        let value = scanner.spanned(|scanner| {
            scanner.members(|scanner, name| {
                let place = match name.as_ref() {
                    "id" => &mut self.id,
                    "role" => &mut self.role,
                    "subagentRunId" => &mut self.subagent_run_id,
                    "toolCalls" if !std::mem::replace(&mut has_calls, true) => {
                        // Where the role is known by now, as it nearly always is, the calls need not
                        // be stepped over first.
                        if self.role == Some("\"assistant\"") {
                            self.call_ids = read_calls(scanner)?;
                            return Some(());
                        }
                        &mut self.calls
                    }
                    "toolCalls" => return None,
                    _ => {
                        others.add(name);
                        return scanner.value();
                    }
                };
                place.replace(scanner.raw()?).is_none().then_some(())
            })
        })?;
        others.check()?;
        Some(value)
    }
}

/// Reads the ids of the tool calls that are next.
fn read_calls<'a>(scanner: &mut Scanner<'a>) -> Option<Vec<Cow<'a, str>>> {
    let mut ids = Vec::new();
    scanner.items(|scanner| {
        let [id] = read_level(scanner, ["id"])?;
        ids.push(text(id?)?);
        Some(())
    })?;
    Some(ids)
}

/// Reads the messages of the array that is next.
pub(super) fn read_messages<'a>(
    scanner: &mut Scanner<'a>,
    earlier: &EarlierMessages<'a>,
) -> Option<Messages<'a>> {
    let (mut messages, mut digests, mut next) = (Vec::new(), Vec::new(), 0);
    scanner.items(|scanner| {
        let (message, digest) = match earlier.repeated(scanner, &mut next) {
            Some(repeated) => repeated,
            None => earlier.new_message(scanner)?,
        };
        messages.push(message);
        digests.push(digest);
        Some(())
    })?;
    Some(Messages(Source::Read { messages, digests }))
}
