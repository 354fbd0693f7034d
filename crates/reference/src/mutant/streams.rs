//! Faults in what is made of event streams: a change of the events that an operation is given, or
//! of those that it answers.

use chatstate::json::{Object, Surrogates, Value, parse_with};
use chatstate_protocol::{Reply, RunRequest};

use super::super::operation;

/// The events of a request or of an answer.
pub type Events = Vec<Object>;

/// A fault of one operation.
#[derive(Clone, Copy)]
pub struct OperationFault {
    /// The operation; all others work well.
    pub operation: &'static str,
    /// What it takes for its input.
    pub asked: fn(&mut Events),
    /// What it makes of its answer, if that is a list of events.
    pub answered: fn(&mut Events),
}

/// No change.
pub(super) fn as_it_is(_: &mut Events) {}

impl OperationFault {
    /// A fault in what an operation answers.
    pub const fn of_answer(operation: &'static str, answered: fn(&mut Events)) -> Self {
        Self {
            operation,
            asked: as_it_is,
            answered,
        }
    }

    /// A fault in what an operation takes for its input.
    pub const fn of_request(operation: &'static str, asked: fn(&mut Events)) -> Self {
        Self {
            operation,
            asked,
            answered: as_it_is,
        }
    }

    /// Answers one request in the broken way.
    pub fn run(&self, request: &RunRequest) -> Reply {
        if request.op != self.operation {
            return operation::run(request);
        }
        let mut request = request.clone();
        if let Some(mut events) = request.input.as_deref().and_then(read) {
            (self.asked)(&mut events);
            request.input = Some(written(events));
        }
        match operation::run(&request) {
            Reply::Ok(text) => Reply::Ok(match read(&text) {
                Some(mut events) => {
                    (self.answered)(&mut events);
                    written(events)
                }
                None => text,
            }),
            other => other,
        }
    }
}

pub(super) fn read(text: &str) -> Option<Events> {
    let Ok(Value::Array(items)) = parse_with(text, Surrogates::AllowUnpairedAtEnds) else {
        return None;
    };
    let object = |item| match item {
        Value::Object(object) => Some(object),
        _ => None,
    };
    items.into_iter().map(object).collect()
}

pub(super) fn written(events: Events) -> String {
    let items = events.into_iter().map(Value::Object);
    Value::Array(items.collect()).to_json()
}

/// The type of an event.
pub(super) fn tag(event: &Object) -> &str {
    text(event, "type").unwrap_or_default()
}

/// The text of a member.
pub(super) fn text<'a>(event: &'a Object, name: &str) -> Option<&'a str> {
    event.get(name)?.as_str()
}

/// The kind of item that an event is about, and its id: of a text, a reasoning message or a call.
pub(super) fn item(event: &Object) -> Option<(&str, &str)> {
    let kind = ["TEXT_MESSAGE", "REASONING_MESSAGE", "TOOL_CALL"]
        .into_iter()
        .find(|kind| tag(event).starts_with(kind) && !tag(event).ends_with("_RESULT"))?;
    let id = if kind == "TOOL_CALL" {
        "toolCallId"
    } else {
        "messageId"
    };
    Some((kind, text(event, id)?))
}

/// Whether an event appends text to an item.
pub(super) fn is_delta(event: &Object) -> bool {
    tag(event).ends_with("_CONTENT") || tag(event) == "TOOL_CALL_ARGS"
}

/// Whether an event begins a text, a reasoning message or a call.
pub(super) fn is_start(event: &Object) -> bool {
    item(event).is_some() && tag(event).ends_with("_START")
}

/// The first later place of an event about the same item with this ending of its type.
pub(super) fn later(events: &[Object], from: usize, ending: &str) -> Option<usize> {
    let about = item(&events[from]);
    let mut rest = events.iter().enumerate().skip(from + 1);
    let found = rest.find(|(_, event)| item(event) == about && tag(event).ends_with(ending));
    found.map(|(place, _)| place)
}

/// The places of the events of one kind of item that nothing ends.
pub(super) fn open(events: &[Object]) -> Vec<usize> {
    let is_open = |place: &usize| {
        let event = &events[*place];
        item(event).is_some()
            && !tag(event).ends_with("_END")
            && later(events, *place, "_END").is_none()
    };
    (0..events.len()).filter(is_open).collect()
}

/// The messages of a run's input or of a snapshot.
pub(super) fn messages_mut(event: &mut Object) -> Option<&mut Vec<Value>> {
    let value = match tag(event) {
        "RUN_STARTED" => match event.get_mut("input")? {
            Value::Object(input) => input.get_mut("messages")?,
            _ => return None,
        },
        "MESSAGES_SNAPSHOT" => event.get_mut("messages")?,
        _ => return None,
    };
    match value {
        Value::Array(messages) => Some(messages),
        _ => None,
    }
}
