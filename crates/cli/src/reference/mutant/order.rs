//! Faults of verification, of lineage and of replay along branches.

use chatstate::json::{Value, parse};
use chatstate_adapter::{Reply, Run};

use super::super::operation;
use super::streams::{Events, tag};

/// Does not see that a run was removed.
pub(super) fn forget_marks(events: &mut Events) {
    for event in events
        .iter_mut()
        .filter(|event| tag(event) == "RUN_STARTED")
    {
        event.remove("metadata");
    }
}

/// Takes the log for a line.
pub(super) fn forget_parents(events: &mut Events) {
    for event in events
        .iter_mut()
        .filter(|event| tag(event) == "RUN_STARTED")
    {
        event.remove("parentRunId");
    }
}

/// Lets a run finish while something is open.
pub(super) fn accept_open_items(request: &Run) -> Reply {
    match operation::run(request) {
        Reply::Rejected(rejected)
            if request.op == "verify" && rejected.rule.as_deref() == Some("run.open-item") =>
        {
            Reply::Ok("true".to_owned())
        }
        reply => reply,
    }
}

/// Gives the tips in the order in which they are found, which is another one than that of the log.
pub(super) fn unsorted_lineage(request: &Run) -> Reply {
    let reply = operation::run(request);
    let Reply::Ok(answer) = &reply else {
        return reply;
    };
    match (request.op.as_str(), parse(answer)) {
        ("lineage", Ok(Value::Object(mut lineage))) => {
            for name in ["tips", "problems"] {
                if let Some(Value::Array(items)) = lineage.get_mut(name) {
                    items.reverse();
                }
            }
            Reply::Ok(Value::Object(lineage).to_json())
        }
        _ => reply,
    }
}
