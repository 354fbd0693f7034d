//! What the schema says of events in `x-event`, against what a replay makes of them.

use chatstate_arbitrary::strategies::events;
use chatstate_arbitrary::testing::{attach_case, config};
use chatstate_json::Value;
use chatstate_streams::replay::replay;
use chatstate_types::generated::Event;
use chatstate_types::generated::roles::{Closes, Does};
use proptest::prelude::*;

/// Whether the schema says that an event changes nothing, and closes nothing either.
fn is_idle(event: &Event) -> bool {
    let role = event.kind().role();
    role.does == Does::Nothing && role.closes == Closes::Nothing
}

fn meaning(log: &[Event]) -> Result<String, String> {
    let replay = replay(log).map_err(|rejection| rejection.to_string())?;
    Ok(Value::of(&replay).to_json())
}

proptest! {
    #![proptest_config(config(500))]

    /// `replay(log without what does none) = replay(log)`
    #[test]
    fn what_does_nothing_changes_no_replay(log in events()) {
        let rest: Vec<Event> = log.iter().filter(|event| !is_idle(event)).cloned().collect();
        prop_assert_eq!(meaning(&rest), meaning(&log), "{}", attach_case(&log));
    }
}
