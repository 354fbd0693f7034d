//! The names that AG-UI's serialization draft gives to things, read as the events of AG-UI 1.0.
//!
//! The draft came before the schema. Its examples put a patch under `patch`, often one operation
//! without an array, and a state under `state`; their runs name no thread, and their inputs hold
//! messages as plain text.

use std::collections::HashSet;

use super::Invention;
use chatstate_json::{self as json, Object, Surrogates, Value, parse_with};
use chatstate_json::{Class, Rejection};
use chatstate_types::generated::{Event, RunFinishedEvent, RunStartedEvent};

/// Events of the draft as events of AG-UI.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Converted {
    /// The events, each valid. A verifier says whether their order is valid.
    pub events: Vec<Event>,
    /// What the draft left out and AG-UI needs, in the order of the events.
    pub inventions: Vec<Invention>,
}

/// Members with another name in the draft: the type of the event, the draft's name, and AG-UI's.
const RENAMED: [(&str, &str, &str); 2] = [
    ("STATE_DELTA", "patch", "delta"),
    ("STATE_SNAPSHOT", "state", "snapshot"),
];

/// The thread of a log that names none.
const THREAD: &str = "thread-1";

/// The run of a log that begins without one.
const RUN: &str = "run-1";

/// Reads a log of the draft: a JSON array, or JSON Lines when the first character is not `[`.
///
/// What AG-UI knows stays as it is, so that a log that mixes both is read as well. Rejected are text
/// that is not JSON (class `syntax`), an event that is not valid after its names are replaced (class
/// `schema`), and one that has a member under both names with two values (class `semantic`, rule
/// `convert.two-values`).
///
/// ```
/// use chatstate_dialects::ag_ui_draft;
///
/// let draft = r#"[{"type":"RUN_STARTED","threadId":"t","runId":"r"},
///                 {"type":"STATE_DELTA","patch":{"op":"add","path":"/foo","value":1}}]"#;
/// let converted = ag_ui_draft::read(draft)?;
/// assert_eq!(
///     converted.events[1].to_json()?,
///     r#"{"type":"STATE_DELTA","delta":[{"op":"add","path":"/foo","value":1}]}"#
/// );
/// assert!(converted.inventions.is_empty());
/// # Ok::<(), chatstate_json::Rejection>(())
/// ```
pub fn read(text: &str) -> Result<Converted, Rejection> {
    let mut log = values(text)?;
    let mut conversion = DraftConversion::of(&log);
    let mut run = RunInProgress::of(conversion.first_run(&log));
    for (index, event) in log.iter_mut().enumerate() {
        conversion.index = index;
        if let Value::Object(event) = event {
            if run.ends_before(event) {
                conversion.end_run("another run begins in it");
            }
            conversion.event(event).map_err(|it| it.within(index))?;
            run.take(event);
        }
        let event = Event::from_json(&event.to_json());
        conversion
            .converted
            .events
            .push(event.map_err(|it| it.within(index))?);
    }
    if run.is_made_up && run.could_end() {
        conversion.end_run("the run was made up");
    }
    Ok(conversion.converted)
}

/// What is known of the run in progress.
struct RunInProgress {
    /// Whether there is one.
    is_running: bool,
    /// Whether it is the one that the log does not have.
    is_made_up: bool,
    /// The items that are open: their kinds, and their ids if they have any.
    open: HashSet<(String, Option<String>)>,
}

impl RunInProgress {
    fn of(is_made_up: bool) -> Self {
        Self {
            is_running: is_made_up,
            is_made_up,
            open: HashSet::new(),
        }
    }

    /// Whether an event begins a run although this one has no end.
    fn ends_before(&self, event: &Object) -> bool {
        self.could_end() && tag_of(event) == "RUN_STARTED"
    }

    /// Whether it may end here: nothing is open in it.
    fn could_end(&self) -> bool {
        self.is_running && self.open.is_empty()
    }

    fn take(&mut self, event: &Object) {
        let tag = tag_of(event);
        if matches!(tag, "RUN_STARTED" | "RUN_FINISHED" | "RUN_ERROR") {
            self.is_running = tag == "RUN_STARTED";
            self.is_made_up = false;
            // To clear a set takes the time of the largest that it was.
            self.open = HashSet::new();
            return;
        }
        let Some((kind, does)) = tag.rsplit_once('_') else {
            return;
        };
        let ids = ["messageId", "toolCallId", "stepName", "subagentRunId"];
        let id = ids.iter().find_map(|name| event.get(name)?.as_str());
        let item = (kind.to_owned(), id.map(str::to_owned));
        match does {
            "START" | "STARTED" => drop(self.open.insert(item)),
            "END" | "FINISHED" | "ERROR" => drop(self.open.remove(&item)),
            _ => {}
        }
    }
}

fn tag_of(event: &Object) -> &str {
    event
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or_default()
}

/// The values of a log, before it is known whether they are events.
pub(super) fn values(text: &str) -> Result<Vec<Value>, Rejection> {
    if text.trim_start().starts_with('[') {
        return match parse_with(text, Surrogates::AllowUnpairedAtEnds)? {
            Value::Array(items) => Ok(items),
            other => Ok(vec![other]),
        };
    }
    if text.trim().is_empty() {
        json::check(text)?;
    }
    let lines = text.split('\n').filter(|line| !line.trim().is_empty());
    let read = |(index, line): (usize, &str)| {
        parse_with(line, Surrogates::AllowUnpairedAtEnds)
            .map_err(|rejection| rejection.within(index))
    };
    lines.enumerate().map(read).collect()
}

struct DraftConversion {
    converted: Converted,
    /// The thread of the log, and whether the log says so.
    thread: String,
    /// The run in progress.
    run: String,
    /// The ids of messages that are taken.
    taken: HashSet<String>,
    index: usize,
}

impl DraftConversion {
    fn of(log: &[Value]) -> Self {
        let threads = log.iter().map(|event| (event, event.get("input")));
        let mut threads = threads.filter_map(|(event, input)| {
            let said = event.get("threadId").or_else(|| input?.get("threadId"));
            said.and_then(Value::as_str)
        });
        Self {
            converted: Converted::default(),
            thread: threads.next().unwrap_or(THREAD).to_owned(),
            run: RUN.to_owned(),
            taken: log.iter().flat_map(message_ids).collect(),
            index: 0,
        }
    }

    fn invent(&mut self, place: &str, message: String) {
        let at = format!("/{}{place}", self.index);
        self.converted.inventions.push(Invention { at, message });
    }

    /// A log that begins in no run gets one: no event of AG-UI is outside. Tells whether it does.
    fn first_run(&mut self, log: &[Value]) -> bool {
        let first = log.first().and_then(|event| event.get("type")?.as_str());
        if matches!(first, None | Some("RUN_STARTED" | "RUN_ERROR")) {
            return false;
        }
        let (thread, run) = (self.thread.clone(), self.run.clone());
        let message =
            format!("the log begins in no run; made up the run `{run}` of thread `{thread}`");
        self.invent("", message);
        let start = Event::RunStarted(Box::new(RunStartedEvent::new(thread, run)));
        self.converted.events.push(start);
        true
    }

    /// Ends the run in progress, which the log does not: a draft shows what it is about and leaves out
    /// the rest.
    fn end_run(&mut self, why: &str) {
        let (thread, run) = (self.thread.clone(), self.run.clone());
        self.invent("", format!("{why}; made up the end of the run `{run}`"));
        let end = RunFinishedEvent::new(thread, run);
        self.converted.events.push(Event::RunFinished(end));
    }

    fn event(&mut self, event: &mut Object) -> Result<(), Rejection> {
        let tag = tag_of(event).to_owned();
        for (_, from, to) in RENAMED.iter().filter(|(of, ..)| *of == tag) {
            rename(event, from, to)?;
        }
        match tag.as_str() {
            "STATE_DELTA" => as_patch(event),
            "RUN_STARTED" => self.run_started(event),
            "RUN_FINISHED" => self.ids(event, ""),
            "MESSAGES_SNAPSHOT" => self.messages(event, ""),
            _ => {}
        }
        Ok(())
    }

    fn run_started(&mut self, event: &mut Object) {
        if let Some(run) = event.get("runId").and_then(Value::as_str) {
            run.clone_into(&mut self.run);
        }
        self.ids(event, "");
        if let Some(Value::Object(input)) = event.get_mut("input") {
            let mut input = std::mem::take(input);
            self.ids(&mut input, "/input");
            if !input.contains_key("messages") {
                self.invent(
                    "/input/messages",
                    "the input has no messages; made it an empty list".to_owned(),
                );
                input.insert("messages", Vec::new());
            }
            self.messages(&mut input, "/input");
            event.insert("input", input);
        }
    }

    /// The thread and the run, where they are not said.
    fn ids(&mut self, object: &mut Object, place: &str) {
        let said = [
            ("threadId", self.thread.clone()),
            ("runId", self.run.clone()),
        ];
        for (index, (name, id)) in said.into_iter().enumerate() {
            if !object.contains_key(name) {
                // An input may only repeat what its run has said.
                if place.is_empty() {
                    let message = format!("`{name}` is not said; took `{id}`");
                    self.invent(&format!("/{name}"), message);
                }
                object.insert_at(index + usize::from(place.is_empty()), name, id.into());
            }
        }
    }

    /// Messages that are plain text, and those without an id.
    fn messages(&mut self, object: &mut Object, place: &str) {
        let Some(Value::Array(messages)) = object.get_mut("messages") else {
            return;
        };
        for (number, message) in messages.iter_mut().enumerate() {
            let at = format!("{place}/messages/{number}");
            match message {
                Value::String(_) => {
                    let id = self.free_id();
                    self.invent(
                        &at,
                        format!(
                            "the message is text alone; took it for a user's, with the id `{id}`"
                        ),
                    );
                    let content = std::mem::take(message);
                    let members = [
                        ("id", Value::from(id)),
                        ("role", "user".into()),
                        ("content", content),
                    ];
                    *message = Value::Object(members.into_iter().collect());
                }
                Value::Object(members) if !members.contains_key("id") => {
                    let id = self.free_id();
                    self.invent(
                        &format!("{at}/id"),
                        format!("the message has no id; made up `{id}`"),
                    );
                    members.insert_at(0, "id", id.into());
                }
                _ => {}
            }
        }
    }

    /// An id that no message of the log has.
    fn free_id(&mut self) -> String {
        let mut number: u64 = 1;
        loop {
            let id = format!("message-{number}");
            if self.taken.insert(id.clone()) {
                return id;
            }
            number += 1;
        }
    }
}

/// The ids of messages that an event names.
pub(super) fn message_ids(event: &Value) -> Vec<String> {
    let input = event.get("input").and_then(|input| input.get("messages"));
    let lists = [input, event.get("messages")].into_iter().flatten();
    let messages = lists.filter_map(Value::as_array).flatten();
    let ids = messages.map(|message| message.get("id"));
    ids.chain([event.get("messageId"), event.get("toolCallId")])
        .filter_map(|id| Some(id?.as_str()?.to_owned()))
        .collect()
}

/// Gives a member AG-UI's name, where it is.
fn rename(event: &mut Object, from: &str, to: &str) -> Result<(), Rejection> {
    let Some(value) = event.get(from).cloned() else {
        return Ok(());
    };
    match event.get(to) {
        Some(other) if *other != value => {
            let message =
                format!("the event has `{from}` and `{to}` with two values; keep one of them");
            return Err(
                Rejection::new(Class::Semantic, "convert.two-values", message).within(from),
            );
        }
        Some(_) => drop(event.remove(from)),
        None => {
            let place = event.remove(from).map(|(place, _)| place);
            event.insert_at(place.unwrap_or_default(), to, value);
        }
    }
    Ok(())
}

/// One operation in place of an array of them.
fn as_patch(event: &mut Object) {
    if let Some(delta @ Value::Object(_)) = event.get_mut("delta") {
        *delta = Value::Array(vec![std::mem::take(delta)]);
    }
}
