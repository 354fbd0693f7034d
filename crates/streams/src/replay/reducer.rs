//! One pass over the events of a path of runs.

mod items;
mod snapshots;

use std::sync::Arc;

use super::Replay;
use super::plain::Text;
use super::remark::{Remark, Remarks};
use super::run::{Run, RunStatus};
use super::thread::Thread;
use crate::head::{Head, MessageHead};
use crate::patch::{self, Bound, PatchFailure, too_large};
use crate::sequence::{ItemKind, OpenItem, Part, Step, Tracker};
use chatstate_json::Rejection;
use chatstate_json::{Object, Value};
use chatstate_types::generated::{
    Event, JsonPatch, RunFinishedEvent, RunFinishedOutcome, RunStartedEvent,
};

/// The state of a replay between two events.
#[derive(Clone, Default)]
pub(crate) struct Reducer {
    tracker: Tracker,
    chat: Chat,
}

impl Reducer {
    /// Remarks on what is skipped from now on.
    pub fn keep_remarks(&mut self) {
        self.chat.remarks = Remarks::kept();
    }

    /// Applies the event of this index.
    pub fn apply(&mut self, index: usize, event: &Event) -> Result<(), Rejection> {
        let Self { tracker, chat } = self;
        chat.index = index;
        tracker.take(index, &Head::of(event), &mut |step| chat.step(event, &step))?;
        chat.event(event)
    }

    /// Applies the event of this index that only appends text.
    pub(super) fn append(
        &mut self,
        index: usize,
        kind: ItemKind,
        id: &str,
        text: &Text<'_>,
    ) -> Result<(), Rejection> {
        let part = Part {
            kind,
            id,
            subagent_run_id: None,
        };
        let Self { tracker, chat } = self;
        tracker.append(index, part, text.delta(), &mut |step| {
            if let Step::Append(part) = step {
                chat.appended(&part, text);
            }
        })?;
        Ok(())
    }

    /// Takes the snapshot of the state that is an event, but for the state.
    pub(super) fn pass_state(&mut self) -> Result<(), Rejection> {
        Ok(self.tracker.pass(&mut |_| {})?)
    }

    /// Takes a patch of the state that is an event, but for the state.
    pub(super) fn pass_patch(&mut self, index: usize, event: &Event) -> Result<(), Rejection> {
        Ok(self.tracker.take(index, &Head::of(event), &mut |_| {})?)
    }

    /// Sets the state that events had which were passed.
    pub(super) fn settle_state(
        &mut self,
        state: Value,
        patches: &[JsonPatch],
    ) -> Result<(), Rejection> {
        self.chat.set_state(state);
        let mut patches = patches.iter();
        patches.try_for_each(|patch| self.chat.state_patched(patch))
    }

    /// What was remarked in the run that ends here. The list of runs is forgotten, which no remark
    /// needs and every branch would copy.
    pub fn end_run(&mut self) -> Vec<Remark> {
        self.chat.runs.clear();
        self.chat.remarks.take()
    }

    /// The messages up to here.
    pub fn messages(&self) -> Vec<Object> {
        self.chat.thread.messages().cloned().collect()
    }

    /// The state up to here.
    pub fn state(&self) -> &Value {
        &self.chat.state
    }

    /// What the last finished run waits for.
    pub fn interrupts(&self) -> &[Value] {
        &self.chat.interrupts
    }

    /// What is open, each with the index of its first event.
    pub fn open(&self) -> Vec<(usize, OpenItem)> {
        self.tracker.open()
    }

    /// Whether what an open item appends to is there.
    pub fn holds(&self, item: &OpenItem) -> bool {
        let thread = &self.chat.thread;
        match item.kind {
            ItemKind::Text | ItemKind::Reasoning => thread.find(&item.id).is_some(),
            ItemKind::ToolCall => thread.holds_call(&item.id),
            ItemKind::Step | ItemKind::ReasoningSpan | ItemKind::Subagent => true,
        }
    }

    /// Whether messages, state and interrupts are the same, and whatever follows makes the same of
    /// both.
    pub fn stands_like(&self, other: &Self) -> bool {
        let (one, two) = (&self.chat, &other.chat);
        self.tracker.stands_like(&other.tracker)
            && one.thread == two.thread
            && one.state == two.state
            && one.interrupts == two.interrupts
    }

    /// What the stream means up to here.
    pub fn finish(self) -> Replay {
        Replay {
            messages: self.chat.thread.into_messages(),
            state: Arc::unwrap_or_clone(self.chat.state),
            runs: self.chat.runs,
            open: self.tracker.into_open(),
            interrupts: self.chat.interrupts,
        }
    }
}

/// What the events mean, whatever their order: every step and every event can be applied.
#[derive(Clone)]
struct Chat {
    thread: Thread,
    /// Shared by the branches that leave it as it is.
    state: Arc<Value>,
    /// How large patches may have made the state.
    bound: Bound,
    runs: Vec<Run>,
    interrupts: Vec<Value>,
    remarks: Remarks,
    /// The index of the event that is applied.
    index: usize,
}

impl Default for Chat {
    fn default() -> Self {
        Self {
            thread: Thread::default(),
            state: Arc::new(Value::from(Object::new())),
            bound: Bound::default(),
            runs: Vec::new(),
            interrupts: Vec::new(),
            remarks: Remarks::default(),
            index: 0,
        }
    }
}

impl Chat {
    /// Applies what an event begins, continues and ends.
    fn step(&mut self, event: &Event, step: &Step<'_>) {
        match step {
            Step::Begin(beginning) => self.begun(event, beginning),
            Step::Append(part) | Step::End(part) => match part.kind {
                ItemKind::Text | ItemKind::Reasoning => self.message_continued(event, part),
                ItemKind::ToolCall => self.call_continued(event, part),
                ItemKind::Step | ItemKind::ReasoningSpan | ItemKind::Subagent => {}
            },
            // Who ends an item by being about something else says nothing of it.
            Step::Close(_) | Step::Left(..) => {}
        }
    }

    /// Applies the event itself. Those that only begin, continue or end an item are done by now,
    /// and RAW, CUSTOM and events that this version does not know mean nothing to the chat.
    fn event(&mut self, event: &Event) -> Result<(), Rejection> {
        match event {
            Event::RunStarted(event) => self.run_started(event),
            Event::RunFinished(event) => self.run_finished(event),
            Event::RunError(_) => self.current_run(RunStatus::Failed).status = RunStatus::Failed,
            Event::StateSnapshot(event) => self.set_state(event.snapshot.clone()),
            Event::StateDelta(event) => return self.state_patched(&event.delta),
            Event::MessagesSnapshot(event) => self.messages_snapshot(event),
            Event::ActivitySnapshot(event) => self.activity_snapshot(event),
            Event::ActivityDelta(event) => return self.activity_delta(event),
            Event::ReasoningEncryptedValue(event) => self.encrypted_value(event),
            Event::ToolCallResult(event) => self.call_result(event),
            _ => {}
        }
        Ok(())
    }

    fn set_state(&mut self, state: Value) {
        self.state = Arc::new(state);
        self.bound = Bound::default();
    }

    /// A patch that does not apply is skipped whole (`replay.failed-patch`).
    fn state_patched(&mut self, delta: &JsonPatch) -> Result<(), Rejection> {
        match patch::apply_within(Arc::make_mut(&mut self.state), delta, &mut self.bound) {
            Ok(()) => Ok(()),
            Err(failure) => self.failed_patch(&failure),
        }
    }

    fn failed_patch(&mut self, failure: &PatchFailure) -> Result<(), Rejection> {
        if failure.is_limit {
            return Err(too_large());
        }
        self.remarks.failed_patch(self.index, failure);
        Ok(())
    }

    fn run_started(&mut self, event: &RunStartedEvent) {
        let run_id = Some(event.run_id.clone());
        let parent_run_id = event.parent_run_id.clone();
        let run = Run::new(run_id, parent_run_id, RunStatus::Running);
        self.runs.push(run);
        let Some(input) = &event.input else {
            return;
        };
        if let Some(state) = &input.state {
            self.set_state(state.clone());
        }
        for (place, message) in input.messages.iter().enumerate() {
            let known = MessageHead::of(message)
                .id
                .and_then(|id| self.thread.find(&id));
            // What is known is passed over, and only who asks for remarks looks at it.
            if known.is_some() && !self.remarks.are_kept() {
                continue;
            }
            let Value::Object(message) = Value::of(message) else {
                continue;
            };
            match known {
                None => drop(self.thread.push(message)),
                Some(known) => {
                    self.remarks
                        .input_message(self.index, place, known, &message);
                }
            }
        }
    }

    fn run_finished(&mut self, event: &RunFinishedEvent) {
        let status = RunStatus::of_outcome(event.outcome.as_ref());
        let run = self.current_run(status);
        run.status = status;
        run.outcome = event.outcome.as_ref().map(Value::of);
        run.result.clone_from(&event.result);
        self.interrupts = match &event.outcome {
            Some(RunFinishedOutcome::Interrupt(outcome)) => {
                outcome.interrupts.iter().map(Value::of).collect()
            }
            _ => Vec::new(),
        };
    }

    /// The run that is in progress or was last; an error before any run is a run without an id.
    fn current_run(&mut self, status: RunStatus) -> &mut Run {
        if self.runs.is_empty() {
            self.runs.push(Run::new(None, None, status));
        }
        let last = self.runs.len() - 1;
        &mut self.runs[last]
    }
}
