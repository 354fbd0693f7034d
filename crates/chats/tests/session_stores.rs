//! What keeps the messages of a session: attached by a table, and states of several kinds.

mod sessions;

use chatstate_chats::session::{
    ChatMessageStore, Factory, InMemoryChatMessageStoreState, State, StoreRegistry, StoreState,
    attach, from_plain, to_plain,
};
use chatstate_json::Class;
use chatstate_json::Rejection;
use chatstate_json::{Value, parse};
use serde::{Deserialize, Serialize};
use sessions::{check_rejected, session};

/// A store whose messages are elsewhere.
struct Remote(StoreState);

impl ChatMessageStore for Remote {
    fn state(&self) -> &StoreState {
        &self.0
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

fn make(state: Option<StoreState>) -> Result<Box<dyn ChatMessageStore>, Rejection> {
    let state = match state {
        Some(state) => state,
        None => StoreState::new(&RemoteState {
            thread: "new".to_owned(),
        })?,
    };
    Ok(Box::new(Remote(state)))
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
        let factory: &Factory<'_> = &make;
        let factory = with_factory.then_some(factory);
        let store = attach(&mut session, "store", &registry(), factory).expect("attached");
        assert_eq!(store.state().kind(), kind, "for {entry:?}");
        assert_eq!(
            session.bag.text("store").expect("text").as_deref(),
            Some(after)
        );
    }
}

#[test]
fn a_rejected_attach_leaves_the_session() {
    let failing: &Factory<'_> =
        &|_| Err(Rejection::new(Class::Restore, "session.kind", "no client"));
    let cases: [(&str, Option<&Factory<'_>>, Class, &str, &str); 8] = [
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
            Some(&make),
            Class::Schema,
            "type",
            "/stateBag/s/$type",
        ),
        (
            r#"{"$type":"InMemoryChatMessageStoreState","messages":[{"role":"user"}]}"#,
            Some(&make),
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
            Some(&make),
            Class::Schema,
            "session.store-malformed",
            "/stateBag/s/MESSAGES",
        ),
        ("null", Some(failing), Class::Restore, "session.kind", ""),
    ];
    for (entry, factory, class, rule, at) in cases {
        let text = format!(r#"{{"stateBag":{{"s":{entry}}}}}"#);
        let mut session = session(&text);
        check_rejected(
            attach(&mut session, "s", &registry(), factory),
            class,
            rule,
            at,
        );
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
