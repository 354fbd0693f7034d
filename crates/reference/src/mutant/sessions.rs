//! Faults in what is done to sessions: a change of the steps or of the session that they begin
//! with, which the reference then does well.

use chatstate::json::{Object, Value, parse};
use chatstate_protocol::{Reply, RunRequest};

use super::super::operation;
use super::Defect;
use super::rejections::accepted;

/// The faults of sessions by the ids of the mutants.
pub(super) const DEFECTS: &[(&str, Defect)] = &[
    (
        "session-accepts-blank-key",
        Defect::Answered(accept_blank_key),
    ),
    (
        "session-accepts-other-type",
        Defect::Answered(accept_other_type),
    ),
    (
        "session-accepts-shared-key",
        Defect::Answered(|request| asked(request, accept_shared_key)),
    ),
    (
        "session-begins-anew",
        Defect::Answered(|request| asked(request, begin_anew)),
    ),
    (
        "session-changes-copies",
        Defect::Answered(|request| asked(request, change_copies)),
    ),
    (
        "session-drops-null-entries",
        Defect::Answered(|request| asked(request, drop_null_entries)),
    ),
    (
        "session-forgets-unknown-members",
        Defect::Answered(|request| asked(request, forget_unknown_members)),
    ),
    (
        "session-ignores-factory",
        Defect::Answered(|request| asked(request, ignore_factory)),
    ),
    (
        "session-overwrites-misfits",
        Defect::Answered(overwrite_misfits),
    ),
    (
        "session-reads-any-version",
        Defect::Answered(read_any_version),
    ),
    (
        "session-takes-any-kind",
        Defect::Answered(|request| asked(request, take_any_kind)),
    ),
    (
        "session-wants-tag-first",
        Defect::Answered(|request| asked(request, want_tag_first)),
    ),
    (
        "session-ignores-writes",
        Defect::Answered(|request| asked(request, ignore_writes)),
    ),
    (
        "session-keeps-removed",
        Defect::Answered(|request| asked(request, keep_removed)),
    ),
    (
        "session-begins-empty",
        Defect::Answered(|request| asked(request, begin_empty)),
    ),
    (
        "session-needs-kind",
        Defect::Answered(|request| asked(request, need_kind)),
    ),
    (
        "session-accepts-blank-conversation",
        Defect::Answered(|request| asked(request, accept_blank_conversation)),
    ),
];

/// A session and what is done to it.
struct SessionWork {
    session: Object,
    steps: Vec<Object>,
}

impl SessionWork {
    fn read(request: &RunRequest) -> Option<Self> {
        if request.op != "session" {
            return None;
        }
        let Ok(Value::Object(input)) = parse(request.input.as_deref()?) else {
            return None;
        };
        let session = input.get("session")?.as_object()?.clone();
        let steps = input.get("steps")?.as_array()?.iter();
        let steps = steps.filter_map(|step| step.as_object().cloned()).collect();
        Some(Self { session, steps })
    }

    /// The entries of the bag, to change.
    fn bag(&mut self) -> Option<&mut Object> {
        match self.session.get_mut("stateBag") {
            Some(Value::Object(bag)) => Some(bag),
            _ => None,
        }
    }

    /// What the reference makes of it.
    fn run(self, request: &RunRequest) -> Reply {
        let mut input = Object::new();
        input.insert("session", self.session);
        let steps: Vec<Value> = self.steps.into_iter().map(Value::Object).collect();
        input.insert("steps", steps);
        let mut request = request.clone();
        request.input = Some(Value::Object(input).to_json());
        operation::run(&request)
    }
}

/// The reference's answer to something else than it was asked.
fn asked(request: &RunRequest, change: fn(&mut SessionWork)) -> Reply {
    match SessionWork::read(request) {
        None => operation::run(request),
        Some(mut work) => {
            change(&mut work);
            work.run(request)
        }
    }
}

fn text<'a>(step: &'a Object, name: &str) -> &'a str {
    step.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn drop_null_entries(work: &mut SessionWork) {
    if let Some(bag) = work.bag() {
        bag.retain(|_, value| *value != Value::Null);
    }
}

/// What a type does not know is gone as soon as the entry is read.
fn forget_unknown_members(work: &mut SessionWork) {
    for step in std::mem::take(&mut work.steps) {
        let entry = work.bag().and_then(|bag| bag.get_mut(text(&step, "key")));
        if let Some(Value::Object(entry)) = entry {
            let known: &[&str] = match text(&step, "as") {
                "Profile" => &["name", "visits"],
                "Notes" => &["notes"],
                _ => &[],
            };
            entry.retain(|name, value| known.contains(&name) && *value != Value::Null);
        }
        work.steps.push(step);
    }
}

fn change_copies(work: &mut SessionWork) {
    for step in &mut work.steps {
        if text(step, "do") == "change" {
            step.insert("do", "read");
        }
    }
}

/// Providers and stores begin again instead of continuing.
fn begin_anew(work: &mut SessionWork) {
    for step in std::mem::take(&mut work.steps) {
        let begins = matches!(text(&step, "do"), "provide" | "attach");
        if let (true, Some(bag)) = (begins, work.bag()) {
            bag.remove(text(&step, "key"));
        }
        work.steps.push(step);
    }
}

fn accept_shared_key(work: &mut SessionWork) {
    for step in &mut work.steps {
        if let Some(Value::Array(keys)) = step.get_mut("keys") {
            let mut known: Vec<Value> = Vec::new();
            keys.retain(|key| {
                let is_new = !known.contains(key);
                known.push(key.clone());
                is_new
            });
        }
    }
}

fn take_any_kind(work: &mut SessionWork) {
    let kind = work.session.get("sessionType").cloned();
    for step in &mut work.steps {
        if let ("use", Some(kind)) = (text(step, "do"), &kind) {
            step.insert("kind", kind.clone());
        }
    }
}

fn ignore_factory(work: &mut SessionWork) {
    for step in &mut work.steps {
        step.remove("factory");
    }
}

/// A `$type` that is not the first member is not seen.
fn want_tag_first(work: &mut SessionWork) {
    for step in std::mem::take(&mut work.steps) {
        let entry = work.bag().and_then(|bag| bag.get_mut(text(&step, "key")));
        if let Some(Value::Object(entry)) = entry
            && text(&step, "do") == "attach"
            && entry.keys().next().is_some_and(|first| first != "$type")
        {
            entry.remove("$type");
        }
        work.steps.push(step);
    }
}

/// The class under which each step was rejected.
fn rejections(reply: &Reply) -> Vec<Option<String>> {
    let Reply::Ok(text) = reply else {
        return Vec::new();
    };
    let answer = parse(text).unwrap_or_default();
    let results = answer.get("results").and_then(Value::as_array);
    let class = |result: &Value| result.get("refused")?.as_str().map(str::to_owned);
    results.unwrap_or_default().iter().map(class).collect()
}

/// What cannot be read is as if it were not there.
fn overwrite_misfits(request: &RunRequest) -> Reply {
    let reply = operation::run(request);
    let Some(mut work) = SessionWork::read(request) else {
        return reply;
    };
    for (step, class) in work.steps.clone().iter().zip(rejections(&reply)) {
        let is_misfit = matches!(class.as_deref(), Some("schema" | "restore"));
        if let (true, Some(bag)) = (is_misfit, work.bag()) {
            bag.remove(text(step, "key"));
        }
    }
    work.run(request)
}

/// An entry in use is read as another type as if it were not in use.
fn accept_other_type(request: &RunRequest) -> Reply {
    let reply = operation::run(request);
    let (Reply::Ok(answer), Some(work)) = (&reply, SessionWork::read(request)) else {
        return reply;
    };
    let mut answer = parse(answer).unwrap_or_default();
    for (index, class) in rejections(&reply).into_iter().enumerate() {
        if class.as_deref() != Some("semantic") || !work.steps[index].contains_key("as") {
            continue;
        }
        let alone = SessionWork {
            session: work.session.clone(),
            steps: vec![work.steps[index].clone()],
        };
        if let (Reply::Ok(alone), Value::Object(answer)) = (alone.run(request), &mut answer)
            && let Some(Value::Array(results)) = answer.get_mut("results")
            && let Ok(alone) = parse(&alone)
            && let Some([result]) = alone.get("results").and_then(Value::as_array)
        {
            results[index] = result.clone();
        }
    }
    Reply::Ok(answer.to_json())
}

/// A blank key is a key like any other.
fn accept_blank_key(request: &RunRequest) -> Reply {
    let reply = operation::run(request);
    if let Reply::Rejected(rejected) = &reply
        && rejected.rule.as_deref() == Some("session.blank-key")
    {
        return accepted(request);
    }
    asked(request, |work| {
        for step in &mut work.steps {
            let sets = matches!(text(step, "do"), "write" | "provide");
            if sets && text(step, "key").trim().is_empty() {
                step.insert("key", "blank");
            }
        }
    })
}

fn read_any_version(request: &RunRequest) -> Reply {
    let reply = operation::run(request);
    let of_session = matches!(
        request.document_type.as_deref(),
        Some("AgentSession" | "SessionList")
    );
    match &reply {
        Reply::Rejected(rejected) if of_session && rejected.class.as_deref() == Some("version") => {
            accepted(request)
        }
        _ => reply,
    }
}

/// Leaves what is there.
fn ignore_writes(work: &mut SessionWork) {
    for step in &mut work.steps {
        if text(step, "do") == "write" {
            step.insert("do", "remove");
            step.insert("key", "no such key");
        }
    }
}

/// Removes nothing.
fn keep_removed(work: &mut SessionWork) {
    for step in &mut work.steps {
        if text(step, "do") == "remove" {
            step.insert("key", "no such key");
        }
    }
}

/// Begins with an empty text instead of the initial state.
fn begin_empty(work: &mut SessionWork) {
    for step in &mut work.steps {
        if let Some(Value::Object(initial)) = step.get_mut("initial") {
            for (_, value) in initial.iter_mut() {
                if value.as_str().is_some() {
                    *value = "".into();
                }
            }
        }
    }
}

/// Takes a session that does not say its kind for one of another.
fn need_kind(work: &mut SessionWork) {
    let is_used = |step: &Object| text(step, "do") == "use";
    if work.steps.iter().any(is_used) && !work.session.contains_key("sessionType") {
        work.session.insert("sessionType", "unsaid");
    }
}

fn accept_blank_conversation(work: &mut SessionWork) {
    for step in &mut work.steps {
        if text(step, "do") == "converse" && text(step, "id").trim().is_empty() {
            step.insert("id", "blank");
        }
    }
}
