//! The laws of compaction over streams made at random.
//!
//! `CHATSTATE_STREAMS` sets how many streams each law is tried on, `CHATSTATE_SEED` which.

mod streams;

use chatstate::compact::{Level, Options, Retain};
use chatstate::generated::{Event, RunStartedEvent};
use chatstate::json::{Halves, Value, WriteJson, parse_with};
use chatstate::replay::replay;
use chatstate::verify::verify;
use std::collections::BTreeMap;
use streams::{FEATURES, Feature, Source, Stream, case, expanded, generate, shrink};

/// A law: what is wrong with a stream and the places where it may be cut, if anything.
type Check = fn(&[Event], &[usize], Level) -> Result<(), String>;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

fn stream(number: u64) -> Stream {
    generate(Source::new(setting("CHATSTATE_SEED", 1), number))
}

/// Tries a law at both levels.
fn check(law: &str, holds: Check) {
    check_at(Level::Stream, law, holds);
    check_at(Level::Snapshot(Retain::Runs), law, holds);
}

/// Tries a law on many streams; the first one that breaks it is shown as small as it goes.
fn check_at(level: Level, law: &str, holds: Check) {
    let count = setting("CHATSTATE_STREAMS", 1000);
    for number in 0..count {
        let events = stream(number).events;
        let mut source = Source::new(2, number);
        let all = number < count / 10 || events.len() < 8;
        let cuts: Vec<usize> = if all {
            (0..=events.len()).collect()
        } else {
            vec![source.below(events.len() + 1)]
        };
        if holds(&events, &cuts, level).is_err() {
            let fails = |events: &[Event]| holds(events, &all_cuts(events), level).is_err();
            let smallest = shrink(&events, fails);
            let reason = holds(&smallest, &all_cuts(&smallest), level).err();
            panic!(
                "{level:?}, stream {number}: {}\n{}",
                reason.unwrap_or_default(),
                case(law, level, &smallest)
            );
        }
    }
}

/// Compacts a valid stream at a level.
fn compact(events: &[Event], level: Level) -> Vec<Event> {
    chatstate::compact::compact(events, &Options::at(level)).expect("the stream is valid")
}

fn all_cuts(events: &[Event]) -> Vec<usize> {
    (0..=events.len()).collect()
}

fn text(events: &[Event]) -> String {
    let lines = events.iter().map(Event::to_json);
    lines.collect::<Vec<_>>().join("\n")
}

fn equal(what: &str, left: &[Event], right: &[Event]) -> Result<(), String> {
    if left == right {
        return Ok(());
    }
    Err(format!(
        "{what}\n{}\n--- but ---\n{}",
        text(left),
        text(right)
    ))
}

fn ensure(holds: bool, message: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(message()) }
}

#[test]
fn generated_streams_are_valid_and_have_every_feature() {
    let count = 4000;
    let mut seen: BTreeMap<Feature, usize> = BTreeMap::new();
    let mut pairs: BTreeMap<(Feature, Feature), usize> = BTreeMap::new();
    for number in 0..count as u64 {
        let stream = stream(number);
        let errors = verify(&stream.events).errors;
        assert!(errors.is_empty(), "{errors:?}\n{}", text(&stream.events));
        for one in &stream.features {
            *seen.entry(*one).or_default() += 1;
            for other in &stream.features {
                *pairs.entry((*one, *other)).or_default() += 1;
            }
        }
    }
    for one in FEATURES {
        let share = seen.get(one).copied().unwrap_or_default();
        assert!(share >= count / 20, "{one:?} is in {share} of {count}");
        for other in FEATURES {
            let share = pairs.get(&(*one, *other)).copied().unwrap_or_default();
            assert!(
                share >= count / 1000,
                "{one:?} with {other:?}: {share} of {count}"
            );
        }
    }
}

#[test]
fn idempotent() {
    check("idempotent", |events, cuts, level| {
        cuts.iter().try_for_each(|cut| {
            let once = compact(&events[..*cut], level);
            equal("not idempotent", &once, &compact(&once, level))
        })
    });
}

#[test]
fn replay_is_kept() {
    check("replay", |events, cuts, level| {
        cuts.iter()
            .try_for_each(|cut| same_replay(&events[..*cut], level))
    });
}

/// The same at the end and after every run.
fn same_replay(events: &[Event], level: Level) -> Result<(), String> {
    let compacted = compact(events, level);
    let (before, after) = (run_ends(events), run_ends(&compacted));
    ensure(before.len() == after.len(), || "runs differ".to_owned())?;
    for (before, after) in before.into_iter().zip(after) {
        let expected = replay(&events[..before]).map_err(|rejection| rejection.to_string())?;
        let found = replay(&compacted[..after]).map_err(|rejection| {
            format!("compaction made it bad: {rejection}\n{}", text(&compacted))
        })?;
        let mut texts = (String::new(), String::new());
        expected.write(&mut texts.0);
        found.write(&mut texts.1);
        ensure(expected == found, || {
            format!("{}\nbecame\n{}\nby\n{}", texts.0, texts.1, text(&compacted))
        })?;
    }
    Ok(())
}

/// The length of the stream up to the end of each run, and its whole length.
fn run_ends(events: &[Event]) -> Vec<usize> {
    let starts = events.iter().enumerate().skip(1);
    let starts = starts.filter(|(_, event)| matches!(event, Event::RunStarted(_)));
    let mut ends: Vec<usize> = starts.map(|(index, _)| index).collect();
    ends.push(events.len());
    ends
}

#[test]
fn closed() {
    check("closed", |events, cuts, level| {
        cuts.iter().try_for_each(|cut| {
            let compacted = compact(&events[..*cut], level);
            let errors = verify(&compacted).errors;
            ensure(errors.is_empty(), || {
                format!("{errors:?}\n{}", text(&compacted))
            })
        })
    });
}

#[test]
fn contained() {
    check("contained", |events, _, level| {
        let compacted = compact(events, level);
        let (before, after) = (
            runs(&expanded(events), level),
            runs(&expanded(&compacted), level),
        );
        ensure(before == after, || {
            format!("{before:?}\nbecame\n{after:?}\nby\n{}", text(&compacted))
        })
    });
}

/// For each run, what nothing is joined into: its events without deltas, state and input, and of
/// snapshots only those that snapshots leave alone.
fn runs(events: &[Event], level: Level) -> Vec<Vec<String>> {
    let mut runs = vec![Vec::new()];
    for event in events {
        if level != Level::Stream && is_replaced(event) {
            continue;
        }
        let name = match event {
            Event::RunStarted(start) => {
                runs.push(Vec::new());
                format!("run {}", start.run_id)
            }
            Event::TextMessageContent(_)
            | Event::ReasoningMessageContent(_)
            | Event::ToolCallArgs(_)
            | Event::StateSnapshot(_)
            | Event::StateDelta(_) => continue,
            // Their metadata may come from chunks, so only what they begin and end is compared.
            Event::TextMessageStart(event) => format!("begin text {}", event.message_id),
            Event::ReasoningMessageStart(event) => format!("begin reasoning {}", event.message_id),
            Event::ToolCallStart(event) => format!("begin call {}", event.tool_call_id),
            Event::TextMessageEnd(event) => format!("end text {}", event.message_id),
            Event::ReasoningMessageEnd(event) => format!("end reasoning {}", event.message_id),
            Event::ToolCallEnd(event) => format!("end call {}", event.tool_call_id),
            other => other.to_json(),
        };
        if let Some(run) = runs.last_mut() {
            run.push(name);
        }
    }
    runs
}

/// Whether a snapshot may stand for an event.
fn is_replaced(event: &Event) -> bool {
    let kinds = [
        "TEXT_",
        "TOOL_",
        "REASONING_MESSAGE",
        "REASONING_ENC",
        "ACTIVITY",
        "MESSAGES",
    ];
    kinds.iter().any(|kind| event.tag().starts_with(kind))
}

#[test]
fn incremental() {
    check("incremental", |events, cuts, level| {
        let whole = compact(events, level);
        cuts.iter().try_for_each(|cut| {
            let mut joined = compact(&events[..*cut], level);
            joined.extend_from_slice(&events[*cut..]);
            let what = format!("cut at {cut}");
            equal(&what, &whole, &compact(&joined, level))
        })
    });
}

#[test]
fn minimal_input_is_sound_and_effective() {
    check("minimal-input", |events, _, level| {
        let compacted = compact(events, level);
        let before = starts(events);
        let after = starts(&compacted);
        ensure(before.len() == after.len(), || "runs differ".to_owned())?;
        for ((index, before), (_, after)) in before.into_iter().zip(after) {
            let (kept, found) = (necessary(&events[..index], before), input_messages(after));
            ensure(kept == found, || format!("{kept:?}\nbut\n{found:?}"))?;
        }
        Ok(())
    });
}

/// The places of the run starts and what they say.
fn starts(events: &[Event]) -> Vec<(usize, &RunStartedEvent)> {
    let starts = events.iter().enumerate().filter_map(|(index, event)| {
        let Event::RunStarted(start) = event else {
            return None;
        };
        Some((index, start.as_ref()))
    });
    starts.collect()
}

fn input_messages(start: &RunStartedEvent) -> Vec<Value> {
    let messages = start.input.iter().flat_map(|input| &input.messages);
    messages.map(tree).collect()
}

/// The input messages that must stay: those that a replay of the run's path does not hold.
fn necessary(before: &[Event], start: &RunStartedEvent) -> Vec<Value> {
    let mut path = before.to_vec();
    let bare = RunStartedEvent {
        input: None,
        ..start.clone()
    };
    path.push(Event::RunStarted(Box::new(bare)));
    let mut held: Vec<Value> = replay(&path)
        .unwrap_or_default()
        .messages
        .into_iter()
        .map(Value::Object)
        .collect();
    let mut necessary = Vec::new();
    for message in input_messages(start) {
        let known = held
            .iter()
            .find(|known| known.get("id") == message.get("id"));
        if known == Some(&message) && message.get("subagentRunId").is_none() {
            continue;
        }
        if known.is_none() {
            held.push(message.clone());
        }
        necessary.push(message);
    }
    necessary
}

fn tree(value: &impl WriteJson) -> Value {
    let mut text = String::new();
    value.write(&mut text);
    parse_with(&text, Halves::Keep).expect("what is written can be read")
}

#[test]
fn never_larger() {
    check("never-larger", |events, cuts, level| {
        cuts.iter().try_for_each(|cut| {
            let events = &events[..*cut];
            let (input, output) = (expanded(events), compact(events, level));
            let spelled = expanded(&output);
            ensure(output.len() <= input.len(), || {
                format!("{} events became {}", input.len(), output.len())
            })?;
            ensure(spelled.len() <= input.len(), || {
                format!("{} events became {}", input.len(), spelled.len())
            })?;
            if level != Level::Stream {
                return Ok(());
            }
            let has_chunks = input.len() != events.len() || expanded(events) != events;
            let (before, after) = (bytes(&input, has_chunks), bytes(&output, has_chunks));
            ensure(after <= before, || {
                format!("{before} bytes became {after}\n{}", text(&output))
            })
        })
    });
}

/// The bytes of all events but those of the state; where there were chunks, without timestamps.
fn bytes(events: &[Event], has_chunks: bool) -> usize {
    let counted = events
        .iter()
        .filter(|event| !matches!(event, Event::StateSnapshot(_) | Event::StateDelta(_)));
    let size = |event: &Event| {
        let Value::Object(mut value) = tree(event) else {
            return 0;
        };
        if has_chunks {
            value.remove("timestamp");
        }
        Value::Object(value).to_json().len()
    };
    counted.map(size).sum()
}

#[test]
fn effective() {
    check("effective", |events, _, level| {
        let compacted = compact(events, level);
        ensure(!has_second_delta(&compacted), || {
            format!("two deltas\n{}", text(&compacted))
        })?;
        ensure(!has_second_state(&compacted), || {
            format!("two states\n{}", text(&compacted))
        })
    });
}

/// Whether a closed span holds two deltas between barriers.
fn has_second_delta(events: &[Event]) -> bool {
    let deltas = events.iter().enumerate().filter_map(|(index, event)| {
        let (kind, id, alone) = delta(event)?;
        (!alone).then_some((index, kind, id))
    });
    let deltas: Vec<_> = deltas.collect();
    deltas.iter().enumerate().any(|(place, (index, kind, id))| {
        let next = deltas[place + 1..]
            .iter()
            .find(|(_, other, other_id)| other == kind && other_id == id);
        next.is_some_and(|(next, ..)| {
            !events[index + 1..*next]
                .iter()
                .any(|event| bars(event, kind, id))
                && !is_shared(&events[..*next], kind, id)
        })
    })
}

/// The kind and the item of a delta, and whether it has a member that nobody knows.
fn delta(event: &Event) -> Option<(&'static str, &str, bool)> {
    match event {
        Event::TextMessageContent(e) => Some(("TEXT_MESSAGE", &e.message_id, !e.extra.is_empty())),
        Event::ReasoningMessageContent(e) => {
            Some(("REASONING_MESSAGE", &e.message_id, !e.extra.is_empty()))
        }
        Event::ToolCallArgs(e) => Some(("TOOL_CALL", &e.tool_call_id, !e.extra.is_empty())),
        _ => None,
    }
}

/// Whether an event is a barrier for an item, or its end.
fn bars(event: &Event, kind: &str, id: &str) -> bool {
    if event.tag() == "MESSAGES_SNAPSHOT" || event.tag().starts_with("RUN_") {
        return true;
    }
    if event.tag().starts_with(kind) && event.tag() != "TOOL_CALL_RESULT" {
        let own = delta(event).is_some_and(|(_, other, alone)| other == id && alone);
        return own || event.tag().ends_with("_END") && names(event, id);
    }
    !matches!(event, Event::Unknown(_)) && names(event, id)
}

fn names(event: &Event, id: &str) -> bool {
    let value = tree(event);
    let members = ["messageId", "entityId", "toolCallId", "parentMessageId"];
    members
        .iter()
        .any(|member| value.get(member).and_then(Value::as_str) == Some(id))
}

/// Whether a text and a reasoning message of one id are open at the end.
fn is_shared(events: &[Event], kind: &str, id: &str) -> bool {
    let other = match kind {
        "TEXT_MESSAGE" => "REASONING_MESSAGE",
        "REASONING_MESSAGE" => "TEXT_MESSAGE",
        _ => return false,
    };
    let start = format!("{other}_START");
    let end = format!("{other}_END");
    events
        .iter()
        .rev()
        .find(|event| (event.tag() == start || event.tag() == end) && names(event, id))
        .is_some_and(|event| event.tag() == start)
}

/// Whether a run with a snapshot, all of one owner and without unknown members, has a second state
/// event.
fn has_second_state(events: &[Event]) -> bool {
    let mut runs: Vec<Vec<&Event>> = vec![Vec::new()];
    for event in events {
        match event {
            Event::RunStarted(_) => runs.push(Vec::new()),
            Event::StateSnapshot(_) | Event::StateDelta(_) => {
                if let Some(run) = runs.last_mut() {
                    run.push(event);
                }
            }
            _ => {}
        }
    }
    runs.iter().any(|run| {
        let snapshots = run.iter().any(|event| event.tag() == "STATE_SNAPSHOT");
        let simple = run.iter().all(|event| match event {
            Event::StateSnapshot(e) => e.extra.is_empty() && e.subagent_run_id.is_none(),
            Event::StateDelta(e) => e.extra.is_empty() && e.subagent_run_id.is_none(),
            _ => true,
        });
        snapshots && simple && run.len() > 1
    })
}

#[test]
fn pure() {
    check("pure", |events, _, level| {
        let before = events.to_vec();
        let (first, second) = (compact(events, level), compact(events, level));
        ensure(before == events && text(&first) == text(&second), || {
            "the input or the output changed".to_owned()
        })
    });
}
