//! What the generated types keep and what they reject. Cases are a root type and a document; what
//! comes back is compared by canonical value.

use chatstate_json::{Surrogates, Value, canonical, parse_with};
use chatstate_types::generated::{
    ChatMessage, ChatRole, Content, Document, Event, EventStream, Message, PatchOperation,
    RunErrorEvent, TextMessageRole, ToolCallResultEvent, UserMessage,
};
use chatstate_types::generated::{ROOT_NAMES, TextOrParts, definitions};

fn read(type_name: &str, text: &str) -> Result<Document, chatstate_json::Rejection> {
    Document::read(type_name, text).unwrap_or_else(|| panic!("`{type_name}` is a root type"))
}

fn value(text: &str) -> Value {
    parse_with(text, Surrogates::AllowUnpairedAtEnds).expect("the case is JSON")
}

/// Reading and writing gives the same value.
fn kept(type_name: &str, text: &str) {
    let document = read(type_name, text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(document.type_name(), type_name);
    let written = document.to_json().expect("it is valid");
    assert_eq!(
        canonical(&value(&written)),
        canonical(&value(text)),
        "{text}"
    );
    assert_eq!(read(type_name, &written).as_ref(), Ok(&document), "{text}");
}

/// Reading is rejected for this reason at this place.
fn rejected(type_name: &str, text: &str, class: &str, rule: &str, at: &str) {
    let rejection = match read(type_name, text) {
        Ok(document) => panic!("{text}: read as {document:?}"),
        Err(rejection) => rejection,
    };
    let found = (
        rejection.class.as_str(),
        rejection.rule.as_ref(),
        rejection.at.as_str(),
    );
    assert_eq!(found, (class, rule, at), "{text}: {rejection}");
}

/// Root type and document.
const KEPT: &[(&str, &str)] = &[
    // Unknown members, at every level.
    (
        "Event",
        r#"{"type":"RAW","event":1,"zz":{"b":1,"a":[null]},"10":true}"#,
    ),
    (
        "Event",
        r#"{"type":"RUN_ERROR","message":"m","usage":[{"model":"x","future":1.50}]}"#,
    ),
    (
        "ChatState",
        r#"{"history":[{"role":"user","items":[{"type":"text","text":"a","z":1}],"y":2}],"channels":[],"x":3}"#,
    ),
    // Unknown variants and texts of open sets.
    (
        "Event",
        r#"{"type":"FUTURE_EVENT","delta":5,"timestamp":"not a number"}"#,
    ),
    ("Event", r#"{"timestamp":1,"type":"run_started"}"#),
    ("Message", r#"{"role":"referee","id":7}"#),
    (
        "ChatMessage",
        r#"{"role":"referee","items":[{"type":"hologram","text":[]}]}"#,
    ),
    (
        "Event",
        r#"{"type":"STATE_DELTA","delta":[{"op":"increment","path":"no pointer"}]}"#,
    ),
    (
        "Event",
        r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"paused"}}"#,
    ),
    // Absent, null and value.
    ("Event", r#"{"type":"CUSTOM","name":"n","value":null}"#),
    ("Event", r#"{"type":"STATE_SNAPSHOT","snapshot":null}"#),
    (
        "RunAgentInput",
        r#"{"threadId":"t","runId":"r","messages":[],"state":"","tools":[]}"#,
    ),
    (
        "RunAgentInput",
        r#"{"threadId":"t","runId":"r","messages":[]}"#,
    ),
    (
        "ChatMessage",
        r#"{"role":"user","items":[{"type":"text","text":null},{"type":"text","text":""}]}"#,
    ),
    (
        "ChatMessage",
        r#"{"role":"tool","items":[{"type":"result","result":null},{"type":"result"}]}"#,
    ),
    // Numbers of any size and spelling.
    (
        "Event",
        r#"{"type":"RAW","event":[9007199254740993,123456789012345678901234567890,1e400,0.1,1.0,-0]}"#,
    ),
    (
        "Event",
        r#"{"type":"RUN_ERROR","message":"m","timestamp":1.0}"#,
    ),
    (
        "Event",
        r#"{"type":"RUN_ERROR","message":"m","timestamp":-9007199254740991}"#,
    ),
    // Text in halves.
    (
        "Event",
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a\ud83d"}"#,
    ),
    (
        "Event",
        r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"\ude00b"}"#,
    ),
    // Discriminators are found wherever they are and however they are spelled.
    (
        "Event",
        r#"{"stepName":"s","\u0074ype":"STEP\u005fSTARTED"}"#,
    ),
    ("EventStream", "[]"),
    (
        "ChannelState",
        r#"{"channelkey":"k","channelstate":"{\"not\":\"read\"}"}"#,
    ),
    ("Participant", r#"{"id":"","type":"A"}"#),
];

#[test]
fn documents_survive() {
    for &(type_name, text) in KEPT {
        kept(type_name, text);
    }
}

/// Root type, document, the keyword that rejects it, and where.
const REFUSED: &[(&str, &str, &str, &str)] = &[
    ("Event", r#"{"messageId":"m"}"#, "required", "/type"),
    ("Event", r#"{"type":null}"#, "type", "/type"),
    ("Event", "[]", "type", ""),
    (
        "Event",
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m"}"#,
        "required",
        "/delta",
    ),
    (
        "Event",
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":5}"#,
        "type",
        "/delta",
    ),
    (
        "Event",
        r#"{"type":"RUN_ERROR","message":"m","code":null}"#,
        "type",
        "/code",
    ),
    (
        "Event",
        r#"{"type":"RUN_ERROR","message":"m","rawEvent":null}"#,
        "type",
        "/rawEvent",
    ),
    (
        "Event",
        r#"{"type":"RUN_ERROR","message":"m","timestamp":1.5}"#,
        "type",
        "/timestamp",
    ),
    (
        "Event",
        r#"{"type":"RUN_ERROR","message":"m","timestamp":9007199254740992}"#,
        "maximum",
        "/timestamp",
    ),
    (
        "Event",
        r#"{"type":"RUN_ERROR","message":"m","timestamp":-9e99}"#,
        "minimum",
        "/timestamp",
    ),
    (
        "Event",
        r#"{"type":"RUN_ERROR","message":"m","usage":[{},{"inputTokens":-1}]}"#,
        "minimum",
        "/usage/1/inputTokens",
    ),
    (
        "Event",
        r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"tool"}"#,
        "enum",
        "/role",
    ),
    (
        "Event",
        r#"{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":"","role":"user"}"#,
        "const",
        "/role",
    ),
    (
        "Event",
        r#"{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":5}"#,
        "oneOf",
        "/content",
    ),
    (
        "Event",
        r#"{"type":"REASONING_MESSAGE_START","messageId":"m"}"#,
        "required",
        "/role",
    ),
    (
        "Event",
        r#"{"type":"REASONING_MESSAGE_START","messageId":"m","role":"user"}"#,
        "const",
        "/role",
    ),
    (
        "Event",
        r#"{"type":"STATE_DELTA","delta":[{"op":"add","path":"/a/~2","value":1}]}"#,
        "pattern",
        "/delta/0/path",
    ),
    (
        "Event",
        r#"{"type":"STATE_DELTA","delta":[{"op":"add","path":"/a"}]}"#,
        "required",
        "/delta/0/value",
    ),
    (
        "Event",
        r#"{"type":"STATE_DELTA","delta":{"op":"add"}}"#,
        "type",
        "/delta",
    ),
    (
        "Event",
        r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"interrupt","interrupts":[]}}"#,
        "minItems",
        "/outcome/interrupts",
    ),
    (
        "Message",
        r#"{"role":"user","id":"u","content":[{"type":"image","source":{"type":"data","value":"v"}}]}"#,
        "required",
        "/content/0/source/mimeType",
    ),
    (
        "Message",
        r#"{"role":"tool","id":"u","content":[],"toolCallId":5}"#,
        "type",
        "/toolCallId",
    ),
    (
        "RunAgentInput",
        r#"{"threadId":"t","runId":"r","messages":[{"role":"assistant","id":"a","toolCalls":[{"id":"c","type":"other","function":{"name":"f","arguments":""}}]}]}"#,
        "const",
        "/messages/0/toolCalls/0/type",
    ),
    (
        "RunAgentInput",
        r#"{"threadId":"t","runId":"r","messages":[],"tools":null}"#,
        "type",
        "/tools",
    ),
    (
        "ChatState",
        r#"{"history":[{"role":"user","items":[{"type":"text"}]}],"channels":[]}"#,
        "required",
        "/history/0/items/0/text",
    ),
    (
        "ChatState",
        r#"{"history":[],"channels":[],"participants":null}"#,
        "type",
        "/participants",
    ),
    (
        "ChatMessage",
        r#"{"role":"user","items":[{"type":"image","params":{"a/b":1}}]}"#,
        "type",
        "/items/0/params/a~1b",
    ),
    (
        "EventStream",
        r#"[{"type":"RAW","event":1},{"type":"RAW"}]"#,
        "required",
        "/1/event",
    ),
];

#[test]
fn malformed_known_variants_are_rejected() {
    for &(type_name, text, rule, at) in REFUSED {
        rejected(type_name, text, "schema", rule, at);
    }
}

#[test]
fn text_that_is_no_document_is_rejected() {
    for (type_name, text, class, rule) in [
        ("Event", r#"{"type":"RAW","event":1"#, "syntax", "json"),
        (
            "Event",
            r#"{"type":"RAW","event":1,"type":"RAW"}"#,
            "syntax",
            "duplicate-member",
        ),
        (
            "Event",
            r#"{"type":"RAW","event":{"a":1,"\u0061":2}}"#,
            "syntax",
            "duplicate-member",
        ),
    ] {
        let rejection = read(type_name, text).expect_err(text);
        assert_eq!(
            rejection.class.as_str(),
            class,
            "{text}: {rejection} ({rule})"
        );
    }
    rejected(
        "Event",
        r#"{"type":"RUN_ERROR","message":"\ud83d"}"#,
        "syntax",
        "unpaired-surrogate",
        "/message",
    );
    assert_eq!(Document::read("TextMessageContentEvent", "{}"), None);
}

#[test]
fn an_unknown_arm_read_by_itself_rejects_known_tags() {
    let rejection =
        chatstate_types::generated::UnknownEvent::from_json(r#"{"type":"RAW","event":1}"#)
            .expect_err("RAW is known");
    assert_eq!(
        (rejection.rule.as_ref(), rejection.at.as_str()),
        ("not", "/type")
    );
}

#[test]
fn arms_have_types_of_their_own() {
    let event = Event::from_json(
        r#"{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":"done"}"#,
    );
    let expected = ToolCallResultEvent::new("m", "c", TextOrParts::Text("done".to_owned()));
    assert_eq!(event, Ok(Event::ToolCallResult(expected)));
    let unknown = Event::from_json(r#"{"type":"X","a":1}"#).expect("unknown types are kept");
    assert_eq!(unknown.tag(), "X");
    assert!(
        matches!(unknown, Event::Unknown(event) if event.r#type == "X" && event.extra.len() == 1)
    );
    assert_eq!(ChatRole::from("tool"), ChatRole::Tool);
    assert_eq!(ChatRole::from("referee").as_str(), "referee");
    assert_eq!(
        TextMessageRole::from_json("\"user\""),
        Ok(TextMessageRole::User)
    );
}

#[test]
fn constructors_leave_out_what_is_optional() {
    let message = UserMessage::new("u", TextOrParts::Text("hi".to_owned()));
    assert_eq!(
        Message::User(message).to_json().as_deref(),
        Ok(r#"{"id":"u","role":"user","content":"hi"}"#)
    );
    let error = RunErrorEvent::new("m");
    assert_eq!(
        error.to_json().as_deref(),
        Ok(r#"{"type":"RUN_ERROR","message":"m"}"#)
    );
    assert!(matches!(
        PatchOperation::from_json(r#"{"op":"remove","path":""}"#),
        Ok(PatchOperation::Remove(_))
    ));
}

/// A chat message that holds a message, and so on; each step is three levels of JSON.
fn nested(steps: usize) -> String {
    let open = r#"{"role":"user","items":[{"type":"message","message":"#.repeat(steps);
    format!(
        r#"{open}{{"role":"user","items":[]}}{}"#,
        "}]}".repeat(steps)
    )
}

/// The reader of a recursive type needs a stack of a fixed share for each level, and the deepest
/// document fits the smallest stack that threads have by default.
#[test]
fn the_deepest_documents_fit_a_small_stack() {
    let thread = std::thread::Builder::new()
        .stack_size(2 * 1024 * 1024)
        .spawn(|| {
            let text = nested(170);
            let message = ChatMessage::from_json(&text).expect("510 levels are read");
            assert_eq!(message.clone().to_json(), Ok(text));
            assert!(matches!(&message.items[0], Content::Message(_)));
            drop(message);
            let rejection =
                ChatMessage::from_json(&nested(171)).expect_err("515 levels are too many");
            assert_eq!(rejection.class.as_str(), "limit");
            let deep = format!(
                r#"{{"type":"RAW","event":{}{}}}"#,
                "[".repeat(511),
                "]".repeat(511)
            );
            assert_eq!(
                Event::from_json(&deep).and_then(|event| event.to_json()),
                Ok(deep)
            );
        });
    thread
        .expect("a thread starts")
        .join()
        .expect("the stack is large enough");
}

#[test]
fn every_root_has_a_table_and_a_reader() {
    let names: Vec<&str> = definitions::ROOTS
        .iter()
        .map(|definition| definition.name)
        .collect();
    assert_eq!(names, ROOT_NAMES);
    for name in names {
        assert!(
            Document::read(name, "0").is_some_and(|result| result.is_err()),
            "{name}"
        );
    }
    assert_eq!(
        EventStream::from_json("[]").map(|stream| stream.0.len()),
        Ok(0)
    );
}
