//! One pass over the events.

mod chunk_events;
mod items;
mod snapshots;

use super::chunks::Lanes;
use super::open::{ItemKind, OpenItem, OpenItems};
use super::run::{Run, RunStatus};
use super::thread::Thread;
use super::{Replay, tree};
use crate::generated::{Event, RunFinishedEvent, RunFinishedOutcome, RunStartedEvent};
use crate::json::{Object, Value};
use crate::patch;
use crate::rejection::{Class, Rejection};

/// The state of a replay between two events.
pub(super) struct Reducer {
    thread: Thread,
    state: Value,
    runs: Vec<Run>,
    open: OpenItems,
    lanes: Lanes,
    interrupts: Vec<Value>,
}

impl Default for Reducer {
    fn default() -> Self {
        Self {
            thread: Thread::default(),
            state: Value::from(Object::new()),
            runs: Vec::new(),
            open: OpenItems::default(),
            lanes: Lanes::default(),
            interrupts: Vec::new(),
        }
    }
}

impl Reducer {
    /// Applies one event.
    pub fn apply(&mut self, event: &Event) -> Result<(), Rejection> {
        self.close_chunks_before(event)?;
        match event {
            Event::RunStarted(event) => return self.run_started(event),
            Event::RunFinished(event) => self.run_finished(event),
            Event::RunError(_) => self.run_failed(),
            Event::StateSnapshot(event) => self.state = event.snapshot.clone(),
            Event::StateDelta(event) => {
                // A patch that does not apply is skipped whole (`replay.failed-patch`).
                let _ = patch::apply(&mut self.state, &event.delta);
            }
            Event::MessagesSnapshot(event) => self.messages_snapshot(event),
            Event::ActivitySnapshot(event) => self.activity_snapshot(event),
            Event::ActivityDelta(event) => self.activity_delta(event),
            Event::ReasoningEncryptedValue(event) => self.encrypted_value(event),
            Event::ToolCallResult(event) => self.call_result(event),
            other => return self.apply_to_item(other),
        }
        Ok(())
    }

    /// Applies an event that begins, continues or ends a message or a tool call.
    fn apply_to_item(&mut self, event: &Event) -> Result<(), Rejection> {
        use ItemKind::{Reasoning, Text, ToolCall};
        match event {
            Event::TextMessageStart(e) => self.text_started(e),
            Event::TextMessageContent(e) => {
                self.appended(Text, &e.message_id, &e.delta, e.metadata.as_ref())
            }
            Event::TextMessageEnd(e) => self.ended(Text, &e.message_id, e.metadata.as_ref()),
            Event::TextMessageChunk(e) => self.text_chunk(e),
            Event::ToolCallStart(e) => self.call_started(e),
            Event::ToolCallArgs(e) => {
                self.appended(ToolCall, &e.tool_call_id, &e.delta, e.metadata.as_ref())
            }
            Event::ToolCallEnd(e) => self.ended(ToolCall, &e.tool_call_id, e.metadata.as_ref()),
            Event::ToolCallChunk(e) => self.call_chunk(e),
            Event::ReasoningMessageStart(e) => self.reasoning_started(e),
            Event::ReasoningMessageContent(e) => {
                self.appended(Reasoning, &e.message_id, &e.delta, e.metadata.as_ref())
            }
            Event::ReasoningMessageEnd(e) => {
                self.ended(Reasoning, &e.message_id, e.metadata.as_ref())
            }
            Event::ReasoningMessageChunk(e) => self.reasoning_chunk(e),
            other => self.apply_to_span(other),
        }
    }

    /// Applies an event that begins or ends a span around other events.
    fn apply_to_span(&mut self, event: &Event) -> Result<(), Rejection> {
        use ItemKind::{ReasoningSpan, Step, Subagent};
        match event {
            Event::StepStarted(e) => {
                self.open
                    .begin(item(Step, &e.step_name, e.subagent_run_id.as_deref()))
            }
            Event::StepFinished(e) => {
                self.open
                    .end(&item(Step, &e.step_name, e.subagent_run_id.as_deref()))
            }
            Event::ReasoningStart(e) => self.open.begin(item(
                ReasoningSpan,
                &e.message_id,
                e.subagent_run_id.as_deref(),
            )),
            Event::ReasoningEnd(e) => self.open.end(&item(ReasoningSpan, &e.message_id, None)),
            Event::SubagentStarted(e) => self.open.begin(item(
                Subagent,
                &e.subagent_run_id,
                e.parent_subagent_run_id.as_deref(),
            )),
            Event::SubagentFinished(e) => self.open.end(&item(Subagent, &e.subagent_run_id, None)),
            Event::SubagentError(e) => self.open.end(&item(Subagent, &e.subagent_run_id, None)),
            // RAW, CUSTOM and events that this version does not know mean nothing to the chat.
            _ => Ok(()),
        }
    }

    /// What the stream means up to here.
    pub fn finish(self) -> Replay {
        Replay {
            messages: self.thread.into_messages(),
            state: self.state,
            runs: self.runs,
            open: self.open.into_items(),
            interrupts: self.interrupts,
        }
    }

    fn run_started(&mut self, event: &RunStartedEvent) -> Result<(), Rejection> {
        if let Some(parent) = &event.parent_run_id {
            self.require_linear(parent)?;
        }
        self.open.clear();
        let run_id = Some(event.run_id.clone());
        self.runs.push(Run::new(
            run_id,
            event.parent_run_id.clone(),
            RunStatus::Running,
        ));
        let Some(input) = &event.input else {
            return Ok(());
        };
        if let Some(state) = &input.state {
            self.state = state.clone();
        }
        for message in &input.messages {
            if let Value::Object(message) = tree(message) {
                let known = message
                    .get("id")
                    .and_then(Value::as_str)
                    .is_some_and(|id| self.thread.find(id).is_some());
                if !known {
                    self.thread.push(message);
                }
            }
        }
        Ok(())
    }

    /// Refuses a parent that is an earlier run but not the one just before.
    fn require_linear(&self, parent: &str) -> Result<(), Rejection> {
        let Some((_, earlier)) = self.runs.split_last() else {
            return Ok(());
        };
        let is_parent = |run: &Run| run.run_id.as_deref() == Some(parent);
        if self.runs.last().is_some_and(is_parent) || !earlier.iter().any(is_parent) {
            return Ok(());
        }
        let message = format!(
            "the run branches off from `{parent}`; this version replays only linear streams"
        );
        Err(Rejection::new(Class::Semantic, "replay.not-linear", message).within("parentRunId"))
    }

    fn run_finished(&mut self, event: &RunFinishedEvent) {
        self.open.clear();
        let status = RunStatus::of_outcome(event.outcome.as_ref());
        let run = self.current_run(status);
        run.status = status;
        run.outcome = event.outcome.as_ref().map(tree);
        run.result.clone_from(&event.result);
        self.interrupts = match &event.outcome {
            Some(RunFinishedOutcome::Interrupt(outcome)) => {
                outcome.interrupts.iter().map(tree).collect()
            }
            _ => Vec::new(),
        };
    }

    fn run_failed(&mut self) {
        self.open.clear();
        self.current_run(RunStatus::Failed).status = RunStatus::Failed;
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

fn item(kind: ItemKind, id: &str, subagent_run_id: Option<&str>) -> OpenItem {
    OpenItem {
        kind,
        id: id.to_owned(),
        subagent_run_id: subagent_run_id.map(str::to_owned),
    }
}
