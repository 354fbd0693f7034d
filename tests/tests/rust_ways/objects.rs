//! Chats, sessions, stores and other forms: what is not one call on one value.

use std::collections::BTreeSet;
use std::marker::PhantomData;

use chatstate::chat::{Chat, ChatSerializer, HistoryAgent, HistoryChannel, OpaqueChannel};
use chatstate::generated::{ChatMessage, ChatRole, ChatState, Document};
use chatstate::json::{Value, parse};
use chatstate::replay::Replay;
use chatstate::seal::{self, SealKey};
use chatstate::session::{
    InMemoryChatMessageStore, InMemoryChatMessageStoreState, ProviderState, Session, State,
    StoreRegistry, StoreState, attach, from_plain, to_plain,
};
use chatstate::{Rejection, cbor, encoding};
use serde::{Deserialize, Serialize};

use crate::doors::{call, tree};

/// One row: the call, what it gives and a remark.
pub struct Row {
    pub call: String,
    pub gives: &'static str,
    pub remark: &'static str,
}

/// A state of a provider, which knows one member.
#[derive(Serialize, Deserialize)]
struct Notes {
    notes: Vec<String>,
}

impl State for Notes {
    const NAME: &'static str = "Notes";

    fn from_value(value: &Value) -> Result<Self, Rejection> {
        from_plain(value)
    }

    fn to_value(&self) -> Result<Value, Rejection> {
        to_plain(self)
    }
}

/// A row whose code was run just before; the code is what the page shows.
macro_rules! ran {
    ($rows:ident, $gives:literal, $remark:literal, $code:expr) => {{
        $rows.push(Row {
            call: call(stringify!($code)),
            gives: $gives,
            remark: $remark,
        });
        $code
    }};
}

fn agent() -> HistoryAgent {
    HistoryAgent::new("writer", "ChatCompletionAgent")
}

fn message() -> ChatMessage {
    ChatMessage::new(ChatRole::User, Vec::new())
}

fn chat() -> Chat {
    let mut chat = Chat::new();
    chat.add_agent(agent());
    chat.add_message(message());
    chat.take_part("writer");
    chat
}

/// The rows about chats.
pub fn chats() -> Result<Vec<Row>, Box<dyn std::error::Error>> {
    let mut rows = Vec::new();
    let chat = chat();
    let text = chat.state().to_json()?;
    let from_state = ran!(
        rows,
        "the document",
        "",
        serde_json::to_string(&chat.state())
    )?;
    assert_eq!(from_state, text);
    let mut bytes = Vec::new();
    ran!(
        rows,
        "the document",
        "never an agent",
        ChatSerializer::serialize(&chat, &mut bytes)
    )?;
    assert_eq!(String::from_utf8(bytes)?, text);
    let mut bytes = Vec::new();
    ran!(
        rows,
        "the same values",
        "encoded",
        ChatSerializer::serialize_encoded(&chat, &mut bytes)
    )?;
    let decoded = encoding::decode_text(&String::from_utf8(bytes)?)?;
    assert_eq!(tree(&decoded), tree(&text));
    let mut empty = Chat::new();
    empty.add_agent(agent());
    ran!(
        rows,
        "the document",
        "`empty` is a chat with the same agents",
        ChatSerializer::deserialize(&text)?.restore(&mut empty)
    )?;
    assert_eq!(empty.state(), chat.state());
    Ok(rows)
}

/// The rows about sessions.
pub fn sessions() -> Result<Vec<Row>, Box<dyn std::error::Error>> {
    let mut rows = Vec::new();
    let text = r#"{"stateBag":{"notes":{"more":1.50,"notes":["a"]},"x":[ 1.0]}}"#;
    let mut session = Session::from_json(text)?;
    let provider = ProviderState::<Notes>::new("notes", |_| Ok(Notes { notes: Vec::new() }))?;
    let remark = "then `session.to_json()`; the members that the type does not know are kept";
    ran!(
        rows,
        "the document",
        "",
        provider.get(&mut session)?.notes.push("b".to_owned())
    );
    rows.last_mut().ok_or("no row")?.remark = remark;
    let changed = text.replace(r#"["a"]"#, r#"["a","b"]"#);
    assert_eq!(session.to_json()?, changed);
    let mut registry = StoreRegistry::new();
    registry.register::<InMemoryChatMessageStoreState>()?;
    ran!(
        rows,
        "the document",
        "then `session.to_json()`; the rest of its state is kept letter by letter",
        attach(&mut session, "messages", &registry)?.append([message()])
    )?;
    let begin = changed.strip_suffix("}}").ok_or("an object")?;
    let store = r#""messages":{"$type":"InMemoryChatMessageStoreState","messages":[{"role":"user","items":[]}]}"#;
    let saved = format!("{begin},{store}}}}}");
    assert_eq!(session.to_json()?, saved);
    assert_eq!(
        ran!(
            rows,
            "the document",
            "for people who debug",
            format!("{session:?}")
        ),
        saved
    );
    let sessions = vec![session];
    let list = ran!(rows, "the document", "", Session::list_to_json(&sessions))?;
    assert_eq!(list, format!("[{saved}]"));
    let by_serde = ran!(
        rows,
        "the document",
        "an entry that is not read has no whitespace then",
        serde_json::to_string(&sessions)
    )?;
    assert_eq!(tree(&by_serde), tree(&list));
    let read = ran!(rows, "the document", "", Session::list_from_json(&list))?;
    assert_eq!(read[0].to_json()?, saved);
    Ok(rows)
}

/// The rows about other forms of a document.
pub fn forms() -> Result<Vec<Row>, Box<dyn std::error::Error>> {
    let mut rows = Vec::new();
    let text = r#"{"history":[],"channels":[],"n":12345678901234567890.10}"#;
    let value = parse(text)?;
    let bytes = ran!(rows, "the same values", "", cbor::to_cbor(&value))?;
    assert_eq!(
        ran!(rows, "the same values", "", cbor::from_cbor(&bytes))?,
        value
    );
    let state = ChatState::from_json(text)?;
    let encoded = ran!(rows, "the same values", "", encoding::encode(&state))?;
    assert_eq!(
        ran!(rows, "the same values", "", encoding::decode(&encoded))?,
        state
    );
    let key = SealKey::new(b"0123456789abcdef0123456789abcdef")?;
    let sealed = ran!(
        rows,
        "the document",
        "with a seal",
        seal::seal(&value, &key)
    )?;
    let unsealed = ran!(rows, "the document", "", seal::unseal(&sealed, &key))?;
    assert_eq!(unsealed.to_json(), text);
    let shown = format!("{key:?}");
    assert!(!shown.contains("0123"), "{shown}");
    Ok(rows)
}

/// Whether a type can be written or read by `serde`.
struct Probe<T>(PhantomData<T>);

trait Neither {
    const HAS_SERDE: bool = false;
}

impl<T> Neither for Probe<T> {}

impl<T: Serialize> Probe<T> {
    const HAS_SERDE: bool = true;
}

macro_rules! refused {
    ($($name:ty: $saved:literal,)*) => {
        vec![$({
            const { assert!(!Probe::<$name>::HAS_SERDE) };
            (stringify!($name), $saved)
        }),*]
    };
}

/// Types that are more or less than a document, and what saves what they hold.
pub fn refused() -> Vec<(&'static str, &'static str)> {
    const { assert!(Probe::<Session>::HAS_SERDE) };
    refused! {
        Chat: "`ChatSerializer`, `chat.state()`",
        ChatSerializer: "`serializer.state()`",
        HistoryAgent: "`serializer.participants()`",
        HistoryChannel: "`chat.state()`",
        OpaqueChannel: "`chat.state()`",
        InMemoryChatMessageStore<'static>: "`session.to_json()`",
        InMemoryChatMessageStoreState: "`session.to_json()`",
        StoreState<'static>: "`state.to_value()`",
        StoreRegistry: "nothing; it holds types",
        ProviderState<Notes>: "`session.to_json()`",
        SealKey: "nothing; it is a secret",
        Document: "`document.to_json()`, and `Document::read` with the name of its type",
        Replay: "the events, of which it is made again",
    }
}

/// The types of a source for which `serde` is implemented or derived.
pub fn implementations(source: &str) -> BTreeSet<String> {
    let implements = regex::Regex::new(
        r"(?m)^impl(?:<[^>]*>)? Serialize for (\w+)|^#\[derive\([^)]*Serialize[^)]*\)\]\s+pub \w+ (\w+)",
    );
    let implements = implements.unwrap_or_else(|error| panic!("{error}"));
    let found = implements.captures_iter(source);
    let name = |found: regex::Captures<'_>| {
        found
            .iter()
            .skip(1)
            .flatten()
            .next()
            .map(|it| it.as_str().to_owned())
    };
    found.filter_map(name).collect()
}
