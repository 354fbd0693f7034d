//! The types through `serde`, where `serde_json` keeps every digit of its values.

#![cfg(feature = "serde")]

use chatstate::{ChatState, Event};
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
struct Flat {
    #[serde(flatten)]
    state: ChatState,
}

fn text(value: &str) -> String {
    format!(r#"{{"history":[],"channels":[],"n":{value}}}"#)
}

#[test]
fn texts_and_values_keep_every_digit() {
    let numbers = "[12345678901234567890.10,1.50,-0,1e+400,9007199254740993]";
    for inner in [
        numbers,
        r#"{"$serde_json::private::Number":"1"}"#,
        r#"{"$serde_json::private::RawValue":"[1]"}"#,
    ] {
        let text = text(inner);
        let state: ChatState = serde_json::from_str(&text).expect("a document");
        assert_eq!(state.to_json(), Ok(text.clone()));
        assert_eq!(serde_json::to_string(&state).expect("text"), text);
        let value = serde_json::to_value(&state).expect("a value");
        assert_eq!(value["n"].to_string(), inner);
        let again: ChatState = serde_json::from_value(value).expect("a document");
        assert_eq!(again, state);
    }
}

#[test]
fn numbers_that_were_read_before_are_refused() {
    let error = serde_json::from_str::<Flat>(&text("1.5")).expect_err("its digits may be lost");
    assert!(error.to_string().contains("flatten"), "{error}");
    let flat: Flat = serde_json::from_str(&text("null")).expect("a document");
    assert_eq!(serde_json::to_string(&flat).expect("text"), text("null"));
}

#[test]
fn readers_reject_what_from_json_rejects() {
    let twice = r#"{"history":[],"channels":[],"history":[]}"#;
    assert!(serde_json::from_str::<ChatState>(twice).is_err());
    let half = r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"\ud83d"}"#;
    let event: Event = serde_json::from_str(half).expect("an event");
    assert_eq!(serde_json::to_string(&event).expect("text"), half);
    assert!(serde_json::to_value(&event).is_err());
}
