//! *Minimal input*: the input of a run repeats what the log does not hold, and may leave out the rest.

use super::{Broken, LawResult, run_starts};
use chatstate_json::Value;
use chatstate_streams::replay::{is_removed, replay};
use chatstate_types::diff::{Difference, LossClass};
use chatstate_types::generated::{Event, RunStartedEvent};

/// *Minimal input*: a message is left out of the input of a run only if replay holds it at that
/// point of the run's own path, with an equal value and without a subagent; or, where snapshots
/// stand for runs, if the run is removed or its `MESSAGES_SNAPSHOT` holds the thread.
///
/// # Errors
///
/// When another message is left out, and when one is added or changed.
pub fn minimal_input(before: &[Event], after: &[Event]) -> LawResult {
    let (starts, starts_after) = (run_starts(before), run_starts(after));
    if starts.len() != starts_after.len() {
        let problem = format!("{} runs became {}", starts.len(), starts_after.len());
        return Err(Broken::new(problem));
    }
    for (start, start_after) in starts.into_iter().zip(starts_after) {
        sound(before, start, after, start_after)?;
    }
    Ok(())
}

fn sound(before: &[Event], start: usize, after: &[Event], start_after: usize) -> LawResult {
    let sent = input_messages(&before[start]);
    let kept = input_messages(&after[start_after]);
    let mut rest = kept.iter();
    let left_out: Vec<(usize, &Value)> = sent
        .iter()
        .enumerate()
        .filter(|(_, message)| {
            let mut ahead = rest.clone();
            let found = ahead.next() == Some(*message);
            if found {
                rest = ahead;
            }
            !found
        })
        .collect();
    if let Some(added) = rest.next() {
        let place = kept.iter().position(|message| message == added);
        let at = place_of(start_after, place.unwrap_or_default());
        return Err(broken(
            "the input of a run holds a message that was not sent in that place",
            Difference {
                class: LossClass::ItemAdded,
                at,
                to: None,
                before: None,
                after: Some(added.clone()),
            },
        ));
    }
    if left_out.is_empty() || is_removed(&after[start_after]) {
        return Ok(());
    }
    let necessary = necessary(&before[..start], &before[start])?;
    let may_lose = holds_thread(&before[..run_end(before, start)], after, start_after)?;
    let mut left_out = left_out.into_iter();
    let lost = left_out.find(|(place, _)| necessary.contains(place) && !may_lose);
    match lost {
        None => Ok(()),
        Some((place, message)) => Err(broken(
            "the input of a run lost a message that the log does not hold at that point",
            Difference {
                class: LossClass::ItemDropped,
                at: place_of(start, place),
                to: None,
                before: Some(message.clone()),
                after: None,
            },
        )),
    }
}

fn broken(problem: &str, difference: Difference) -> Broken {
    Broken::differing(problem, vec![difference])
}

/// A JSON pointer to a message of an input, in the log.
pub(super) fn place_of(start: usize, message: usize) -> String {
    format!("/{start}/input/messages/{message}")
}

/// The messages of the input of a run.
pub(super) fn input_messages(start: &Event) -> Vec<Value> {
    let Event::RunStarted(start) = start else {
        return Vec::new();
    };
    let messages = start.input.iter().flat_map(|input| &input.messages);
    messages.map(Value::of).collect()
}

/// Whether the last snapshot in the run that begins at this index has all that the thread has at
/// the end of the run.
fn holds_thread(before: &[Event], after: &[Event], start: usize) -> Result<bool, Broken> {
    let mut run = after[start..run_end(after, start)].iter().rev();
    let snapshot = run.find_map(|event| match event {
        Event::MessagesSnapshot(snapshot) => Some(&snapshot.messages),
        _ => None,
    });
    let Some(snapshot) = snapshot else {
        return Ok(false);
    };
    let restated = snapshot.iter().map(Value::of);
    Ok(messages_of(before)?.is_some_and(|messages| restated.eq(messages)))
}

/// The messages that a log replays to, or none if its last run needs one that the log lacks
/// (requirements `replay.removed-run` and `replay.left-out-run`).
///
/// # Errors
///
/// When the log does not replay for another reason. Then an input cannot be judged.
fn messages_of(log: &[Event]) -> Result<Option<Vec<Value>>, Broken> {
    match replay(log) {
        Ok(replayed) => {
            let messages = replayed.messages.into_iter().map(Value::from);
            Ok(Some(messages.collect()))
        }
        Err(rejection) if rejection.rule == "replay.removed-run" => Ok(None),
        Err(rejection) => Err(Broken::rejected(
            "the input of a run cannot be judged, since the log before it does not replay",
            &rejection,
        )),
    }
}

/// Where the run that begins at this index ends.
fn run_end(events: &[Event], start: usize) -> usize {
    let mut rest = events.iter().skip(start + 1);
    let length = rest.position(|event| matches!(event, Event::RunStarted(_)));
    length.map_or(events.len(), |length| start + 1 + length)
}

/// The places of the input messages that must stay: those that a replay of the run's path does not
/// hold before them, and all of them where that path lacks a run.
///
/// # Errors
///
/// When that path does not replay for another reason.
pub(super) fn necessary(before: &[Event], start: &Event) -> Result<Vec<usize>, Broken> {
    let messages = input_messages(start);
    let Some(mut held) = held_before(before, start)? else {
        return Ok((0..messages.len()).collect());
    };
    let mut necessary = Vec::new();
    for (place, message) in messages.into_iter().enumerate() {
        // A message without an id is never known.
        let id = message.get("id");
        let known = held
            .iter()
            .find(|known| id.is_some() && known.get("id") == id);
        if known == Some(&message) && message.get("subagentRunId").is_none() {
            continue;
        }
        if known.is_none() {
            held.push(message);
        }
        necessary.push(place);
    }
    Ok(necessary)
}

/// The messages that a replay of a run's path holds before its input, as [`messages_of`] gives them.
fn held_before(before: &[Event], start: &Event) -> Result<Option<Vec<Value>>, Broken> {
    let Event::RunStarted(start) = start else {
        return Ok(Some(Vec::new()));
    };
    let bare = RunStartedEvent {
        input: None,
        ..(**start).clone()
    };
    let mut path = before.to_vec();
    path.push(Event::RunStarted(Box::new(bare)));
    messages_of(&path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::effective;
    use chatstate_types::generated::EventStream;

    fn events(log: &str) -> Vec<Event> {
        EventStream::from_json(log).expect("events").0
    }

    /// A log that does not replay, with this input in its second run.
    fn unreplayable(messages: &str) -> Vec<Event> {
        events(&format!(
            r#"[{{"type":"RUN_STARTED","threadId":"t","runId":"r1"}},
            {{"type":"TEXT_MESSAGE_END","messageId":"m"}},
            {{"type":"RUN_FINISHED","threadId":"t","runId":"r1"}},
            {{"type":"RUN_STARTED","threadId":"t","runId":"r2",
              "input":{{"threadId":"t","runId":"r2","messages":[{messages}]}}}}]"#
        ))
    }

    fn check(finding: LawResult) {
        let broken = finding.expect_err("the input cannot be judged");
        assert_eq!(broken.rule.as_deref(), Some("text.not-open@/1"), "{broken}");
    }

    #[test]
    fn a_log_that_does_not_replay_is_said_and_no_input_is_judged_by_it() {
        let message = r#"{"id":"u","role":"user","content":"hi"}"#;
        let (sent, emptied) = (unreplayable(message), unreplayable(""));
        check(effective(&sent));
        check(minimal_input(&sent, &emptied));
    }

    #[test]
    fn a_run_whose_path_lacks_a_run_keeps_its_input() {
        let log = |messages: &str| {
            events(&format!(
                r#"[{{"type":"RUN_STARTED","threadId":"t","runId":"r2",
                  "metadata":{{"chatstate":{{"without":["r1"]}}}}}},
                {{"type":"RUN_FINISHED","threadId":"t","runId":"r2"}},
                {{"type":"RUN_STARTED","threadId":"t","runId":"r3","parentRunId":"r1",
                  "input":{{"threadId":"t","runId":"r3","messages":[{messages}]}}}}]"#
            ))
        };
        let (sent, emptied) = (log(r#"{"id":"u","role":"user","content":""}"#), log(""));
        assert_eq!(effective(&sent), Ok(()));
        assert_eq!(minimal_input(&sent, &sent), Ok(()));
        let broken = minimal_input(&sent, &emptied).expect_err("a message was lost");
        assert_eq!(
            broken.differences[0].class,
            LossClass::ItemDropped,
            "{broken}"
        );
    }
}
