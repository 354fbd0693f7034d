//! The reference and `@ag-ui/client` agree on recordings, on streams made at random and on broken
//! ones, but for what SPEC.md says.
//!
//! The peer knows no branches, so the streams are linear. `CHATSTATE_PEER_STREAMS` sets how many
//! there are, `CHATSTATE_SEED` which.

use chatstate::compact::{Level, Options, Retain, compact};
use chatstate::diff::{Difference, LossClass, diff};
use chatstate::generated::{Event, EventStream};
use chatstate::json::to_text;
use chatstate::json::{Surrogates, Value, WriteJson, parse_with};
use chatstate::replay::{read_stream, replay};
use chatstate::verify::verify;
use chatstate_arbitrary::Choose;
use chatstate_arbitrary::testing::{Feature, Source, Stream, generate, setting};
use chatstate_tests::embedded::{corpus, requirements};
use chatstate_tests::peer::{Peer, PeerAnswer, PeerQuestion};
use chatstate_tests::recording::recordings;
use chatstate_tests::sdk::TYPESCRIPT;
use chatstate_tests::workspace;
use std::collections::{BTreeMap, BTreeSet};

/// What the peer does otherwise on purpose of ours: the requirement, and a case that it fails.
struct Deliberate {
    requirement: &'static str,
    case: &'static str,
}

const INPUT_STATE: Deliberate = Deliberate {
    requirement: "replay.input-state",
    case: "replay/input-state",
};

const BIG_NUMBERS: Deliberate = Deliberate {
    requirement: "json.integers",
    case: "replay/state-big-number",
};

/// The peer keeps one object for all messages of an id that a snapshot replaces.
const ONE_OBJECT: Deliberate = Deliberate {
    requirement: "replay.by-id",
    case: "replay/snapshot-for-two-of-one-id",
};

/// The peer takes the message that it makes for a call for an older one of the same id.
const OWNER_OF_CALL: Deliberate = Deliberate {
    requirement: "replay.start-members",
    case: "replay/tool-call-shares-id-in-subagent",
};

/// The rules that the peer does not have.
const RULES: &[(&str, Deliberate)] = &[
    (
        "run.wrong-run",
        Deliberate {
            requirement: "verify.same-run",
            case: "verify/finish-as-other-run",
        },
    ),
    (
        "lineage.run-reused",
        Deliberate {
            requirement: "verify.run-id-once",
            case: "verify/run-id-reused",
        },
    ),
    (
        "lineage.self-or-later",
        Deliberate {
            requirement: "verify.parent-not-later",
            case: "verify/parent-itself",
        },
    ),
    (
        "chunk.ended-elsewhere",
        Deliberate {
            requirement: "verify.chunk-end",
            case: "verify/end-of-chunks-of-other",
        },
    ),
    (
        "text.unpaired-surrogate",
        Deliberate {
            requirement: "verify.half",
            case: "verify/half-at-end",
        },
    ),
];

fn linear_streams() -> Vec<Stream> {
    let seed = setting("CHATSTATE_SEED", 1);
    let count = setting("CHATSTATE_PEER_STREAMS", 200);
    let streams = (0..).map(|number| generate(Source::new(seed, number)));
    let linear = streams.filter(|stream| !stream.features.contains(&Feature::Branches));
    linear.take(usize::try_from(count).unwrap()).collect()
}

fn text(events: &[Event]) -> String {
    to_text(&EventStream(events.to_vec()))
}

fn value(text: &str) -> Value {
    parse_with(text, Surrogates::AllowUnpairedAtEnds)
        .unwrap_or_else(|rejection| panic!("{rejection}: {text}"))
}

/// What the peer says of each stream.
fn ask(peer: &mut Peer, operation: &'static str, streams: &[String]) -> Vec<PeerAnswer> {
    let question = |input: &String| PeerQuestion {
        operation,
        input: input.clone(),
    };
    let questions: Vec<_> = streams.iter().map(question).collect();
    peer.ask(&questions)
}

fn texts<'e>(streams: impl IntoIterator<Item = &'e Vec<Event>>) -> Vec<String> {
    streams.into_iter().map(|events| text(events)).collect()
}

/// What differs between two chats, each with `messages` and `state`.
fn differences(before: &Value, after: &Value) -> Vec<(&'static str, Difference)> {
    let members = ["messages", "state"].into_iter();
    let differing = |member: &'static str| {
        let of = |chat: &Value| chat.get(member).cloned().expect("a chat has both");
        let found = diff(&of(before), &of(after), None).found.into_iter();
        found.map(move |difference| (member, difference))
    };
    members.flat_map(differing).collect()
}

fn replayed(events: &[Event]) -> Value {
    let mut text = String::new();
    replay(events)
        .expect("the stream is valid")
        .write(&mut text);
    value(&text)
}

fn has_input_state(events: &[Event]) -> bool {
    events.iter().any(|event| match event {
        Event::RunStarted(start) => start.input.as_ref().is_some_and(|it| it.state.is_some()),
        _ => false,
    })
}

/// The reason why the peer differs there, if it is known.
fn explanation(
    events: &[Event],
    chat: &Value,
    member: &str,
    difference: &Difference,
) -> Option<&'static Deliberate> {
    if difference.class == LossClass::NumberRounded {
        return Some(&BIG_NUMBERS);
    }
    if member == "state" {
        return has_input_state(events).then_some(&INPUT_STATE);
    }
    let messages = chat.get("messages").and_then(Value::as_array)?;
    let id = |message: &Value| message.get("id").cloned();
    let index = difference.at.split('/').nth(1)?.parse::<usize>().ok()?;
    let shared = id(messages.get(index)?);
    let same = messages.iter().filter(|message| id(message) == shared);
    if same.count() < 2 {
        return None;
    }
    let owner = difference.at.ends_with("/subagentRunId");
    Some(if owner { &OWNER_OF_CALL } else { &ONE_OBJECT })
}

/// What differs without a known reason between our chat and the peer's.
fn unexplained(events: &[Event], theirs: &str) -> Vec<(&'static str, Difference)> {
    let ours = replayed(events);
    let mut found = differences(&ours, &value(theirs));
    found.retain(|(member, difference)| explanation(events, &ours, member, difference).is_none());
    found
}

/// Both hold the same chat, but for what is known.
fn check_replay(name: &str, events: &[Event], answer: &PeerAnswer) {
    let PeerAnswer::Ok(theirs) = answer else {
        panic!("{name}: the peer rejects it: {answer:?}\n{}", text(events));
    };
    let found = unexplained(events, theirs);
    assert!(found.is_empty(), "{name}: {found:?}\n{}", text(events));
}

#[test]
fn both_replay_generated_streams_to_the_same_chat() {
    if !TYPESCRIPT.can_run() {
        return;
    }
    let streams = linear_streams();
    let logs = texts(streams.iter().map(|stream| &stream.events));
    let answers = ask(&mut Peer::start(&TYPESCRIPT), "replay", &logs);
    for (number, (stream, answer)) in streams.iter().zip(&answers).enumerate() {
        check_replay(&format!("stream {number}"), &stream.events, answer);
    }
}

#[test]
fn both_replay_recordings_to_the_same_chat() {
    if !TYPESCRIPT.can_run() {
        return;
    }
    let recordings = recordings();
    let read = |text: &str| read_stream(text).expect("a recording can be read");
    let logs: Vec<_> = recordings.iter().map(|it| read(&it.text)).collect();
    let answers = ask(&mut Peer::start(&TYPESCRIPT), "replay", &texts(&logs));
    for ((recording, events), answer) in recordings.iter().zip(&logs).zip(&answers) {
        check_replay(&recording.name, events, answer);
    }
}

/// A stream with one event dropped, repeated somewhere or exchanged with another.
fn broken(stream: &Stream, number: u64) -> Vec<Event> {
    let mut source = Source::new(3, number);
    let mut events = stream.events.clone();
    if events.is_empty() {
        return events;
    }
    let at = source.below(events.len());
    let to = source.below(events.len());
    match source.below(3) {
        0 => drop(events.remove(at)),
        1 => events.insert(to, events[at].clone()),
        _ => events.swap(at, to),
    }
    events
}

/// Whether the peer should notice what we reject first.
fn is_known_to_the_peer(events: &[Event], rule: &str, at: usize) -> bool {
    let has_rule = RULES.iter().all(|(unknown, _)| *unknown != rule);
    has_rule && !matches!(events[at], Event::Unknown(_))
}

#[test]
fn both_reject_the_same_event_of_a_broken_stream() {
    if !TYPESCRIPT.can_run() {
        return;
    }
    let streams = linear_streams();
    let mut logs: Vec<_> = streams.iter().map(|it| it.events.clone()).collect();
    let numbered = (0..).zip(&streams);
    logs.extend(numbered.map(|(number, stream)| broken(stream, number)));
    let answers = ask(&mut Peer::start(&TYPESCRIPT), "verify", &texts(&logs));
    let mut rejected = 0;
    for (events, answer) in logs.iter().zip(&answers) {
        let verification = verify(events);
        let first = verification.errors.first();
        let theirs = answer.rejected_at();
        let agree = match first {
            Some(finding) if !is_known_to_the_peer(events, &finding.rule, finding.at) => {
                // The same event may break a rule that the peer has, or a later one.
                theirs.is_none_or(|index| index >= finding.at)
            }
            _ => theirs == first.map(|finding| finding.at),
        };
        assert!(agree, "{first:?}, {answer:?}\n{}", text(events));
        rejected += usize::from(theirs.is_some());
    }
    assert!(rejected > streams.len() / 4, "only {rejected} are rejected");
}

#[test]
fn what_we_compact_is_the_same_to_the_peer() {
    if !TYPESCRIPT.can_run() {
        return;
    }
    let mut streams = linear_streams();
    // A log that begins from `input.state` means another state to the peer.
    streams.retain(|stream| !stream.features.contains(&Feature::InputState));
    let mut peer = Peer::start(&TYPESCRIPT);
    let logs = texts(streams.iter().map(|stream| &stream.events));
    let before = ask(&mut peer, "replay", &logs);
    for level in [
        Level::Stream,
        Level::Snapshot(Retain::Runs),
        Level::Snapshot(Retain::Tips),
    ] {
        let options = Options::at(level);
        let compacted = |stream: &Stream| compact(&stream.events, &options).expect("it is valid");
        let compacted: Vec<_> = streams.iter().map(compacted).collect();
        let compacted = texts(&compacted);
        let after = ask(&mut peer, "replay", &compacted);
        for (number, (before, after)) in before.iter().zip(&after).enumerate() {
            check_kept(number, before, after, &compacted[number]);
        }
        println!(
            "{level:?}: {} streams, none invalid, none changed",
            streams.len()
        );
    }
}

fn check_kept(number: usize, before: &PeerAnswer, after: &PeerAnswer, compacted: &str) {
    let (Some(before), Some(after)) = (before.ok(), after.ok()) else {
        panic!("stream {number}: {after:?}\n{compacted}");
    };
    let found = differences(&value(before), &value(after));
    assert!(found.is_empty(), "stream {number}: {found:?}\n{compacted}");
}

/// How the peer's own compaction goes wrong so often that some hundred streams show it.
const DEFECTS: [&str; 5] = [
    BEHIND_ITS_RUN,
    NOT_IDEMPOTENT,
    OUT_OF_ORDER,
    MOVED_MESSAGE,
    MOVED_CALL,
];

const BEHIND_ITS_RUN: &str = "an item is after the end of its run";
const NOT_IDEMPOTENT: &str = "compacting again gives other events";
const OUT_OF_ORDER: &str = "an item ends before it begins";
const MOVED_MESSAGE: &str = "messages change their order";
const MOVED_CALL: &str = "calls are lost, kept or moved";

/// The peer's own compaction, judged by nothing but the peer: its verifier and its reducer.
#[test]
fn what_the_peer_compacts_breaks_laws() {
    if !TYPESCRIPT.can_run() {
        return;
    }
    let streams = linear_streams();
    let mut peer = Peer::start(&TYPESCRIPT);
    let logs = texts(streams.iter().map(|stream| &stream.events));
    let before = ask(&mut peer, "replay", &logs);
    let once = compacted(&mut peer, &logs);
    let twice = compacted(&mut peer, &once);
    let after = ask(&mut peer, "replay", &once);
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for (number, before) in before.iter().enumerate() {
        let same = once[number] == twice[number];
        for defect in defects(before, &after[number], same) {
            *seen.entry(defect).or_default() += 1;
        }
    }
    let broken = |answer: &&PeerAnswer| answer.ok().is_none();
    let broken = after.iter().filter(broken).count();
    println!("{} streams, {broken} invalid: {seen:#?}", streams.len());
    for defect in DEFECTS {
        assert!(seen.contains_key(defect), "no stream shows that {defect}");
    }
}

fn compacted(peer: &mut Peer, logs: &[String]) -> Vec<String> {
    let answers = ask(peer, "compact", logs);
    let text = |answer: &PeerAnswer| answer.ok().expect("it compacts anything").to_owned();
    answers.iter().map(text).collect()
}

/// What is wrong with a compacted stream, from what the peer makes of it before and after.
fn defects(before: &PeerAnswer, after: &PeerAnswer, same_again: bool) -> BTreeSet<&'static str> {
    let mut found = match (before, after) {
        (_, PeerAnswer::Rejected(_, words)) if words.contains("already") => [BEHIND_ITS_RUN].into(),
        (_, PeerAnswer::Rejected(..)) => [OUT_OF_ORDER].into(),
        (PeerAnswer::Ok(before), PeerAnswer::Ok(after)) => {
            match parse_with(after, Surrogates::AllowUnpairedAtEnds) {
                Ok(after) => changed(&value(before), &after),
                Err(_) => ["a character is torn apart"].into(),
            }
        }
        (PeerAnswer::Rejected(..), _) => panic!("the peer rejects a valid stream: {before:?}"),
    };
    if !same_again {
        found.insert(NOT_IDEMPOTENT);
    }
    found
}

/// What is wrong with the messages, one by one and in their order.
fn changed(before: &Value, after: &Value) -> BTreeSet<&'static str> {
    let messages = |chat: &Value| {
        chat.get("messages")
            .and_then(Value::as_array)
            .map(<[Value]>::to_vec)
    };
    let (before, after) = (
        messages(before).unwrap_or_default(),
        messages(after).unwrap_or_default(),
    );
    let id = |message: &Value| message.get("id").cloned();
    let mut found = BTreeSet::new();
    if before.iter().map(id).ne(after.iter().map(id)) {
        found.insert(MOVED_MESSAGE);
    }
    for message in &before {
        let same = after.iter().find(|other| id(other) == id(message));
        let differences = same.map(|other| diff(message, other, None).found);
        let parts = differences.iter().flatten().map(|it| kind(message, it));
        found.extend(parts);
    }
    found
}

/// Which part of a message differs.
fn kind(message: &Value, difference: &Difference) -> &'static str {
    let is_activity = message.get("role") == Some(&"activity".into());
    match difference.at.as_str() {
        _ if is_activity => "an activity is changed",
        "/name" | "/subagentRunId" | "/content" if difference.after.is_none() => {
            "a name, an owner or an empty text is lost"
        }
        at if at.ends_with("encryptedValue") => "an encrypted value is lost",
        at if at.starts_with("/toolCalls") => MOVED_CALL,
        _ => "another member of a message is changed",
    }
}

#[test]
fn every_difference_has_its_requirement_and_a_case_that_the_peer_fails() {
    let failures = workspace::text(&TYPESCRIPT.file("expected-failures.toml"));
    let rules = RULES.iter().map(|(_, deliberate)| deliberate);
    let others = [&INPUT_STATE, &BIG_NUMBERS, &ONE_OBJECT, &OWNER_OF_CALL];
    for Deliberate { requirement, case } in rules.chain(others) {
        let known = requirements().iter().any(|it| it.id == *requirement);
        assert!(known, "SPEC.md has no `{requirement}`");
        let found = corpus().case(case);
        let found = found.unwrap_or_else(|| panic!("`{case}` is no case"));
        let tests = found.requirements.iter().any(|id| id == requirement);
        assert!(tests, "`{case}` does not test `{requirement}`");
        let listed = failures.contains(&format!("case = \"{case}\""));
        assert!(listed, "`{case}` is no expected failure of the peer");
    }
}
