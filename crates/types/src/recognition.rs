//! Which type of the schema a document is meant to be of, by the members that it has.

use chatstate_json::Value;

/// A type, and the members without which no document of it is recognised.
type TypeSign = (&'static str, &'static [&'static str]);

/// The types of objects by their members, the more telling before the others.
const SIGNS: [TypeSign; 9] = [
    ("AgentSession", &["stateBag"]),
    ("EncodedChatState", &["encoding", "history"]),
    ("ChatState", &["history"]),
    ("ChatState", &["participants", "channels"]),
    ("ChannelState", &["channelkey"]),
    ("RunAgentInput", &["threadId", "runId", "messages"]),
    ("ChatMessage", &["role", "items"]),
    ("Message", &["role", "id"]),
    ("Participant", &["id", "type"]),
];

/// The type that a document is meant to be of, valid or not. `None` where it looks like none, or
/// like several: an empty list is a stream without events and a list without sessions.
///
/// ```
/// use chatstate_json::parse;
/// use chatstate_types::recognition::recognise;
/// let chat = parse(r#"{"history":[{"role":7}],"channels":[]}"#)?;
/// assert_eq!(recognise(&chat), Some("ChatState"));
/// assert_eq!(recognise(&parse("[]")?), None);
/// # Ok::<(), chatstate_json::Rejection>(())
/// ```
#[must_use]
pub fn recognise(document: &Value) -> Option<&'static str> {
    match document {
        Value::Object(_) if is_event(document) => Some("Event"),
        Value::Object(_) => {
            let has_all = |names: &[&str]| names.iter().all(|name| document.get(name).is_some());
            let mut signs = SIGNS.iter();
            signs
                .find(|(_, names)| has_all(names))
                .map(|(name, _)| *name)
        }
        Value::Array(items) => {
            let first = items.first()?;
            if is_event(first) {
                Some("EventStream")
            } else {
                first.get("stateBag").map(|_| "SessionList")
            }
        }
        _ => None,
    }
}

/// The types of events are words in capitals, known ones and others.
fn is_event(value: &Value) -> bool {
    let tag = value.get("type").and_then(Value::as_str);
    tag.is_some_and(|tag| {
        let is_capital = |letter: char| letter.is_ascii_uppercase() || letter == '_';
        !tag.is_empty() && tag.chars().all(is_capital)
    })
}
