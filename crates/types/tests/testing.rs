//! What is equal is so in every language: the rows are those that the packages run.

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
