//! Text, reasoning and tool calls: begun, continued, ended.

use super::{Reducer, item};
use crate::generated::{
    ReasoningMessageStartEvent, TextMessageStartEvent, ToolCallResultEvent, ToolCallStartEvent,
};
use crate::json::{Object, SplitText, UnpairedSurrogate, Value};
use crate::rejection::{Class, Rejection};
use crate::replay::open::ItemKind;
use crate::replay::thread::{append_text, fold_metadata};
use crate::replay::tree;

/// What an event says of a new text or reasoning message or tool call.
pub(super) struct Beginning<'a> {
    pub kind: ItemKind,
    pub id: &'a str,
    pub subagent_run_id: Option<&'a str>,
    pub metadata: Option<&'a Object>,
}

impl Reducer {
    pub(super) fn text_started(&mut self, event: &TextMessageStartEvent) -> Result<(), Rejection> {
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

    pub(super) fn reasoning_started(
        &mut self,
        event: &ReasoningMessageStartEvent,
    ) -> Result<(), Rejection> {
        let beginning = Beginning {
            kind: ItemKind::Reasoning,
            id: &event.message_id,
            subagent_run_id: event.subagent_run_id.as_deref(),
            metadata: event.metadata.as_ref(),
        };
        self.message_started(&beginning, "reasoning", None)
    }

    /// Begins a text or reasoning message. A message that exists keeps what it is; an activity of
    /// the same id is not touched.
    pub(super) fn message_started(
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

    pub(super) fn fold_into_message(&mut self, id: &str, metadata: Option<&Object>) {
        if self.thread.role(id) != Some("activity")
            && let Some(message) = self.thread.find_mut(id)
        {
            fold_metadata(message, metadata);
        }
    }

    pub(super) fn appended(
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

    pub(super) fn ended(
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

    pub(super) fn call_started(&mut self, event: &ToolCallStartEvent) -> Result<(), Rejection> {
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
    pub(super) fn call_begun(
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
    pub(super) fn caller(&mut self, beginning: &Beginning<'_>, parent: Option<&str>) -> String {
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

    pub(super) fn call_result(&mut self, event: &ToolCallResultEvent) {
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
