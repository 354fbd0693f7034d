//! Faults of verification, of lineage and of replay along branches.

use chatstate::json::{Object, Value, parse};
use chatstate_protocol::{Reply, RunRequest};

use super::super::operation;
use super::Defect;
use super::rejections::takes;
use super::replay::take_subtypes_for_messages;
use super::streams::{Events, OperationFault, tag};

/// The faults of order by the ids of the mutants.
pub(super) const DEFECTS: &[(&str, Defect)] = &[
    (
        "verify-accepts-open-item",
        Defect::Answered(accept_open_items),
    ),
    (
        "verify-warns-of-nothing",
        Defect::Answered(|it| warn(it, |_| Vec::new())),
    ),
    (
        "verify-warns-of-whole-events",
        Defect::Answered(|it| warn(it, at_events)),
    ),
    (
        "verify-knows-every-version",
        Defect::Answered(|it| warn(it, |all| without(all, "verify.newer-version"))),
    ),
    (
        "verify-passes-over-members",
        Defect::Answered(|it| warn(it, |all| without(all, "verify.unknown-member"))),
    ),
    (
        "verify-passes-over-variants",
        Defect::Answered(|it| warn(it, |all| without(all, "verify.unknown-variant"))),
    ),
    (
        "verify-takes-repeated-interrupt",
        Defect::Answered(accept_repeated_interrupts),
    ),
    (
        "verify-forgets-inputs",
        asked("verify", |events| {
            drop_member(events, "RUN_STARTED", "input");
        }),
    ),
    (
        "verify-forgets-snapshots",
        asked("verify", |events| drop_events(events, "MESSAGES_SNAPSHOT")),
    ),
    (
        "verify-forgets-results",
        asked("verify", |events| drop_events(events, "TOOL_CALL_RESULT")),
    ),
    (
        "verify-forgets-activities",
        asked("verify", |events| drop_events(events, "ACTIVITY_SNAPSHOT")),
    ),
    (
        "verify-forgets-chunks",
        asked("verify", |events| drop_events(events, "TEXT_MESSAGE_CHUNK")),
    ),
    ("verify-ignores-complete", takes(&["run.unfinished"])),
    ("verify-shares-steps", asked("verify", share_steps)),
    (
        "verify-owns-unknown-subtype",
        asked("verify", take_subtypes_for_messages),
    ),
    ("lineage-unsorted", Defect::Answered(unsorted_lineage)),
    ("lineage-forgets-line", Defect::Answered(forget_line)),
    ("lineage-ignores-branches", asked("lineage", forget_parents)),
    ("replay-takes-other-owner", takes(&["subagent.wrong-owner"])),
    (
        "replay-takes-event-outside",
        takes(&["run.first-event", "run.after-*"]),
    ),
    ("replay-takes-run-in-run", takes(&["run.already-started"])),
    ("replay-takes-open-item", takes(&["run.open-item"])),
    (
        "replay-takes-other-run",
        takes(&["run.wrong-*", "lineage.run-reused"]),
    ),
    (
        "replay-takes-repeated-interrupt",
        takes(&["run.repeated-interrupt"]),
    ),
    ("replay-ignores-lenient", Defect::Answered(ignore_lenient)),
    ("replay-answers-for-removed", asked("replay", forget_marks)),
    ("replay-ignores-branches", asked("replay", forget_parents)),
];

pub(super) const fn asked(operation: &'static str, change: fn(&mut Events)) -> Defect {
    Defect::Stream(OperationFault::of_request(operation, change))
}

/// Does not see events of this type.
pub(super) fn drop_events(events: &mut Events, kind: &str) {
    events.retain(|event| tag(event) != kind);
}

/// Does not see a member of the events of this type.
pub(super) fn drop_member(events: &mut Events, kind: &str, name: &str) {
    for event in events.iter_mut().filter(|event| tag(event) == kind) {
        event.remove(name);
    }
}

/// Takes steps of one name for one, whatever their subagent.
fn share_steps(events: &mut Events) {
    drop_member(events, "STEP_STARTED", "subagentRunId");
    drop_member(events, "STEP_FINISHED", "subagentRunId");
}

/// Warns of something else than the reference does.
fn warn(request: &RunRequest, change: fn(Vec<Value>) -> Vec<Value>) -> Reply {
    let reply = operation::run(request);
    let Reply::Ok(answer) = &reply else {
        return reply;
    };
    match parse(answer) {
        Ok(Value::Object(mut answer)) => {
            if let Some(Value::Array(warnings)) = answer.get_mut("warnings") {
                *warnings = change(std::mem::take(warnings));
            }
            Reply::Ok(Value::Object(answer).to_json())
        }
        _ => reply,
    }
}

/// Names the event of each warning, and not the place in it.
fn at_events(mut warnings: Vec<Value>) -> Vec<Value> {
    for warning in &mut warnings {
        if let Value::Object(warning) = warning
            && let Some(Value::String(at)) = warning.get_mut("at")
        {
            let event: String = at.split('/').take(2).collect::<Vec<_>>().join("/");
            *at = event;
        }
    }
    warnings
}

/// Leaves out the warnings of one rule.
fn without(warnings: Vec<Value>, rule: &str) -> Vec<Value> {
    let other = |warning: &Value| warning.get("rule").and_then(Value::as_str) != Some(rule);
    warnings.into_iter().filter(other).collect()
}

/// Gives no predecessor to a run that does not name one.
fn forget_line(request: &RunRequest) -> Reply {
    let reply = operation::run(request);
    let Reply::Ok(answer) = &reply else {
        return reply;
    };
    let Ok(Value::Object(mut lineage)) = parse(answer) else {
        return reply;
    };
    if let Some(Value::Array(runs)) = lineage.get_mut("runs") {
        for run in runs {
            forget_predecessor(run);
        }
    }
    Reply::Ok(Value::Object(lineage).to_json())
}

fn forget_predecessor(run: &mut Value) {
    if let Value::Object(run) = run
        && !Object::contains_key(run, "parentRunId")
    {
        run.insert("predecessor", Value::Null);
    }
}

/// Does not see that a run was removed.
fn forget_marks(events: &mut Events) {
    for event in events
        .iter_mut()
        .filter(|event| tag(event) == "RUN_STARTED")
    {
        event.remove("metadata");
    }
}

/// Takes the log for a line.
fn forget_parents(events: &mut Events) {
    for event in events
        .iter_mut()
        .filter(|event| tag(event) == "RUN_STARTED")
    {
        event.remove("parentRunId");
    }
}

/// Rejects what does not verify, whatever the caller says.
fn ignore_lenient(request: &RunRequest) -> Reply {
    let mut strict = request.clone();
    if request.op == "replay" {
        strict.arguments.remove("lenient");
    }
    operation::run(&strict)
}

/// Lets a run finish while something is open.
fn accept_open_items(request: &RunRequest) -> Reply {
    accept(request, "run.open-item")
}

/// Lets a run wait for two answers under one id.
fn accept_repeated_interrupts(request: &RunRequest) -> Reply {
    accept(request, "run.repeated-interrupt")
}

/// Does not know a rule of the order of events.
fn accept(request: &RunRequest, rule: &str) -> Reply {
    match operation::run(request) {
        Reply::Rejected(rejected)
            if request.op == "verify" && rejected.rule.as_deref() == Some(rule) =>
        {
            Reply::Ok("true".to_owned())
        }
        reply => reply,
    }
}

/// Gives the tips in the order in which they are found, which is another one than that of the log.
fn unsorted_lineage(request: &RunRequest) -> Reply {
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
