//! Heads of typed events.

use std::borrow::Cow;

use super::member::Member as M;
use super::messages::Messages;
use super::{Delta, EventKind as K, Head};
use chatstate_json::{Object, SplitText};
use chatstate_types::generated::{
    Event, Metadata, OriginalEvent, TextMessageRole, ToolCallResultEventRole,
};

impl<'a> Head<'a> {
    /// The head of a typed event.
    #[must_use]
    pub fn of(event: &'a Event) -> Self {
        let mut head = Self::new(K::Unknown, Cow::Borrowed(event.tag()));
        match event {
            Event::RunStarted(_)
            | Event::RunFinished(_)
            | Event::RunError(_)
            | Event::StepStarted(_)
            | Event::StepFinished(_)
            | Event::SubagentStarted(_)
            | Event::SubagentFinished(_)
            | Event::SubagentError(_) => head.run(event),
            Event::TextMessageStart(_)
            | Event::TextMessageContent(_)
            | Event::TextMessageEnd(_)
            | Event::TextMessageChunk(_) => head.message(event),
            Event::ToolCallStart(_)
            | Event::ToolCallArgs(_)
            | Event::ToolCallEnd(_)
            | Event::ToolCallChunk(_)
            | Event::ToolCallResult(_) => head.call(event),
            Event::ReasoningStart(_)
            | Event::ReasoningMessageStart(_)
            | Event::ReasoningMessageContent(_)
            | Event::ReasoningMessageEnd(_)
            | Event::ReasoningMessageChunk(_)
            | Event::ReasoningEnd(_)
            | Event::ReasoningEncryptedValue(_) => head.reasoning(event),
            Event::StateSnapshot(_)
            | Event::StateDelta(_)
            | Event::MessagesSnapshot(_)
            | Event::ActivitySnapshot(_)
            | Event::ActivityDelta(_)
            | Event::Raw(_)
            | Event::Custom(_) => head.value(event),
            Event::Unknown(e) => head.has_unknown_members = !e.extra.is_empty(),
        }
        head
    }

    /// Events of runs, their steps and their subagents.
    fn run(&mut self, event: &'a Event) {
        match event {
            Event::RunStarted(e) => {
                self.base(
                    K::RunStarted,
                    e.raw_event.as_ref(),
                    e.metadata.as_ref(),
                    &e.extra,
                )
                .with(M::ThreadId, &e.thread_id)
                .with(M::RunId, &e.run_id)
                .maybe(M::ParentRunId, e.parent_run_id.as_deref());
                let messages = e.input.as_ref().map(|input| input.messages.as_slice());
                self.messages = Messages::typed(messages.unwrap_or_default());
            }
            Event::RunFinished(e) => {
                self.base(
                    K::RunFinished,
                    e.raw_event.as_ref(),
                    e.metadata.as_ref(),
                    &e.extra,
                )
                .with(M::ThreadId, &e.thread_id)
                .with(M::RunId, &e.run_id);
            }
            Event::RunError(e) => {
                self.base(
                    K::RunError,
                    e.raw_event.as_ref(),
                    e.metadata.as_ref(),
                    &e.extra,
                );
            }
            Event::StepStarted(e) => {
                self.base(
                    K::StepStarted,
                    e.raw_event.as_ref(),
                    e.metadata.as_ref(),
                    &e.extra,
                )
                .maybe(M::SubagentRunId, e.subagent_run_id.as_deref())
                .with(M::StepName, &e.step_name);
            }
            Event::StepFinished(e) => {
                self.base(
                    K::StepFinished,
                    e.raw_event.as_ref(),
                    e.metadata.as_ref(),
                    &e.extra,
                )
                .maybe(M::SubagentRunId, e.subagent_run_id.as_deref())
                .with(M::StepName, &e.step_name);
            }
            Event::SubagentStarted(e) => {
                self.base(
                    K::SubagentStarted,
                    e.raw_event.as_ref(),
                    e.metadata.as_ref(),
                    &e.extra,
                )
                .with(M::SubagentRunId, &e.subagent_run_id)
                .with(M::Name, &e.name)
                .maybe(M::ParentSubagentRunId, e.parent_subagent_run_id.as_deref())
                .maybe(M::ParentToolCallId, e.parent_tool_call_id.as_deref())
                .maybe(M::ParentMessageId, e.parent_message_id.as_deref());
            }
            Event::SubagentFinished(e) => {
                self.base(
                    K::SubagentFinished,
                    e.raw_event.as_ref(),
                    e.metadata.as_ref(),
                    &e.extra,
                )
                .with(M::SubagentRunId, &e.subagent_run_id);
            }
            Event::SubagentError(e) => {
                self.base(
                    K::SubagentError,
                    e.raw_event.as_ref(),
                    e.metadata.as_ref(),
                    &e.extra,
                )
                .with(M::SubagentRunId, &e.subagent_run_id);
            }
            _ => {}
        }
    }

    /// Events of text messages.
    fn message(&mut self, event: &'a Event) {
        match event {
            Event::TextMessageStart(e) => {
                self.base(
                    K::TextMessageStart,
                    e.raw_event.as_ref(),
                    e.metadata.as_ref(),
                    &e.extra,
                )
                .maybe(M::SubagentRunId, e.subagent_run_id.as_deref())
                .with(M::MessageId, &e.message_id)
                .maybe(M::Role, e.role.map(TextMessageRole::as_str))
                .maybe(M::Name, e.name.as_deref());
            }
            Event::TextMessageContent(e) => {
                self.base(
                    K::TextMessageContent,
                    e.raw_event.as_ref(),
                    e.metadata.as_ref(),
                    &e.extra,
                )
                .maybe(M::SubagentRunId, e.subagent_run_id.as_deref())
                .with(M::MessageId, &e.message_id)
                .streams(Some(&e.delta));
            }
            Event::TextMessageEnd(e) => {
                self.base(
                    K::TextMessageEnd,
                    e.raw_event.as_ref(),
                    e.metadata.as_ref(),
                    &e.extra,
                )
                .maybe(M::SubagentRunId, e.subagent_run_id.as_deref())
                .with(M::MessageId, &e.message_id);
            }
            Event::TextMessageChunk(e) => {
                self.base(
                    K::TextMessageChunk,
                    e.raw_event.as_ref(),
                    e.metadata.as_ref(),
                    &e.extra,
                )
                .maybe(M::SubagentRunId, e.subagent_run_id.as_deref())
                .maybe(M::MessageId, e.message_id.as_deref())
                .maybe(M::Role, e.role.map(TextMessageRole::as_str))
                .maybe(M::Name, e.name.as_deref())
                .streams(e.delta.as_ref());
            }
            _ => {}
        }
    }

    /// Events of tool calls.
    fn call(&mut self, event: &'a Event) {
        match event {
            Event::ToolCallStart(e) => {
                self.base(
                    K::ToolCallStart,
                    e.raw_event.as_ref(),
                    e.metadata.as_ref(),
                    &e.extra,
                )
                .maybe(M::SubagentRunId, e.subagent_run_id.as_deref())
                .with(M::ToolCallId, &e.tool_call_id)
                .with(M::ToolCallName, &e.tool_call_name)
                .maybe(M::ParentMessageId, e.parent_message_id.as_deref());
            }
            Event::ToolCallArgs(e) => {
                self.base(
                    K::ToolCallArgs,
                    e.raw_event.as_ref(),
                    e.metadata.as_ref(),
                    &e.extra,
                )
                .maybe(M::SubagentRunId, e.subagent_run_id.as_deref())
                .with(M::ToolCallId, &e.tool_call_id)
                .streams(Some(&e.delta));
            }
            Event::ToolCallEnd(e) => {
                self.base(
                    K::ToolCallEnd,
                    e.raw_event.as_ref(),
                    e.metadata.as_ref(),
                    &e.extra,
                )
                .maybe(M::SubagentRunId, e.subagent_run_id.as_deref())
                .with(M::ToolCallId, &e.tool_call_id);
            }
            Event::ToolCallChunk(e) => {
                self.base(
                    K::ToolCallChunk,
                    e.raw_event.as_ref(),
                    e.metadata.as_ref(),
                    &e.extra,
                )
                .maybe(M::SubagentRunId, e.subagent_run_id.as_deref())
                .maybe(M::ToolCallId, e.tool_call_id.as_deref())
                .maybe(M::ToolCallName, e.tool_call_name.as_deref())
                .maybe(M::ParentMessageId, e.parent_message_id.as_deref())
                .streams(e.delta.as_ref());
            }
            Event::ToolCallResult(e) => {
                self.base(
                    K::ToolCallResult,
                    e.raw_event.as_ref(),
                    e.metadata.as_ref(),
                    &e.extra,
                )
                .maybe(M::SubagentRunId, e.subagent_run_id.as_deref())
                .with(M::MessageId, &e.message_id)
                .with(M::ToolCallId, &e.tool_call_id)
                .maybe(M::Role, e.role.map(ToolCallResultEventRole::as_str));
            }
            _ => {}
        }
    }

    /// Events of reasoning.
    fn reasoning(&mut self, event: &'a Event) {
        match event {
            Event::ReasoningStart(e) => {
                self.base(
                    K::ReasoningStart,
                    e.raw_event.as_ref(),
                    e.metadata.as_ref(),
                    &e.extra,
                )
                .maybe(M::SubagentRunId, e.subagent_run_id.as_deref())
                .with(M::MessageId, &e.message_id);
            }
            Event::ReasoningMessageStart(e) => {
                self.base(
                    K::ReasoningMessageStart,
                    e.raw_event.as_ref(),
                    e.metadata.as_ref(),
                    &e.extra,
                )
                .maybe(M::SubagentRunId, e.subagent_run_id.as_deref())
                .with(M::MessageId, &e.message_id)
                .with(M::Role, "reasoning");
            }
            Event::ReasoningMessageContent(e) => {
                self.base(
                    K::ReasoningMessageContent,
                    e.raw_event.as_ref(),
                    e.metadata.as_ref(),
                    &e.extra,
                )
                .maybe(M::SubagentRunId, e.subagent_run_id.as_deref())
                .with(M::MessageId, &e.message_id)
                .streams(Some(&e.delta));
            }
            Event::ReasoningMessageEnd(e) => {
                self.base(
                    K::ReasoningMessageEnd,
                    e.raw_event.as_ref(),
                    e.metadata.as_ref(),
                    &e.extra,
                )
                .maybe(M::SubagentRunId, e.subagent_run_id.as_deref())
                .with(M::MessageId, &e.message_id);
            }
            Event::ReasoningMessageChunk(e) => {
                self.base(
                    K::ReasoningMessageChunk,
                    e.raw_event.as_ref(),
                    e.metadata.as_ref(),
                    &e.extra,
                )
                .maybe(M::SubagentRunId, e.subagent_run_id.as_deref())
                .maybe(M::MessageId, e.message_id.as_deref())
                .streams(e.delta.as_ref());
            }
            Event::ReasoningEnd(e) => {
                self.base(
                    K::ReasoningEnd,
                    e.raw_event.as_ref(),
                    e.metadata.as_ref(),
                    &e.extra,
                )
                .maybe(M::SubagentRunId, e.subagent_run_id.as_deref())
                .with(M::MessageId, &e.message_id);
            }
            Event::ReasoningEncryptedValue(e) => {
                self.base(
                    K::ReasoningEncryptedValue,
                    e.raw_event.as_ref(),
                    e.metadata.as_ref(),
                    &e.extra,
                )
                .maybe(M::SubagentRunId, e.subagent_run_id.as_deref())
                .with(M::Subtype, e.subtype.as_str())
                .with(M::EntityId, &e.entity_id);
            }
            _ => {}
        }
    }

    /// Events of values that stand for themselves.
    fn value(&mut self, event: &'a Event) {
        match event {
            Event::StateSnapshot(e) => {
                self.base(
                    K::StateSnapshot,
                    e.raw_event.as_ref(),
                    e.metadata.as_ref(),
                    &e.extra,
                )
                .maybe(M::SubagentRunId, e.subagent_run_id.as_deref());
            }
            Event::StateDelta(e) => {
                self.base(
                    K::StateDelta,
                    e.raw_event.as_ref(),
                    e.metadata.as_ref(),
                    &e.extra,
                )
                .maybe(M::SubagentRunId, e.subagent_run_id.as_deref());
            }
            Event::MessagesSnapshot(e) => {
                self.base(
                    K::MessagesSnapshot,
                    e.raw_event.as_ref(),
                    e.metadata.as_ref(),
                    &e.extra,
                );
                self.messages = Messages::typed(&e.messages);
            }
            Event::ActivitySnapshot(e) => {
                self.base(
                    K::ActivitySnapshot,
                    e.raw_event.as_ref(),
                    e.metadata.as_ref(),
                    &e.extra,
                )
                .maybe(M::SubagentRunId, e.subagent_run_id.as_deref())
                .with(M::MessageId, &e.message_id)
                .with(M::ActivityType, &e.activity_type);
                self.replace = e.replace;
            }
            Event::ActivityDelta(e) => {
                self.base(
                    K::ActivityDelta,
                    e.raw_event.as_ref(),
                    e.metadata.as_ref(),
                    &e.extra,
                )
                .maybe(M::SubagentRunId, e.subagent_run_id.as_deref())
                .with(M::MessageId, &e.message_id)
                .with(M::ActivityType, &e.activity_type);
            }
            Event::Raw(e) => {
                self.base(K::Raw, e.raw_event.as_ref(), e.metadata.as_ref(), &e.extra)
                    .maybe(M::SubagentRunId, e.subagent_run_id.as_deref());
            }
            Event::Custom(e) => {
                self.base(
                    K::Custom,
                    e.raw_event.as_ref(),
                    e.metadata.as_ref(),
                    &e.extra,
                )
                .maybe(M::SubagentRunId, e.subagent_run_id.as_deref())
                .with(M::Name, &e.name);
            }
            _ => {}
        }
    }

    fn base(
        &mut self,
        kind: K,
        raw_event: Option<&OriginalEvent>,
        metadata: Option<&Metadata>,
        extra: &Object,
    ) -> &mut Self {
        self.kind = kind;
        self.has_raw_event = raw_event.is_some();
        self.has_metadata = metadata.is_some();
        self.has_unknown_members = !extra.is_empty();
        self
    }

    fn with(&mut self, member: M, text: &'a str) -> &mut Self {
        self.texts.set(member, Cow::Borrowed(text));
        self
    }

    fn maybe(&mut self, member: M, text: Option<&'a str>) -> &mut Self {
        if let Some(text) = text {
            self.texts.set(member, Cow::Borrowed(text));
        }
        self
    }

    fn streams(&mut self, delta: Option<&SplitText>) -> &mut Self {
        self.delta = delta.map(Delta::from);
        self
    }
}
