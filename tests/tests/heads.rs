//! Heads of events: the corpus says the same of an event's text as of the typed event.

use chatstate::generated::Event;
use chatstate::head::{Head, Member, MessageHead};
use chatstate_tests::embedded::corpus;
use serde_json::value::RawValue;

/// Everything of a head that does not depend on where the event comes from.
fn facts(head: &Head<'_>) -> String {
    let texts: Vec<_> = Member::ALL_TEXTS.map(|it| head.text(it)).into();
    let mut messages = Vec::new();
    head.messages.for_each(|message| {
        let value = "";
        messages.push(format!(
            "{:?}",
            MessageHead {
                value,
                ..message.clone()
            }
        ));
    });
    let flags = (
        head.has_raw_event,
        head.has_metadata,
        head.has_unknown_members,
    );
    let (kind, tag, delta, replace) = (head.kind, head.tag(), head.delta, head.replace);
    format!("{kind:?} {tag} {texts:?} {delta:?} {replace:?} {flags:?} {messages:?}")
}

/// A head never refuses what the reader of whole events takes, and refuses in its words.
fn check(case: &str, text: &str) -> bool {
    let read = Head::read(text).map(|head| facts(&head));
    let typed = Event::from_json(text).map(|event| facts(&Head::of(&event)));
    match (&read, &typed) {
        (Ok(read), Ok(typed)) => assert_eq!(read, typed, "{case}: {text}"),
        (Err(read), Err(typed)) => assert_eq!(read, typed, "{case}: {text}"),
        (Err(read), Ok(_)) => panic!("{case}: {read}, but the event is read: {text}"),
        (Ok(_), Err(_)) => return false,
    }
    typed.is_ok()
}

#[test]
fn heads_of_the_corpus_are_those_of_its_typed_events() {
    let (mut same, mut streams) = (0, 0);
    for case in corpus().cases() {
        let Some(input) = &case.input else {
            continue;
        };
        match case.document_type.as_deref() {
            Some("Event") => same += usize::from(check(&case.id, input.get())),
            // Operations on event logs name no type.
            Some("EventStream") | None => {
                let events: Vec<&RawValue> = serde_json::from_str(input.get()).unwrap_or_default();
                streams += usize::from(!events.is_empty());
                for event in events {
                    same += usize::from(check(&case.id, event.get()));
                }
            }
            Some(_) => {}
        }
    }
    assert!(
        same > 500 && streams > 100,
        "{same} events of {streams} streams"
    );
}
