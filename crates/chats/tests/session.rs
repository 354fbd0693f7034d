//! Sessions and their state bags: what is read as a type, what is kept, and what is rejected.

mod sessions;

use chatstate_chats::seal::{SealKey, seal, unseal};
use chatstate_chats::session::{
    ProviderState, Session, State, StateBag, check_provider_keys, from_plain, to_plain,
};
use chatstate_json::Class;
use chatstate_json::Rejection;
use chatstate_json::cbor::{from_cbor, to_cbor};
use chatstate_json::{Presence, Value, parse};
use chatstate_types::generated::ConversationId;
use chatstate_types::validate::check_value;
use serde::{Deserialize, Serialize};
use sessions::{check_rejected, session};

/// A type that knows two members, and writes one of them only where there is something to say.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Profile {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    visits: Option<u32>,
}

impl State for Profile {
    const NAME: &'static str = "Profile";

    fn from_value(value: &Value) -> Result<Self, Rejection> {
        from_plain(value)
    }

    fn to_value(&self) -> Result<Value, Rejection> {
        to_plain(self)
    }
}

/// A list of parts, with a default that it always writes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Notes {
    notes: Vec<Note>,
    #[serde(default)]
    pinned: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Note {
    text: String,
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

fn bag(text: &str) -> StateBag {
    StateBag::from_json(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn value<T>(found: Presence<T>) -> T {
    match found {
        Presence::Value(value) => value,
        Presence::Absent => panic!("there is no entry"),
        Presence::Null => panic!("the entry is null"),
    }
}

fn note(text: &str) -> Note {
    Note {
        text: text.to_owned(),
    }
}

/// An entry, a change of its state, and the entry afterwards.
type Change<T> = (&'static str, fn(&mut T), &'static str);

/// What a change of a `Profile` or of `Notes` makes of a text.
fn check_change<T: State>(cases: &[Change<T>]) {
    for (before, change, after) in cases {
        let mut bag = bag(&format!(r#"{{"a":1.0,"state":{before},"z":[]}}"#));
        change(value(bag.get_mut("state").expect("the type fits")));
        let expected = format!(r#"{{"a":1.0,"state":{after},"z":[]}}"#);
        assert_eq!(
            bag.to_json().as_deref(),
            Ok(expected.as_str()),
            "of {before}"
        );
    }
}

#[test]
fn what_a_type_does_not_know_survives_its_changes() {
    check_change::<Profile>(&[
        // Nothing is changed, so nothing is written again: not the number, not the whitespace.
        (
            r#"{ "size": 1.00, "name": "\u0041", "visits": 3e0 }"#,
            |_| {},
            r#"{ "size": 1.00, "name": "\u0041", "visits": 3e0 }"#,
        ),
        (
            r#"{"size":1.00,"name":"a","deep":{"b":null}}"#,
            |profile| profile.name.push('b'),
            r#"{"size":1.00,"name":"ab","deep":{"b":null}}"#,
        ),
        // A member that the type takes away is gone, and one that it adds comes last.
        (
            r#"{"name":"a","visits":3,"other":{}}"#,
            |profile| profile.visits = None,
            r#"{"name":"a","other":{}}"#,
        ),
        (
            r#"{"name":"a","other":{}}"#,
            |profile| profile.visits = Some(1),
            r#"{"name":"a","other":{},"visits":1}"#,
        ),
        (
            r#"{"name":"a","visits":null,"other":0.10}"#,
            |profile| profile.name.clear(),
            r#"{"name":"","visits":null,"other":0.10}"#,
        ),
    ]);
    check_change::<Notes>(&[
        // A default is not written by reading, and is by setting it.
        (
            r#"{"notes":[]}"#,
            |notes| notes.notes.push(note("a")),
            r#"{"notes":[{"text":"a"}]}"#,
        ),
        (
            r#"{"notes":[]}"#,
            |notes| notes.pinned = true,
            r#"{"notes":[],"pinned":true}"#,
        ),
        // The items of a list keep what the type does not know of them.
        (
            r#"{"notes":[{"text":"a","id":1.0},{"text":"b","id":2.0}]}"#,
            |notes| notes.notes[1].text.push('!'),
            r#"{"notes":[{"text":"a","id":1.0},{"text":"b!","id":2.0}]}"#,
        ),
        (
            r#"{"notes":[{"text":"a","id":1.0},{"text":"b","id":2.0}]}"#,
            |notes| notes.notes.push(note("c")),
            r#"{"notes":[{"text":"a","id":1.0},{"text":"b","id":2.0},{"text":"c"}]}"#,
        ),
        (
            r#"{"notes":[{"text":"a","id":1.0},{"text":"b","id":2.0}]}"#,
            |notes| drop(notes.notes.remove(0)),
            r#"{"notes":[{"text":"b","id":2.0}]}"#,
        ),
        (
            r#"{"notes":[{"text":"a","id":1.0},{"text":"b","id":2.0}]}"#,
            |notes| notes.notes.insert(1, note("c")),
            r#"{"notes":[{"text":"a","id":1.0},{"text":"c"},{"text":"b","id":2.0}]}"#,
        ),
    ]);
}

#[test]
fn a_second_read_gives_the_same_value() {
    let mut bag = bag(r#"{"p":{"name":"a"},"n":null}"#);
    let first: &Profile = value(bag.get("p").expect("a profile"));
    let second: &Profile = value(bag.get("p").expect("a profile"));
    assert!(std::ptr::eq(first, second));
    value(bag.get_mut::<Profile>("p").expect("a profile"))
        .name
        .push('b');
    let again: &Profile = value(bag.get("p").expect("a profile"));
    assert_eq!(again.name, "ab");
    assert_eq!(bag.get::<Profile>("n"), Ok(Presence::Null));
    assert_eq!(bag.get::<Profile>("P"), Ok(Presence::Absent));
    assert_eq!(
        bag.to_json().as_deref(),
        Ok(r#"{"p":{"name":"ab"},"n":null}"#)
    );
}

#[test]
fn one_entry_has_one_type() {
    let mut bag = bag(r#"{"p":{"name":"a","notes":[]}}"#);
    let _: &Profile = value(bag.get("p").expect("a profile"));
    let message = check_rejected(
        bag.get_mut::<Notes>("p"),
        Class::Semantic,
        "session.other-type",
        "/stateBag/p",
    );
    for name in ["`Profile`", "`Notes`"] {
        assert!(message.contains(name), "{message}");
    }
    assert!(!message.contains("::"), "{message}");
    assert_eq!(
        bag.to_json().as_deref(),
        Ok(r#"{"p":{"name":"a","notes":[]}}"#)
    );
    // Setting it is allowed, and replaces everything.
    let notes = Notes {
        notes: Vec::new(),
        pinned: true,
    };
    bag.set("p", notes).expect("any type may be set");
    assert_eq!(
        bag.to_json().as_deref(),
        Ok(r#"{"p":{"notes":[],"pinned":true}}"#)
    );
}

#[test]
fn a_value_of_another_shape_is_rejected_and_stays() {
    let texts = ["3", "[]", "\"a\"", r#"{"name":1}"#, "{}", "true"];
    for text in texts {
        let text = format!(r#"{{"p":{text}}}"#);
        let bag = bag(&text);
        let message = check_rejected(
            bag.get::<Profile>("p"),
            Class::Schema,
            "type",
            "/stateBag/p",
        );
        assert!(message.contains("no `Profile`"), "{message}");
        assert_eq!(bag.to_json().as_deref(), Ok(text.as_str()));
    }
}

#[test]
fn blank_keys_are_rejected() {
    for key in ["", " ", "\t\n", "\u{a0}\u{3000}"] {
        let at = format!("/stateBag/{key}");
        let rejected = |result| check_rejected(result, Class::Semantic, "session.blank-key", &at);
        let mut bag = StateBag::new();
        rejected(bag.set_value(key, &Value::Null));
        let profile = Profile {
            name: String::new(),
            visits: None,
        };
        rejected(bag.set(key, profile.clone()));
        rejected(ProviderState::new(key, move |_| Ok(profile.clone())).map(drop));
        assert!(bag.is_empty());
        let mut text = String::from(r#"{"stateBag":{"#);
        chatstate_json::write_string(&mut text, key);
        text.push_str(":1}}");
        rejected(Session::from_json(&text).map(drop));
        rejected(chatstate_types::validate::validate("AgentSession", &text).expect("a type"));
        let tree = parse(&text).expect("JSON");
        rejected(check_value("AgentSession", &tree).expect("a type"));
    }
}

#[test]
fn a_provider_keeps_its_state_in_the_session() {
    let provider = ProviderState::new("profile", |session: &Session| {
        let name = session.id().unwrap_or("nobody").to_owned();
        Ok(Profile { name, visits: None })
    });
    let provider = provider.expect("a key");
    let mut first = session(r#"{"sessionId":"a","stateBag":{}}"#);
    let mut second = session(r#"{"stateBag":{"profile":null}}"#);
    provider.get(&mut first).expect("a state").visits = Some(1);
    provider.get(&mut second).expect("a state");
    assert_eq!(
        first.to_json().as_deref(),
        Ok(r#"{"sessionId":"a","stateBag":{"profile":{"name":"a","visits":1}}}"#)
    );
    assert_eq!(
        second.to_json().as_deref(),
        Ok(r#"{"stateBag":{"profile":{"name":"nobody"}}}"#)
    );
    // What another provider keeps under the key is never overwritten.
    let notes = ProviderState::new("profile", |_| {
        let notes = Vec::new();
        Ok(Notes {
            notes,
            pinned: false,
        })
    });
    let notes = notes.expect("a key");
    let at = "/stateBag/profile";
    check_rejected(
        notes.get(&mut first),
        Class::Semantic,
        "session.other-type",
        at,
    );
    let mut third = session(r#"{"stateBag":{"profile":{"name":"c"}}}"#);
    check_rejected(notes.get(&mut third), Class::Schema, "type", at);
    assert_eq!(
        third.to_json().as_deref(),
        Ok(r#"{"stateBag":{"profile":{"name":"c"}}}"#)
    );
}

#[test]
fn providers_have_keys_of_their_own() {
    assert_eq!(check_provider_keys(["a", "A", "b"]), Ok(()));
    let conflict = check_provider_keys(["a", "b", "a"]);
    let message = check_rejected(conflict, Class::Semantic, "session.provider-conflict", "");
    assert!(message.contains("`a`"), "{message}");
}

#[test]
fn a_session_of_another_kind_is_rejected() {
    let named = session(r#"{"sessionType":"A2AAgentSession","contextId":"c","stateBag":{}}"#);
    assert_eq!(named.expect_kind("A2AAgentSession"), Ok(()));
    let rejected = named.expect_kind("ChatClientAgentSession");
    check_rejected(rejected, Class::Restore, "session.kind", "/sessionType");
    assert_eq!(
        session(r#"{"stateBag":{}}"#).expect_kind("A2AAgentSession"),
        Ok(())
    );
}

#[test]
fn a_conversation_has_an_identity() {
    let mut session = Session::new();
    let blank = session.set_conversation_id(ConversationId::Text(" ".to_owned()));
    check_rejected(
        blank,
        Class::Semantic,
        "session.conversation-id",
        "/conversationId",
    );
    assert_eq!(session.conversation_id(), None);
    let id = ConversationId::Text("c-1".to_owned());
    assert_eq!(session.set_conversation_id(id), Ok(()));
    session.set_id("s");
    session.set_kind("K");
    assert_eq!(
        session.to_json().as_deref(),
        Ok(r#"{"sessionId":"s","sessionType":"K","conversationId":"c-1","stateBag":{}}"#)
    );
}

/// A sealed session is used after its seal was verified, a change needs a new seal, and CBOR keeps one.
#[test]
fn a_seal_tells_of_changes() {
    let key = SealKey::new(b"a key of some test").expect("a key");
    let document = parse(r#"{"stateBag":{"h":[{"role":"user"}],"p":{"name":"a","n":1.00}}}"#);
    let sealed = seal(&document.expect("JSON"), &key).expect("a seal");
    let rejection = Session::from_json(&sealed.to_json()).expect_err("nobody has looked");
    assert_eq!(rejection.rule, "seal.unverified");
    let list = format!(r#"[{{"stateBag":{{}}}},{}]"#, sealed.to_json());
    let rejection = Session::list_from_json(&list).expect_err("nobody has looked");
    assert_eq!(
        (&*rejection.rule, &*rejection.at),
        ("seal.unverified", "/1/seal")
    );
    let bytes = to_cbor(&sealed).expect("bytes");
    let unsealed = unseal(&from_cbor(&bytes).expect("a value"), &key).expect("it fits");
    let session = session(&unsealed.to_json());
    let saved = parse(&session.to_json().expect("text")).expect("JSON");
    assert_eq!(seal(&saved, &key), Ok(sealed));
}

#[test]
fn threads_read_one_bag() {
    let bag = bag(r#"{"p":{"name":"a"}}"#);
    std::thread::scope(|scope| {
        let read = || value::<&Profile>(bag.get("p").expect("a profile"));
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(read)).collect();
        let threads = threads.into_iter();
        let read: Vec<_> = threads.map(|it| it.join().expect("no panic")).collect();
        assert!(read.windows(2).all(|pair| std::ptr::eq(pair[0], pair[1])));
    });
}

#[test]
fn lists_hold_sessions_of_different_kinds() {
    let text = r#"[{"sessionType":"A","stateBag":{"n":1.0}},{"stateBag":{}},{"conversationId":{"id":"x"},"stateBag":{"n":null}}]"#;
    let sessions = Session::list_from_json(text).expect("a list");
    assert_eq!(Session::list_to_json(&sessions).as_deref(), Ok(text));
    let kinds: Vec<_> = sessions.iter().map(Session::kind).collect();
    assert_eq!(kinds, [Some("A"), None, None]);
    let blank = r#"[{"stateBag":{}},{"stateBag":{"":1}}]"#;
    let tree = check_value("SessionList", &parse(blank).expect("JSON"));
    check_rejected(
        tree.expect("a type"),
        Class::Semantic,
        "session.blank-key",
        "/1/stateBag/",
    );
    let rejected = Session::list_from_json(blank);
    check_rejected(
        rejected,
        Class::Semantic,
        "session.blank-key",
        "/1/stateBag/",
    );
    let rejected = Session::list_from_json(r#"[{"state":{},"schemaVersion":"2"}]"#);
    check_rejected(
        rejected,
        Class::Version,
        "version.unspoken",
        "/0/schemaVersion",
    );
}
