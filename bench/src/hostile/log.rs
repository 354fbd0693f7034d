//! A log in the making, one event on each line.

use std::fmt::Display;

use serde_json::{Value, json};

/// The id of the thread.
const THREAD: &str = "t";

/// The events so far, as JSON Lines.
#[derive(Default)]
pub struct HostileLog {
    text: String,
}

impl HostileLog {
    /// A log with one finished run, which holds what `events` writes.
    pub fn of_one_run(events: impl FnOnce(&mut Self)) -> String {
        let mut log = Self::default();
        log.run("r", events);
        log.text
    }

    /// The log as text.
    pub fn into_text(self) -> String {
        self.text
    }

    /// An event.
    pub fn push(&mut self, event: &impl Display) {
        self.text += &event.to_string();
        self.text.push('\n');
    }

    /// A finished run that continues the one before it.
    pub fn run(&mut self, run: &str, events: impl FnOnce(&mut Self)) {
        self.push(&json!({"type": "RUN_STARTED", "threadId": THREAD, "runId": run}));
        events(self);
        self.push(&json!({"type": "RUN_FINISHED", "threadId": THREAD, "runId": run}));
    }

    /// A finished run with messages in its input; without a parent it continues the one before it.
    pub fn run_with_input(
        &mut self,
        run: &str,
        parent: Option<&str>,
        messages: &[Value],
        events: impl FnOnce(&mut Self),
    ) {
        let mut start = json!({
            "type": "RUN_STARTED", "threadId": THREAD, "runId": run,
            "input": {"threadId": THREAD, "runId": run, "messages": messages, "tools": [], "context": []},
        });
        if let Some(parent) = parent {
            start["parentRunId"] = json!(parent);
        }
        self.push(&start);
        events(self);
        self.push(&json!({"type": "RUN_FINISHED", "threadId": THREAD, "runId": run}));
    }

    /// A whole text message.
    pub fn text(&mut self, message: &str) {
        self.begin_text(message);
        self.text_delta(message);
        self.end_text(message);
    }

    /// The beginning of a text message.
    pub fn begin_text(&mut self, message: &str) {
        self.push(
            &json!({"type": "TEXT_MESSAGE_START", "messageId": message, "role": "assistant"}),
        );
    }

    /// A piece of a text message.
    pub fn text_delta(&mut self, message: &str) {
        self.spelled_text_delta(message, r#""a word ""#);
    }

    /// A piece of a text message as JSON spells it, so that a surrogate in it may be unpaired.
    pub fn spelled_text_delta(&mut self, message: &str, delta: &str) {
        let event = format!(
            r#"{{"type":"TEXT_MESSAGE_CONTENT","messageId":{},"delta":{delta}}}"#,
            json!(message)
        );
        self.push(&event);
    }

    /// The end of a text message.
    pub fn end_text(&mut self, message: &str) {
        self.push(&json!({"type": "TEXT_MESSAGE_END", "messageId": message}));
    }

    /// The beginning of a tool call and a piece of its arguments.
    pub fn begin_call(&mut self, call: &str) {
        self.push(&json!({"type": "TOOL_CALL_START", "toolCallId": call, "toolCallName": "find"}));
        self.push(&json!({"type": "TOOL_CALL_ARGS", "toolCallId": call, "delta": "{}"}));
    }

    /// The end of a tool call.
    pub fn end_call(&mut self, call: &str) {
        self.push(&json!({"type": "TOOL_CALL_END", "toolCallId": call}));
    }

    /// All messages at once.
    pub fn messages(&mut self, messages: &[Value]) {
        self.push(&json!({"type": "MESSAGES_SNAPSHOT", "messages": messages}));
    }

    /// A change of the state.
    pub fn state_delta(&mut self, patch: &Value) {
        self.push(&json!({"type": "STATE_DELTA", "delta": patch}));
    }
}

/// A message of the user.
pub fn user(id: &str) -> Value {
    json!({"id": id, "role": "user", "content": "Where does the night train stop?"})
}

/// A message with a tool call.
pub fn calling(id: &str, call: &str) -> Value {
    let function = json!({"name": "find", "arguments": "{}"});
    json!({"id": id, "role": "assistant", "toolCalls": [{"id": call, "type": "function", "function": function}]})
}
