//! Verification and replay agree about the order of events, over streams made at random.
//!
//! The events come from small sets of ids and owners, so that most of them meet. Streams grow by
//! events that verify, and now and then by one that does not.

use chatstate_json::Value;
use chatstate_json::to_text;
use chatstate_streams::lineage::lineage;
use chatstate_streams::replay::{ReplayOptions, replay, replay_at, replay_text, replay_with};
use chatstate_streams::verify::{Finding, Verification, Verifier, verify};
use chatstate_types::generated::Event;
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng};

/// Events as text. `ID`, `OWNER`, `NAME`, `DELTA` and `PARENT` stand for what is chosen, and a
/// member `OPTIONAL` for one that may be there.
const EVENTS: &[&str] = &[
    r#""TEXT_MESSAGE_START","messageId":ID,"subagentRunId":OWNER"#,
    r#""TEXT_MESSAGE_CONTENT","messageId":ID,"delta":DELTA,"subagentRunId":OWNER"#,
    r#""TEXT_MESSAGE_CONTENT","messageId":ID,"delta":DELTA"#,
    r#""TEXT_MESSAGE_END","messageId":ID,"subagentRunId":OWNER"#,
    r#""TEXT_MESSAGE_CHUNK","messageId":ID,"delta":DELTA,"subagentRunId":OWNER"#,
    r#""TEXT_MESSAGE_CHUNK","delta":DELTA,"subagentRunId":OWNER"#,
    r#""TEXT_MESSAGE_CHUNK","role":"user","messageId":ID"#,
    r#""TOOL_CALL_START","toolCallId":ID,"toolCallName":NAME,"parentMessageId":ID"#,
    r#""TOOL_CALL_ARGS","toolCallId":ID,"delta":DELTA"#,
    r#""TOOL_CALL_END","toolCallId":ID"#,
    r#""TOOL_CALL_CHUNK","toolCallId":ID,"toolCallName":NAME,"delta":DELTA"#,
    r#""TOOL_CALL_CHUNK","delta":DELTA,"subagentRunId":OWNER"#,
    r#""TOOL_CALL_RESULT","messageId":ID,"toolCallId":ID,"content":"r","subagentRunId":OWNER"#,
    r#""REASONING_START","messageId":ID"#,
    r#""REASONING_END","messageId":ID"#,
    r#""REASONING_MESSAGE_START","messageId":ID,"role":"reasoning","subagentRunId":OWNER"#,
    r#""REASONING_MESSAGE_CONTENT","messageId":ID,"delta":DELTA"#,
    r#""REASONING_MESSAGE_END","messageId":ID"#,
    r#""REASONING_MESSAGE_CHUNK","messageId":ID,"delta":DELTA"#,
    r#""STEP_STARTED","stepName":NAME,"subagentRunId":OWNER"#,
    r#""STEP_FINISHED","stepName":NAME,"subagentRunId":OWNER"#,
    r#""SUBAGENT_STARTED","subagentRunId":OWNER,"name":NAME"#,
    r#""SUBAGENT_FINISHED","subagentRunId":OWNER"#,
    r#""ACTIVITY_SNAPSHOT","messageId":ID,"activityType":"PLAN","content":{}"#,
    r#""MESSAGES_SNAPSHOT","messages":[{"id":ID,"role":"assistant","content":"s"}]"#,
    r#""MESSAGES_SNAPSHOT","messages":[{"id":ID,"role":"activity","activityType":"PLAN","content":{}}]"#,
    r#""STATE_SNAPSHOT","snapshot":{"a":1}"#,
    r#""STATE_DELTA","delta":[{"op":"remove","path":"/a"}]"#,
    r#""CUSTOM","name":NAME,"value":null,"subagentRunId":OWNER"#,
    r#""RAW","event":null"#,
    r#""FUTURE_EVENT","messageId":ID"#,
];

const IDS: &[&str] = &[r#""m1""#, r#""m2""#, r#""x""#];
const OWNERS: &[&str] = &[r#""s1""#, r#""s2""#, r#""""#];
const NAMES: &[&str] = &[r#""a""#, r#""b""#];
const DELTAS: &[&str] = &[
    r#""a""#,
    r#""""#,
    r#""\ud83d""#,
    r#""\ude00""#,
    r#""\ude00b\ud83d""#,
];

/// Decisions, one byte each; when they run out, the first choice is taken.
struct Choices<'a>(std::slice::Iter<'a, u8>);

impl Choices<'_> {
    fn below(&mut self, count: usize) -> usize {
        usize::from(*self.0.next().unwrap_or(&0)) % count
    }

    fn of<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.below(from.len())]
    }

    /// An event within a run.
    fn event(&mut self) -> Event {
        let mut text = self.of(EVENTS).to_owned();
        // Most producers name no subagent.
        if self.below(3) > 0 && !text.starts_with(r#""SUBAGENT"#) {
            text = text.replace(r#","subagentRunId":OWNER"#, "");
        }
        for (word, from) in [
            ("ID", IDS),
            ("OWNER", OWNERS),
            ("NAME", NAMES),
            ("DELTA", DELTAS),
        ] {
            while let Some(place) = text.find(&format!(":{word}")) {
                text.replace_range(place + 1..place + 1 + word.len(), self.of(from));
            }
        }
        read(&format!(r#"{{"type":{text}}}"#))
    }

    /// The start of a run, on from the run before or from any other.
    fn start(&mut self, run: usize) -> Event {
        let parent = match self.below(3) {
            0 if run > 0 => format!(r#","parentRunId":"r{}""#, self.below(run)),
            _ => String::new(),
        };
        read(&format!(
            r#"{{"type":"RUN_STARTED","threadId":"t","runId":"r{run}"{parent}}}"#
        ))
    }

    /// The end of a run, or its failure.
    fn end(&mut self, run: usize) -> Event {
        read(&match self.below(2) {
            0 => r#"{"type":"RUN_ERROR","message":"lost"}"#.to_owned(),
            _ => format!(r#"{{"type":"RUN_FINISHED","threadId":"t","runId":"r{run}"}}"#),
        })
    }
}

fn read(text: &str) -> Event {
    Event::from_json(text).unwrap_or_else(|rejection| panic!("{rejection}: {text}"))
}

/// A stream whose runs begin and end as they should. What is in them verifies too, but for one
/// event of the given place.
fn stream(choices: &mut Choices<'_>, length: usize, wrong: Option<usize>) -> Vec<Event> {
    let (mut events, mut verifier, mut run) = (Vec::new(), Verifier::default(), 0);
    let mut is_running = false;
    // Candidates that do not verify are passed over, until the decisions run out.
    while events.len() < length && choices.0.len() > 0 {
        let may_end = is_running && choices.below(24) == 0;
        let event = match (is_running, may_end) {
            (false, _) => choices.start(run),
            (true, true) => choices.end(run),
            (true, false) => choices.event(),
        };
        let mut next = verifier.clone();
        let is_wrong = !next.push(events.len(), &event).is_valid();
        if is_wrong && (Some(events.len()) != wrong || may_end) {
            continue;
        }
        verifier = next;
        run += usize::from(may_end);
        is_running = !may_end;
        events.push(event);
    }
    events
}

/// Errors as pairs of rule and place.
fn pairs(errors: &[Finding]) -> Vec<(String, String)> {
    let pair = |finding: &Finding| (finding.rule.to_string(), format!("/{}", finding.at));
    errors.iter().map(pair).collect()
}

fn shown(events: &[Event]) -> String {
    events.iter().map(|event| to_text(event) + "\n").collect()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// verify(x) is valid => replay(x, run) is there, for every run of x.
    #[test]
    fn what_verifies_replays(bytes in prop::collection::vec(any::<u8>(), 0..800)) {
        let events = stream(&mut Choices(bytes.iter()), 40, None);
        let found = verify(&events);
        prop_assert!(found.is_valid(), "{found:?}\n{}", shown(&events));
        for run in lineage(&events).runs {
            let replayed = replay_at(&events, &run.run_id);
            prop_assert!(replayed.is_ok(), "{replayed:?} at {}\n{}", run.run_id, shown(&events));
        }
    }

    /// replay(x) is rejected as verify(x) is, by the first rule and at its place; a lenient one is not.
    #[test]
    fn replay_rejects_what_verification_finds_first(
        bytes in prop::collection::vec(any::<u8>(), 0..800),
        wrong in 1_usize..30,
    ) {
        let events = stream(&mut Choices(bytes.iter()), 40, Some(wrong));
        let found = verify(&events);
        let first = pairs(&found.errors).into_iter().next();
        let rejected = replay(&events).err();
        let rejected = rejected.map(|rejection| (rejection.rule.to_string(), rejection.at));
        prop_assert_eq!(rejected, first, "{}", shown(&events));
        let lenient = replay_with(&events, &ReplayOptions { lenient: true, ..ReplayOptions::default() });
        let replayed = lenient.map_err(|rejection| TestCaseError::fail(rejection.to_string()))?;
        prop_assert_eq!(replayed.found.errors, found.errors);
    }

    /// A lenient replay of what verifies is a replay.
    #[test]
    fn leniency_changes_nothing_of_what_verifies(bytes in prop::collection::vec(any::<u8>(), 0..800)) {
        let events = stream(&mut Choices(bytes.iter()), 40, None);
        let lenient = replay_with(&events, &ReplayOptions { lenient: true, ..ReplayOptions::default() });
        prop_assert_eq!(lenient.map(|replayed| replayed.replay), replay(&events));
    }

    /// verify(a ++ b) = push(a) ++ push(b), but for what needs values: no event is judged by what
    /// comes after it, since no parent here is later than its run.
    #[test]
    fn findings_come_with_their_events(
        bytes in prop::collection::vec(any::<u8>(), 0..800),
        wrong in 1_usize..30,
    ) {
        let events = stream(&mut Choices(bytes.iter()), 40, Some(wrong));
        let (mut verifier, mut errors) = (Verifier::default(), Vec::new());
        for (index, event) in events.iter().enumerate() {
            let Verification { errors: found, .. } = verifier.push(index, event);
            prop_assert!(found.iter().all(|finding| finding.at == index), "{found:?}");
            errors.extend(found);
        }
        prop_assert_eq!(errors, verify(&events).errors);
    }

    /// replay(text of x) = replay(x), as an array and as lines, at every run and at none that is.
    #[test]
    fn text_replays_as_its_events(
        bytes in prop::collection::vec(any::<u8>(), 0..800),
        wrong in 1_usize..60,
    ) {
        let events = stream(&mut Choices(bytes.iter()), 40, Some(wrong).filter(|it| *it < 30));
        let lines = shown(&events);
        let array = format!(" [{}]\n", lines.trim_end().replace('\n', ", "));
        let runs = lineage(&events).runs;
        let runs = runs.iter().map(|run| Some(run.run_id.as_str()));
        for at in runs.chain([None, Some("nowhere")]) {
            let expected = match at {
                Some(run_id) => replay_at(&events, run_id),
                None => replay(&events),
            };
            prop_assert_eq!(&replay_text(&array, at), &expected, "{:?} of\n{}", at, lines);
            // Without a line there is no log, which is told in words of its own.
            if !events.is_empty() {
                prop_assert_eq!(&replay_text(&lines, at), &expected, "{:?} of\n{}", at, lines);
            }
        }
    }
}

/// The streams hold what the laws are about; otherwise they would hold of nothing.
#[test]
fn streams_have_what_the_laws_are_about() {
    let (mut texts, mut rejected, mut branches) = (String::new(), 0, 0);
    for seed in 0..=u8::MAX {
        let mut source = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
        let mut bytes = [0; 800];
        source.fill_bytes(&mut bytes);
        let events = stream(&mut Choices(bytes.iter()), 40, Some(20));
        rejected += usize::from(replay(&events).is_err());
        branches += usize::from(lineage(&events).tips.len() > 1);
        texts.push_str(&shown(&events));
    }
    for text in EVENTS {
        let tag = text.split(',').next().unwrap_or_default();
        assert!(texts.matches(tag).count() > 40, "{tag} is in few streams");
    }
    let halves = Value::from("\u{1f600}").to_json();
    assert!(!texts.contains(&halves) && texts.matches("\\ud83d").count() > 40);
    assert!(
        rejected > 100 && branches > 20,
        "{rejected} are rejected, {branches} branch"
    );
}

/// A chunk item that is over has no lane any more: the id begins again in the lane of its next
/// chunk.
#[test]
fn a_chunk_item_that_is_over_leaves_its_lane() {
    let log = [
        r#""messageId":"m1","delta":"a","subagentRunId":"s1""#,
        r#""messageId":"m2","delta":"b","subagentRunId":"s1""#,
        r#""messageId":"m1","delta":"c""#,
        r#""delta":"d","subagentRunId":"s1""#,
    ]
    .map(|members| format!(r#"{{"type":"TEXT_MESSAGE_CHUNK",{members}}}"#));
    let start = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#;
    let text = format!("{start}\n{}", log.join("\n"));
    let messages = replay_text(&text, None).map(|replay| replay.messages);
    let content = |message: &chatstate_json::Object| message.get("content").cloned();
    let contents: Vec<_> = messages.iter().flatten().map(content).collect();
    assert_eq!(contents, [Some(Value::from("ac")), Some(Value::from("bd"))]);
}
