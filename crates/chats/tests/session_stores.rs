//! What keeps the messages of a session: attached by a table, and states of several kinds.

mod sessions;

use chatstate_chats::session::{
    ChatMessageStore, InMemoryChatMessageStore, InMemoryChatMessageStoreState, Session, State,
    StoreRegistry, StoreState, attach, attach_with, from_plain, to_plain,
};
use chatstate_json::Class;
use chatstate_json::Rejection;
use chatstate_json::{Value, parse};
use chatstate_types::generated::ChatMessage;
use serde::{Deserialize, Serialize};
use sessions::{check_rejected, session};

/// A store whose messages are elsewhere.
struct Remote<'a>(StoreState<'a>);

impl<'a> ChatMessageStore<'a> for Remote<'a> {
    fn state(&self) -> &StoreState<'a> {
        &self.0
    }

    fn state_mut(&mut self) -> &mut StoreState<'a> {
        &mut self.0
    }
}

impl State for RemoteState {
    const NAME: &'static str = "RemoteState";

    fn from_value(value: &Value) -> Result<Self, Rejection> {
        from_plain(value)
    }

    fn to_value(&self) -> Result<Value, Rejection> {
        to_plain(self)
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct RemoteState {
    thread: String,
}

fn registry() -> StoreRegistry {
    let mut registry = StoreRegistry::new();
    registry
        .register::<InMemoryChatMessageStoreState>()
        .expect("new");
    registry.register::<RemoteState>().expect("new");
    registry
}

/// A store of any kind.
type AnyStore<'a> = Box<dyn ChatMessageStore<'a> + 'a>;

/// A factory, as a table has them.
type Factory = for<'a> fn(Option<StoreState<'a>>) -> Result<AnyStore<'a>, Rejection>;

fn make(state: Option<StoreState<'_>>) -> Result<AnyStore<'_>, Rejection> {
    let state = match state {
        Some(state) => state,
        None => StoreState::new(&RemoteState {
            thread: "new".to_owned(),
        })?,
    };
    Ok(Box::new(Remote(state)))
}

fn fail(_: Option<StoreState<'_>>) -> Result<AnyStore<'_>, Rejection> {
    let message = "no client";
    Err(Rejection::new(Class::Restore, "session.kind", message))
}

/// A factory that fails after it has changed the state.
fn change_and_fail(mut state: Option<StoreState<'_>>) -> Result<AnyStore<'_>, Rejection> {
    if let Some(state) = &mut state {
        state.get_mut::<RemoteState>()?.thread.push('!');
    }
    fail(state)
}

fn attached<'a>(
    session: &'a mut Session,
    key: &str,
    factory: Option<Factory>,
) -> Result<AnyStore<'a>, Rejection> {
    match factory {
        None => Ok(Box::new(attach(session, key, &registry())?)),
        Some(make) => attach_with(session, key, &registry(), make),
    }
}

/// The table of attaching: the entry, whether there is a factory, the kind that is attached, and
/// the entry afterwards.
#[test]
fn stores_are_attached_by_a_table() {
    let memory = r#"{"$type":"InMemoryChatMessageStoreState","messages":[]}"#;
    let remote = r#"{"$type":"RemoteState","thread":"new"}"#;
    let full = r#"{"messages":[{"role":"user","items":[],"extra":1.0}],"$type":"InMemoryChatMessageStoreState","x":1}"#;
    let cases: [(Option<&str>, bool, &str, &str); 8] = [
        (None, false, "InMemoryChatMessageStoreState", memory),
        (Some("null"), false, "InMemoryChatMessageStoreState", memory),
        (None, true, "RemoteState", remote),
        (Some("null"), true, "RemoteState", remote),
        (Some(full), false, "InMemoryChatMessageStoreState", full),
        (Some(full), true, "InMemoryChatMessageStoreState", full),
        (
            Some(r#"{"thread":"t","$type":"RemoteState"}"#),
            true,
            "RemoteState",
            r#"{"thread":"t","$type":"RemoteState"}"#,
        ),
        (
            Some(r#"{"$type":"Other","n":1.0}"#),
            true,
            "Other",
            r#"{"$type":"Other","n":1.0}"#,
        ),
    ];
    for (entry, with_factory, kind, after) in cases {
        let bag = entry
            .map(|entry| format!(r#""store":{entry}"#))
            .unwrap_or_default();
        let mut session = session(&format!(r#"{{"stateBag":{{{bag}}}}}"#));
        let factory: Option<Factory> = if with_factory { Some(make) } else { None };
        let store = attached(&mut session, "store", factory).expect("attached");
        assert_eq!(store.state().kind(), kind, "for {entry:?}");
        drop(store);
        assert_eq!(
            session.bag.text("store").expect("text").as_deref(),
            Some(after)
        );
    }
}

#[test]
fn a_rejected_attach_leaves_the_session() {
    let cases: [(&str, Option<Factory>, Class, &str, &str); 9] = [
        (
            r#"{"$type":"RemoteState","thread":"t"}"#,
            None,
            Class::Restore,
            "session.attach-unknown",
            "/stateBag/s/$type",
        ),
        (
            r#"{"$type":"Other"}"#,
            None,
            Class::Restore,
            "session.attach-unknown",
            "/stateBag/s/$type",
        ),
        (
            r#"{"messages":[]}"#,
            None,
            Class::Schema,
            "required",
            "/stateBag/s/$type",
        ),
        (
            r#"{"$type":1}"#,
            Some(make),
            Class::Schema,
            "type",
            "/stateBag/s/$type",
        ),
        (
            r#"{"$type":"InMemoryChatMessageStoreState","messages":[{"role":"user"}]}"#,
            Some(make),
            Class::Schema,
            "required",
            "/stateBag/s/messages/0/items",
        ),
        (
            r#"{"$type":"InMemoryChatMessageStoreState","Messages":[]}"#,
            None,
            Class::Schema,
            "session.store-malformed",
            "/stateBag/s/Messages",
        ),
        (
            r#"{"$type":"InMemoryChatMessageStoreState","MESSAGES":[]}"#,
            Some(make),
            Class::Schema,
            "session.store-malformed",
            "/stateBag/s/MESSAGES",
        ),
        ("null", Some(fail), Class::Restore, "session.kind", ""),
        (
            r#"{"$type":"RemoteState","thread":"t"}"#,
            Some(change_and_fail),
            Class::Restore,
            "session.kind",
            "",
        ),
    ];
    for (entry, factory, class, rule, at) in cases {
        let text = format!(r#"{{"stateBag":{{"s":{entry}}}}}"#);
        let mut session = session(&text);
        check_rejected(attached(&mut session, "s", factory), class, rule, at);
        assert_eq!(session.to_json().as_deref(), Ok(text.as_str()));
    }
}

#[test]
fn states_of_several_kinds() {
    let text = r#"{"thread":"t","$type":"RemoteState","region":"e"}"#;
    let mut state = registry().read(&parse(text).expect("JSON")).expect("known");
    assert!(state.is_known());
    state
        .get_mut::<RemoteState>()
        .expect("its type")
        .thread
        .push('!');
    let after = state.to_value().expect("a value").to_json();
    assert_eq!(
        after,
        r#"{"thread":"t!","$type":"RemoteState","region":"e"}"#
    );
    check_rejected(
        state.get::<InMemoryChatMessageStoreState>(),
        Class::Semantic,
        "session.other-type",
        "/$type",
    );
    let twice = registry().register::<RemoteState>();
    check_rejected(twice, Class::Semantic, "session.store-twice", "");
}

fn message(text: &str) -> ChatMessage {
    let text = format!(r#"{{"role":"user","items":[{{"type":"text","text":"{text}"}}]}}"#);
    ChatMessage::from_json(&text).expect("a message")
}

/// A factory of stores in memory.
fn memory(state: Option<StoreState<'_>>) -> Result<InMemoryChatMessageStore<'_>, Rejection> {
    match state {
        None => InMemoryChatMessageStore::new(),
        Some(state) => InMemoryChatMessageStore::of_state(state),
    }
}

/// What is added to an attached store is saved with the session, and nothing else changes: the
/// entry before, and the messages that one store after the other adds to it.
#[test]
fn what_an_attached_store_keeps_is_saved() {
    let full = r#"{"x":1.00,"messages":[{"role":"user","items":[],"n":2.50}],"$type":"InMemoryChatMessageStoreState"}"#;
    let a = message("a").to_json().expect("it is valid");
    let b = message("b").to_json().expect("it is valid");
    let cases = [
        (
            None,
            format!(r#"{{"$type":"InMemoryChatMessageStoreState","messages":[{a},{b}]}}"#),
        ),
        (
            Some(r#"{"$type":"InMemoryChatMessageStoreState","y":[1e2]}"#),
            format!(
                r#"{{"$type":"InMemoryChatMessageStoreState","y":[1e2],"messages":[{a},{b}]}}"#
            ),
        ),
        (
            Some(full),
            full.replace("2.50}]", &format!("2.50}},{a},{b}]")),
        ),
    ];
    for (entry, after) in cases {
        let bag = entry.map(|entry| format!(r#","s":{entry}"#));
        let begin = r#"{"stateBag":{"other":{"k": 1.0}"#;
        let mut session = session(&format!("{begin}{}}}}}", bag.unwrap_or_default()));
        let mut store = attach(&mut session, "s", &registry()).expect("attached");
        store.append([message("a")]).expect("added");
        let mut store = attach_with(&mut session, "s", &registry(), memory).expect("attached");
        let count = store.messages().expect("messages").len();
        store.messages_mut().expect("messages").push(message("b"));
        assert_eq!(store.messages().expect("messages").len(), count + 1);
        let saved = session.to_json().expect("text");
        assert_eq!(saved, format!(r#"{begin},"s":{after}}}}}"#));
    }
}

/// The states of other kinds are live, too, whether the session had one or not.
#[test]
fn a_state_of_a_factory_is_the_entry() {
    let cases = [
        (
            r#"{"stateBag":{}}"#,
            r#"{"$type":"RemoteState","thread":"new!"}"#,
        ),
        (
            r#"{"stateBag":{"s":{"thread":"t","$type":"RemoteState","n":1.0}}}"#,
            r#"{"thread":"t!","$type":"RemoteState","n":1.0}"#,
        ),
    ];
    for (text, after) in cases {
        let mut session = session(text);
        let mut store = attached(&mut session, "s", Some(make)).expect("attached");
        let state = store.state_mut().get_mut::<RemoteState>();
        state.expect("its type").thread.push('!');
        drop(store);
        let saved = session.bag.text("s").expect("text");
        assert_eq!(saved.as_deref(), Some(after));
    }
}

#[test]
fn a_store_under_a_blank_key_is_rejected_before_it_is_made() {
    let make = |_: Option<StoreState<'_>>| -> Result<Remote<'_>, Rejection> {
        panic!("the factory is not asked")
    };
    let mut session = session(r#"{"stateBag":{}}"#);
    let refused = attach_with(&mut session, " ", &registry(), make);
    let message = refused.err().expect("a rejection").message;
    assert!(message.contains("blank"), "{message}");
    assert_eq!(session.to_json().as_deref(), Ok(r#"{"stateBag":{}}"#));
}

/// What is shown while a program is debugged is what would be written, and not what was read.
#[test]
fn debug_shows_what_would_be_written() {
    let mut session = session(r#"{"stateBag":{"s":{"$type":"RemoteState","thread":"t"}}}"#);
    let mut store = attach_with(&mut session, "s", &registry(), |state| match state {
        Some(state) => Ok(Remote(state)),
        None => Err(Rejection::schema("required", "there is a state")),
    })
    .expect("attached");
    let state = store.state_mut();
    state.get_mut::<RemoteState>().expect("its type").thread = "u".to_owned();
    let written = r#"{"$type":"RemoteState","thread":"u"}"#;
    assert!(format!("{state:?}").contains(written), "{state:?}");
    let session_text = session.to_json().expect("text");
    assert!(session_text.contains(written), "{session_text}");
    assert_eq!(format!("{session:?}"), session_text);
}
