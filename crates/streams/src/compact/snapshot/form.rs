//! The forms that a finished run may take.

use crate::compact::Options;
use crate::replay::{MARK, Reducer};
use crate::restate;
use crate::verify::Verifier;
use chatstate_json::Object;
use chatstate_types::generated::Event;

/// What a caller decided about the forms of runs.
pub(super) struct Form<'k> {
    /// Whether the beginning of the thread is elsewhere, so that nobody knows what all messages are.
    pub partial: bool,
    keep: Option<&'k dyn Fn(&Event) -> bool>,
}

impl<'k> Form<'k> {
    pub fn new(options: &Options<'k>) -> Self {
        Self {
            partial: options.partial,
            keep: options.keep,
        }
    }

    /// Whether the caller keeps an event as it is.
    pub fn keeps(&self, event: &Event) -> bool {
        self.keep.is_some_and(|keep| keep(event))
    }

    /// Whether an event belongs to no message, call or state, and so stays beside snapshots.
    pub fn stands(&self, event: &Event) -> bool {
        self.keeps(event)
            || matches!(
                event,
                Event::Custom(_)
                    | Event::Raw(_)
                    | Event::Unknown(_)
                    | Event::StepStarted(_)
                    | Event::StepFinished(_)
                    | Event::SubagentStarted(_)
                    | Event::SubagentFinished(_)
                    | Event::SubagentError(_)
                    | Event::ReasoningStart(_)
                    | Event::ReasoningEnd(_)
            )
    }
}

/// A run in its parts: its beginning, what happens in it, and its terminal events.
pub(super) struct Parts<'e> {
    pub start: &'e Event,
    pub inner: &'e [Event],
    pub terminal: &'e [Event],
}

impl<'e> Parts<'e> {
    pub fn of(run: &'e [Event]) -> Option<Self> {
        let (start, rest) = run.split_first()?;
        let end = rest.iter().position(is_terminal).unwrap_or(rest.len());
        let (inner, terminal) = rest.split_at(end);
        Some(Self {
            start,
            inner,
            terminal,
        })
    }
}

fn is_terminal(event: &Event) -> bool {
    matches!(event, Event::RunFinished(_) | Event::RunError(_))
}

/// Whether a verifier accepts the events of one run.
pub(super) fn is_valid(run: &[Event]) -> bool {
    let mut verifier = Verifier::default();
    let mut events = run.iter().enumerate();
    events.all(|(index, event)| verifier.push(index, event).is_valid())
}

/// A run that is retained, with all messages and the state; nothing if no snapshot can say them.
pub(super) fn retained(form: &Form<'_>, run: &[Event], standing: &Reducer) -> Option<Vec<Event>> {
    let parts = Parts::of(run)?;
    let start = if form.keeps(parts.start) {
        parts.start.clone()
    } else {
        without_messages(parts.start)
    };
    let mut events = vec![start];
    let inner = parts.inner.iter();
    events.extend(inner.filter(|event| form.stands(event)).cloned());
    events.push(restate::messages_snapshot(&standing.messages())?);
    events.push(restate::state_snapshot(standing.state()));
    events.extend_from_slice(parts.terminal);
    is_valid(&events).then_some(events)
}

/// The frame of a run that is not retained, which says so.
pub(super) fn removed(run: &[Event]) -> Vec<Event> {
    let Some(parts) = Parts::of(run) else {
        return Vec::new();
    };
    let mut events = vec![marked(without_messages(parts.start))];
    events.extend_from_slice(parts.terminal);
    events
}

fn without_messages(start: &Event) -> Event {
    match start {
        Event::RunStarted(start) => Event::RunStarted(Box::new(restate::without_messages(start))),
        other => other.clone(),
    }
}

fn marked(mut start: Event) -> Event {
    if let Event::RunStarted(start) = &mut start {
        let metadata = start.metadata.get_or_insert_default();
        let mut mark = metadata
            .get(MARK)
            .and_then(|mark| mark.as_object())
            .cloned();
        mark.get_or_insert_with(Object::new)
            .insert("compacted", "tips");
        metadata.insert(MARK, mark.unwrap_or_default());
    }
    start
}
