//! Verification and lineage as a library: what the corpus cannot ask through an adapter.

use chatstate_streams::lineage::lineage;
use chatstate_streams::replay::{read_stream, replay, replay_at};
use chatstate_streams::verify::{
    Finding, Verification, Verifier, VerifyOptions, verify, verify_with,
};
use chatstate_types::generated::Event;

fn events(lines: &[&str]) -> Vec<Event> {
    read_stream(&lines.join("\n")).unwrap_or_else(|rejection| panic!("{rejection}: {lines:?}"))
}

/// Findings as `rule@at`, or `rule@at+other`.
fn named(findings: &[Finding]) -> Vec<String> {
    let name = |finding: &Finding| {
        let other = finding.other.map(|other| format!("+{other}"));
        let other = other.unwrap_or_default();
        format!("{}@{}{other}", finding.rule, finding.at)
    };
    findings.iter().map(name).collect()
}

fn check(lines: &[&str], errors: &[&str], warnings: &[&str]) {
    let found = verify(&events(lines));
    assert_eq!(named(&found.errors), errors, "{lines:?}");
    assert_eq!(named(&found.warnings), warnings, "{lines:?}");
    assert_eq!(found.is_valid(), errors.is_empty());
}

const START: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r1"}"#;
const FINISH: &str = r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r1"}"#;
const SECOND: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r2"}"#;
const TEXT: &str = r#"{"type":"TEXT_MESSAGE_START","messageId":"m"}"#;
const CALL: &str = r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"f"}"#;
const END: &str = r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#;
const FAILING: &str = r#"{"type":"STATE_DELTA","delta":[{"op":"remove","path":"/a"}]}"#;

#[test]
fn findings_name_both_events() {
    check(&[START, TEXT, TEXT], &["text.already-open@2+1"], &[]);
    let both = ["run.open-item@3+1", "run.open-item@3+2"];
    check(&[START, TEXT, CALL, FINISH], &both, &[]);
    check(&[START, FINISH, TEXT], &["run.after-finish@2+1"], &[]);
    check(
        &[START, START],
        &["run.already-started@1+0", "lineage.run-reused@1+0"],
        &[],
    );
    let other = r#"{"type":"RUN_FINISHED","threadId":"u","runId":"r2"}"#;
    check(
        &[START, other],
        &["run.wrong-run@1+0", "run.wrong-thread@1+0"],
        &[],
    );
}

#[test]
fn verification_goes_on_after_an_error() {
    check(
        &[START, END, TEXT, END, END, FINISH],
        &["text.not-open@1", "text.not-open@4"],
        &[],
    );
}

#[test]
fn events_outside_of_runs_are_reported_once_until_the_next_run() {
    let lines = [TEXT, END, START, FINISH, TEXT, END, SECOND, END];
    let errors = [
        "run.first-event@0",
        "run.after-finish@4+3",
        "text.not-open@7",
    ];
    check(&lines, &errors, &[]);
}

#[test]
fn failing_patches_are_found_on_every_branch() {
    let third = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r3","parentRunId":"r1"}"#;
    let ok = r#"{"type":"STATE_DELTA","delta":[{"op":"add","path":"/a","value":1}]}"#;
    let finish = |run: &str| format!(r#"{{"type":"RUN_FINISHED","threadId":"t","runId":"{run}"}}"#);
    let (second, last) = (finish("r2"), finish("r3"));
    let lines = [
        START, FINISH, SECOND, ok, FAILING, &second, third, FAILING, &last,
    ];
    check(&lines, &[], &["verify.failed-patch@7"]);
}

#[test]
fn an_encrypted_value_of_an_unknown_subtype_is_a_warning() {
    let image = r#"{"type":"REASONING_ENCRYPTED_VALUE","subtype":"image","entityId":"m","encryptedValue":"x"}"#;
    check(&[START, TEXT, image, END], &[], &["verify.unknown-word@2"]);
}

#[test]
fn a_later_parent_is_found_when_it_begins() {
    let first = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r1","parentRunId":"r2"}"#;
    let mut verifier = Verifier::default();
    let events = events(&[first, FINISH, SECOND]);
    let found: Vec<_> = (0..)
        .zip(&events)
        .map(|(index, event)| verifier.push(index, event))
        .collect();
    assert_eq!(
        found[..2],
        [Verification::default(), Verification::default()]
    );
    assert_eq!(named(&found[2].errors), ["lineage.self-or-later@0+2"]);
    assert_eq!(verifier.finish(), Verification::default());
}

#[test]
fn a_parent_that_never_comes_is_found_at_the_end() {
    let first = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r1","parentRunId":"r0"}"#;
    let mut verifier = Verifier::default();
    assert_eq!(
        verifier.push(0, &events(&[first])[0]),
        Verification::default()
    );
    assert_eq!(
        named(&verifier.finish().warnings),
        ["lineage.parent-outside@0"]
    );
}

/// A log of many runs, each with a branch, takes no recursion and no time per pair of runs.
/// Warnings as `rule@pointer`.
fn check_warnings(lines: &[&str], warnings: &[&str]) {
    let found = verify(&events(lines));
    let named = found.warnings.iter();
    let named: Vec<_> = named
        .map(|it| format!("{}@{}", it.rule, it.pointer()))
        .collect();
    assert_eq!(named, warnings, "{lines:?}");
    assert!(found.is_valid(), "{lines:?}");
}

#[test]
fn warnings_say_their_places() {
    let run =
        |members: &str| format!(r#"{{"type":"RUN_STARTED","threadId":"t","runId":"r1"{members}}}"#);
    for (version, warns) in [
        ("1.1", false),
        ("1.0", false),
        ("0.9", false),
        ("1.2", true),
        ("1.10", true),
        ("9.0", true),
        ("10.0", true),
        ("soon", true),
        ("1", true),
        ("", true),
    ] {
        let start = run(&format!(r#","protocolVersion":"{version}""#));
        let warning = ["verify.newer-version@/0/protocolVersion"];
        check_warnings(&[&start, FINISH], if warns { &warning } else { &[] });
    }
    let outcome =
        r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r1","outcome":{"type":"parked"}}"#;
    check_warnings(&[START, outcome], &["verify.unknown-variant@/1/outcome"]);
    let mark = r#","metadata":{"chatstate":{"compacted":"tips"}}"#;
    let custom = r#"{"type":"CUSTOM","name":"n","value":1}"#;
    check_warnings(&[&run(mark), FINISH], &[]);
    check_warnings(
        &[&run(mark), custom, custom, FINISH],
        &["verify.marked-run@/0/metadata/chatstate"],
    );
    for (event, warnings) in [
        (
            r#"{"type":"CUSTOM","name":"n","value":{"a":1},"colour/2":2}"#,
            &["verify.unknown-member@/1/colour~12"][..],
        ),
        (
            r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"u","role":"user","content":[{"type":"smell"},{"type":"text","text":"x","hue":1}]},{"id":"o","role":"oracle"}]}"#,
            &[
                "verify.unknown-variant@/1/messages/0/content/0",
                "verify.unknown-member@/1/messages/0/content/1/hue",
                "verify.unknown-variant@/1/messages/1",
            ],
        ),
        (
            r#"{"type":"STATE_DELTA","delta":[{"op":"add","path":"/a","value":1,"note":2},{"op":"remove","path":"/b"}]}"#,
            &["verify.failed-patch@/1/delta/1"],
        ),
        (
            r#"{"type":"ACTIVITY_DELTA","messageId":"nobody","activityType":"w","patch":[]}"#,
            &["verify.no-target@/1/messageId"],
        ),
        (
            r#"{"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"nobody","encryptedValue":"A"}"#,
            &["verify.no-target@/1/entityId"],
        ),
        (
            r#"{"type":"FUTURE","more":1}"#,
            &["verify.unknown-event@/1"],
        ),
    ] {
        check_warnings(&[START, event, FINISH], warnings);
    }
}

#[test]
fn a_complete_stream_ends_with_its_last_run() {
    let complete = |lines: &[&str]| {
        let options = VerifyOptions { complete: true };
        named(&verify_with(&events(lines), options).errors)
    };
    assert_eq!(complete(&[START, FINISH]), [""; 0]);
    assert_eq!(complete(&[START, FINISH, SECOND]), ["run.unfinished@2"]);
    check(&[START, FINISH, SECOND], &[], &[]);
}

#[test]
fn many_branches() {
    let mut lines = vec![START.to_owned(), FINISH.to_owned()];
    for run in 2..20_000 {
        let parent = if run % 2 == 0 { run - 1 } else { run - 2 };
        lines.push(format!(
            r#"{{"type":"RUN_STARTED","threadId":"t","runId":"r{run}","parentRunId":"r{parent}"}}"#
        ));
        lines.push(format!(
            r#"{{"type":"RUN_FINISHED","threadId":"t","runId":"r{run}"}}"#
        ));
    }
    let lines: Vec<_> = lines.iter().map(String::as_str).collect();
    let events = events(&lines);
    assert_eq!(verify(&events), Verification::default());
    let lineage = lineage(&events);
    assert_eq!((lineage.runs.len(), lineage.tips.len()), (19_999, 10_000));
    assert_eq!(replay(&events).map(|replay| replay.runs.len()), Ok(10_000));
    assert_eq!(
        replay_at(&events, "r3").map(|replay| replay.runs.len()),
        Ok(2)
    );
}

/// Only a program can make an event whose text is no document. Replay and verification say so, the
/// lineage does without its messages.
#[test]
fn an_event_without_a_text_is_rejected() {
    let mut events = events(&[
        START,
        FINISH,
        r#"{"type":"MESSAGES_SNAPSHOT","messages":[]}"#,
    ]);
    events.swap(1, 2);
    let Event::MessagesSnapshot(snapshot) = &mut events[1] else {
        panic!("not a snapshot");
    };
    snapshot.extra.insert("messages", true);
    assert_eq!(named(&verify(&events).errors), ["duplicate-member@1"]);
    let rejection = replay(&events).expect_err("an event without a text");
    assert_eq!(
        (&*rejection.rule, rejection.at.as_str()),
        ("duplicate-member", "/1/messages")
    );
    assert_eq!(lineage(&events).tips, ["r1"]);
}
