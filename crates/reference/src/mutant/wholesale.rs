//! Faults of everything: one answer to whatever is asked, or a change of every rejection.

use chatstate_protocol::{Rejected, Reply, RunRequest};

use super::super::operation;
use super::Defect;

/// The faults of everything by the ids of the mutants.
pub(super) const DEFECTS: &[(&str, Defect)] = &[
    ("accept-all", Defect::Answered(accept_all)),
    ("reject-all", Defect::Answered(reject_all)),
    ("wrong-reason", Defect::Answered(wrong_reason)),
    (
        "refuses-without-place",
        Defect::Answered(|it| rejected_at(it, "")),
    ),
    (
        "refuses-by-another-rule",
        Defect::Answered(reject_by_another_rule),
    ),
    ("unsupported-all", Defect::Answered(unsupported_all)),
    (
        "faults-instead-of-refusing",
        Defect::Answered(fault_instead),
    ),
    ("repeats-input", Defect::Answered(repeat_input)),
    (
        "calls-syntax-schema",
        Defect::Answered(|it| called(it, "syntax", "schema")),
    ),
    (
        "calls-version-schema",
        Defect::Answered(|it| called(it, "version", "schema")),
    ),
    (
        "calls-sequence-schema",
        Defect::Answered(|it| called(it, "sequence", "schema")),
    ),
    (
        "calls-semantic-schema",
        Defect::Answered(|it| called(it, "semantic", "schema")),
    ),
    (
        "calls-limit-syntax",
        Defect::Answered(|it| called(it, "limit", "syntax")),
    ),
    (
        "calls-restore-semantic",
        Defect::Answered(|it| called(it, "restore", "semantic")),
    ),
    (
        "verify-blames-first-event",
        Defect::Answered(|it| rejected_at(it, "/0")),
    ),
    (
        "verify-names-one-rule",
        Defect::Answered(reject_by_another_rule),
    ),
];

fn accept_all(request: &RunRequest) -> Reply {
    let reply = operation::run(request);
    match (&reply, request.op.as_str()) {
        (Reply::Rejected(_), "validate") => Reply::Ok("true".to_owned()),
        (Reply::Rejected(_), _) => Reply::Ok(request.input.clone().unwrap_or_default()),
        _ => reply,
    }
}

fn reject_all(_: &RunRequest) -> Reply {
    Reply::Rejected(Rejected {
        class: Some("schema".to_owned()),
        at: None,
        rule: None,
        message: Some("refused".to_owned()),
    })
}

fn wrong_reason(request: &RunRequest) -> Reply {
    match operation::run(request) {
        Reply::Rejected(rejected) => {
            let class = if rejected.class.as_deref() == Some("schema") {
                "syntax"
            } else {
                "schema"
            };
            Reply::Rejected(Rejected {
                class: Some(class.to_owned()),
                ..rejected
            })
        }
        reply => reply,
    }
}

/// Rejects for the right reason, and always at one place.
fn rejected_at(request: &RunRequest, at: &str) -> Reply {
    match operation::run(request) {
        Reply::Rejected(rejected) => Reply::Rejected(Rejected {
            at: Some(at.to_owned()),
            ..rejected
        }),
        reply => reply,
    }
}

/// Gives one class of rejections the name of another.
fn called(request: &RunRequest, class: &str, name: &str) -> Reply {
    match operation::run(request) {
        Reply::Rejected(rejected) if rejected.class.as_deref() == Some(class) => {
            Reply::Rejected(Rejected {
                class: Some(name.to_owned()),
                ..rejected
            })
        }
        reply => reply,
    }
}

/// Rejects with the right class, by an invented rule.
fn reject_by_another_rule(request: &RunRequest) -> Reply {
    match operation::run(request) {
        Reply::Rejected(rejected) => Reply::Rejected(Rejected {
            rule: Some("invalid".to_owned()),
            ..rejected
        }),
        reply => reply,
    }
}

fn unsupported_all(_: &RunRequest) -> Reply {
    Reply::Unsupported("not yet".to_owned())
}

/// Breaks where it should reject.
fn fault_instead(request: &RunRequest) -> Reply {
    match operation::run(request) {
        Reply::Rejected(_) => Reply::Fault("an exception was not caught".to_owned()),
        reply => reply,
    }
}

/// Answers with what it was asked.
fn repeat_input(request: &RunRequest) -> Reply {
    Reply::Ok(request.input.clone().unwrap_or_default())
}
