//! The canonical documents that a conversion goes through.

use super::table::{MemberRow, dropped, lost};
use chatstate_json::Value;
use chatstate_json::{Class, Rejection};
use chatstate_types::validate::check_value;

/// The entry of a canonical session that holds the history: an object whose `messages` are
/// canonical messages. It is the key under which the .NET SDK, which sessions come from, keeps them.
pub const HISTORY_ENTRY: &str = "InMemoryChatHistoryProvider";

/// No other format says which version of ours a document had.
pub(super) const SCHEMA_VERSION: MemberRow = dropped(
    "schemaVersion",
    "The version of the canonical form says nothing of the chat.",
);

/// No other format says that its states are plain.
pub(super) const ENCODING: MemberRow = dropped(
    "encoding",
    "A chat state that is converted is always plain.",
);

/// A seal says something about one text.
pub(super) const SEAL: MemberRow = lost("seal", "a seal does not hold for another document");

/// The type of a canonical document, which is valid.
pub(super) fn type_of(document: &Value) -> Result<&'static str, Rejection> {
    let Some(type_name) = looks_like(document) else {
        let message = "the document is none of a chat state with `history`, a message with `items`, a session with `stateBag`, and a list of sessions";
        return Err(Rejection::schema("convert.dialect", message));
    };
    if type_name == "EncodedChatState" {
        let message = "the chat state is encoded; decode it first";
        let rejection = Rejection::new(Class::Semantic, "convert.encoded", message);
        return Err(rejection.within("encoding"));
    }
    check(type_name, document)?;
    Ok(type_name)
}

/// The canonical type that a document is meant to be of, valid or not.
pub(super) fn looks_like(document: &Value) -> Option<&'static str> {
    let has = |name| document.get(name).is_some();
    match document {
        Value::Array(items) if items.iter().all(is_session) => Some("SessionList"),
        Value::Object(_) if is_session(document) => Some("AgentSession"),
        Value::Object(_) if document.get("encoding") == Some(&"base64".into()) => {
            Some("EncodedChatState")
        }
        Value::Object(_) if has("history") => Some("ChatState"),
        Value::Object(_) if has("items") && !has("content_type") => Some("ChatMessage"),
        _ => None,
    }
}

/// Whether a value holds canonical messages: a list of them, or a chat.
pub(super) fn has_messages(value: &Value) -> bool {
    let is_message = |value: &Value| value.get("role").is_some() && value.get("items").is_some();
    let messages = value
        .as_array()
        .or_else(|| value.get("history")?.as_array());
    messages.is_some_and(|it| !it.is_empty() && it.iter().all(is_message))
}

/// Whether a value is a session whose history, if it has one, is canonical. The .NET SDK has the
/// same members around other messages.
fn is_session(value: &Value) -> bool {
    let entry = value.get("stateBag").map(|bag| bag.get(HISTORY_ENTRY));
    let messages = entry.map(|entry| entry.and_then(|entry| entry.get("messages")));
    messages.is_some_and(|messages| {
        let messages = messages.and_then(Value::as_array).unwrap_or_default();
        messages
            .iter()
            .all(|message| message.get("contents").is_none())
    })
}

/// Whether a document is a valid one of a type.
pub(super) fn check(type_name: &str, document: &Value) -> Result<(), Rejection> {
    check_value(type_name, document).unwrap_or(Ok(()))
}
