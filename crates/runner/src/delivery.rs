//! What the answer of a replay shows of the events that were delivered to application code.

use chatstate_json::{Object, Value};
use chatstate_protocol::vocabulary::DELIVERED;

/// What an answer shows of the members that a fixture asks about: where they hold, it is equal to them.
/// Nothing where the answer does not say what was delivered.
pub(crate) fn shown(asked: &Value, answer: &Value) -> Option<Value> {
    let events = answer.as_object()?.get(DELIVERED)?;
    let mut shown = Object::new();
    for (name, asked) in asked.as_object()?.iter() {
        shown.insert(name.to_owned(), shown_of(name, asked, events));
    }
    Some(Value::Object(shown))
}

/// What a member is by the events: their types, the types and paths that are not there, and the values
/// at paths that are.
fn shown_of(name: &str, asked: &Value, events: &Value) -> Value {
    match (name, asked) {
        ("eventTypesAbsent", Value::Array(asked)) => {
            let types = types(events);
            let absent = asked.iter().filter(|name| !types.contains(name));
            Value::Array(absent.cloned().collect())
        }
        ("eventAbsentPaths", Value::Array(asked)) => {
            let absent = |path: &&Value| path.as_str().and_then(|it| at(events, it)).is_none();
            Value::Array(asked.iter().filter(absent).cloned().collect())
        }
        ("eventPaths", Value::Object(asked)) => {
            let mut there = Object::new();
            for (path, _) in asked.iter() {
                if let Some(value) = at(events, path) {
                    there.insert(path.to_owned(), value.clone());
                }
            }
            Value::Object(there)
        }
        _ => Value::Array(types(events)),
    }
}

/// The types of the events; null for an event without one.
fn types(events: &Value) -> Vec<Value> {
    let type_of = |event: &Value| event.as_object()?.get("type").cloned();
    let events = events.as_array().map_or(&[][..], |events| events);
    let types = events
        .iter()
        .map(|event| type_of(event).unwrap_or(Value::Null));
    types.collect()
}

/// The value at a path of indices and names with dots between them.
fn at<'a>(events: &'a Value, path: &str) -> Option<&'a Value> {
    let mut steps = path.split('.');
    steps.try_fold(events, |value, step| match value {
        Value::Array(items) => items.get(step.parse::<usize>().ok()?),
        Value::Object(members) => members.get(step),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use chatstate_json::parse;

    use super::*;

    const ANSWER: &str = r#"{"messages":[],"delivered":[
        {"type":"RUN_STARTED","runId":"r"},
        {"type":"CUSTOM","value":{"a":[1,{"b":null}]}}
    ]}"#;

    fn shown_text(asked: &str, answer: &str) -> Option<String> {
        let read = |text: &str| parse(text).expect("JSON");
        shown(&read(asked), &read(answer)).map(|shown| shown.to_json())
    }

    #[test]
    fn what_holds_is_shown_as_it_is_asked() {
        for asked in [
            r#"{"eventTypes":["RUN_STARTED","CUSTOM"]}"#,
            r#"{"eventTypesAbsent":["RAW"],"eventAbsentPaths":["0.value","1.value.a.2","2.type"]}"#,
            r#"{"eventPaths":{"0.runId":"r","1.value.a":[1,{"b":null}],"1.value.a.1.b":null}}"#,
        ] {
            assert_eq!(shown_text(asked, ANSWER).as_deref(), Some(asked));
        }
    }

    #[test]
    fn what_does_not_hold_is_shown_as_it_is() {
        for (asked, shown) in [
            (
                r#"{"eventTypes":[]}"#,
                r#"{"eventTypes":["RUN_STARTED","CUSTOM"]}"#,
            ),
            (
                r#"{"eventTypesAbsent":["CUSTOM","RAW"]}"#,
                r#"{"eventTypesAbsent":["RAW"]}"#,
            ),
            (
                r#"{"eventAbsentPaths":["1.value.a.1.b"]}"#,
                r#"{"eventAbsentPaths":[]}"#,
            ),
            (
                r#"{"eventPaths":{"0.runId":"q","0.threadId":"t"}}"#,
                r#"{"eventPaths":{"0.runId":"r"}}"#,
            ),
        ] {
            assert_eq!(shown_text(asked, ANSWER).as_deref(), Some(shown));
        }
    }

    #[test]
    fn an_answer_may_leave_it_out() {
        assert_eq!(
            shown_text(r#"{"eventTypes":[]}"#, r#"{"messages":[]}"#),
            None
        );
    }
}
