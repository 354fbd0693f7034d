//! The events of a branch mean what the log means at the run in which the branch ends.

use chatstate_arbitrary::strategies::events;
use chatstate_arbitrary::testing::{attach_case, config};
use chatstate_json::Value;
use chatstate_streams::lineage::{branch_of, lineage};
use chatstate_streams::replay::{replay, replay_at};
use chatstate_types::generated::Event;
use proptest::prelude::*;

fn means_the_same(log: &[Event], run_id: &str) -> Result<(), String> {
    let shown = |rejection| format!("rejected at `{run_id}`: {rejection}");
    let expected = Value::of(&replay_at(log, run_id).map_err(shown)?);
    let branch = branch_of(log, run_id).map_err(shown)?;
    let found = Value::of(&replay(&branch).map_err(shown)?);
    if found == expected {
        return Ok(());
    }
    Err(format!(
        "at `{run_id}`: {} is not {}",
        found.to_json(),
        expected.to_json()
    ))
}

proptest! {
    #![proptest_config(config(500))]

    #[test]
    fn a_branch_replays_as_the_log_does_at_its_run(log in events()) {
        for run in lineage(&log).runs {
            means_the_same(&log, &run.run_id).map_err(|reason| {
                TestCaseError::fail(format!("{reason}\n{}", attach_case(&log)))
            })?;
        }
    }
}

#[test]
fn a_branch_is_rejected_as_its_replay_is() {
    let removed = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r1","metadata":{"chatstate":{"compacted":"tips"}}}"#;
    let log = [Event::from_json(removed).expect("the event can be read")];
    let rule = |run| branch_of(&log, run).expect_err("it has no branch").rule;
    assert_eq!(rule("r1"), "replay.removed-run");
    assert_eq!(rule("r2"), "replay.unknown-run");
}
