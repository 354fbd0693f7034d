//! The forms that a finished run may take.

use super::FinishedRun;
use crate::compact::compacted_run::{CompactedRun, Placed};
use crate::compact::emit::{write_messages, write_state};
use crate::compact::size::{Countdown, size_of};
use crate::replay::{Conversation, Reducer, Thread, add_to_mark, read_event};
use crate::sequence::Tracker;
use crate::verify::Verifier;
use chatstate_json::{Object, Rejection, Tape};
use chatstate_types::generated::roles::ReplayedPart;
use chatstate_types::generated::{Event, RunStartedEvent};

/// The bytes of a `MESSAGES_SNAPSHOT` and a `STATE_SNAPSHOT` around what they say.
const MESSAGES_FRAME: usize = r#"{"messages":[],"type":"MESSAGES_SNAPSHOT"}"#.len();
const STATE_FRAME: usize = r#"{"snapshot":,"type":"STATE_SNAPSHOT"}"#.len();

/// A run that says what it adds to its predecessor, whose messages are those before: by snapshots where
/// these are no larger than the events that they replace.
pub(super) fn said_anew(
    run: &FinishedRun,
    before: impl FnOnce() -> Thread,
    end: &Conversation,
) -> Result<Vec<String>, Rejection> {
    let as_it_is = || run.run.iter().map(str::to_owned).collect();
    if run.is_incomplete || run.is_removed {
        return Ok(as_it_is());
    }
    let is_smaller = are_messages_smaller(run, end);
    let state = state_if_smaller(run, end);
    if !is_smaller && state.is_none() {
        return Ok(as_it_is());
    }
    let start = run.run.iter().next().unwrap_or_default().to_owned();
    let before = with_input(&before(), &start)?;
    let messages = is_smaller.then(|| messages_on(&before, end.thread()));
    let messages = messages.flatten();
    let replaced = |event: &Placed| match event.changes {
        Some(ReplayedPart::Messages) => messages.is_some(),
        Some(ReplayedPart::State) => state.is_some(),
        None => false,
    };
    let snapshots = messages.iter().chain(&state).cloned();
    let events = with_snapshots(&run.run, start, replaced, snapshots);
    let is_acceptable = is_acceptable(&run.run, &events, &before, end.thread());
    Ok(if is_acceptable { events } else { as_it_is() })
}

/// A run with all messages and the state of its path; nothing if no snapshot can say them after the
/// messages of its predecessor.
pub(super) fn said_whole(
    run: &FinishedRun,
    end: &Conversation,
    base: &Thread,
) -> Result<Option<Vec<String>>, Rejection> {
    let is_unknown = run.is_incomplete || run.is_removed;
    if is_unknown || !end.knows_messages() || !end.knows_state() {
        return Ok(None);
    }
    let start = run.run.iter().next().unwrap_or_default();
    let keeps_start = run.run.events.first().is_some_and(|start| start.is_kept);
    let (start, before) = if keeps_start {
        (start.to_owned(), with_input(base, start)?)
    } else {
        (changed_start(start, without_messages)?, base.clone())
    };
    let Some(messages) = messages_on(&before, end.thread()) else {
        return Ok(None);
    };
    let mut state = String::new();
    write_state(&mut state, end.state());
    let replaced = |event: &Placed| event.changes.is_some();
    let events = with_snapshots(&run.run, start, replaced, [messages, state]);
    Ok(is_acceptable(&run.run, &events, &before, end.thread()).then_some(events))
}

/// The messages at the beginning of a run that keeps its input.
fn with_input(base: &Thread, start: &str) -> Result<Thread, Rejection> {
    let mut tape = Tape::default();
    let (start, carried) = read_event(&mut tape, start)?;
    let mut conversation = Conversation::with_thread(base.clone());
    conversation.event(&start, carried)?;
    Ok(conversation.thread().clone())
}

/// The frame of a run that is not retained, which says so.
pub(super) fn frame(run: &CompactedRun) -> Result<Vec<String>, Rejection> {
    let mut events = run.iter();
    let Some(start) = events.next() else {
        return Ok(Vec::new());
    };
    let start = changed_start(start, |start| {
        without_messages(start);
        add_to_mark(start, "compacted", "tips");
    })?;
    let terminal = events.next_back().map(str::to_owned);
    Ok(std::iter::once(start).chain(terminal).collect())
}

fn with_snapshots(
    run: &CompactedRun,
    start: String,
    replaced: impl Fn(&Placed) -> bool,
    snapshots: impl IntoIterator<Item = String>,
) -> Vec<String> {
    let text = |event: &Placed| run.texts[event.text.clone()].to_owned();
    let mut events = vec![start];
    let Some((terminal, inner)) = run.events.get(1..).and_then(<[_]>::split_last) else {
        return events;
    };
    let stay = inner
        .iter()
        .filter(|event| event.is_kept || !replaced(event));
    events.extend(stay.map(text));
    events.extend(snapshots);
    events.push(text(terminal));
    events
}

/// Whether a form means what the run means also where events stay that the caller keeps: they may not
/// be valid without those that went, or change what the snapshots say. A form that cannot be replayed is
/// no such form.
fn is_acceptable(run: &CompactedRun, events: &[String], before: &Thread, after: &Thread) -> bool {
    let is_bound = |event: &Placed| event.is_kept && event.changes.is_some();
    !run.events.iter().any(is_bound) || matches!(replays_to(events, before, after), Ok(true))
}

fn replays_to(events: &[String], before: &Thread, after: &Thread) -> Result<bool, Rejection> {
    let mut verifier = Verifier::default();
    let mut reducer = Reducer::at(
        Tracker::default(),
        Conversation::with_thread(before.clone()),
    );
    let mut tape = Tape::default();
    for (index, text) in events.iter().enumerate() {
        let (event, mut carried) = read_event(&mut tape, text)?;
        if !verifier.push(index, &event).is_valid() {
            return Ok(false);
        }
        // The messages of the input are among those before.
        if let Event::RunStarted(_) = event {
            carried.messages.clear();
        }
        reducer.apply(index, &event, carried)?;
    }
    Ok(reducer.conversation().thread() == after)
}

/// The bytes of the events that a snapshot may replace; none if there are no such events.
fn bytes_about(run: &CompactedRun, part: ReplayedPart) -> Option<usize> {
    let events = run.events.iter();
    let events = events.filter(|event| event.changes == Some(part) && !event.is_kept);
    let sizes = events.map(|event| size_of(&run.texts[event.text.clone()]).ok());
    sizes.reduce(|sum, size| Some(sum? + size?)).flatten()
}

/// Whether a snapshot of all messages is no larger than the events that it would replace.
fn are_messages_smaller(run: &FinishedRun, end: &Conversation) -> bool {
    let fits_in = |bytes: usize| {
        let mut left = Countdown::from(bytes);
        left.bytes(MESSAGES_FRAME)?;
        for (place, message) in end.thread().messages().enumerate() {
            left.bytes(usize::from(place > 0))?;
            left.object(message)?;
        }
        Some(())
    };
    let bytes = bytes_about(&run.run, ReplayedPart::Messages).filter(|_| end.knows_messages());
    bytes.and_then(fits_in).is_some()
}

fn state_if_smaller(run: &FinishedRun, end: &Conversation) -> Option<String> {
    let mut left = Countdown::from(bytes_about(&run.run, ReplayedPart::State)?);
    let mut events = run.run.events.iter();
    let is_bound = events.any(|event| event.changes == Some(ReplayedPart::State) && event.is_kept);
    if is_bound || !end.knows_state() {
        return None;
    }
    left.bytes(STATE_FRAME)?;
    left.value(end.state())?;
    let mut text = String::new();
    write_state(&mut text, end.state());
    Some(text)
}

/// The snapshot of all messages that makes them of those before; nothing if there is none.
fn messages_on(before: &Thread, messages: &Thread) -> Option<String> {
    let has_id = |message: &Object| message.get("id").is_some_and(|id| id.as_str().is_some());
    if messages.has_shared_ids() || !messages.messages().all(has_id) {
        return None;
    }
    let mut text = String::new();
    write_messages(&mut text, messages.messages());
    let (mut tape, mut after) = (Tape::default(), before.clone());
    // What no event can say: a text that ends in an unpaired surrogate, and an activity whose patches
    // made no object of it.
    let (_, snapshot) = read_event(&mut tape, &text).ok()?;
    after.apply_snapshot(&snapshot.messages);
    (after == *messages).then_some(text)
}

fn changed_start(
    start: &str,
    change: impl FnOnce(&mut RunStartedEvent),
) -> Result<String, Rejection> {
    let mut event = Event::from_json(start)?;
    if let Event::RunStarted(start) = &mut event {
        change(start);
    }
    event.to_json()
}

fn without_messages(start: &mut RunStartedEvent) {
    if let Some(input) = &mut start.input {
        input.messages.clear();
    }
}
