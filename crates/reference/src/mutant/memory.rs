//! Faults of memory: the state that one request leaves changes the answer to another, or the answer
//! is another one each time.

use std::collections::{HashMap, HashSet};

use chatstate::json::{Object, Value, parse};
use chatstate_protocol::{Rejected, Reply, RunRequest};

use super::super::operation;
use super::Defect;
use super::streams::{read, text};

/// What a process remembers of the requests that it has answered.
#[derive(Default)]
pub struct Memory {
    requests: usize,
    seen: HashSet<String>,
    answers: HashMap<String, Reply>,
    left: Vec<Value>,
}

/// The faults of memory by the ids of the mutants.
pub(super) const DEFECTS: &[(&str, Defect)] = &[
    ("remembers-messages", Defect::Remembers(remember_messages)),
    ("remembers-threads", Defect::Remembers(remember_threads)),
    ("remembers-channels", Defect::Remembers(remember_channels)),
    ("tires", Defect::Remembers(tire)),
    (
        "wrong-the-first-time",
        Defect::Remembers(wrong_the_first_time),
    ),
    (
        "wrong-every-other-time",
        Defect::Remembers(wrong_every_other_time),
    ),
    ("faults-until-warm", Defect::Remembers(fault_until_warm)),
];

fn object_of(reply: &Reply) -> Option<Object> {
    match reply {
        Reply::Ok(text) => match parse(text) {
            Ok(Value::Object(object)) => Some(object),
            _ => None,
        },
        _ => None,
    }
}

/// Begins a replay with the last message of the one before.
fn remember_messages(memory: &mut Memory, request: &RunRequest) -> Reply {
    let reply = operation::run(request);
    let Some(mut answer) = object_of(&reply) else {
        return reply;
    };
    if let Some(Value::Array(messages)) = answer.get_mut("messages") {
        let last = messages.last().cloned();
        let before = std::mem::replace(&mut memory.left, last.into_iter().collect());
        messages.splice(0..0, before);
    }
    Reply::Ok(Value::Object(answer).to_json())
}

/// Looks at a thread once, and answers for it the same from then on.
fn remember_threads(memory: &mut Memory, request: &RunRequest) -> Reply {
    let events = request.input.as_deref().and_then(read).unwrap_or_default();
    let thread = events.iter().find_map(|event| text(event, "threadId"));
    let Some(thread) = thread.map(str::to_owned) else {
        return operation::run(request);
    };
    let known = memory.answers.entry(thread);
    known.or_insert_with(|| operation::run(request)).clone()
}

/// Keeps the channels of a chat for the next one.
fn remember_channels(memory: &mut Memory, request: &RunRequest) -> Reply {
    let reply = operation::run(request);
    let Some(mut answer) = object_of(&reply) else {
        return reply;
    };
    if let Some(Value::Array(restored)) = answer.get_mut("restored") {
        let own = restored.clone();
        let before = std::mem::replace(&mut memory.left, own);
        for key in before {
            if !restored.contains(&key) {
                restored.push(key);
            }
        }
    }
    Reply::Ok(Value::Object(answer).to_json())
}

/// How many requests are answered before none is.
const STRENGTH: usize = 8;

/// Breaks for good after some requests.
fn tire(memory: &mut Memory, request: &RunRequest) -> Reply {
    memory.requests += 1;
    if memory.requests > STRENGTH {
        return Reply::Fault("the pool has no connection left".to_owned());
    }
    operation::run(request)
}

fn rejected() -> Reply {
    Reply::Rejected(Rejected {
        class: Some("limit".to_owned()),
        message: Some("try again".to_owned()),
        ..Rejected::default()
    })
}

/// Rejects a document when it comes for the first time, and takes it from then on.
fn wrong_the_first_time(memory: &mut Memory, request: &RunRequest) -> Reply {
    let document = request.input.clone().unwrap_or_default();
    if memory.seen.insert(document) {
        return rejected();
    }
    operation::run(request)
}

/// Answers every other request of a kind with nothing.
fn wrong_every_other_time(memory: &mut Memory, request: &RunRequest) -> Reply {
    memory.requests += 1;
    if memory.requests.is_multiple_of(2) {
        return Reply::Ok("null".to_owned());
    }
    operation::run(request)
}

/// Breaks on the first requests, while something is still loaded.
fn fault_until_warm(memory: &mut Memory, request: &RunRequest) -> Reply {
    memory.requests += 1;
    if memory.requests < STRENGTH {
        return Reply::Fault("the model is still loading".to_owned());
    }
    operation::run(request)
}
