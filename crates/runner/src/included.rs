//! What of an answer is compared where an expectation names only a part of it.

use chatstate_json::{Object, Value};

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

/// Members of a run that are compared where the case states one of them for any of its runs. Cases that
/// are older than these members do not.
const STATED_OF_RUNS: [&str; 2] = ["error", "usage"];

/// Takes away the members of runs that the case states for none of its runs.
pub(crate) fn leave_out_of_runs(expected: &Object, got: &mut Object) {
    let (Some(Value::Array(expected)), Some(Value::Array(got))) =
        (expected.get("runs"), got.get_mut("runs"))
    else {
        return;
    };
    let states = |name: &str| {
        let mut runs = expected.iter().filter_map(Value::as_object);
        runs.any(|run| run.contains_key(name))
    };
    for name in STATED_OF_RUNS.into_iter().filter(|name| !states(name)) {
        for run in got.iter_mut() {
            if let Value::Object(run) = run {
                run.remove(name);
            }
        }
    }
}
