//! *Contained*: no event leaves its run.

use super::effective::{has_unknown_operation, is_known_of_state, stands_alone};
use super::expansion::{Spelled, expanded};
use super::{Broken, LawResult, may_remove_runs};
use chatstate_json::{Object, Value, canonical};
use chatstate_streams::compact::Level;
use chatstate_streams::replay::is_removed;
use chatstate_types::diff::{Difference, LossClass};
use chatstate_types::generated::Event;

/// *Contained*: every event that nothing is merged into or folded into is still in its run, none is
/// added, and until the next run nothing but a `RUN_ERROR` and events of unknown types follows a
/// `RUN_FINISHED`.
///
/// # Errors
///
/// When a run has lost such an event or has one that it did not have.
pub fn contained(before: &[Event], after: &[Event], level: Level) -> LawResult {
    nothing_after_finish(after)?;
    each_run(before, after, level, |before, after| {
        let mut added: Vec<&Fact> = after.iter().collect();
        let mut differences = Vec::new();
        for fact in before {
            match added.iter().position(|other| other.said == fact.said) {
                Some(place) => drop(added.remove(place)),
                None => differences.push(fact.difference(LossClass::ItemDropped)),
            }
        }
        differences.extend(
            added
                .into_iter()
                .map(|it| it.difference(LossClass::ItemAdded)),
        );
        differences
    })
}

/// Whether what is contained is also in its old order, as rule 1 of level `stream` wants it.
/// No law: another compactor may place events differently.
///
/// # Errors
///
/// When the order within a run is another one.
pub fn in_place(before: &[Event], after: &[Event], level: Level) -> LawResult {
    each_run(before, after, level, |before, after| {
        let moved = before
            .iter()
            .zip(after)
            .find(|(before, after)| before.said != after.said);
        let moved = moved.map(|(before, _)| before.difference(LossClass::ArrayReordered));
        moved.into_iter().collect()
    })
}

fn each_run(
    before: &[Event],
    after: &[Event],
    level: Level,
    compare: impl Fn(&[Fact], &[Fact]) -> Vec<Difference>,
) -> LawResult {
    let (before, after) = (runs(before, level), runs(after, level));
    if before.len() != after.len() {
        let problem = format!("{} runs became {}", before.len() - 1, after.len() - 1);
        return Err(Broken::new(problem));
    }
    for (mut before, after) in before.into_iter().zip(after) {
        // A removed run holds its frame alone. One that says so without having been removed, such as one
        // that is not over, holds all that it held.
        let may_be_frame = after.removed && (before.removed || may_remove_runs(level));
        if may_be_frame && after.facts.iter().all(|fact| fact.frame) {
            before.facts.retain(|fact| fact.frame);
        }
        let differences = compare(&before.facts, &after.facts);
        if !differences.is_empty() {
            let problem = format!("{} does not hold the events that it held", after.name);
            return Err(Broken::differing(problem, differences));
        }
    }
    Ok(())
}

fn nothing_after_finish(events: &[Event]) -> LawResult {
    let mut finished = false;
    for (index, event) in events.iter().enumerate() {
        match event {
            Event::RunFinished(_) => finished = true,
            Event::RunStarted(_) => finished = false,
            Event::RunError(_) | Event::Unknown(_) => {}
            other if finished => {
                let problem = format!("a `{}` is between two runs", other.tag());
                let difference = Fact::of_event(index, other).difference(LossClass::ItemAdded);
                return Err(Broken::differing(problem, vec![difference]));
            }
            _ => {}
        }
    }
    Ok(())
}

/// What is in one run.
struct ComparedRun {
    name: String,
    removed: bool,
    facts: Vec<Fact>,
}

/// An event that nothing is merged into, in the words in which it is compared.
struct Fact {
    index: usize,
    said: String,
    value: Value,
    frame: bool,
}

impl Fact {
    fn of_event(index: usize, event: &Event) -> Self {
        Self {
            index,
            said: event.tag().to_owned(),
            value: Value::of(event),
            frame: false,
        }
    }

    fn difference(&self, class: LossClass) -> Difference {
        let value = Some(self.value.clone());
        let added = class == LossClass::ItemAdded;
        let (before, after) = if added { (None, value) } else { (value, None) };
        Difference {
            class,
            at: format!("/{}", self.index),
            to: None,
            before,
            after,
        }
    }
}

/// For each run what nothing is merged into: its events without deltas and state, and of snapshots
/// only what snapshots leave alone. The first entry is what is before any run.
fn runs(events: &[Event], level: Level) -> Vec<ComparedRun> {
    let first = ComparedRun {
        name: "what is before any run".to_owned(),
        removed: false,
        facts: Vec::new(),
    };
    let mut runs = vec![first];
    let mut states = Vec::new();
    let mut running = false;
    for event in expanded(events) {
        if event.tag() == "RUN_STARTED" {
            add_states(&mut runs, std::mem::take(&mut states));
            runs.push(ComparedRun {
                name: format!("run `{}`", event.text("runId").unwrap_or_default()),
                removed: is_removed(&events[event.index]),
                facts: Vec::new(),
            });
        }
        running = match (event.unknown, event.tag()) {
            (false, "RUN_STARTED") => true,
            (false, "RUN_FINISHED" | "RUN_ERROR") => false,
            _ => running,
        };
        // What is outside of a run stays where the run is removed.
        let outside = event.unknown && !running;
        let frame = outside || (event.tag().starts_with("RUN_") && !event.unknown);
        if let Some(said) = said(&event, level)
            && let Some(run) = runs.last_mut()
        {
            let said = if outside {
                format!("outside of runs: {said}")
            } else {
                said
            };
            run.facts.push(Fact {
                index: event.index,
                said,
                value: Value::Object(event.members),
                frame,
            });
        } else if level == Level::Stream && event.tag().starts_with("STATE_") {
            states.push(event);
        }
    }
    add_states(&mut runs, states);
    runs
}

/// What stays of the state events of a run: from the last snapshot on, whose they are, and those
/// with a member that is not known; and each patch with an unknown operation.
fn add_states(runs: &mut [ComparedRun], events: Vec<Spelled>) {
    let last = events
        .iter()
        .rposition(|event| event.tag() == "STATE_SNAPSHOT");
    let last = last.unwrap_or_default();
    let facts = events.into_iter().enumerate();
    let facts = facts.filter(|(place, event)| *place >= last || has_unknown_operation(event));
    let mut facts: Vec<Fact> = facts
        .map(|(_, event)| Fact {
            index: event.index,
            said: if event.members.keys().all(|name| is_known_of_state(name))
                && !has_unknown_operation(&event)
            {
                format!("state of {:?}", event.text("subagentRunId"))
            } else {
                canonical(&Value::Object(event.members.clone()))
            },
            value: Value::Object(event.members),
            frame: false,
        })
        .collect();
    facts.sort_by(|one, other| one.said.cmp(&other.said));
    facts.dedup_by(|one, other| one.said == other.said);
    if let Some(run) = runs.last_mut() {
        run.facts.extend(facts);
    }
}

/// How an event is compared; nothing for one that may change. Of what begins and ends items only
/// that is compared, since what they carry may come from chunks, and replay judges it.
fn said(event: &Spelled, level: Level) -> Option<String> {
    if event.unknown {
        return Some(canonical(&Value::Object(event.members.clone())));
    }
    if level != Level::Stream && is_replaced(event.tag()) && !has_unknown_subtype(event) {
        return None;
    }
    let id = |name: &str| event.text(name).unwrap_or_default().to_owned();
    match event.tag() {
        "TEXT_MESSAGE_CONTENT" | "REASONING_MESSAGE_CONTENT" | "TOOL_CALL_ARGS" => {
            stands_alone(event).then(|| what_stands_alone(event))
        }
        "STATE_SNAPSHOT" | "STATE_DELTA" => None,
        tag @ ("TEXT_MESSAGE_START"
        | "TEXT_MESSAGE_END"
        | "REASONING_MESSAGE_START"
        | "REASONING_MESSAGE_END") => Some(format!("{tag} {}", id("messageId"))),
        tag @ ("TOOL_CALL_START" | "TOOL_CALL_END") => Some(format!("{tag} {}", id("toolCallId"))),
        "RUN_STARTED" => Some(canonical(&Value::Object(without_messages(&event.members)))),
        _ => Some(canonical(&Value::Object(event.members.clone()))),
    }
}

/// A delta that is not merged, without what it may have from other deltas.
fn what_stands_alone(event: &Spelled) -> String {
    let mut members = event.members.clone();
    members
        .retain(|name, _| !["timestamp", "rawEvent", "metadata", "subagentRunId"].contains(&name));
    canonical(&Value::Object(members))
}

/// A start of a run without what compaction may change: the messages of its input, and what it says
/// of compaction.
fn without_messages(start: &Object) -> Object {
    let mut start = start.clone();
    if let Some(Value::Object(input)) = start.get_mut("input") {
        input.insert("messages", Vec::new());
    }
    if let Some(Value::Object(metadata)) = start.get_mut("metadata") {
        metadata.remove("chatstate");
        if metadata.is_empty() {
            start.remove("metadata");
        }
    }
    start
}

/// Whether a snapshot may replace events of a type.
/// Whether an event is an encrypted value of which it is not known what it belongs to.
fn has_unknown_subtype(event: &Spelled) -> bool {
    let known = ["tool-call", "message"];
    let subtype = event.text("subtype");
    event.tag() == "REASONING_ENCRYPTED_VALUE" && subtype.is_some_and(|word| !known.contains(&word))
}

fn is_replaced(tag: &str) -> bool {
    let kinds = [
        "TEXT_",
        "TOOL_",
        "REASONING_MESSAGE",
        "REASONING_ENC",
        "ACTIVITY",
        "MESSAGES",
    ];
    kinds.iter().any(|kind| tag.starts_with(kind))
}
