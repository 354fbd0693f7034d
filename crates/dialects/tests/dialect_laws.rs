//! Laws of conversion, on canonical chats that are made up: whatever a dialect does not say is told.

use chatstate_dialects::{CANONICAL, DIALECTS, convert};
use chatstate_json::{Object, Value, canonical, parse};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestRunner;

/// The members of an item, with what they may be.
type Choices = &'static [(&'static str, &'static [&'static str])];

/// Members that may be in an item or a message beside what it needs, with what they may be.
const MEMBERS: &[(&str, Choices)] = &[
    (
        "text",
        &[
            ("text", &["\"a\"", "\"\"", "null"]),
            ("encoding", &["\"utf-8\""]),
        ],
    ),
    ("image", MEDIA),
    ("audio", MEDIA),
    ("binary", MEDIA),
    (
        "file",
        &[
            ("file_id", &["\"f\""]),
            ("tools", &["[\"t\"]", "[{\"type\":\"x\"}]", "[]"]),
            ("data_source", &["{\"a\":1}", "\"s\""]),
        ],
    ),
    (
        "annotation",
        &[
            (
                "kind",
                &[
                    "\"file_citation\"",
                    "\"url_citation\"",
                    "\"text_citation\"",
                    "\"mine\"",
                    "\"filecitation\"",
                    "\"citation\"",
                ],
            ),
            (
                "ref",
                &[
                    "{\"file\":\"f\"}",
                    "{\"url\":\"u\"}",
                    "{\"id\":\"i\"}",
                    "{\"file\":\"f\",\"url\":\"u\"}",
                ],
            ),
            ("label", &["\"l\"", "\" \""]),
            ("title", &["\"t\""]),
            ("start", &["1", "-1"]),
            ("end", &["2"]),
            ("container", &["\"c\""]),
            ("filename", &["\"n\""]),
        ],
    ),
    (
        "call",
        &[
            ("function", &["\"f\"", "\"f-g\""]),
            ("id", &["\"c1\""]),
            ("alt_id", &["\"fc1\""]),
            ("index", &["0"]),
            ("plugin", &["\"p\"", "\"p-q\""]),
            (
                "arguments",
                &["{\"a\":9007199254740993}", "{}", "{\"n\":null}"],
            ),
            ("error", &["{\"message\":\"m\"}", "\"e\""]),
        ],
    ),
    (
        "call",
        &[
            ("function", &["\"f\""]),
            ("id", &["\"c2\""]),
            (
                "arguments_text",
                &["\"{\\\"a\\\": 1}\"", "\"{\\\"a\\\":\"", "\"[1]\"", "\"\""],
            ),
        ],
    ),
    (
        "result",
        &[
            ("id", &["\"r1\""]),
            ("alt_id", &["\"fr1\""]),
            ("plugin", &["\"p\""]),
            ("function", &["\"f\""]),
            (
                "result",
                &[
                    "\"text\"",
                    "\"[1]\"",
                    "[1]",
                    "{\"a\":null}",
                    "1.50",
                    "null",
                    "true",
                ],
            ),
            ("result_is_repr", &["true"]),
            ("encoding", &["\"utf-8\""]),
        ],
    ),
    ("reasoning", &[("text", &["\"t\"", "\"\""])]),
    ("action", &[("text", &["\"go\"", "\"\""])]),
    (
        "stream_annotation",
        &[
            ("kind", &["\"url_citation\""]),
            ("ref", &["{\"url\":\"u\"}"]),
            ("label", &["\"l\""]),
        ],
    ),
    ("stream_file", &[("file_id", &["\"f\""])]),
    ("later", &[("text", &["\"t\""])]),
];

const MEDIA: Choices = &[
    ("uri", &["\"https://example.com/a\""]),
    ("data", &["\"AQID\"", "\"\""]),
    ("params", &["{\"charset\":\"x\"}", "{}"]),
    ("mime", &["\"image/png\"", "\"audio/mpeg\""]),
];

/// What every item may have.
const OF_ITEMS: &[(&str, &[&str])] = &[
    ("model", &["\"m\""]),
    ("mime", &["\"text/plain\""]),
    (
        "metadata",
        &["{}", "{\"k\":null}", "{\"data-uri-charset\":\"y\"}"],
    ),
    ("unknown", &["1"]),
    ("ext", &["{\"other\":{\"a\":1}}", "{}"]),
];

const OF_MESSAGES: &[(&str, &[&str])] = &[
    ("name", &["\"ana\"", "\" \""]),
    ("id", &["\"m1\""]),
    ("model", &["\"m\""]),
    ("created_at", &["\"2026-01-02T03:04:05+00:00\""]),
    ("mime", &["\"text/plain\""]),
    ("encoding", &["\"utf-8\""]),
    ("metadata", &["{}", "{\"k\":[null]}"]),
    ("finish_reason", &["\"stop\"", "\"other\""]),
    ("status", &["\"completed\"", "\"other\""]),
    ("unknown", &["null"]),
    ("ext", &["{\"other\":1}"]),
];

/// What the schema asks for.
const REQUIRED: &[&str] = &[
    "text/text",
    "action/text",
    "file/file_id",
    "stream_file/file_id",
    "annotation/kind",
    "stream_annotation/kind",
    "call/function",
];

/// Members, each there or not; those that are required are there.
fn members(
    of: &'static str,
    known: &'static [(&'static str, &'static [&'static str])],
) -> impl Strategy<Value = Object> {
    let member = |(name, values): &(&'static str, &'static [&'static str])| {
        // Members that few dialects know are rare, or every chat would lose something.
        let chance = if ["message", "item"].contains(&of) {
            1
        } else {
            3
        };
        let required = REQUIRED.contains(&format!("{of}/{name}").as_str());
        let (name, values) = (*name, *values);
        (0..10, select(values)).prop_map(move |(draw, json)| {
            (required || draw < chance).then(|| (name, parse(json).unwrap()))
        })
    };
    let all: Vec<_> = known.iter().map(member).collect();
    all.prop_map(|members| members.into_iter().flatten().collect())
}

fn item() -> impl Strategy<Value = Value> {
    select(MEMBERS).prop_flat_map(|(tag, known)| {
        (members("item", OF_ITEMS), members(tag, known)).prop_map(move |(mut item, own)| {
            item.extend(own);
            item.insert_at(0, "type", (*tag).into());
            Value::Object(item)
        })
    })
}

fn message() -> impl Strategy<Value = Value> {
    let role = select(
        &[
            "user",
            "assistant",
            "tool",
            "system",
            "developer",
            "critic",
            "User",
        ][..],
    );
    let items = prop::collection::vec(item(), 0..4);
    (role, items, members("message", OF_MESSAGES)).prop_map(|(role, items, mut message)| {
        message.insert("role", role);
        message.insert("items", items);
        Value::Object(message)
    })
}

fn chat() -> impl Strategy<Value = Value> {
    let participants = proptest::option::of(Just(parse(r#"[{"id":"a","type":"T"}]"#).unwrap()));
    let channels = prop::bool::weighted(0.2);
    let history = prop::collection::vec(message(), 0..3);
    (history, participants, channels).prop_map(|(history, participants, channels)| {
        let mut chat = Object::new();
        chat.insert("history", history);
        if let Some(participants) = participants {
            chat.insert("participants", participants);
        }
        let channel = parse(r#"[{"channelkey":"k","channelstate":"[draft]"}]"#).unwrap();
        chat.insert(
            "channels",
            if channels { channel } else { Vec::new().into() },
        );
        Value::Object(chat)
    })
}

/// The value without the members that say nothing: no loss is reported for them.
fn said(value: &Value) -> Value {
    const EMPTY: [&str; 5] = ["metadata", "params", "tools", "participants", "ext"];
    match value {
        Value::Array(items) => items.iter().map(said).collect::<Vec<_>>().into(),
        Value::Object(object) => {
            let is_empty = |value: &Value| matches!(value.to_json().as_str(), "{}" | "[]");
            let kept = object
                .iter()
                .filter(|(name, value)| !(EMPTY.contains(&name.as_str()) && is_empty(value)));
            let kept = kept.map(|(name, value)| (name.clone(), said(value)));
            Value::Object(kept.collect())
        }
        other => other.clone(),
    }
}

/// The value without what a dialect has put into `ext` beside it.
fn without_own(value: &Value, dialect: &str) -> Value {
    match value {
        Value::Array(items) => {
            let items = items.iter().map(|item| without_own(item, dialect));
            items.collect::<Vec<_>>().into()
        }
        Value::Object(object) => {
            let kept = object.iter().filter(|(name, _)| *name != dialect);
            let kept = kept.map(|(name, value)| (name.clone(), without_own(value, dialect)));
            Value::Object(kept.collect())
        }
        other => other.clone(),
    }
}

fn converted(document: &Value, from: &str, to: &str) -> chatstate_dialects::Conversion {
    convert(document.clone(), from, to)
        .unwrap_or_else(|| panic!("no `{from}` or no `{to}`"))
        .unwrap_or_else(|it| panic!("`{from}` to `{to}`: {it}\n{}", document.to_json()))
}

/// A message with one item.
fn small_chat() -> impl Strategy<Value = Value> {
    (select(&["user", "assistant", "critic"][..]), item()).prop_map(|(role, item)| {
        let mut message = Object::new();
        message.insert("role", role);
        message.insert("items", vec![item]);
        let mut chat = Object::new();
        chat.insert("history", vec![Value::Object(message)]);
        chat.insert("channels", Vec::new());
        Value::Object(chat)
    })
}

/// Without a loss, what comes back is what was sent. Tells how often nothing was lost.
fn check_silence(chat: &Value) -> Result<usize, TestCaseError> {
    let mut exact = 0;
    for dialect in DIALECTS {
        let there = converted(chat, CANONICAL, dialect.name);
        let back = converted(&there.document, dialect.name, CANONICAL).document;
        if there.losses.is_empty() {
            let back = without_own(&back, dialect.name);
            let (sent, got) = (canonical(&said(chat)), canonical(&said(&back)));
            let written = there.document.to_json();
            prop_assert_eq!(got, sent, "through `{}` as {}", dialect.name, written);
            exact += 1;
        }
    }
    Ok(exact)
}

/// Runs a law on chats that are made up, and wants that one in ten dialects loses nothing.
#[track_caller]
fn check(chats: impl Strategy<Value = Value>) {
    let config = ProptestConfig {
        cases: 1000,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let exact = std::cell::Cell::new(0);
    TestRunner::new(config)
        .run(&chats, |chat| {
            exact.set(exact.get() + check_silence(&chat)?);
            Ok(())
        })
        .unwrap();
    let asked = 1000 * DIALECTS.len();
    assert!(
        exact.get() * 10 > asked,
        "{} of {asked} are without loss",
        exact.get()
    );
}

#[test]
fn nothing_is_lost_in_silence() {
    check(small_chat());
    check(chat());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    /// What has been through a dialect once loses nothing more in it.
    #[test]
    fn a_second_time_nothing_is_lost(chat in chat()) {
        for dialect in DIALECTS {
            let there = converted(&chat, CANONICAL, dialect.name);
            let back = converted(&there.document, dialect.name, CANONICAL).document;
            let again = converted(&back, CANONICAL, dialect.name);
            prop_assert_eq!(&again.losses, &[], "`{}`: {}", dialect.name, there.document.to_json());
            let third = converted(&again.document, dialect.name, CANONICAL).document;
            prop_assert_eq!(canonical(&said(&third)), canonical(&said(&back)));
        }
    }
}
