//! Text, reasoning and tool calls: begun and continued.

use super::Conversation;
use crate::replay::thread::MessagePlace;
use crate::sequence::{Beginning, ItemKind, Opening, Part};
use chatstate_json::{Object, SplitText, Value};
use chatstate_types::generated::roles::Action;
use chatstate_types::generated::{Event, ToolCallResultEvent};

/// The longest text that gives back its room when it ends, in bytes.
const SHORT_TEXT: usize = 4096;

impl Conversation {
    pub(super) fn begun(&mut self, event: &Event, beginning: &Beginning<'_>) {
        let metadata = event.metadata();
        match beginning.opening {
            Opening::Message { role, name } => {
                self.message_begun(beginning, metadata, role, name);
            }
            Opening::Call { name, parent } => self.call_begun(beginning, metadata, name, parent),
            Opening::Span => {}
        }
    }

    /// Begins a text or reasoning message. A message that exists keeps what it is; an activity of
    /// the same id is not touched.
    fn message_begun(
        &mut self,
        beginning: &Beginning<'_>,
        metadata: Option<&Object>,
        role: &str,
        name: Option<&str>,
    ) {
        if self.thread.find(beginning.id).is_none() {
            let members = [
                ("id", Some(beginning.id)),
                ("role", Some(role)),
                ("content", Some("")),
                ("name", name),
                ("subagentRunId", beginning.subagent_run_id),
            ];
            let members = members.into_iter();
            let message = members.filter_map(|(name, text)| Some((name, text?)));
            self.thread.push(message.collect());
        }
        if metadata.is_some() {
            self.continue_message(beginning.id, None, metadata);
        }
    }

    /// Begins a tool call. A call that exists takes the new name and is continued.
    fn call_begun(
        &mut self,
        beginning: &Beginning<'_>,
        metadata: Option<&Object>,
        name: &str,
        parent: Option<&str>,
    ) {
        if let Some(call) = self.thread.call(beginning.id) {
            if metadata.is_some() || name_of(call) != Some(name) {
                self.call_begun_again(beginning.id, metadata, name);
            }
            return;
        }
        let caller = self.caller(beginning, parent);
        let function = Object::from_iter([("name", name), ("arguments", "")]);
        let mut call = Object::from_iter([("id", beginning.id), ("type", "function")]);
        call.insert("function", function);
        fold_metadata(&mut call, metadata);
        self.thread.push_call(caller, beginning.id, call);
    }

    fn call_begun_again(&mut self, id: &str, metadata: Option<&Object>, name: &str) {
        if let Some(call) = self.thread.call_mut(id) {
            if let Some(Value::Object(function)) = call.get_mut("function") {
                function.insert("name", name);
            }
            fold_metadata(call, metadata);
        }
    }

    /// Continues an item with text and metadata, or with one of the two.
    pub fn continued(
        &mut self,
        part: &Part<'_>,
        delta: Option<&SplitText>,
        metadata: Option<&Object>,
    ) {
        match part.kind {
            ItemKind::Text | ItemKind::Reasoning => self.continue_message(part.id, delta, metadata),
            ItemKind::ToolCall => self.continue_call(part.id, delta, metadata),
            _ => {}
        }
    }

    /// Gives back the room that the text of an item had to grow. Most texts are never appended to
    /// again, and each is kept as long as the thread. A long one that ends many times keeps its
    /// room, since each time would move it.
    pub fn ended(&mut self, part: &Part<'_>) {
        let text = match part.kind {
            ItemKind::Text | ItemKind::Reasoning => self.thread.content_of(part.id),
            ItemKind::ToolCall => self.thread.arguments_of(part.id),
            _ => None,
        };
        if let Some(text) = text {
            self.thread.shrink(text, SHORT_TEXT);
        }
    }

    fn continue_message(&mut self, id: &str, delta: Option<&SplitText>, metadata: Option<&Object>) {
        let Some(content) = self.thread.content_of(id) else {
            return;
        };
        if let Some(delta) = delta {
            self.thread.append(content, delta);
        }
        if metadata.is_some()
            && let Some(message) = self.thread.find_mut(id)
        {
            fold_metadata(message, metadata);
        }
    }

    fn continue_call(&mut self, id: &str, delta: Option<&SplitText>, metadata: Option<&Object>) {
        let Some(arguments) = self.thread.arguments_of(id) else {
            return;
        };
        if let Some(delta) = delta {
            self.thread.append(arguments, delta);
        }
        if metadata.is_some()
            && let Some(call) = self.thread.call_mut(id)
        {
            fold_metadata(call, metadata);
        }
    }

    /// The assistant message that makes a call: the parent, else a new one with the parent's id,
    /// else (none is named, or the parent has another role) a new one with the call's id.
    fn caller(&mut self, beginning: &Beginning<'_>, parent: Option<&str>) -> MessagePlace {
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
        self.thread.push(message)
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

/// The text that an event appends to the item that it continues. A chunk that continues an item
/// without text of its own appends nothing, which still makes an empty text of none.
pub(super) fn delta_of(event: &Event) -> Option<&SplitText> {
    static NOTHING: SplitText = SplitText::EMPTY;
    match event.action() {
        Action::Append { text, .. } => Some(text),
        Action::Chunk(chunk) => Some(chunk.text.unwrap_or(&NOTHING)),
        _ => None,
    }
}

fn name_of(call: &Object) -> Option<&str> {
    call.get("function")?.as_object()?.get("name")?.as_str()
}

/// Folds metadata into an object, name by name; the last write wins.
pub(super) fn fold_metadata(object: &mut Object, metadata: Option<&Object>) {
    let Some(metadata) = metadata else {
        return;
    };
    let members = metadata
        .iter()
        .map(|(name, value)| (name.clone(), value.clone()));
    match object.get_mut("metadata") {
        Some(Value::Object(folded)) => folded.extend(members),
        _ => {
            object.insert("metadata", members.collect::<Object>());
        }
    }
}
