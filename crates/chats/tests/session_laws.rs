//! Laws of sessions: what is not read is kept byte by byte, and a change changes nothing else.

use chatstate_arbitrary::texts;
use chatstate_chats::session::{Session, State, StateBag};
use chatstate_json::Rejection;
use chatstate_json::{Presence, Value, canonical, parse};
use proptest::prelude::*;

/// A type that knows one member of an object, whatever its value.
struct Known(Option<Value>);

impl State for Known {
    const NAME: &'static str = "Known";

    fn from_value(value: &Value) -> Result<Self, Rejection> {
        Ok(Self(value.get("known").cloned()))
    }

    fn to_value(&self) -> Result<Value, Rejection> {
        let members = self.0.iter().map(|value| ("known", value.clone()));
        Ok(Value::Object(members.collect()))
    }
}

/// Entries with keys that are not blank.
fn entries() -> impl Strategy<Value = Vec<(String, String)>> {
    let entry = ("[a-zA-Z$_.é\u{1f600}-]{1,8}", texts::json());
    prop::collection::vec(entry, 0..6).prop_map(|mut entries| {
        entries.sort();
        entries.dedup_by(|left, right| left.0 == right.0);
        entries
    })
}

fn bag_text(entries: &[(String, String)]) -> String {
    let entries = entries.iter();
    let members: Vec<_> = entries
        .map(|(key, text)| format!("\"{key}\":{text}"))
        .collect();
    format!("{{{}}}", members.join(","))
}

fn session_text(entries: &[(String, String)]) -> String {
    format!(
        r#"{{"sessionId":"s","stateBag":{},"unknown":[1.0]}}"#,
        bag_text(entries)
    )
}

fn saved(text: &str) -> String {
    let session = Session::from_json(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    session.to_json().expect("what was read can be written")
}

/// The objects of the entries, read as [`Known`].
fn read_all(bag: &mut StateBag) {
    let keys: Vec<String> = bag.keys().map(str::to_owned).collect();
    for key in keys {
        let found = bag.get::<Known>(&key).expect("every value fits");
        let is_null = bag.text(&key).expect("text").as_deref() == Some("null");
        assert_eq!(matches!(found, Presence::Null), is_null);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_not_read_is_written_byte_by_byte(entries in entries()) {
        let text = session_text(&entries);
        prop_assert_eq!(saved(&text), text);
    }

    #[test]
    fn many_cycles_are_as_one(entries in entries()) {
        let text = session_text(&entries);
        let mut document = text.clone();
        for _ in 0..5 {
            document = saved(&document);
            let session = Session::from_json(&document).expect("a session");
            let typed = session.to_document().expect("a document");
            let again = Session::from_document(&typed).expect("a session");
            document = again.to_json().expect("text");
        }
        let meaning = |text: &str| canonical(&parse(text).expect("JSON"));
        prop_assert_eq!(meaning(&document), meaning(&text));
        // From the second cycle on, the bytes are the same, too.
        prop_assert_eq!(saved(&document), document);
    }

    #[test]
    fn the_order_of_entries_means_nothing(
        (entries, shuffled) in entries().prop_flat_map(|entries| {
            (Just(entries.clone()), Just(entries).prop_shuffle())
        }),
    ) {
        let text = session_text(&shuffled);
        prop_assert_eq!(&saved(&text), &text);
        let meaning = |text: &str| canonical(&parse(text).expect("JSON"));
        prop_assert_eq!(meaning(&text), meaning(&session_text(&entries)));
    }

    #[test]
    fn reading_changes_no_byte(entries in entries()) {
        let text = bag_text(&entries);
        let mut bag = StateBag::from_json(&text).expect("a bag");
        read_all(&mut bag);
        prop_assert_eq!(bag.to_json(), Ok(text));
    }

    #[test]
    fn a_change_changes_nothing_else(text in texts::object(texts::json()), new in texts::json()) {
        let new = parse(&new).expect("JSON");
        let mut expected = parse(&text).expect("JSON");
        let Value::Object(members) = &mut expected else {
            return Err(TestCaseError::fail("it is an object"));
        };
        members.insert("known", new.clone());
        let mut bag = StateBag::from_json(&format!(r#"{{"k":{text}}}"#)).expect("a bag");
        let found = bag.get_mut::<Known>("k").expect("every value fits");
        let Presence::Value(state) = found else {
            return Err(TestCaseError::fail("there is an entry"));
        };
        state.0 = Some(new);
        prop_assert_eq!(bag.value("k"), Ok(Some(expected)));
    }
}
