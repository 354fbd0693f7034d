//! What is equal is so in every language: the rows are those that the packages run. A failure says what differs.

use std::panic::{AssertUnwindSafe, catch_unwind};

use chatstate_json::{ReadJson, Value, WriteJson, digest, equals, from_text, parse};
use chatstate_types::generated::{AgentSession, ChatState, Event};
use chatstate_types::testing::assert_same;

const ROWS: &str = include_str!("../../../packages/testdata/equality.json");

fn text<'r>(row: &'r Value, name: &str) -> Option<&'r str> {
    row.get(name).and_then(Value::as_str)
}

fn check(row: &Value, left: &impl WriteJson, right: &impl WriteJson) {
    let wanted = row.get("equal") == Some(&Value::Bool(true));
    let shown = row.to_json();
    assert_eq!(equals(left, right), wanted, "{shown}");
    assert_eq!(Some(&*digest(left)), text(row, "digest"), "{shown}");
    let same = catch_unwind(AssertUnwindSafe(|| assert_same(left, right)));
    assert_eq!(same.is_ok(), wanted, "{shown}");
}

#[test]
fn what_is_equal_in_every_language() {
    let rows = parse(ROWS).expect("the rows are JSON");
    for row in rows.as_array().expect("a list") {
        let [left, right] = ["left", "right"].map(|side| text(row, side).expect("a text"));
        let values = [left, right].map(|text| parse(text).expect("a value"));
        check(row, &values[0], &values[1]);
        match text(row, "type") {
            None => {}
            Some("AgentSession") => check_documents::<AgentSession>(row, left, right),
            Some("ChatState") => check_documents::<ChatState>(row, left, right),
            Some("Event") => check_documents::<Event>(row, left, right),
            Some(other) => panic!("add the type `{other}` to this test"),
        }
    }
}

/// Documents are compared with each other, and with values.
fn check_documents<T: ReadJson + WriteJson>(row: &Value, left: &str, right: &str) {
    let value = parse(right).expect("a value");
    let [left, right] = [left, right].map(|text| from_text::<T>(text).expect("a document"));
    check(row, &left, &right);
    check(row, &left, &value);
}

/// What a failing test shows.
fn message(actual: &impl WriteJson, expected: &impl WriteJson) -> String {
    let failure = catch_unwind(AssertUnwindSafe(|| assert_same(actual, expected)));
    let message = failure.expect_err("they differ").downcast::<String>();
    *message.expect("a text with values in it")
}

#[test]
fn a_failure_names_every_difference() {
    let values = [
        r#"{"a":{"id":1},"b":[1,2],"n":9007199254740992,"t":"new","new":1}"#,
        r#"{"a":{"id":1.0},"b":[2,1],"n":9007199254740993,"t":"old","gone":{"x":[]},"null":null}"#,
    ];
    let [actual, expected] = values.map(|text| parse(text).expect("a value"));
    insta::assert_snapshot!(message(&actual, &expected), @r#"
    6 difference(s) from what was expected:
      array-reordered at `/b`: 1 of 2 items moved: `/1` -> `/0`
      number-rounded at `/n`: 9007199254740993 -> 9007199254740992
      text-changed at `/t`: "old" -> "new"
      member-dropped at `/gone`: {"x":[]} -> nothing
      absent-for-null at `/null`: null -> nothing
      member-added at `/new`: nothing -> 1
    "#);
}

#[test]
fn a_failure_names_what_a_document_lost() {
    let document = r#"{"history":[{"role":"user","items":[]}],"channels":[]}"#;
    let actual: ChatState = from_text(document).expect("a document");
    let expected = parse(&document.replace(
        r#""items":[]"#,
        r#""items":[{"type":"text","text":"Hi"}],"x":1"#,
    ));
    insta::assert_snapshot!(message(&actual, &expected.expect("a value")), @r#"
    2 difference(s) from what was expected:
      item-dropped at `/history/0/items/0`: {"type":"text","text":"Hi"} -> nothing
      member-dropped at `/history/0/x`: 1 -> nothing
    "#);
}

/// Differences below a long name are counted and not named, since each would hold the name.
#[test]
fn a_failure_counts_what_it_does_not_name() {
    let name = "x".repeat(1024 * 1024);
    let value = |item: &str| {
        let items = [item; 20].join(",");
        parse(&format!(r#"{{"{name}":[{items}]}}"#)).expect("a value")
    };
    let message = message(&value("1"), &value("2"));
    let [first, .., last] = &*message.lines().collect::<Vec<_>>() else {
        panic!("there are no lines")
    };
    insta::assert_snapshot!(format!("{first}\n{last}"), @"
    20 difference(s) from what was expected:
      and 5 more
    ");
}
