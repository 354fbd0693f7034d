//! What of an answer is compared where an expectation names only a part of it.

use chatstate_json::Value;

/// Takes away the members of objects that the expectation does not name. Lists keep their lengths, so
/// that a value too many is a difference.
pub(crate) fn leave_out_the_rest(expected: &Value, got: &mut Value) {
    match (expected, got) {
        (Value::Object(expected), Value::Object(got)) => {
            got.retain(|name, _| expected.contains_key(name));
            for (name, value) in got.iter_mut() {
                if let Some(expected) = expected.get(name) {
                    leave_out_the_rest(expected, value);
                }
            }
        }
        (Value::Array(expected), Value::Array(got)) => {
            for (expected, got) in expected.iter().zip(got) {
                leave_out_the_rest(expected, got);
            }
        }
        _ => {}
    }
}
