//! The canonical documents that a conversion goes through.

use crate::json::Value;
use crate::rejection::{Class, Rejection};
use crate::validate::check_value;

/// The type of a canonical document, which is valid.
pub(super) fn type_of(document: &Value) -> Result<&'static str, Rejection> {
    let has = |name| document.get(name).is_some();
    let type_name = match document {
        Value::Array(_) => "SessionList",
        Value::Object(_) if has("stateBag") => "AgentSession",
        Value::Object(_)
            if has("encoding") && document.get("encoding") == Some(&"base64".into()) =>
        {
            let message = "the chat state is encoded; decode it first";
            return Err(
                Rejection::new(Class::Semantic, "convert.encoded", message).within("encoding")
            );
        }
        Value::Object(_) if has("history") => "ChatState",
        Value::Object(_) if has("items") => "ChatMessage",
        _ => {
            let message = "the document is no canonical one: none of a chat state with `history`, a message with `items`, a session with `stateBag`, and a list of sessions";
            return Err(Rejection::schema("convert.dialect", message));
        }
    };
    check(type_name, document)?;
    Ok(type_name)
}

/// Whether a document is a valid one of a type.
pub(super) fn check(type_name: &str, document: &Value) -> Result<(), Rejection> {
    check_value(type_name, document).unwrap_or(Ok(()))
}
