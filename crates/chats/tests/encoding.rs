//! Encoding and decoding undo each other, for every saved chat.

mod chats;

use chats::{actions, agents, document, played};
use chatstate_chats::chat::ChatSerializer;
use chatstate_chats::encoding::{decode, encode};
use chatstate_json::to_text;
use chatstate_json::{canonical, parse};
use chatstate_types::generated::{ChatState, EncodedChatState};
use proptest::prelude::*;

fn canonical_of(text: &str) -> String {
    canonical(&parse(text).expect("what is written can be read"))
}

fn check(state: &ChatState) -> Result<(), TestCaseError> {
    let encoded = encode(state).expect("it is not sealed");
    let read = EncodedChatState::from_json(&to_text(&encoded)).expect("the encoded form is valid");
    prop_assert_eq!(&read, &encoded);
    let decoded = decode(&read).expect("what was encoded can be decoded");
    prop_assert_eq!(
        canonical_of(&to_text(&decoded)),
        canonical_of(&to_text(state))
    );
    prop_assert_eq!(&encode(&decoded).expect("it is not sealed"), &encoded);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_was_encoded_is_decoded(state in document()) {
        check(&state)?;
    }

    #[test]
    fn what_a_chat_saved_is_decoded(agents in agents(), actions in actions()) {
        check(&played(&agents, &actions).state())?;
    }

    #[test]
    fn nothing_of_a_state_can_be_read_in_the_encoded_form(text in "[a-z ]{12,40}") {
        let state = format!(r#"{{"history":[],"channels":[{{"channelkey":"k","channelstate":"{text}"}}]}}"#);
        let state = ChatState::from_json(&state).expect("it is valid");
        let encoded = to_text(&encode(&state).expect("it is not sealed"));
        prop_assert!(!encoded.contains(&text));
    }
}

#[test]
fn a_label_says_which_form_it_is() {
    let plain = r#"{"history":[],"channels":[]}"#;
    let encoded = r#"{"encoding":"base64","history":"W10=","channels":[]}"#;
    let read =
        |text: &str| ChatSerializer::deserialize(text).and_then(|read| read.state().to_json());
    assert_eq!(read(encoded).as_deref(), Ok(plain));
    assert_eq!(read(plain).as_deref(), Ok(plain));
    for text in [
        "null",
        "[]",
        "{}",
        r#"{"encoding":"gzip","history":[],"channels":[]}"#,
    ] {
        assert!(read(text).is_err(), "{text}");
    }
}
