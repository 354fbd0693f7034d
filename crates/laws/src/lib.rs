//! The laws of compaction and of attaching: what must be true of a log and of what was made of it.
//!
//! Each law is a judgement of logs that are there already, so that it holds any compactor to
//! account: this library's own on streams made at random, and that of an SDK on the cases of the
//! corpus. What comes in is a log that verifies; what comes out may be anything.

mod attached;
mod contained;
mod effective;
mod expansion;
mod input;
mod joined;
mod replayed;
mod size;

pub use attached::attached;
pub use contained::{contained, in_place};
pub use effective::effective;
pub use input::minimal_input;
pub use joined::joined;
pub use replayed::replay;
pub use size::{never_larger, without_idle_chunks};

use std::fmt;

use chatstate_json::Rejection;
use chatstate_json::{Object, Value, WriteJson};
use chatstate_streams::compact::{Level, Retain};
use chatstate_streams::replay::is_removed;
use chatstate_streams::verify::verify;
use chatstate_types::definition::definition_of;
use chatstate_types::diff::{Difference, diff};
use chatstate_types::generated::Event;

/// What a judgement finds: nothing, or how the law is broken.
pub type LawResult = Result<(), Broken>;

/// How a law is broken.
#[derive(Debug, Clone, PartialEq)]
pub struct Broken {
    /// What is wrong, for people.
    pub problem: String,
    /// The rule and the place that say it in a word, as `text.not-open@/4`; absent where the
    /// differences do.
    pub rule: Option<String>,
    /// What differs, where two values should be one.
    pub differences: Vec<Difference>,
}

impl Broken {
    /// A law that is broken in a way that no difference shows.
    #[must_use]
    pub fn new(problem: impl Into<String>) -> Self {
        Self {
            problem: problem.into(),
            rule: None,
            differences: Vec::new(),
        }
    }

    /// A law that is broken because a log is rejected.
    #[must_use]
    pub fn rejected(problem: &str, rejection: &Rejection) -> Self {
        Self {
            problem: format!("{problem}: {rejection}"),
            rule: Some(format!("{}@{}", rejection.rule, rejection.at)),
            differences: Vec::new(),
        }
    }

    fn differing(problem: impl Into<String>, differences: Vec<Difference>) -> Self {
        Self {
            differences,
            ..Self::new(problem)
        }
    }

    /// The same, said of a part of the evidence.
    #[must_use]
    pub fn when(mut self, circumstance: impl fmt::Display) -> Self {
        self.problem = format!("{circumstance}, {}", self.problem);
        self
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.problem)?;
        for difference in &self.differences {
            write!(formatter, "\n{difference}")?;
        }
        Ok(())
    }
}

/// *Idempotent*: compacting again changes nothing.
///
/// # Errors
///
/// When the events that were compacted twice are not those that were compacted once.
pub fn idempotent(once: &[Event], twice: &[Event]) -> LawResult {
    same_events(once, twice, "compacting again gives other events")
}

/// *Incremental*: compacting a beginning, and then that together with the rest, gives what
/// compacting at once gives.
///
/// # Errors
///
/// When it does not.
pub fn incremental(at_once: &[Event], in_steps: &[Event]) -> LawResult {
    same_events(
        at_once,
        in_steps,
        "compacting in two steps gives other events",
    )
}

/// What follows a cut may be appended to what compaction made of the events before it: the two
/// together verify. It is what *incremental* needs.
///
/// # Errors
///
/// When they do not.
pub fn appended(joined: &[Event]) -> LawResult {
    verifies(
        joined,
        "what follows does not verify after the compacted events",
    )
}

/// *Closed*: what is made of a log that verifies, verifies.
///
/// # Errors
///
/// When it does not.
pub fn closed(compacted: &[Event]) -> LawResult {
    verifies(compacted, "the compacted events do not verify")
}

fn verifies(events: &[Event], problem: &str) -> LawResult {
    match verify(events).errors.first() {
        None => Ok(()),
        Some(error) => Err(Broken::rejected(problem, &error.into())),
    }
}

/// Whether compaction at this level may take the events of a run away.
fn may_remove_runs(level: Level) -> bool {
    level == Level::Snapshot(Retain::Tips)
}

/// Whether compaction removed the run of this id from these events.
#[must_use]
pub fn removes(compacted: &[Event], run_id: &str) -> bool {
    let has_id = |event: &&Event| matches!(event, Event::RunStarted(it) if it.run_id == run_id);
    compacted.iter().find(has_id).is_some_and(is_removed)
}

fn same_events(expected: &[Event], found: &[Event], problem: &str) -> LawResult {
    if expected == found {
        return Ok(());
    }
    let (expected, found) = (Value::from(trees(expected)?), Value::from(trees(found)?));
    let differences = diff(&expected, &found, definition_of("EventStream"));
    Err(Broken::differing(problem, differences.found))
}

fn same_values(expected: &Value, found: &Value, problem: &str) -> LawResult {
    if expected == found {
        return Ok(());
    }
    Err(Broken::differing(
        problem,
        diff(expected, found, None).found,
    ))
}

fn trees(events: &[Event]) -> Result<Vec<Value>, Broken> {
    events.iter().map(tree).collect()
}

/// A value as a tree; one that is none breaks the law that asks for it.
fn tree(value: &impl WriteJson) -> Result<Value, Broken> {
    Value::try_of(value)
        .map_err(|rejection| Broken::rejected("what is compared cannot be written", &rejection))
}

/// An event as the members that it has.
fn members(event: &Event) -> Object {
    match Value::of(event) {
        Value::Object(members) => members,
        _ => Object::new(),
    }
}

fn text<'a>(members: &'a Object, name: &str) -> Option<&'a str> {
    members.get(name)?.as_str()
}

/// The places where runs begin.
fn run_starts(events: &[Event]) -> Vec<usize> {
    let starts = events.iter().enumerate();
    let starts = starts.filter(|(_, event)| matches!(event, Event::RunStarted(_)));
    starts.map(|(index, _)| index).collect()
}
