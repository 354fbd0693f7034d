//! Faults of states that are escaped in text.

use chatstate::json::{Object, Value, parse};
use chatstate_protocol::{Rejected, Reply, RunRequest};

use super::super::operation;
use super::Defect;
use super::chat::{ChatFault, RESTORE};

/// The faults of escaped states by the ids of the mutants.
pub(super) const DEFECTS: &[(&str, Defect)] = &[
    (
        "restore-rejects-escaped-states",
        Defect::Answered(escaped_rejected),
    ),
    (
        "restore-unescapes-twice",
        Defect::Chat(ChatFault::Retried(
            RESTORE,
            "restore.channel",
            |asked, _| {
                each_state(asked, "state", unescape);
            },
        )),
    ),
    (
        "save-unescapes-states",
        Defect::Chat(ChatFault::Answered(RESTORE, |_, answer| {
            each_state(answer, "saved", unescape);
        })),
    ),
    (
        "save-respells-escaped-states",
        Defect::Chat(ChatFault::Answered(RESTORE, |_, answer| {
            each_state(answer, "saved", respell);
        })),
    ),
];

/// Does something with the state of each channel of the chat state in a member.
fn each_state(object: &mut Object, name: &str, mut change: impl FnMut(&mut Value)) {
    let Some(Value::Object(chat)) = object.get_mut(name) else {
        return;
    };
    let Some(Value::Array(channels)) = chat.get_mut("channels") else {
        return;
    };
    for channel in channels {
        if let Value::Object(channel) = channel
            && let Some(state) = channel.get_mut("channelstate")
        {
            change(state);
        }
    }
}

/// What is escaped in a text.
fn escaped_in(state: &Value) -> Option<Value> {
    parse(state.as_str()?).ok()
}

fn unescape(state: &mut Value) {
    if let Some(escaped) = escaped_in(state) {
        *state = escaped;
    }
}

fn respell(state: &mut Value) {
    if let Some(escaped) = escaped_in(state) {
        *state = escaped.to_json().into();
    }
}

fn escaped_rejected(request: &RunRequest) -> Reply {
    if !asked(request).is_some_and(holds_escaped) {
        return operation::run(request);
    }
    Reply::Rejected(Rejected {
        class: Some("restore".to_owned()),
        ..Rejected::default()
    })
}

fn asked(request: &RunRequest) -> Option<Object> {
    match parse(request.input.as_deref()?) {
        Ok(Value::Object(asked)) => Some(asked),
        _ => None,
    }
}

fn holds_escaped(mut asked: Object) -> bool {
    let mut holds = false;
    each_state(&mut asked, "state", |state| {
        holds |= escaped_in(state).is_some();
    });
    holds
}
