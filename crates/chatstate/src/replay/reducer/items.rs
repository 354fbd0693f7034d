//! Text, reasoning and tool calls: begun and continued.

use super::Chat;
use crate::generated::ToolCallResultEvent;
use crate::json::{Object, SplitText, Value};
use crate::replay::thread::{append_text, fold_metadata};
use crate::sequence::{Beginning, Opening, Part};

impl Chat {
    pub(super) fn begun(&mut self, beginning: &Beginning<'_>) {
        match beginning.opening {
            Opening::Message { role, name } => self.message_begun(beginning, role, name),
            Opening::Call { name, parent } => self.call_begun(beginning, name, parent),
            Opening::Span => {}
        }
    }

    /// Begins a text or reasoning message. A message that exists keeps what it is; an activity of
    /// the same id is not touched.
    fn message_begun(&mut self, beginning: &Beginning<'_>, role: &str, name: Option<&str>) {
        if self.thread.find(beginning.id).is_none() {
            let mut message =
                Object::from_iter([("id", beginning.id), ("role", role), ("content", "")]);
            message.extend(name.map(|name| ("name", name)));
            let owner = beginning.subagent_run_id;
            message.extend(owner.map(|owner| ("subagentRunId", owner)));
            self.thread.push(message);
        }
        self.continue_message(beginning.id, None, beginning.metadata);
    }

    /// Begins a tool call. A call that exists takes the new name and is continued.
    fn call_begun(&mut self, beginning: &Beginning<'_>, name: &str, parent: Option<&str>) {
        if let Some(call) = self.thread.call_mut(beginning.id) {
            if let Some(Value::Object(function)) = call.get_mut("function") {
                function.insert("name", name);
            }
            fold_metadata(call, beginning.metadata);
            return;
        }
        let caller = self.caller(beginning, parent);
        let function = Object::from_iter([("name", name), ("arguments", "")]);
        let mut call = Object::from_iter([("id", beginning.id), ("type", "function")]);
        call.insert("function", function);
        fold_metadata(&mut call, beginning.metadata);
        self.thread.push_call(caller, beginning.id, call);
    }

    pub(super) fn message_continued(&mut self, part: &Part<'_>) {
        self.continue_message(part.id, part.delta, part.metadata);
    }

    fn continue_message(&mut self, id: &str, delta: Option<&SplitText>, metadata: Option<&Object>) {
        if self.thread.role(id) == Some("activity") {
            return;
        }
        if let Some(message) = self.thread.find_mut(id) {
            if let Some(delta) = delta {
                append_text(message, "content", delta);
            }
            fold_metadata(message, metadata);
        }
    }

    pub(super) fn call_continued(&mut self, part: &Part<'_>) {
        let Some(call) = self.thread.call_mut(part.id) else {
            return;
        };
        if let (Some(delta), Some(Value::Object(function))) = (part.delta, call.get_mut("function"))
        {
            append_text(function, "arguments", delta);
        }
        fold_metadata(call, part.metadata);
    }

    /// The assistant message that makes a call: the parent, else a new one with the parent's id,
    /// else (nobody named, or the parent speaks in another role) a new one with the call's id.
    fn caller(&mut self, beginning: &Beginning<'_>, parent: Option<&str>) -> usize {
        let named =
            parent.map(|parent| (parent, self.thread.place(parent), self.thread.role(parent)));
        let id = match named {
            Some((_, Some(place), Some("assistant"))) => return place,
            Some((parent, None, _)) => parent,
            _ => beginning.id,
        };
        let mut message = Object::from_iter([("id", id), ("role", "assistant")]);
        message.insert("toolCalls", Vec::new());
        message.extend(
            beginning
                .subagent_run_id
                .map(|owner| ("subagentRunId", owner)),
        );
        self.thread.push_at_end(message)
    }

    pub(super) fn call_result(&mut self, event: &ToolCallResultEvent) {
        let mut message = Object::from_iter([("id", event.message_id.as_str())]);
        message.insert("toolCallId", event.tool_call_id.as_str());
        message.insert("role", "tool");
        message.insert("content", Value::of(&event.content));
        message.extend(
            event
                .subagent_run_id
                .as_deref()
                .map(|owner| ("subagentRunId", owner)),
        );
        fold_metadata(&mut message, event.metadata.as_ref());
        self.thread.insert_result(&event.tool_call_id, message);
    }
}
