//! What the events of a path of runs mean: one pass, event by event.
//!
//! Names many events: each changes messages, state or runs in its own way, which no role can say.

mod ends;
mod items;
mod snapshots;
mod state;

use super::carried::Carried;
use super::remark::{Remark, Remarks};
use super::run::{Run, RunFailure, RunStatus};
use super::thread::Thread;
use crate::header::Header;
use crate::patch::{CopyLimits, PatchFailure};
use crate::sequence::{ItemKind, OpenItem, Step, Tracker, Violation};
use chatstate_json::{Raw, Rejection, Value};
use chatstate_types::generated::RunStartedEvent;
use chatstate_types::generated::{
    Event, JsonPatch, PatchOperation, RunErrorEvent, RunFinishedEvent, RunFinishedOutcome,
    TokenUsage,
};
use state::SharedState;

pub(crate) use ends::Ends;
pub(crate) use state::unknown_operations;

/// A replay between two events: what is open, and what was said.
#[derive(Clone, Default)]
pub(crate) struct Reducer {
    tracker: Tracker,
    conversation: Conversation,
}

impl Reducer {
    /// Remarks on what is skipped from now on.
    pub fn keep_remarks(&mut self) {
        self.conversation.keep_remarks();
    }

    /// A replay that goes on from here.
    pub fn at(tracker: Tracker, conversation: Conversation) -> Self {
        Self {
            tracker,
            conversation,
        }
    }

    /// What is open, and what was said.
    pub fn into_parts(self) -> (Tracker, Conversation) {
        (self.tracker, self.conversation)
    }

    /// Applies the event of this index, with what it carries.
    pub fn apply(
        &mut self,
        index: usize,
        event: &Event,
        carried: Carried<'_>,
    ) -> Result<(), Rejection> {
        self.apply_steps(index, event)?;
        self.conversation.event(event, carried)
    }

    /// The same, but an event that is not allowed here is passed over. If it begins or ends a run,
    /// only what it leaves open is not looked at.
    pub fn apply_leniently(
        &mut self,
        index: usize,
        event: &Event,
        carried: Carried<'_>,
    ) -> Result<(), Rejection> {
        let frames_run = matches!(
            event,
            Event::RunStarted(_) | Event::RunFinished(_) | Event::RunError(_)
        );
        match self.apply_steps(index, event) {
            Ok(()) => {}
            // What chunks kept open is closed by now.
            Err(_) if frames_run => self.apply_steps(index, event)?,
            Err(_) => return Ok(()),
        }
        self.conversation.event(event, carried)
    }

    /// Applies what the event begins, continues and ends.
    fn apply_steps(&mut self, index: usize, event: &Event) -> Result<(), Violation> {
        let Self {
            tracker,
            conversation,
        } = self;
        conversation.take_place(index);
        tracker.take(index, &Header::of(event), &mut |step| {
            conversation.step(event, &step);
        })
    }

    /// What was remarked since this was asked last.
    pub fn take_remarks(&mut self) -> Vec<Remark> {
        self.conversation.take_remarks()
    }

    /// What was remarked, and the runs that began, since this was asked last.
    pub fn end_run(&mut self) -> (Vec<Remark>, Vec<Run>) {
        let Conversation { remarks, runs, .. } = &mut self.conversation;
        let mut runs = std::mem::take(runs);
        runs.shrink_to_fit();
        (remarks.take(), runs)
    }

    /// What was said up to here.
    pub fn conversation(&self) -> &Conversation {
        &self.conversation
    }

    /// What is open, each with the index of its first event.
    pub fn open(&self) -> Vec<(usize, OpenItem)> {
        self.tracker.open()
    }

    /// Whether messages, state and interrupts are the same, and whatever follows makes the same of
    /// both.
    pub fn is_equivalent(&self, other: &Self) -> bool {
        let (one, two) = (&self.conversation, &other.conversation);
        self.tracker.stands_like(&other.tracker)
            && one.thread == two.thread
            && one.state() == two.state()
            && one.interrupts == two.interrupts
    }
}

/// What was said, whatever the order of its events: every step and every event can be applied.
#[derive(Clone, Default)]
pub(crate) struct Conversation {
    thread: Thread,
    state: SharedState,
    /// Whether the messages depend on operations, or on encrypted values, that were left out.
    has_open_messages: bool,
    /// What the patches of this run have copied in activities.
    activity_limits: CopyLimits,
    runs: Vec<Run>,
    interrupts: Vec<Value>,
    remarks: Remarks,
    /// The index of the event that is applied.
    index: usize,
}

impl Conversation {
    /// One whose state is not needed, so that it is not worked out.
    pub fn without_state() -> Self {
        Self {
            state: SharedState::left_out(),
            ..Self::default()
        }
    }

    /// One of which only the messages are known.
    pub fn with_thread(thread: Thread) -> Self {
        Self {
            thread,
            ..Self::default()
        }
    }

    /// Takes out the messages, of a run that is given up.
    pub fn take_thread(&mut self) -> Thread {
        std::mem::take(&mut self.thread)
    }

    /// The messages.
    pub fn thread(&self) -> &Thread {
        &self.thread
    }

    /// The state.
    pub fn state(&self) -> &Value {
        self.state.get()
    }

    /// Whether the state is worked out.
    pub fn works_out_state(&self) -> bool {
        !self.state.is_left_out()
    }

    /// Whether all operations on the state were known.
    pub fn knows_state(&self) -> bool {
        self.state.is_known()
    }

    /// Whether all operations on activities and all subtypes of encrypted values were known.
    pub fn knows_messages(&self) -> bool {
        !self.has_open_messages
    }

    /// What the last finished run waits for.
    pub fn interrupts(&self) -> &[Value] {
        &self.interrupts
    }

    /// Whether what an open item appends to is there.
    pub fn holds(&self, item: &OpenItem) -> bool {
        match item.kind {
            ItemKind::Text | ItemKind::Reasoning => self.thread.find(&item.id).is_some(),
            ItemKind::ToolCall => self.thread.holds_call(&item.id),
            _ => true,
        }
    }

    /// Applies what an event begins, continues and ends.
    pub fn step(&mut self, event: &Event, step: &Step<'_>) {
        match step {
            Step::Begin(beginning) => self.begun(event, beginning),
            Step::Append(part) => self.continued(part, items::delta_of(event), event.metadata()),
            Step::End(part) => {
                self.continued(part, items::delta_of(event), event.metadata());
                self.ended(part);
            }
            // Who ends an item by being about something else says nothing of it.
            Step::Idle(_) | Step::Close(_) | Step::Left(..) => {}
        }
    }

    /// Applies the event itself. Those that only begin, continue or end an item are done by now,
    /// and RAW, CUSTOM and events that this version does not know mean nothing here.
    pub fn event(&mut self, event: &Event, carried: Carried<'_>) -> Result<(), Rejection> {
        match event {
            Event::RunStarted(event) => drop(self.run_started(event, &carried.messages)),
            Event::RunFinished(event) => self.run_finished(event),
            Event::RunError(event) => self.run_failed(event),
            Event::StateSnapshot(_) => self.state_said(carried.state),
            Event::StateDelta(event) => return self.state_patched(&event.delta),
            Event::MessagesSnapshot(_) => self.thread.apply_snapshot(&carried.messages),
            Event::ActivitySnapshot(event) => self.activity_snapshot(event),
            Event::ActivityDelta(event) => return self.activity_delta(event),
            Event::ReasoningEncryptedValue(event) => self.encrypted_value(event),
            Event::ToolCallResult(event) => self.call_result(event),
            _ => {}
        }
        Ok(())
    }

    /// Says which event of the log comes next.
    pub fn take_place(&mut self, index: usize) {
        self.index = index;
    }

    /// Remarks on what is skipped from now on.
    pub fn keep_remarks(&mut self) {
        self.remarks = Remarks::kept();
    }

    /// What was remarked since this was asked last.
    pub fn take_remarks(&mut self) -> Vec<Remark> {
        self.remarks.take()
    }

    /// Remarks on a patch of a state that is not kept here, but folded by the caller.
    pub fn state_folded(&mut self, patch: &JsonPatch, failure: Option<&PatchFailure>) {
        if !self.state.is_left_out() {
            return;
        }
        self.unknown_operations("delta", patch);
        if let Some(failure) = failure {
            self.remarks.failed_patch(self.index, "delta", failure);
        }
    }

    /// Says the state whole, as a `STATE_SNAPSHOT` does.
    pub fn state_said(&mut self, state: Value) {
        self.state.set(state);
    }

    /// A patch that does not apply is skipped whole (`replay.failed-patch`).
    fn state_patched(&mut self, delta: &JsonPatch) -> Result<(), Rejection> {
        if self.state.is_left_out() {
            return Ok(());
        }
        self.unknown_operations("delta", delta);
        match self.state.patch(delta) {
            Ok(()) => Ok(()),
            Err(failure) => self.failed_patch("delta", &failure),
        }
    }

    fn unknown_operations(&mut self, member: &str, patch: &JsonPatch) {
        for (place, operation) in patch.0.iter().enumerate() {
            if let PatchOperation::Unknown(operation) = operation {
                self.remarks
                    .unknown_operation(self.index, member, place, &operation.op);
            }
        }
    }

    fn failed_patch(&mut self, member: &str, failure: &PatchFailure) -> Result<(), Rejection> {
        if let Some(limit) = failure.limit() {
            return Err(limit);
        }
        self.remarks.failed_patch(self.index, member, failure);
        Ok(())
    }

    /// Begins a run, and gives the places of the messages in its input that are repeated. AG-UI
    /// assigns owners in each run anew, so a message with an owner is no repetition
    /// (`compact.minimal-input`).
    pub fn run_started(&mut self, event: &RunStartedEvent, messages: &[Raw<'_>]) -> Vec<usize> {
        let run_id = Some(event.run_id.clone());
        let parent_run_id = event.parent_run_id.clone();
        let run = Run::new(run_id, parent_run_id, RunStatus::Running);
        self.runs.push(run);
        self.activity_limits = CopyLimits::default();
        self.state.begin_run();
        if let Some(state) = event.input.as_ref().and_then(|input| input.state.as_ref()) {
            self.state.set(state.clone());
        }
        let mut repeated = Vec::new();
        for (place, message) in messages.iter().enumerate() {
            let id = message.member("id").and_then(|(_, id)| id.text());
            let known = id.and_then(|id| Some((self.thread.find(&id)?, id)));
            let Some((known, id)) = known else {
                self.thread.push(message.object());
                continue;
            };
            if *message != *known {
                self.remarks.input_message(self.index, place, &id);
            } else if !known.contains_key("subagentRunId") {
                repeated.push(place);
            }
        }
        repeated
    }

    fn run_finished(&mut self, event: &RunFinishedEvent) {
        let status = RunStatus::of_outcome(event.outcome.as_ref());
        let run = self.current_run(status);
        run.status = status;
        run.outcome = event.outcome.as_ref().map(Value::of);
        run.result.clone_from(&event.result);
        run.usage = usage(event.usage.as_deref());
        self.interrupts = match &event.outcome {
            Some(RunFinishedOutcome::Interrupt(outcome)) => {
                outcome.interrupts.iter().map(Value::of).collect()
            }
            _ => Vec::new(),
        };
    }

    /// A late error takes nothing away of what the run had finished with.
    fn run_failed(&mut self, event: &RunErrorEvent) {
        let run = self.current_run(RunStatus::Failed);
        run.status = RunStatus::Failed;
        run.error = Some(RunFailure {
            message: event.message.clone(),
            code: event.code.clone(),
        });
        run.usage = usage(event.usage.as_deref()).or(run.usage.take());
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

fn usage(usage: Option<&[TokenUsage]>) -> Option<Vec<Value>> {
    usage.map(|usage| usage.iter().map(Value::of).collect())
}
