//! What level `snapshot` does with small logs: one rule each, with the exact result.
//!
//! `+r` and `-r` stand for the beginning and the end of run `r`, `+r<p` for a beginning that names
//! `p` as its parent, `x` before a run's beginning for one that was removed, `*m` for an empty text
//! message in three events, `=a,b` for the snapshots of such messages and no state. Each other line
//! is one event.

use chatstate_json::to_text;
use chatstate_streams::compact::{Level, Options, Retain, compact};
use chatstate_streams::replay::{replay, replay_at};
use chatstate_types::generated::Event;

fn started(run: &str, removed: bool) -> String {
    let (run, parent) = run.split_once('<').unwrap_or((run, ""));
    let parent = match parent {
        "" => String::new(),
        parent => format!(r#","parentRunId":"{parent}""#),
    };
    let metadata = if removed {
        r#","metadata":{"chatstate":{"compacted":"tips"}}"#
    } else {
        ""
    };
    format!(r#"{{"type":"RUN_STARTED","threadId":"t","runId":"{run}"{parent}{metadata}}}"#)
}

fn text(id: &str) -> Vec<String> {
    let event = |tag: &str| format!(r#"{{"type":"TEXT_MESSAGE_{tag}","messageId":"{id}"}}"#);
    vec![event("START"), event("END")]
}

fn snapshots(ids: &str) -> Vec<String> {
    let message = |id| format!(r#"{{"id":"{id}","role":"assistant","content":""}}"#);
    let ids = ids.split(',').filter(|id| !id.is_empty());
    let messages: Vec<String> = ids.map(message).collect();
    let messages = messages.join(",");
    vec![
        format!(r#"{{"type":"MESSAGES_SNAPSHOT","messages":[{messages}]}}"#),
        r#"{"type":"STATE_SNAPSHOT","snapshot":{}}"#.to_owned(),
    ]
}

fn events(lines: &[&str]) -> Vec<Event> {
    let spelled = lines.iter().flat_map(|line| match line.split_at(1) {
        ("+", run) => vec![started(run, false)],
        ("x", run) => vec![started(run, true)],
        ("-", run) => vec![format!(
            r#"{{"type":"RUN_FINISHED","threadId":"t","runId":"{run}"}}"#
        )],
        ("*", id) => text(id),
        ("=", ids) => snapshots(ids),
        _ => vec![(*line).to_owned()],
    });
    let read = |text: String| Event::from_json(&text).expect("the event can be read");
    spelled.map(read).collect()
}

fn lines(events: &[Event]) -> String {
    let texts: Vec<String> = events.iter().map(to_text).collect();
    texts.join("\n")
}

fn check_with(options: &Options<'_>, input: &[&str], expected: &[&str]) {
    let compacted = compact(&events(input), options).expect("the log is valid");
    assert_eq!(lines(&compacted), lines(&events(expected)));
}

/// Level `snapshot` with the ends of the branches retained.
fn check(input: &[&str], expected: &[&str]) {
    check_with(&Options::at(Level::Snapshot(Retain::Tips)), input, expected);
}

const CUSTOM: &str = r#"{"type":"CUSTOM","name":"n","value":1}"#;

#[test]
fn the_last_run_holds_the_thread_and_others_are_frames() {
    check(
        &["+r1", "*m1", CUSTOM, "-r1", "+r2", CUSTOM, "*m2", "-r2"],
        &["xr1", "-r1", "+r2", CUSTOM, "=m1,m2", "-r2"],
    );
}

#[test]
fn a_run_that_is_given_up_leaves_the_runs_before_it_as_they_were() {
    let begun = r#"{"type":"TEXT_MESSAGE_START","messageId":"n"}"#;
    let appended = r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a"}"#;
    for wrong in [appended, "-b", "+c"] {
        let input = ["+a", "*m", "-a", "+b", "*m", begun, wrong];
        let expected = ["+a", "=m", "-a", "+b", "*m", begun, wrong];
        let options = Options {
            lenient: true,
            ..Options::at(Level::Snapshot(Retain::Tips))
        };
        check_with(&options, &input, &expected);
        let options = Options {
            lenient: false,
            ..options
        };
        compact(&events(&input), &options).expect_err("the log breaks a rule");
    }
}

#[test]
fn an_unfinished_run_keeps_its_events_and_the_run_before_it_is_retained() {
    check(
        &["+r1", "*m1", "-r1", "+r2", "*m2", "-r2", "+r3", "*m3"],
        &["xr1", "-r1", "+r2", "=m1,m2", "-r2", "+r3", "*m3"],
    );
}

#[test]
fn runs_where_branches_part_are_retained() {
    check(
        &[
            "+r1", "*m1", "-r1", "+r2", "*m2", "-r2", "+r3", "*m3", "-r3", "+r4<r2", "*m4", "-r4",
        ],
        &[
            "xr1", "-r1", "+r2", "=m1,m2", "-r2", "+r3", "*m3", "-r3", "+r4<r2", "*m4", "-r4",
        ],
    );
}

#[test]
fn an_error_after_a_finished_run_stays_behind_it() {
    let error = r#"{"type":"RUN_ERROR","message":"late"}"#;
    check(
        &[error, "+r1", "*m1", "-r1", error, "+r2", "-r2", error],
        &[error, "xr1", "-r1", error, "+r2", "=m1", "-r2", error],
    );
}

#[test]
fn inputs_are_emptied_so_that_the_order_is_that_of_the_snapshot() {
    let start = |run: &str, messages: &str| {
        format!(
            r#"{{"type":"RUN_STARTED","threadId":"t","runId":"{run}","input":{{"threadId":"t","runId":"{run}","messages":[{messages}]}}}}"#
        )
    };
    let (u1, u2) = (
        r#"{"id":"u1","role":"user","content":""}"#,
        r#"{"id":"u2","role":"user","content":""}"#,
    );
    let [first, second] = [start("r1", u1), start("r2", u2)];
    let removed =
        start("r1", "").replace("}}", r#"},"metadata":{"chatstate":{"compacted":"tips"}}}"#);
    let messages = format!(
        r#"{{"type":"MESSAGES_SNAPSHOT","messages":[{u1},{{"id":"m","role":"assistant","content":""}},{u2}]}}"#
    );
    let state = r#"{"type":"STATE_SNAPSHOT","snapshot":{}}"#;
    check(
        &[&first, "*m", "-r1", &second, "-r2"],
        &[&removed, "-r1", &start("r2", ""), &messages, state, "-r2"],
    );
}

/// Two messages of one id, which no snapshot can say.
const CALL: [&str; 4] = [
    r#"{"type":"TEXT_MESSAGE_START","messageId":"c","role":"user"}"#,
    r#"{"type":"TEXT_MESSAGE_END","messageId":"c"}"#,
    r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"f"}"#,
    r#"{"type":"TOOL_CALL_END","toolCallId":"c"}"#,
];

#[test]
fn what_snapshots_cannot_say_is_kept_behind_the_last_run_that_they_can_say() {
    let call = |more: &[&str]| {
        let before = ["+r1", "*m1", "-r1", "+r2", "*m2", "-r2", "+r3"];
        let after = ["-r3", "+r4", CUSTOM, "-r4"];
        let all = [&before[..], &CALL, more, &after].concat();
        all.into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let log = call(&[]);
    let log: Vec<&str> = log.iter().map(String::as_str).collect();
    let kept = [
        &["xr1", "-r1", "+r2", "=m1,m2", "-r2", "+r3"][..],
        &log[11..],
    ]
    .concat();
    let kept = [&kept[..6], &CALL, &kept[6..]].concat();
    check(&log, &kept);
    check(&kept, &kept);
}

#[test]
fn what_was_removed_stays_removed_and_what_goes_on_from_it_is_kept() {
    let log = ["xr1", "-r1", "+r2", "=m1", "-r2", "+r3<r1", "*m3", "-r3"];
    check(&log, &log);
    let events = events(&log);
    assert!(replay_at(&events, "r2").is_ok());
    let rejected = replay(&events).unwrap_err();
    assert_eq!(rejected.rule, "replay.removed-run");
}

#[test]
fn of_a_part_of_a_thread_nothing_is_removed() {
    let patch = r#"{"type":"STATE_DELTA","delta":[{"op":"add","path":"/n","value":1}]}"#;
    let log = ["+r1", "*m1", patch, "-r1", "+r2", "*m2", "-r2"];
    for retain in [Retain::Tips, Retain::Runs] {
        let mut options = Options::at(Level::Snapshot(retain));
        options.partial = true;
        check_with(&options, &log, &log);
    }
}

#[test]
fn the_state_of_patches_alone_is_folded_onto_that_of_the_run_before() {
    let patch = |path: &str, value: usize| {
        format!(
            r#"{{"type":"STATE_DELTA","delta":[{{"op":"add","path":"/{path}","value":{value}}}]}}"#
        )
    };
    let state = |value: &str| format!(r#"{{"type":"STATE_SNAPSHOT","snapshot":{value}}}"#);
    let runs = Options::at(Level::Snapshot(Retain::Runs));
    check_with(
        &runs,
        &[
            "+r1",
            &patch("foo", 1),
            &patch("foo", 2),
            "-r1",
            "+r2",
            &patch("n", 1),
            "-r2",
        ],
        &[
            "+r1",
            &state(r#"{"foo":2}"#),
            "-r1",
            "+r2",
            &state(r#"{"foo":2,"n":1}"#),
            "-r2",
        ],
    );
}

#[test]
fn a_run_with_an_event_that_the_caller_keeps_is_retained() {
    let keep = |event: &Event| matches!(event, Event::Custom(_));
    let mut options = Options::at(Level::Snapshot(Retain::Tips));
    options.keep = Some(&keep);
    check_with(
        &options,
        &["+r1", "*m1", CUSTOM, "-r1", "+r2", "-r2", "+r3", "-r3"],
        &[
            "+r1", CUSTOM, "=m1", "-r1", "xr2", "-r2", "+r3", "=m1", "-r3",
        ],
    );
}
