//! Heads: what is read of an event's text is what a typed event says.

use chatstate_json::Rejection;
use chatstate_streams::head::{Head, Member, MessageHead};
use chatstate_types::generated::Event;

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

fn judged(read: &Result<String, Rejection>) -> Result<&String, String> {
    let verdict = |it: &Rejection| format!("{} {} {}", it.class, it.rule, it.at);
    read.as_ref().map_err(verdict)
}

/// What is expected of a text.
#[derive(Debug, PartialEq)]
enum Wanted {
    /// Both ways give one head.
    Same,
    /// Both ways refuse, with one class, rule and place.
    Refused(&'static str),
    /// Only the reader of whole events looks at what is wrong.
    PassedOver,
}
use Wanted::{PassedOver, Refused, Same};

fn check(text: &str, wanted: &Wanted) {
    let read = Head::read(text).map(|head| facts(&head));
    let typed = Event::from_json(text).map(|event| facts(&Head::of(&event)));
    let (read, typed) = (judged(&read), judged(&typed));
    match wanted {
        PassedOver => assert!(
            read.is_ok() && typed.is_err(),
            "{text}: {read:?}, {typed:?}"
        ),
        Same => {
            assert!(read.is_ok(), "{text}: {read:?}");
            assert_eq!(read, typed, "{text}");
        }
        Refused(verdict) => {
            assert_eq!(read, Err((*verdict).to_owned()), "{text}");
            assert_eq!(read, typed, "{text}");
        }
    }
}

const EVENTS: &[(&str, Wanted)] = &[
    (r#"{"type":"TEXT_MESSAGE_END","messageId":"a\u0062"}"#, Same),
    (r#"{"messageId":"m","type":"TEXT_MESSAGE_END"}"#, Same),
    (r#" {"type":"RAW","event":null}"#, Same),
    (r#"{"type":"\u0052AW","event":null}"#, Same),
    (r#"{"t\u0079pe":"RAW","event":null}"#, Same),
    (r#"{"type":"TEXT_MESSAGE_END","messageId":""}"#, Same),
    // Streamed text and the halves of characters at its ends.
    (
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":""}"#,
        Same,
    ),
    (
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a\n"}"#,
        Same,
    ),
    (
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"\\ud83d"}"#,
        Same,
    ),
    (
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"\ud83d\ude00"}"#,
        Same,
    ),
    (
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a\ud83d"}"#,
        Same,
    ),
    (
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"\uDE00"}"#,
        Same,
    ),
    (
        r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"\ude00{\ud83d"}"#,
        Same,
    ),
    (
        r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"a\ude00"}"#,
        Refused("syntax unpaired-surrogate /delta"),
    ),
    (
        r#"{"type":"TEXT_MESSAGE_END","messageId":"\ud83d"}"#,
        Refused("syntax unpaired-surrogate /messageId"),
    ),
    (r#"{"type":"TEXT_MESSAGE_CHUNK"}"#, Same),
    (
        r#"{"type":"TEXT_MESSAGE_CHUNK","delta":"a","messageId":"m","role":"user"}"#,
        Same,
    ),
    (r#"{"type":"STATE_DELTA","delta":[]}"#, Same),
    // Members that the schema does not name, whatever they are called and hold.
    (r#"{"type":"STATE_DELTA","delta":[],"messageId":5}"#, Same),
    (
        r#"{"type":"RUN_ERROR","message":"m","delta":5,"input":null}"#,
        Same,
    ),
    (
        r#"{"type":"TEXT_MESSAGE_END","messageId":"m","role":"user","x":{}}"#,
        Same,
    ),
    (
        r#"{"type":"x","delta":5,"messageId":null,"metadata":null,"rawEvent":null}"#,
        Same,
    ),
    (r#"{"type":"x"}"#, Same),
    (
        r#"{"type":"CUSTOM","name":"n","value":0,"input":{"a":1},"messages":0}"#,
        Same,
    ),
    // Twice the same name.
    (
        r#"{"type":"RAW","event":1,"event":1}"#,
        Refused("syntax duplicate-member /event"),
    ),
    (
        r#"{"type":"RAW","type":"RAW","event":1}"#,
        Refused("syntax duplicate-member /type"),
    ),
    (
        r#"{"type":"x","y":1,"\u0079":1}"#,
        Refused("syntax duplicate-member /y"),
    ),
    (
        r#"{"type":"RAW","event":{"a":1,"a":1}}"#,
        Refused("syntax duplicate-member /event/a"),
    ),
    // What must be there, and of which kind.
    (r#"{"messageId":"m"}"#, Refused("schema required /type")),
    (r#"{"type":null}"#, Refused("schema type /type")),
    (
        r#"{"type":"TEXT_MESSAGE_CONTENT","delta":""}"#,
        Refused("schema required /messageId"),
    ),
    (
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m"}"#,
        Refused("schema required /delta"),
    ),
    (
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":null}"#,
        Refused("schema type /delta"),
    ),
    (
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":5,"delta":""}"#,
        Refused("schema type /messageId"),
    ),
    (
        r#"{"type":"TEXT_MESSAGE_END","messageId":"m","subagentRunId":null}"#,
        Refused("schema type /subagentRunId"),
    ),
    (
        r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"tool"}"#,
        Refused("schema enum /role"),
    ),
    (
        r#"{"type":"REASONING_MESSAGE_START","messageId":"m","role":"user"}"#,
        Refused("schema const /role"),
    ),
    (
        r#"{"type":"RAW","event":1,"metadata":null}"#,
        Refused("schema type /metadata"),
    ),
    (
        r#"{"type":"RAW","event":1,"rawEvent":null}"#,
        Refused("schema type /rawEvent"),
    ),
    (
        r#"{"type":"RAW","event":1,"timestamp":"1"}"#,
        Refused("schema type /timestamp"),
    ),
    (r#"{"type":"RAW","event":1,"timestamp":1.5}"#, PassedOver),
    (r#"{"type":"RAW","event":1,"source":5}"#, PassedOver),
    (
        r#"{"type":"STATE_DELTA","delta":{}}"#,
        Refused("schema type /delta"),
    ),
    (r#"{"type":"STATE_DELTA","delta":[5]}"#, PassedOver),
    (
        r#"{"type":"ACTIVITY_SNAPSHOT","messageId":"m","activityType":"a","content":{},"replace":"no"}"#,
        Refused("schema type /replace"),
    ),
    (
        r#"{"type":"ACTIVITY_SNAPSHOT","messageId":"m","activityType":"a","content":{},"replace":false}"#,
        Same,
    ),
    (
        r#"{"type":"REASONING_ENCRYPTED_VALUE","subtype":"x","entityId":"m","encryptedValue":"v"}"#,
        Refused("schema enum /subtype"),
    ),
    // What is no event at all.
    ("[]", Refused("schema type ")),
    ("5", Refused("schema type ")),
    ("", Refused("syntax json ")),
    (r#"{"type":"RAW","event":1}{}"#, Refused("syntax json ")),
    (r#"{"type":"RAW","event":1"#, Refused("syntax json ")),
];

#[test]
fn heads_are_read_as_typed_events_say() {
    for (text, wanted) in EVENTS {
        check(text, wanted);
    }
}

#[test]
fn messages_are_read_as_typed_events_say() {
    let cases = [
        ("", Same),
        (r#"{"id":"u","role":"user","content":"x"}"#, Same),
        (
            r#"{"role":"system","content":"x","id":"\u0075","subagentRunId":"s"},{"role":"x"}"#,
            Same,
        ),
        (
            r#"{"role":"x","id":5,"subagentRunId":null,"toolCalls":5}"#,
            Same,
        ),
        (
            r#"{"role":"x","id":"i","subagentRunId":"s","toolCalls":[]}"#,
            Same,
        ),
        (
            r#"{"id":"a","role":"assistant","toolCalls":[{"id":"\u0063","type":"function","function":{"name":"f","arguments":""}}]}"#,
            Same,
        ),
        (
            r#"{"id":"u","role":"user","content":"x","toolCalls":[{"id":"c"}]}"#,
            Same,
        ),
        (
            r#"{"id":"a","role":"activity","activityType":"t","content":{}}"#,
            Same,
        ),
        (r#"{"id":"u","role":"user"}"#, PassedOver),
        ("5", Refused("schema type /messages/0")),
        (
            r#"{"role":"user","content":"x"}"#,
            Refused("schema required /messages/0/id"),
        ),
        (r#"{"role":5}"#, Refused("schema type /messages/0/role")),
        (
            r#"{"id":"u","role":"user","content":"x","subagentRunId":5}"#,
            Refused("schema type /messages/0/subagentRunId"),
        ),
        (
            r#"{"id":"a","role":"assistant","toolCalls":null}"#,
            Refused("schema type /messages/0/toolCalls"),
        ),
        (
            r#"{"id":"a","role":"assistant","toolCalls":[{}]}"#,
            Refused("schema required /messages/0/toolCalls/0/type"),
        ),
        (
            r#"{"id":"u","id":"u","role":"user","content":"x"}"#,
            Refused("syntax duplicate-member /messages/0/id"),
        ),
        (
            r#"{"id":"u","role":"user","content":"x","y":1,"y":1}"#,
            Refused("syntax duplicate-member /messages/0/y"),
        ),
    ];
    for (messages, wanted) in cases {
        let members = format!(r#""messages":[{messages}]"#);
        check(
            &format!(r#"{{"type":"MESSAGES_SNAPSHOT",{members}}}"#),
            &wanted,
        );
        check(
            &format!(r#"{{{members},"type":"MESSAGES_SNAPSHOT"}}"#),
            &wanted,
        );
        let wanted = match wanted {
            Refused(verdict) => Refused(verdict.replace("/messages", "/input/messages").leak()),
            other => other,
        };
        let input = format!(r#""input":{{"threadId":"t","runId":"r","state":1,{members}}}"#);
        let run = r#""threadId":"t","runId":"r""#;
        check(
            &format!(r#"{{"type":"RUN_STARTED",{run},{input}}}"#),
            &wanted,
        );
        check(
            &format!(r#"{{{input},{run},"type":"RUN_STARTED"}}"#),
            &wanted,
        );
    }
}

#[test]
fn inputs_are_read_as_typed_events_say() {
    let cases = [
        ("null", Refused("schema type /input")),
        ("[]", Refused("schema type /input")),
        ("{}", Refused("schema required /input/threadId")),
        (
            r#"{"threadId":"t","runId":5,"messages":[]}"#,
            Refused("schema type /input/runId"),
        ),
        (
            r#"{"threadId":"t","runId":"r"}"#,
            Refused("schema required /input/messages"),
        ),
        (
            r#"{"threadId":"t","runId":"r","messages":null}"#,
            Refused("schema type /input/messages"),
        ),
        (
            r#"{"threadId":"t","threadId":"t","messages":[]}"#,
            Refused("syntax duplicate-member /input/threadId"),
        ),
        (
            r#"{"threadId":"t","runId":"r","messages":[],"messages":[]}"#,
            Refused("syntax duplicate-member /input/messages"),
        ),
        (
            r#"{"threadId":"t","runId":"r","messages":[],"tools":5}"#,
            PassedOver,
        ),
        (
            r#"{"threadId":"t","runId":"r","messages":[],"state":null,"x":1}"#,
            Same,
        ),
    ];
    for (input, wanted) in cases {
        let text =
            format!(r#"{{"type":"RUN_STARTED","threadId":"t","runId":"r","input":{input}}}"#);
        check(&text, &wanted);
    }
}

#[test]
fn values_are_the_texts_that_stand_in_the_event() {
    let text = r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"\u0061\n","timestamp":1e2,"metadata":{"a": 1}}"#;
    let values = Head::read(text).map(|head| head.values);
    let values = values.unwrap_or_default();
    assert_eq!(values.delta, Some(r#""\u0061\n""#));
    assert_eq!(values.timestamp, Some("1e2"));
    assert_eq!(values.metadata, Some(r#"{"a": 1}"#));
    let input = r#"{"threadId":"t","runId":"r","messages":[{"role": "x"}],"state":{"a":[1, 2]}}"#;
    let text = format!(r#"{{"type":"RUN_STARTED","threadId":"t","runId":"r","input":{input}}}"#);
    let head = Head::read(&text).unwrap();
    assert_eq!(head.values.input_state, Some(r#"{"a":[1, 2]}"#));
    assert_eq!(head.messages.as_read()[0].value, r#"{"role": "x"}"#);
}

#[test]
fn deep_nesting_is_refused() {
    for (depth, wanted) in [
        (511, Same),
        (512, Refused("limit depth ")),
        (100_000, Refused("limit depth ")),
    ] {
        let (open, close) = ("[".repeat(depth), "]".repeat(depth));
        check(
            &format!(r#"{{"type":"RAW","event":{open}{close}}}"#),
            &wanted,
        );
    }
}

/// A text with all members that an event of this type must have, and the names of the others.
fn shapes() -> Vec<(String, Vec<&'static str>)> {
    let names = "messageId toolCallId subagentRunId entityId parentMessageId parentSubagentRunId \
        parentToolCallId threadId runId parentRunId stepName role name toolCallName activityType \
        subtype delta timestamp rawEvent metadata snapshot replace input messages protocolVersion \
        result outcome usage message code content patch encryptedValue encryptedValueType \
        description event source value";
    let events = [
        r#""RUN_STARTED","threadId":"t","runId":"r""#,
        r#""RUN_FINISHED","threadId":"t","runId":"r""#,
        r#""RUN_ERROR","message":"m""#,
        r#""STEP_STARTED","stepName":"s""#,
        r#""STEP_FINISHED","stepName":"s""#,
        r#""TEXT_MESSAGE_START","messageId":"m""#,
        r#""TEXT_MESSAGE_CONTENT","messageId":"m","delta":"d""#,
        r#""TEXT_MESSAGE_END","messageId":"m""#,
        r#""TEXT_MESSAGE_CHUNK""#,
        r#""TOOL_CALL_START","toolCallId":"c","toolCallName":"f""#,
        r#""TOOL_CALL_ARGS","toolCallId":"c","delta":"d""#,
        r#""TOOL_CALL_END","toolCallId":"c""#,
        r#""TOOL_CALL_CHUNK""#,
        r#""TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":"x""#,
        r#""STATE_SNAPSHOT","snapshot":1"#,
        r#""STATE_DELTA","delta":[]"#,
        r#""MESSAGES_SNAPSHOT","messages":[]"#,
        r#""ACTIVITY_SNAPSHOT","messageId":"m","activityType":"a","content":{}"#,
        r#""ACTIVITY_DELTA","messageId":"m","activityType":"a","patch":[]"#,
        r#""REASONING_START","messageId":"m""#,
        r#""REASONING_MESSAGE_START","messageId":"m","role":"reasoning""#,
        r#""REASONING_MESSAGE_CONTENT","messageId":"m","delta":"d""#,
        r#""REASONING_MESSAGE_END","messageId":"m""#,
        r#""REASONING_MESSAGE_CHUNK""#,
        r#""REASONING_END","messageId":"m""#,
        r#""REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"m","encryptedValue":"v""#,
        r#""SUBAGENT_STARTED","subagentRunId":"s","name":"n""#,
        r#""SUBAGENT_FINISHED","subagentRunId":"s""#,
        r#""SUBAGENT_ERROR","subagentRunId":"s","message":"m""#,
        r#""RAW","event":1"#,
        r#""CUSTOM","name":"n","value":1"#,
        r#""x""#,
    ];
    let shape = |event: &str| {
        let others = names
            .split_whitespace()
            .filter(|name| !event.contains(&format!(r#""{name}":"#)));
        (format!(r#"{{"type":{event}}}"#), others.collect())
    };
    events.map(shape).into()
}

/// Every member of every type of event: known, unknown or missing, as the generated readers say.
#[test]
fn the_members_of_each_type_are_those_of_the_schema() {
    const VALUES: &[&str] = &[
        r#""user""#,
        "1",
        "[]",
        "{}",
        "true",
        r#"{"type":"success"}"#,
        r#"{"threadId":"t","runId":"r","messages":[]}"#,
    ];
    for (event, others) in shapes() {
        check(&event, &Same);
        for name in others {
            let (mut read, mut typed) = (Vec::new(), Vec::new());
            for value in VALUES {
                let text = event.replacen('{', &format!(r#"{{"{name}":{value},"#), 1);
                read.extend(Head::read(&text).map(|head| facts(&head)));
                typed.extend(Event::from_json(&text).map(|event| facts(&Head::of(&event))));
            }
            let agrees = typed.iter().all(|facts| read.contains(facts));
            assert!(agrees, "{event} with {name}: {read:#?} {typed:#?}");
            assert_eq!(typed.is_empty(), read.is_empty(), "{event} with {name}");
        }
    }
}

/// A missing member is refused by both, whichever it is.
#[test]
fn what_must_be_there_is_what_the_schema_says() {
    for (event, _) in shapes() {
        let Ok(value) = serde_json::from_str::<serde_json::Value>(&event) else {
            panic!("{event}");
        };
        for name in value
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, _)| name)
        {
            let mut without = value.clone();
            without.as_object_mut().map(|it| it.shift_remove(name));
            let text = without.to_string();
            let read = Head::read(&text).map(|head| facts(&head));
            let typed = Event::from_json(&text).map(|event| facts(&Head::of(&event)));
            assert!(read.is_err(), "{text}");
            assert_eq!(judged(&read), judged(&typed), "{text}");
        }
    }
}
