//! Logs of many runs.

use serde_json::json;

use super::log::{HostileLog, calling, user};
use super::rows::HostileInput;

/// Runs one after the other, with a message each in the input and another in the run.
pub fn one_after_the_other(count: usize) -> HostileInput {
    HostileInput::Log(with_messages(count))
}

/// The same as a log alone.
pub fn with_messages(count: usize) -> String {
    let mut log = HostileLog::default();
    for index in 0..count {
        let asked = user(&format!("u{index}"));
        log.run_with_input(&format!("r{index}"), None, &[asked], |log| {
            log.text(&format!("m{index}"));
        });
    }
    log.into_text()
}

/// A chain of runs, each with a second child: branches part at every run.
pub fn every_run_parts(count: usize) -> HostileInput {
    let mut log = HostileLog::default();
    for index in 0..count {
        let parent = index.checked_sub(1).map(|before| format!("r{before}"));
        for name in ["r", "second"] {
            let asked = user(&format!("u-{name}{index}"));
            let run = format!("{name}{index}");
            log.run_with_input(&run, parent.as_deref(), &[asked], |log| {
                log.text(&format!("m-{run}"));
            });
        }
    }
    HostileInput::Log(log.into_text())
}

/// Two long branches that take turns.
pub fn two_branches(count: usize) -> HostileInput {
    let mut log = HostileLog::default();
    log.run("root", |_| {});
    for index in 0..count {
        for branch in ["a", "b"] {
            let before = index.checked_sub(1);
            let parent = before.map_or("root".to_owned(), |before| format!("{branch}{before}"));
            let asked = user(&format!("u-{branch}{index}"));
            let run = format!("{branch}{index}");
            log.run_with_input(&run, Some(&parent), &[asked], |log| {
                log.text(&format!("m-{run}"));
            });
        }
    }
    HostileInput::Log(log.into_text())
}

/// Messages of one input with the same tool call, then as many runs that call it.
pub fn call_of_many_messages(count: usize) -> HostileInput {
    let messages: Vec<_> = (0..count)
        .map(|index| calling(&format!("m{index}"), "call"))
        .collect();
    let mut log = HostileLog::default();
    log.run_with_input("first", None, &messages, |_| {});
    for index in 0..count {
        log.run(&format!("r{index}"), |log| {
            log.begin_call("call");
            log.end_call("call");
        });
    }
    HostileInput::Log(log.into_text())
}

/// Runs that each call one and the same tool call.
pub fn call_of_many_runs(count: usize) -> HostileInput {
    let mut log = HostileLog::default();
    for index in 0..count {
        log.run(&format!("r{index}"), |log| {
            log.begin_call("call");
            log.end_call("call");
        });
    }
    HostileInput::Log(log.into_text())
}

/// How many times as much one run holds as all the small ones after it.
const LARGE: usize = 4;

/// A run of many messages, then runs with one each.
pub fn small_runs_after_a_large_one(count: usize) -> HostileInput {
    let mut log = HostileLog::default();
    log.run("first", |log| {
        (0..LARGE * count).for_each(|index| log.text(&format!("m{index}")));
    });
    for index in 0..count {
        log.run(&format!("r{index}"), |log| log.text(&format!("n{index}")));
    }
    HostileInput::Log(log.into_text())
}

/// A run in which chunks of many subagents keep messages open, then runs with a chunk each.
pub fn small_runs_after_many_lanes(count: usize) -> HostileInput {
    let mut log = HostileLog::default();
    log.run("first", |log| {
        for index in 0..LARGE * count {
            log.push(&json!({"type": "TEXT_MESSAGE_CHUNK", "messageId": format!("m{index}"), "delta": "a word ", "subagentRunId": format!("s{index}")}));
        }
    });
    for index in 0..count {
        log.run(&format!("r{index}"), |log| {
            log.push(&json!({"type": "TEXT_MESSAGE_CHUNK", "messageId": format!("n{index}"), "delta": "a word "}));
        });
    }
    HostileInput::Log(log.into_text())
}

/// An activity, then runs that each add a step to it.
pub fn steps_of_one_activity(count: usize) -> HostileInput {
    let mut log = HostileLog::default();
    log.run("first", |log| {
        log.push(&json!({"type": "ACTIVITY_SNAPSHOT", "messageId": "a", "activityType": "PLAN", "content": {"steps": []}}));
    });
    for index in 0..count {
        let added = json!([{"op": "add", "path": "/steps/-", "value": format!("step {index}")}]);
        log.run(&format!("r{index}"), |log| {
            log.push(&json!({"type": "ACTIVITY_DELTA", "messageId": "a", "activityType": "PLAN", "patch": added}));
        });
    }
    HostileInput::Log(log.into_text())
}
