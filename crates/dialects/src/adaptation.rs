//! A canonical document of one type as one of another, where a dialect has no document of the type:
//! the history of a session is a chat, and a chat is a session that holds nothing else.

use super::canonical::HISTORY_ENTRY;
use super::loss::{ConversionLoss, Loss};
use chatstate_json::{Object, Value, pointer};

/// A document that became one of another type.
pub(super) struct Adapted {
    pub(super) document: Value,
    pub(super) losses: Vec<Loss>,
    /// Where a part of the new document was before: the new pointer and the old one.
    moved: (String, String),
}

impl Adapted {
    /// The place before the change of a place in the new document.
    pub(super) fn before(&self, at: &str) -> String {
        match at.strip_prefix(&self.moved.0) {
            Some(rest) => format!("{}{rest}", self.moved.1),
            None => String::new(),
        }
    }
}

/// The document as one of type `to`; nothing if it cannot be one.
pub(super) fn adapt(document: &Value, from: &str, to: &str) -> Option<Adapted> {
    match (from, to) {
        ("AgentSession", "ChatState") => Some(chat_of_session(document)),
        ("ChatState", "AgentSession") => Some(session_of_chat(document)),
        ("ChatMessage", "ChatState") => Some(chat_of_message(document)),
        ("ChatMessage", "AgentSession") => {
            let chat = chat_of_message(document);
            let mut session = session_of_chat(&chat.document);
            session.moved.1 = chat.before(&session.moved.1);
            session.moved.0.push_str("/0");
            Some(session)
        }
        _ => None,
    }
}

fn chat_of_session(session: &Value) -> Adapted {
    let entry = session
        .get("stateBag")
        .and_then(|bag| bag.get(HISTORY_ENTRY));
    let messages = entry.and_then(|entry| entry.get("messages"));
    let history = messages.filter(|it| it.as_array().is_some());
    let mut losses = Vec::new();
    lose_others(session, "", &["stateBag", "schemaVersion"], &mut losses);
    if let Some(bag) = session.get("stateBag") {
        let kept: &[&str] = if history.is_some() {
            &[HISTORY_ENTRY]
        } else {
            &[]
        };
        lose_others(bag, "/stateBag", kept, &mut losses);
    }
    let place = format!("/stateBag/{HISTORY_ENTRY}");
    if let (Some(entry), Some(_)) = (entry, history) {
        lose_others(entry, &place, &["messages"], &mut losses);
    }
    Adapted {
        document: chat(history.cloned().unwrap_or_else(|| Vec::new().into())),
        losses,
        moved: ("/history".to_owned(), format!("{place}/messages")),
    }
}

fn session_of_chat(state: &Value) -> Adapted {
    let mut losses = Vec::new();
    lose_others(
        state,
        "",
        &["history", "schemaVersion", "encoding"],
        &mut losses,
    );
    let history = state.get("history").cloned().unwrap_or_default();
    // A session of a version that is not supported has no entry yet.
    let bag = if history.as_array().is_none_or(<[Value]>::is_empty) {
        Object::new().into()
    } else {
        object(HISTORY_ENTRY, object("messages", history))
    };
    let document = object("stateBag", bag);
    Adapted {
        document,
        losses,
        moved: (
            format!("/stateBag/{HISTORY_ENTRY}/messages"),
            "/history".to_owned(),
        ),
    }
}

fn chat_of_message(message: &Value) -> Adapted {
    Adapted {
        document: chat(vec![message.clone()].into()),
        losses: Vec::new(),
        moved: ("/history/0".to_owned(), String::new()),
    }
}

fn chat(history: Value) -> Value {
    let members = [("history", history), ("channels", Vec::new().into())];
    Value::Object(members.into_iter().collect())
}

fn object(name: &str, value: Value) -> Value {
    Value::Object([(name, value)].into_iter().collect::<Object>())
}

/// Notes each member of an object that is not taken over, other than empty ones.
fn lose_others(value: &Value, place: &str, taken: &[&str], losses: &mut Vec<Loss>) {
    let Some(members) = value.as_object() else {
        return;
    };
    for (name, value) in members.iter() {
        let is_empty_list = value.as_array().is_some_and(<[Value]>::is_empty);
        if !taken.contains(&name.as_str()) && !is_empty_list {
            losses.push(Loss {
                class: ConversionLoss::Member,
                at: format!("{place}/{}", pointer::escape(name)),
                why: format!("only the history is taken over, not `{name}`"),
            });
        }
    }
}
