//! One thread: runs with reasoning, tool calls, state, activities and messages, one after the other.

use std::collections::VecDeque;

use fastrand::Rng;
use serde_json::{Value, json};

use super::state::ApplicationState;
use super::words::{chance, delta, id, one_of, words};

/// How many messages the input of a run repeats.
const WINDOW: usize = 20;

/// How many messages a `MESSAGES_SNAPSHOT` holds.
const SNAPSHOT: usize = 10;

/// The id of the thread.
const THREAD: &str = "thread_1";

/// When the first event was made.
const BEGINNING: u64 = 1_700_000_000_000;

/// The thread so far, and the run that is being made.
pub struct GrowingThread {
    random: Rng,
    state: ApplicationState,
    /// The last messages.
    messages: VecDeque<Value>,
    time: u64,
    /// Whether the events of this run carry timestamps.
    timed: bool,
    events: Vec<Value>,
}

impl GrowingThread {
    /// A thread that begins; equal seeds give equal threads.
    pub fn new(seed: u64) -> Self {
        Self {
            random: Rng::with_seed(seed),
            state: ApplicationState::new(),
            messages: VecDeque::new(),
            time: BEGINNING,
            timed: false,
            events: Vec::new(),
        }
    }

    /// The events of the next run.
    pub fn run(&mut self) -> Vec<Value> {
        self.timed = self.random.bool();
        let question = words(&mut self.random, 10, 200);
        let asked = self.id("msg");
        self.keep(json!({"id": asked, "role": "user", "content": question}));
        let messages: Vec<_> = self.messages.iter().cloned().collect();
        let run = self.start(&messages);
        for step in 0..self.random.usize(1..=3) {
            self.step(step);
        }
        if self.chance(0.3) {
            let from = self.messages.len().saturating_sub(SNAPSHOT);
            let messages: Vec<_> = self.messages.iter().skip(from).cloned().collect();
            self.emit(json!({"type": "MESSAGES_SNAPSHOT", "messages": messages}));
        }
        if self.chance(0.03) {
            self.emit(json!({"type": "RUN_ERROR", "message": "the model gave up", "code": "E1"}));
        } else {
            self.emit(json!({"type": "RUN_FINISHED", "threadId": THREAD, "runId": run}));
        }
        std::mem::take(&mut self.events)
    }

    /// A run of exactly so many events, at least three.
    pub fn filler(&mut self, events: usize) -> Vec<Value> {
        let run = self.start(&[]);
        for _ in 3..events {
            self.custom();
        }
        self.emit(json!({"type": "RUN_FINISHED", "threadId": THREAD, "runId": run}));
        std::mem::take(&mut self.events)
    }

    /// Begins a run, and says what the state is.
    fn start(&mut self, messages: &[Value]) -> String {
        let run = self.id("run");
        let schema = json!({"type": "object", "properties": {"query": {"type": "string"}}});
        let tools =
            json!([{"name": "search", "description": "Finds things", "parameters": schema}]);
        self.emit(json!({
            "type": "RUN_STARTED", "threadId": THREAD, "runId": run,
            "input": {
                "threadId": THREAD, "runId": run, "messages": messages, "tools": tools, "context": [],
                "forwardedProps": {},
            },
        }));
        self.emit(json!({"type": "STATE_SNAPSHOT", "snapshot": self.state.value()}));
        run
    }

    fn step(&mut self, number: usize) {
        let name = format!("node_{number}");
        self.emit(json!({"type": "STEP_STARTED", "stepName": name}));
        if self.chance(0.4) {
            self.reasoning();
        }
        if self.chance(0.6) {
            self.tool_calls();
        }
        for _ in 0..self.random.usize(..5) {
            self.state_delta();
        }
        if self.chance(0.3) {
            self.activity();
        }
        self.text_message();
        self.emit(json!({"type": "STEP_FINISHED", "stepName": name}));
    }

    fn reasoning(&mut self) {
        let message = self.id("reasoning");
        self.emit(json!({"type": "REASONING_START", "messageId": message}));
        self.emit(
            json!({"type": "REASONING_MESSAGE_START", "messageId": message, "role": "reasoning"}),
        );
        for _ in 0..self.random.usize(5..=25) {
            let delta = delta(&mut self.random);
            self.emit(
                json!({"type": "REASONING_MESSAGE_CONTENT", "messageId": message, "delta": delta}),
            );
        }
        self.emit(json!({"type": "REASONING_MESSAGE_END", "messageId": message}));
        self.emit(json!({"type": "REASONING_END", "messageId": message}));
    }

    fn text_message(&mut self) {
        let message = self.id("msg");
        let mut content = String::new();
        self.emit(json!({"type": "TEXT_MESSAGE_START", "messageId": message, "role": "assistant"}));
        for _ in 0..self.random.usize(10..=70) {
            let delta = delta(&mut self.random);
            content.push_str(&delta);
            self.emit(
                json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": message, "delta": delta}),
            );
            if self.chance(0.02) {
                self.aside();
            }
        }
        self.emit(json!({"type": "TEXT_MESSAGE_END", "messageId": message}));
        self.keep(json!({"id": message, "role": "assistant", "content": content}));
    }

    /// One or two calls of one message; the arguments of two arrive in turn.
    fn tool_calls(&mut self) {
        let message = self.id("msg");
        let calls: Vec<StreamedCall> = (0..self.random.usize(1..=2))
            .map(|_| StreamedCall::new(&mut self.random))
            .collect();
        for call in &calls {
            self.emit(json!({
                "type": "TOOL_CALL_START", "toolCallId": call.id, "toolCallName": call.name, "parentMessageId": message,
            }));
        }
        self.arguments(&calls);
        for call in &calls {
            self.emit(json!({"type": "TOOL_CALL_END", "toolCallId": call.id}));
        }
        let made: Vec<_> = calls.iter().map(StreamedCall::value).collect();
        self.keep(json!({"id": message, "role": "assistant", "toolCalls": made}));
        for call in &calls {
            self.tool_result(call);
        }
    }

    fn arguments(&mut self, calls: &[StreamedCall]) {
        let mut rests: Vec<(&str, &str)> = calls
            .iter()
            .map(|call| (&*call.id, &*call.arguments))
            .collect();
        while !rests.is_empty() {
            let which = self.random.usize(..rests.len());
            let (call, rest) = rests[which];
            let length = self.random.usize(2..=12);
            let end = rest
                .char_indices()
                .nth(length)
                .map_or(rest.len(), |(end, _)| end);
            let (delta, rest) = rest.split_at(end);
            self.emit(json!({"type": "TOOL_CALL_ARGS", "toolCallId": call, "delta": delta}));
            if rest.is_empty() {
                rests.remove(which);
            } else {
                rests[which].1 = rest;
            }
            if self.chance(0.01) {
                self.aside();
            }
        }
    }

    fn tool_result(&mut self, call: &StreamedCall) {
        let result = |random: &mut Rng| {
            let link = format!("https://example.org/{}", id(random, "page"));
            json!({"title": words(random, 5, 40), "link": link})
        };
        let results: Vec<_> = (0..self.random.usize(1..=5))
            .map(|_| result(&mut self.random))
            .collect();
        let content = json!({"results": results}).to_string();
        let message = self.id("msg");
        self.emit(json!({
            "type": "TOOL_CALL_RESULT", "messageId": message, "toolCallId": call.id, "content": content, "role": "tool",
        }));
        self.keep(
            json!({"id": message, "role": "tool", "toolCallId": call.id, "content": content}),
        );
    }

    /// What comes in between the deltas of something else.
    fn aside(&mut self) {
        match self.random.u32(..10) {
            0..4 => self.custom(),
            4..7 => self.raw(),
            _ => self.state_delta(),
        }
    }

    fn custom(&mut self) {
        let value =
            json!({"percent": self.random.u32(..=100), "label": words(&mut self.random, 3, 20)});
        self.emit(json!({"type": "CUSTOM", "name": "progress", "value": value}));
    }

    fn raw(&mut self) {
        let chunk = json!({"content": words(&mut self.random, 3, 30), "usage": null, "n": self.random.u32(..9999)});
        let event = json!({"event": "on_chunk", "run": self.id("run"), "data": {"chunk": chunk}, "tags": []});
        self.emit(json!({"type": "RAW", "event": event, "source": "graph"}));
    }

    fn state_delta(&mut self) {
        let patch = self.state.change(&mut self.random);
        self.emit(json!({"type": "STATE_DELTA", "delta": patch}));
    }

    fn activity(&mut self) {
        let steps: Vec<_> = (0..self.random.usize(1..=5))
            .map(|_| words(&mut self.random, 3, 20))
            .collect();
        let message = self.id("activity");
        self.emit(json!({
            "type": "ACTIVITY_SNAPSHOT", "messageId": message, "activityType": "PLAN", "content": {"steps": steps},
        }));
    }

    fn emit(&mut self, mut event: Value) {
        if self.timed {
            self.time += self.random.u64(1..=40);
            event["timestamp"] = json!(self.time);
        }
        self.events.push(event);
    }

    fn keep(&mut self, message: Value) {
        self.messages.push_back(message);
        if self.messages.len() > WINDOW {
            self.messages.pop_front();
        }
    }

    fn id(&mut self, prefix: &str) -> String {
        id(&mut self.random, prefix)
    }

    fn chance(&mut self, probability: f64) -> bool {
        chance(&mut self.random, probability)
    }
}

/// A tool call whose arguments will be streamed.
struct StreamedCall {
    id: String,
    name: &'static str,
    arguments: String,
}

impl StreamedCall {
    fn new(random: &mut Rng) -> Self {
        let filter =
            |random: &mut Rng| json!({"key": words(random, 1, 6), "value": random.u32(..10)});
        let filters: Vec<_> = (0..random.usize(..4)).map(|_| filter(random)).collect();
        let arguments =
            json!({"query": words(random, 5, 60), "limit": random.u32(1..=50), "filters": filters});
        Self {
            id: id(random, "call"),
            name: one_of(random, &["search", "fetch", "write_file"]),
            arguments: arguments.to_string(),
        }
    }

    /// The call as its message holds it.
    fn value(&self) -> Value {
        let function = json!({"name": self.name, "arguments": self.arguments});
        json!({"id": self.id, "type": "function", "function": function})
    }
}
