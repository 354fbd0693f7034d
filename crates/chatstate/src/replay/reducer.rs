//! One pass over the events.

use super::chunks::{Chunk, ChunkItem, Lanes, missing_head};
use super::open::{ItemKind, OpenItem, OpenItems};
use super::run::{Run, RunStatus};
use super::thread::{Thread, append_text, fold_metadata};
use super::{Replay, tree};
use crate::generated::{
    ActivityDeltaEvent, ActivitySnapshotEvent, Event, MessagesSnapshotEvent,
    ReasoningEncryptedValueEvent, ReasoningMessageChunkEvent, RunErrorEvent, RunFinishedEvent,
    RunFinishedOutcome, RunStartedEvent, TextMessageChunkEvent, TextMessageStartEvent,
    ToolCallChunkEvent, ToolCallResultEvent, ToolCallStartEvent,
};
use crate::json::{Object, SplitText, UnpairedSurrogate, Value};
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

/// What an event says of a new text or reasoning message or tool call.
struct Beginning<'a> {
    kind: ItemKind,
    id: &'a str,
    subagent_run_id: Option<&'a str>,
    metadata: Option<&'a Object>,
}

impl Reducer {
    /// Applies one event.
    pub fn apply(&mut self, event: &Event) -> Result<(), Rejection> {
        self.close_chunks_before(event)?;
        match event {
            Event::RunStarted(event) => self.run_started(event),
            Event::RunFinished(event) => {
                self.run_finished(event);
                Ok(())
            }
            Event::RunError(event) => {
                self.run_error(event);
                Ok(())
            }
            Event::TextMessageStart(event) => self.text_started(event),
            Event::TextMessageContent(event) => self.appended(
                ItemKind::Text,
                &event.message_id,
                &event.delta,
                event.metadata.as_ref(),
            ),
            Event::TextMessageEnd(event) => {
                self.ended(ItemKind::Text, &event.message_id, event.metadata.as_ref())
            }
            Event::TextMessageChunk(event) => self.text_chunk(event),
            Event::ToolCallStart(event) => self.call_started(event),
            Event::ToolCallArgs(event) => self.appended(
                ItemKind::ToolCall,
                &event.tool_call_id,
                &event.delta,
                event.metadata.as_ref(),
            ),
            Event::ToolCallEnd(event) => self.ended(
                ItemKind::ToolCall,
                &event.tool_call_id,
                event.metadata.as_ref(),
            ),
            Event::ToolCallChunk(event) => self.call_chunk(event),
            Event::ToolCallResult(event) => {
                self.call_result(event);
                Ok(())
            }
            Event::ReasoningMessageStart(event) => self.reasoning_started(&Beginning {
                kind: ItemKind::Reasoning,
                id: &event.message_id,
                subagent_run_id: event.subagent_run_id.as_deref(),
                metadata: event.metadata.as_ref(),
            }),
            Event::ReasoningMessageContent(event) => self.appended(
                ItemKind::Reasoning,
                &event.message_id,
                &event.delta,
                event.metadata.as_ref(),
            ),
            Event::ReasoningMessageEnd(event) => self.ended(
                ItemKind::Reasoning,
                &event.message_id,
                event.metadata.as_ref(),
            ),
            Event::ReasoningMessageChunk(event) => self.reasoning_chunk(event),
            other => self.apply_whole(other),
        }
    }

    /// Applies an event that is complete in itself or only begins or ends a span.
    fn apply_whole(&mut self, event: &Event) -> Result<(), Rejection> {
        match event {
            Event::StateSnapshot(event) => self.state = event.snapshot.clone(),
            Event::StateDelta(event) => {
                // A patch that does not apply is skipped whole (`replay.failed-patch`).
                let _ = patch::apply(&mut self.state, &event.delta);
            }
            Event::MessagesSnapshot(event) => self.messages_snapshot(event),
            Event::ActivitySnapshot(event) => self.activity_snapshot(event),
            Event::ActivityDelta(event) => self.activity_delta(event),
            Event::ReasoningEncryptedValue(event) => self.encrypted_value(event),
            Event::StepStarted(event) => {
                return self.open.begin(item(
                    ItemKind::Step,
                    &event.step_name,
                    event.subagent_run_id.as_deref(),
                ));
            }
            Event::StepFinished(event) => {
                return self.open.end(&item(
                    ItemKind::Step,
                    &event.step_name,
                    event.subagent_run_id.as_deref(),
                ));
            }
            Event::ReasoningStart(event) => {
                let owner = event.subagent_run_id.as_deref();
                return self
                    .open
                    .begin(item(ItemKind::ReasoningSpan, &event.message_id, owner));
            }
            Event::ReasoningEnd(event) => {
                return self
                    .open
                    .end(&item(ItemKind::ReasoningSpan, &event.message_id, None));
            }
            Event::SubagentStarted(event) => {
                let parent = event.parent_subagent_run_id.as_deref();
                return self
                    .open
                    .begin(item(ItemKind::Subagent, &event.subagent_run_id, parent));
            }
            Event::SubagentFinished(event) => {
                return self
                    .open
                    .end(&item(ItemKind::Subagent, &event.subagent_run_id, None));
            }
            Event::SubagentError(event) => {
                return self
                    .open
                    .end(&item(ItemKind::Subagent, &event.subagent_run_id, None));
            }
            // RAW, CUSTOM and events that this version does not know mean nothing to the chat.
            _ => {}
        }
        Ok(())
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

    fn run_error(&mut self, _: &RunErrorEvent) {
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

    fn text_started(&mut self, event: &TextMessageStartEvent) -> Result<(), Rejection> {
        let role = event.role.as_ref().map(|role| role.as_str());
        let beginning = Beginning {
            kind: ItemKind::Text,
            id: &event.message_id,
            subagent_run_id: event.subagent_run_id.as_deref(),
            metadata: event.metadata.as_ref(),
        };
        self.message_started(
            &beginning,
            role.unwrap_or("assistant"),
            event.name.as_deref(),
        )
    }

    fn reasoning_started(&mut self, beginning: &Beginning<'_>) -> Result<(), Rejection> {
        self.message_started(beginning, "reasoning", None)
    }

    /// Begins a text or reasoning message. A message that exists keeps what it is; an activity of
    /// the same id is not touched.
    fn message_started(
        &mut self,
        beginning: &Beginning<'_>,
        role: &str,
        name: Option<&str>,
    ) -> Result<(), Rejection> {
        self.open.begin(item(
            beginning.kind,
            beginning.id,
            beginning.subagent_run_id,
        ))?;
        if self.thread.find(beginning.id).is_none() {
            let mut message =
                Object::from_iter([("id", beginning.id), ("role", role), ("content", "")]);
            message.extend(name.map(|name| ("name", name)));
            message.extend(
                beginning
                    .subagent_run_id
                    .map(|owner| ("subagentRunId", owner)),
            );
            self.thread.push(message);
        }
        self.fold_into_message(beginning.id, beginning.metadata);
        Ok(())
    }

    fn fold_into_message(&mut self, id: &str, metadata: Option<&Object>) {
        if self.thread.role(id) != Some("activity")
            && let Some(message) = self.thread.find_mut(id)
        {
            fold_metadata(message, metadata);
        }
    }

    fn appended(
        &mut self,
        kind: ItemKind,
        id: &str,
        delta: &SplitText,
        metadata: Option<&Object>,
    ) -> Result<(), Rejection> {
        self.open.require(kind, id)?;
        if kind == ItemKind::ToolCall {
            if let Some(call) = self.thread.call_mut(id) {
                if let Some(Value::Object(function)) = call.get_mut("function") {
                    append_text(function, "arguments", delta).map_err(unpaired)?;
                }
                fold_metadata(call, metadata);
            }
            return Ok(());
        }
        if self.thread.role(id) != Some("activity")
            && let Some(message) = self.thread.find_mut(id)
        {
            append_text(message, "content", delta).map_err(unpaired)?;
            fold_metadata(message, metadata);
        }
        Ok(())
    }

    fn ended(
        &mut self,
        kind: ItemKind,
        id: &str,
        metadata: Option<&Object>,
    ) -> Result<(), Rejection> {
        self.open.end(&item(kind, id, None))?;
        if kind == ItemKind::ToolCall {
            if let Some(call) = self.thread.call_mut(id) {
                fold_metadata(call, metadata);
                let arguments = call
                    .get("function")
                    .and_then(|function| function.get("arguments"));
                return require_whole(arguments);
            }
            return Ok(());
        }
        self.fold_into_message(id, metadata);
        require_whole(
            self.thread
                .find(id)
                .and_then(|message| message.get("content")),
        )
    }

    fn call_started(&mut self, event: &ToolCallStartEvent) -> Result<(), Rejection> {
        let beginning = Beginning {
            kind: ItemKind::ToolCall,
            id: &event.tool_call_id,
            subagent_run_id: event.subagent_run_id.as_deref(),
            metadata: event.metadata.as_ref(),
        };
        self.call_begun(
            &beginning,
            &event.tool_call_name,
            event.parent_message_id.as_deref(),
        )
    }

    /// Begins a tool call. A call that exists takes the new name and is continued.
    fn call_begun(
        &mut self,
        beginning: &Beginning<'_>,
        name: &str,
        parent: Option<&str>,
    ) -> Result<(), Rejection> {
        self.open.begin(item(
            ItemKind::ToolCall,
            beginning.id,
            beginning.subagent_run_id,
        ))?;
        if let Some(call) = self.thread.call_mut(beginning.id) {
            if let Some(Value::Object(function)) = call.get_mut("function") {
                function.insert("name", name);
            }
            fold_metadata(call, beginning.metadata);
            return Ok(());
        }
        let message_id = self.caller(beginning, parent);
        let function = Object::from_iter([("name", name), ("arguments", "")]);
        let mut call = Object::from_iter([("id", beginning.id), ("type", "function")]);
        call.insert("function", function);
        fold_metadata(&mut call, beginning.metadata);
        self.thread.push_call(&message_id, beginning.id, call);
        Ok(())
    }

    /// The assistant message that makes a call: the parent, else a new one with the parent's id,
    /// else (nobody named, or the parent speaks in another role) a new one with the call's id.
    fn caller(&mut self, beginning: &Beginning<'_>, parent: Option<&str>) -> String {
        let id = match parent {
            Some(parent) => match self.thread.role(parent) {
                Some("assistant") => return parent.to_owned(),
                Some(_) => beginning.id,
                None => parent,
            },
            None => beginning.id,
        };
        let mut message = Object::from_iter([("id", id), ("role", "assistant")]);
        message.insert("toolCalls", Vec::new());
        message.extend(
            beginning
                .subagent_run_id
                .map(|owner| ("subagentRunId", owner)),
        );
        self.thread.push(message);
        id.to_owned()
    }

    fn call_result(&mut self, event: &ToolCallResultEvent) {
        let mut message = Object::from_iter([("id", event.message_id.as_str())]);
        message.insert("toolCallId", event.tool_call_id.as_str());
        message.insert("role", "tool");
        message.insert("content", tree(&event.content));
        message.extend(
            event
                .subagent_run_id
                .as_deref()
                .map(|owner| ("subagentRunId", owner)),
        );
        fold_metadata(&mut message, event.metadata.as_ref());
        self.thread.insert_result(&event.tool_call_id, message);
    }

    fn messages_snapshot(&mut self, event: &MessagesSnapshotEvent) {
        let mut snapshot = Vec::new();
        for message in &event.messages {
            if let Value::Object(message) = tree(message) {
                snapshot.push(message);
            }
        }
        let has = |role: &str| snapshot.iter().any(|message| is_role(message, role));
        let (has_activity, has_reasoning) = (has("activity"), has("reasoning"));
        let keeps = move |message: &Object| {
            (is_role(message, "activity") && !has_activity)
                || (is_role(message, "reasoning") && !has_reasoning)
        };
        self.thread.apply_snapshot(snapshot, keeps);
    }

    fn activity_snapshot(&mut self, event: &ActivitySnapshotEvent) {
        let replace = event.replace.unwrap_or(true);
        let existing = self.thread.find(&event.message_id);
        if existing.is_some() && !replace {
            let is_activity = existing.is_some_and(|message| is_role(message, "activity"));
            if is_activity && let Some(message) = self.thread.find_mut(&event.message_id) {
                fold_metadata(message, event.metadata.as_ref());
            }
            return;
        }
        // What an activity has beside its type, content and owner stays when it is replaced.
        let is_new = existing.is_none();
        let mut message = match existing {
            Some(message) if is_role(message, "activity") => message.clone(),
            _ => Object::from_iter([("id", event.message_id.as_str()), ("role", "activity")]),
        };
        message.insert("activityType", event.activity_type.as_str());
        message.insert("content", event.content.clone());
        message.remove("subagentRunId");
        message.extend(
            event
                .subagent_run_id
                .as_deref()
                .map(|owner| ("subagentRunId", owner)),
        );
        fold_metadata(&mut message, event.metadata.as_ref());
        if is_new {
            self.thread.push(message);
        } else {
            self.thread.replace(&event.message_id, message);
        }
    }

    fn activity_delta(&mut self, event: &ActivityDeltaEvent) {
        if self.thread.role(&event.message_id) != Some("activity") {
            return;
        }
        let Some(message) = self.thread.find_mut(&event.message_id) else {
            return;
        };
        fold_metadata(message, event.metadata.as_ref());
        let applied = match message.get_mut("content") {
            Some(content) => patch::apply(content, &event.patch).is_ok(),
            None => false,
        };
        if applied {
            message.insert("activityType", event.activity_type.as_str());
        }
    }

    fn encrypted_value(&mut self, event: &ReasoningEncryptedValueEvent) {
        let entity = match event.subtype.as_str() {
            "tool-call" => self.thread.call_mut(&event.entity_id),
            _ if self.thread.role(&event.entity_id) == Some("activity") => None,
            _ => self.thread.find_mut(&event.entity_id),
        };
        if let Some(entity) = entity {
            entity.insert("encryptedValue", event.encrypted_value.as_str());
            // The type belongs to the value, so a value without one leaves none behind.
            entity.remove("encryptedValueType");
            let kind = event.encrypted_value_type.as_deref();
            entity.extend(kind.map(|kind| ("encryptedValueType", kind)));
        }
    }
}

/// Chunks.
impl Reducer {
    /// Ends the chunk items that an event ends by standing there.
    fn close_chunks_before(&mut self, event: &Event) -> Result<(), Rejection> {
        let closed = match event {
            Event::RunStarted(_)
            | Event::RunFinished(_)
            | Event::RunError(_)
            | Event::MessagesSnapshot(_) => self.lanes.close_all(),
            Event::TextMessageChunk(_)
            | Event::ToolCallChunk(_)
            | Event::ReasoningMessageChunk(_)
            | Event::Raw(_)
            | Event::ActivitySnapshot(_)
            | Event::ActivityDelta(_)
            | Event::ReasoningEncryptedValue(_)
            | Event::SubagentStarted(_)
            | Event::Unknown(_) => return Ok(()),
            other => self.lanes.close(owner_of(other)).into_iter().collect(),
        };
        closed
            .iter()
            .try_for_each(|item| self.ended(item.kind, &item.id, None))
    }

    fn text_chunk(&mut self, event: &TextMessageChunkEvent) -> Result<(), Rejection> {
        let role = event.role.as_ref().map(|role| role.as_str());
        let chunk = Chunk {
            kind: ItemKind::Text,
            id: event.message_id.as_deref(),
            subagent_run_id: event.subagent_run_id.as_deref(),
            heads: vec![("role", role), ("name", event.name.as_deref())],
        };
        let id = self.place(&chunk, event.metadata.as_ref(), |this, beginning| {
            this.message_started(
                beginning,
                role.unwrap_or("assistant"),
                event.name.as_deref(),
            )
        })?;
        self.chunk_appended(&chunk, &id, event.delta.as_ref(), event.metadata.as_ref())
    }

    fn reasoning_chunk(&mut self, event: &ReasoningMessageChunkEvent) -> Result<(), Rejection> {
        let chunk = Chunk {
            kind: ItemKind::Reasoning,
            id: event.message_id.as_deref(),
            subagent_run_id: event.subagent_run_id.as_deref(),
            heads: Vec::new(),
        };
        let id = self.place(&chunk, event.metadata.as_ref(), |this, beginning| {
            this.reasoning_started(beginning)
        })?;
        self.chunk_appended(&chunk, &id, event.delta.as_ref(), event.metadata.as_ref())
    }

    fn call_chunk(&mut self, event: &ToolCallChunkEvent) -> Result<(), Rejection> {
        let name = event.tool_call_name.as_deref();
        let parent = event.parent_message_id.as_deref();
        let chunk = Chunk {
            kind: ItemKind::ToolCall,
            id: event.tool_call_id.as_deref(),
            subagent_run_id: event.subagent_run_id.as_deref(),
            heads: vec![("toolCallName", name), ("parentMessageId", parent)],
        };
        let id = self.place(&chunk, event.metadata.as_ref(), |this, beginning| {
            let name = name.ok_or_else(|| missing_head("toolCallName"))?;
            this.call_begun(beginning, name, parent)
        })?;
        self.chunk_appended(&chunk, &id, event.delta.as_ref(), event.metadata.as_ref())
    }

    /// Finds the item that a chunk continues, or ends what its lane has open and begins a new one.
    /// Gives the item's id.
    fn place(
        &mut self,
        chunk: &Chunk<'_>,
        metadata: Option<&Object>,
        begin: impl FnOnce(&mut Self, &Beginning<'_>) -> Result<(), Rejection>,
    ) -> Result<String, Rejection> {
        let lane = self.lanes.lane_of(chunk)?;
        if let Some(item) = self.lanes.continued(lane.as_deref(), chunk)? {
            return Ok(item.id.clone());
        }
        if let Some(item) = self.lanes.close(lane.as_deref()) {
            self.ended(item.kind, &item.id, None)?;
        }
        let name = if chunk.kind == ItemKind::ToolCall {
            "toolCallId"
        } else {
            "messageId"
        };
        let id = chunk.id.ok_or_else(|| missing_head(name))?;
        let subagent_run_id = chunk.subagent_run_id;
        begin(
            self,
            &Beginning {
                kind: chunk.kind,
                id,
                subagent_run_id,
                metadata,
            },
        )?;
        self.lanes.open(lane, ChunkItem::opened_by(chunk, id));
        Ok(id.to_owned())
    }

    /// Appends what a chunk carries. A chunk without text may still carry metadata.
    fn chunk_appended(
        &mut self,
        chunk: &Chunk<'_>,
        id: &str,
        delta: Option<&SplitText>,
        metadata: Option<&Object>,
    ) -> Result<(), Rejection> {
        match delta {
            None if metadata.is_none() => Ok(()),
            None => self.appended(chunk.kind, id, &SplitText::default(), metadata),
            Some(delta) => self.appended(chunk.kind, id, delta, metadata),
        }
    }
}

/// The subagent that an event of an item, a step, the state or a subagent's end belongs to.
fn owner_of(event: &Event) -> Option<&str> {
    let owner = match event {
        Event::TextMessageStart(event) => &event.subagent_run_id,
        Event::TextMessageContent(event) => &event.subagent_run_id,
        Event::TextMessageEnd(event) => &event.subagent_run_id,
        Event::ToolCallStart(event) => &event.subagent_run_id,
        Event::ToolCallArgs(event) => &event.subagent_run_id,
        Event::ToolCallEnd(event) => &event.subagent_run_id,
        Event::ToolCallResult(event) => &event.subagent_run_id,
        Event::StateSnapshot(event) => &event.subagent_run_id,
        Event::StateDelta(event) => &event.subagent_run_id,
        Event::Custom(event) => &event.subagent_run_id,
        Event::StepStarted(event) => &event.subagent_run_id,
        Event::StepFinished(event) => &event.subagent_run_id,
        Event::ReasoningStart(event) => &event.subagent_run_id,
        Event::ReasoningMessageStart(event) => &event.subagent_run_id,
        Event::ReasoningMessageContent(event) => &event.subagent_run_id,
        Event::ReasoningMessageEnd(event) => &event.subagent_run_id,
        Event::ReasoningEnd(event) => &event.subagent_run_id,
        Event::SubagentFinished(event) => return Some(&event.subagent_run_id),
        Event::SubagentError(event) => return Some(&event.subagent_run_id),
        _ => return None,
    };
    owner.as_deref()
}

fn item(kind: ItemKind, id: &str, subagent_run_id: Option<&str>) -> OpenItem {
    OpenItem {
        kind,
        id: id.to_owned(),
        subagent_run_id: subagent_run_id.map(str::to_owned),
    }
}

fn is_role(message: &Object, role: &str) -> bool {
    message.get("role").and_then(Value::as_str) == Some(role)
}

/// Refuses the end of an item whose text begins or ends with half a character.
fn require_whole(text: Option<&Value>) -> Result<(), Rejection> {
    match text {
        Some(Value::Split(_)) => Err(unpaired(UnpairedSurrogate)),
        _ => Ok(()),
    }
}

fn unpaired(_: UnpairedSurrogate) -> Rejection {
    let message = "the text holds half a surrogate pair that nothing completes";
    Rejection::new(Class::Sequence, "text.unpaired-surrogate", message)
}
