//! Logs of AG-UI before 1.0, read as the events of AG-UI 1.x.
//!
//! AG-UI 1.0 retired three shapes that its 0.0.x releases accepted: the five `THINKING_*` events, parts
//! of messages of type `binary`, and null in place of certain members. A reader of 1.x does not
//! know them and keeps them as they are; this translates them, in the open.

mod messages;

use std::collections::HashSet;

use super::{Invention, Loss};
use chatstate_json::Rejection;
use chatstate_json::{Object, Value};
use chatstate_types::generated::Event;

use super::ag_ui_draft::{message_ids, values};
use super::loss::ConversionLoss;

/// The name of the dialect on the command line.
pub const NAME: &str = "ag-ui-0.0.x";

/// Events of 0.0.x as events of 1.x.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TranslatedLog {
    /// The events, each valid. A verifier says whether their order is valid.
    pub events: Vec<Event>,
    /// What 1.x needs and the log does not say, in the order of the events.
    pub inventions: Vec<Invention>,
    /// What 1.x has no place for, in the order of the events.
    pub losses: Vec<Loss>,
}

// Names many events: the schema has none of the retired types, and says of no member that it was null.

/// A retired type of events, the type in its place, and what it does with identities.
const EVENTS: [(&str, &str, Identity); 5] = [
    ("THINKING_START", "REASONING_START", Identity::BlockBegins),
    ("THINKING_END", "REASONING_END", Identity::BlockEnds),
    (
        "THINKING_TEXT_MESSAGE_START",
        "REASONING_MESSAGE_START",
        Identity::MessageBegins,
    ),
    (
        "THINKING_TEXT_MESSAGE_CONTENT",
        "REASONING_MESSAGE_CONTENT",
        Identity::OfMessage,
    ),
    (
        "THINKING_TEXT_MESSAGE_END",
        "REASONING_MESSAGE_END",
        Identity::MessageEnds,
    ),
];

/// What a retired event says of the identity that 1.x needs: only one block and one message could be
/// open, so that none was named.
#[derive(Debug, Clone, Copy)]
enum Identity {
    BlockBegins,
    BlockEnds,
    MessageBegins,
    OfMessage,
    MessageEnds,
}

/// Members that were null for nothing, by the type of the event; `*` is any type.
const NULLS: [(&str, &str); 6] = [
    ("TOOL_CALL_START", "parentMessageId"),
    ("TOOL_CALL_CHUNK", "parentMessageId"),
    ("RUN_FINISHED", "outcome"),
    ("RUN_FINISHED", "result"),
    ("SUBAGENT_FINISHED", "result"),
    ("*", "rawEvent"),
];

/// Reads a log of 0.0.x: a JSON array, or JSON Lines when the first character is not `[`.
///
/// What 1.x knows stays as it is, so that a log that mixes both is read as well. Rejected are text
/// that is not JSON (class `syntax`) and an event that is not valid after it is translated (class
/// `schema`).
///
/// ```
/// use chatstate_dialects::ag_ui_former;
///
/// let log = r#"[{"type":"THINKING_TEXT_MESSAGE_START"},
///               {"type":"THINKING_TEXT_MESSAGE_CONTENT","delta":"Hm"}]"#;
/// let translated = ag_ui_former::read(log)?;
/// assert_eq!(
///     translated.events[1].to_json()?,
///     r#"{"type":"REASONING_MESSAGE_CONTENT","messageId":"reasoning-1","delta":"Hm"}"#
/// );
/// # Ok::<(), chatstate_json::Rejection>(())
/// ```
pub fn read(text: &str) -> Result<TranslatedLog, Rejection> {
    let mut log = values(text)?;
    let mut translation = Translation {
        taken: log.iter().flat_map(message_ids).collect(),
        ..Translation::default()
    };
    for (index, event) in log.iter_mut().enumerate() {
        translation.index = index;
        if let Value::Object(event) = event {
            translation.event(event);
        }
        let event = Event::from_json(&event.to_json());
        let event = event.map_err(|it| it.within(index))?;
        translation.log.events.push(event);
    }
    Ok(translation.log)
}

#[derive(Default)]
struct Translation {
    log: TranslatedLog,
    /// The ids that are taken.
    taken: HashSet<String>,
    /// The block that is open.
    block: Option<String>,
    /// The message that is open.
    message: Option<String>,
    /// The event at hand.
    index: usize,
}

impl Translation {
    fn event(&mut self, event: &mut Object) {
        let tag = event.get("type").and_then(Value::as_str);
        let tag = tag.unwrap_or_default().to_owned();
        if let Some((_, name, identity)) = EVENTS.iter().find(|(former, ..)| *former == tag) {
            self.thinking(event, name, *identity);
        }
        for (_, name) in NULLS.iter().filter(|(of, _)| *of == "*" || *of == tag) {
            drop_null(event, name);
        }
        match tag.as_str() {
            "MESSAGES_SNAPSHOT" => self.messages(event, ""),
            "TOOL_CALL_RESULT" => self.parts(event, ""),
            "RUN_STARTED" => self.input(event),
            _ => {}
        }
    }

    /// Gives an event its type of 1.x and the identity that the type needs.
    fn thinking(&mut self, event: &mut Object, name: &'static str, identity: Identity) {
        let said = event.get("messageId").and_then(Value::as_str);
        let said = said.map(str::to_owned);
        let id = match identity {
            Identity::BlockBegins => {
                self.block = Some(self.identity(said));
                self.block.clone()
            }
            Identity::BlockEnds => self.block.take().or(said),
            Identity::MessageBegins => {
                self.message = Some(self.identity(said));
                self.message.clone()
            }
            Identity::OfMessage => self.message.clone().or(said),
            Identity::MessageEnds => self.message.take().or(said),
        };
        // An end of what never began is for a verifier to find.
        let id = id.unwrap_or_else(|| self.identity(None));
        event.insert("type", name);
        event.remove("messageId");
        event.insert_at(1, "messageId", id.into());
        if matches!(identity, Identity::MessageBegins) {
            event.insert_at(2, "role", "reasoning".into());
        }
        if event.remove("title").is_some() {
            self.lose("/title", "a block of reasoning has no title");
        }
    }

    /// The identity that an event says, or a new one.
    fn identity(&mut self, said: Option<String>) -> String {
        if let Some(id) = said {
            return id;
        }
        let numbered = (1..).map(|number: usize| format!("reasoning-{number}"));
        let mut free = numbered.filter(|id| !self.taken.contains(id));
        let id = free.next().unwrap_or_default();
        self.taken.insert(id.clone());
        let message = format!("the event names no message; made up `{id}`");
        let at = format!("/{}/messageId", self.index);
        self.log.inventions.push(Invention { at, message });
        id
    }

    fn input(&mut self, event: &mut Object) {
        let Some(Value::Object(input)) = event.get_mut("input") else {
            return;
        };
        for name in ["forwardedProps", "state"] {
            drop_null(input, name);
        }
        for (list, name) in [("tools", "parameters"), ("resume", "payload")] {
            for item in objects(input, list) {
                drop_null(item, name);
            }
        }
        self.messages(input, "/input");
    }

    fn lose(&mut self, place: &str, why: &str) {
        self.log.losses.push(Loss {
            class: ConversionLoss::Member,
            at: format!("/{}{place}", self.index),
            why: why.to_owned(),
        });
    }
}

/// The objects in a list of an object.
fn objects<'a>(object: &'a mut Object, list: &str) -> impl Iterator<Item = &'a mut Object> {
    let items = match object.get_mut(list) {
        Some(Value::Array(items)) => items.iter_mut(),
        _ => [].iter_mut(),
    };
    items.filter_map(|item| match item {
        Value::Object(item) => Some(item),
        _ => None,
    })
}

fn drop_null(object: &mut Object, name: &str) {
    if object.get(name) == Some(&Value::Null) {
        object.remove(name);
    }
}
