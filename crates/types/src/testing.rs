//! What tests of programs that save chats need: values are compared by what they mean.

use crate::diff::{Differences, diff};
use chatstate_json::{Value, WriteJson};

/// Fails unless two values mean the same, and names every difference with its class of loss. A value
/// is one of JSON, or a document of a generated type.
///
/// ```should_panic
/// use chatstate_json::parse;
/// let (actual, expected) = (parse(r#"{"a":1}"#)?, parse(r#"{"a":1.0,"b":null}"#)?);
/// chatstate_types::testing::assert_same(&actual, &expected); // absent-for-null at /b
/// # Ok::<(), chatstate_json::Rejection>(())
/// ```
///
/// # Panics
///
/// If they differ.
#[track_caller]
pub fn assert_same(actual: &impl WriteJson, expected: &impl WriteJson) {
    let Differences { found, more } = diff(&Value::of(expected), &Value::of(actual), None);
    let mut lines: Vec<_> = found.iter().map(|it| format!("  {it}")).collect();
    if more > 0 {
        lines.push(format!("  and {more} more"));
    }
    assert!(
        found.is_empty(),
        "{} difference(s) from what was expected:\n{}",
        found.len() + more,
        lines.join("\n")
    );
}
