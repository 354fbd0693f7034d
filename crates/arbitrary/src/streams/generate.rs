//! Runs, and everything in them that is no item.

use super::builder::{Builder, DeltaKind, Item};
use super::{FEATURES, Feature};
use crate::{Choose, Source};
use chatstate_json::{Object, WriteJson};
use chatstate_streams::replay::replay;
use chatstate_types::generated::Event;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A stream and what is in it.
#[derive(Debug, Clone)]
pub struct Stream {
    /// The events, which verify.
    pub events: Vec<Event>,
    /// What is in it.
    pub features: BTreeSet<Feature>,
}

/// Makes a valid stream, complete or cut off.
#[must_use]
pub fn generate(source: Source) -> Stream {
    generate_with(source, FEATURES)
}

/// Makes a valid stream that has none but these features.
#[must_use]
pub fn generate_with(source: Source, allowed: &[Feature]) -> Stream {
    let mut builder = Builder::new(source, allowed);
    if builder.wants(Feature::ErrorFirst, 50) {
        builder.note(Feature::ErrorFirst);
        builder.emit(json!({"type": "RUN_ERROR", "message": "no run"}));
    }
    let runs = if builder.wants(Feature::SeveralRuns, 100) {
        builder.note(Feature::SeveralRuns);
        2 + builder.source.below(3)
    } else {
        1
    };
    for run in 0..runs {
        builder.run(run + 1 == runs);
    }
    Stream {
        events: builder.events,
        features: builder.features,
    }
}

impl Builder {
    fn run(&mut self, last: bool) {
        let run_id = self.fresh("r");
        self.start(&run_id);
        for _ in 0..self.source.below(3) {
            self.subagent();
        }
        for _ in 0..self.source.below(26) {
            self.action();
        }
        if last && self.wants(Feature::OpenAtEnd, 100) {
            if !self.items.is_empty() {
                self.note(Feature::OpenAtEnd);
            }
            return;
        }
        if self.wants(Feature::RunError, 60) {
            self.fail();
        } else {
            self.finish(&run_id);
        }
        self.forget();
    }

    fn forget(&mut self) {
        let half = self.items.iter().filter(|item| item.half);
        self.broken.extend(half.map(|item| item.id.clone()));
        self.items.clear();
        self.steps.clear();
        self.reasoning_spans.clear();
        self.subagents.clear();
        self.past_subagents.clear();
    }

    fn start(&mut self, run_id: &str) {
        let mut event = json!({"type": "RUN_STARTED", "threadId": "t", "runId": run_id});
        if self.wants(Feature::Branches, 60)
            && let Some(parent) = self.source.of(&self.runs).cloned()
        {
            if self.runs.last() != Some(&parent) {
                self.note(Feature::Branches);
            }
            event["parentRunId"] = json!(parent);
        }
        if self.wants(Feature::ParentOutside, 40) {
            self.note(Feature::ParentOutside);
            event["parentRunId"] = json!(format!("outside-{run_id}"));
        }
        self.runs.push(run_id.to_owned());
        let messages = self.wants(Feature::InputMessages, 80);
        let state = self.wants(Feature::InputState, 50);
        if messages || state {
            let mut input = json!({"threadId": "t", "runId": run_id, "messages": []});
            if messages {
                self.note(Feature::InputMessages);
                input["messages"] = self.input_messages();
            }
            if state {
                self.note(Feature::InputState);
                input["state"] = json!({"n": self.count, "list": []});
            }
            event["input"] = input;
        }
        self.emit(event);
    }

    /// Messages as a client sends them: those it knows, some of them edited, and new ones.
    fn input_messages(&mut self) -> Value {
        let mut messages = Vec::new();
        for mut message in self.messages() {
            if self.source.chance(70) {
                if self.source.chance(15) {
                    message["metadata"] = json!({"edited": true});
                }
                messages.push(message);
            }
        }
        for _ in 0..self.source.below(3) {
            messages.push(self.user_message());
        }
        if self.wants(Feature::InputOwners, 70) {
            self.note(Feature::InputOwners);
            messages.push(self.message_of_a_subagent());
        }
        json!(messages)
    }

    fn user_message(&mut self) -> Value {
        let id = self.fresh("u");
        self.owners.insert(id.clone(), None);
        json!({"id": id, "role": "user", "content": "hi"})
    }

    /// A message of a subagent that may work in this run.
    fn message_of_a_subagent(&mut self) -> Value {
        let (id, owner) = (self.fresh("m"), self.fresh("s"));
        self.owners.insert(id.clone(), Some(owner.clone()));
        self.expected_subagents.push(owner.clone());
        json!({"id": id, "role": "assistant", "content": "", "subagentRunId": owner})
    }

    /// The whole messages of the stream so far.
    fn messages(&self) -> Vec<Value> {
        let replay = replay(&self.events);
        debug_assert!(
            replay.is_ok(),
            "the generator made a bad stream: {replay:?}"
        );
        replay
            .unwrap_or_default()
            .messages
            .iter()
            .filter_map(as_json)
            .collect()
    }

    fn finish(&mut self, run_id: &str) {
        self.settle_all();
        while let Some(item) = self.items.iter().find(|item| !item.chunks).cloned() {
            self.end(&item);
        }
        while let Some((name, owner)) = self.steps.pop() {
            let mut event = json!({"type": "STEP_FINISHED", "stepName": name});
            Self::tag(&mut event, owner.as_ref());
            self.emit(event);
        }
        while let Some((id, owner)) = self.reasoning_spans.pop() {
            let mut event = json!({"type": "REASONING_END", "messageId": id});
            Self::tag(&mut event, owner.as_ref());
            self.emit(event);
        }
        while let Some(id) = self.subagents.pop() {
            self.emit(json!({"type": "SUBAGENT_FINISHED", "subagentRunId": id}));
        }
        let mut event = json!({"type": "RUN_FINISHED", "threadId": "t", "runId": run_id});
        if self.wants(Feature::Interrupt, 60) {
            self.note(Feature::Interrupt);
            let interrupts = json!([{"id": run_id, "reason": "ask"}]);
            event["outcome"] = json!({"type": "interrupt", "interrupts": interrupts});
        } else if self.source.chance(20) {
            event["result"] = json!({"ok": 1});
        }
        self.emit(event);
        if self.wants(Feature::ErrorAfterFinish, 50) {
            self.note(Feature::ErrorAfterFinish);
            self.emit(json!({"type": "RUN_ERROR", "message": "late"}));
        }
    }

    fn fail(&mut self) {
        self.note(Feature::RunError);
        self.emit(json!({"type": "RUN_ERROR", "message": "broken"}));
    }

    /// One thing that happens in a run.
    fn action(&mut self) {
        match self.source.below(23) {
            0..=3 => self.begin(),
            4..=10 => self.continue_one(),
            11..=12 => self.end_one(),
            13 => self.state(),
            14 | 20 => self.messages_snapshot(),
            15 => self.activity(),
            16 => self.encrypted_value(),
            17 => self.subagent(),
            18 | 21 | 22 => self.span(),
            _ => self.other(),
        }
    }

    fn state(&mut self) {
        let mut event = if self.wants(Feature::StateSnapshot, 40) {
            self.note(Feature::StateSnapshot);
            json!({"type": "STATE_SNAPSHOT", "snapshot": {"n": self.count, "list": [1]}})
        } else if self.wants(Feature::FailingPatch, 50) {
            self.note(Feature::FailingPatch);
            let change = json!({"op": "add", "path": "/lost", "value": 1});
            let fails = json!({"op": "test", "path": "/n", "value": "never"});
            json!({"type": "STATE_DELTA", "delta": [change, fails]})
        } else if self.wants(Feature::StateDelta, 100) {
            self.note(Feature::StateDelta);
            let change = json!({"op": "add", "path": "/n", "value": self.events.len()});
            let append = json!({"op": "add", "path": "/list/-", "value": {"at": self.count}});
            let patch = if self.source.chance(50) {
                change
            } else {
                append
            };
            json!({"type": "STATE_DELTA", "delta": [patch]})
        } else {
            return;
        };
        if self.source.chance(30) {
            let owner = self.owner();
            Self::tag(&mut event, owner.as_ref());
        }
        if self.wants(Feature::UnknownMember, 10) {
            self.note(Feature::UnknownMember);
            event["later"] = json!(true);
        }
        self.emit(event);
    }

    fn messages_snapshot(&mut self) {
        if !self.wants(Feature::MessagesSnapshot, 60) {
            return;
        }
        self.note(Feature::MessagesSnapshot);
        self.settle_all();
        let mut messages = Vec::new();
        for mut message in self.messages() {
            if self.source.chance(75) {
                if self.source.chance(20) {
                    message["metadata"] = json!({"restated": 1});
                }
                messages.push(message);
            }
        }
        if self.source.chance(30) {
            messages.push(self.user_message());
        }
        self.emit(json!({"type": "MESSAGES_SNAPSHOT", "messages": messages}));
    }

    fn activity(&mut self) {
        if !self.wants(Feature::Activity, 90) {
            return;
        }
        self.note(Feature::Activity);
        let id = self.known_id("a");
        self.complete(&id);
        let mut event = if self.source.chance(60) {
            let content = json!({"steps": [self.events.len()]});
            json!({"type": "ACTIVITY_SNAPSHOT", "messageId": id, "activityType": "plan", "content": content})
        } else {
            let patch = json!([{"op": "add", "path": "/steps/-", "value": 2}]);
            json!({"type": "ACTIVITY_DELTA", "messageId": id, "activityType": "plan", "patch": patch})
        };
        if event["type"] == json!("ACTIVITY_SNAPSHOT") && self.source.chance(30) {
            event["replace"] = json!(false);
        }
        let owner = self.owners.get(&id).cloned().flatten();
        Self::tag(&mut event, owner.as_ref());
        self.emit(event);
    }

    fn encrypted_value(&mut self) {
        if !self.wants(Feature::EncryptedValue, 90) {
            return;
        }
        self.note(Feature::EncryptedValue);
        let id = self.known_id("e");
        self.complete(&id);
        let subtype = if self.source.chance(50) {
            "message"
        } else {
            "tool-call"
        };
        let mut event = json!({"type": "REASONING_ENCRYPTED_VALUE", "subtype": subtype});
        event["entityId"] = json!(id);
        event["encryptedValue"] = json!(format!("v{}", self.events.len()));
        self.emit(event);
    }

    /// An id whose item another kind may write to: one that is known, or a new one.
    fn known_id(&mut self, prefix: &str) -> String {
        let active = |(id, owner): (&String, &Option<String>)| {
            let active = owner
                .as_ref()
                .is_none_or(|owner| self.subagents.contains(owner));
            active.then(|| id.clone())
        };
        let mut ids: Vec<String> = self.owners.iter().filter_map(active).collect();
        let is_open = |id: &String| self.items.iter().any(|item| item.id == *id);
        if ids.iter().any(is_open) && self.source.chance(60) {
            ids.retain(|id| self.items.iter().any(|item| item.id == *id));
        }
        let wanted = prefix == "e" || self.wants(Feature::SharedId, 50);
        if let Some(id) = self.source.of(&ids).filter(|_| wanted) {
            let id = id.clone();
            if self.items.iter().any(|item| item.id == id) {
                self.note(Feature::SharedId);
            }
            return id;
        }
        let id = self.fresh(prefix);
        self.owners.insert(id.clone(), None);
        id
    }

    fn complete(&mut self, id: &str) {
        let items: Vec<Item> = self
            .items
            .iter()
            .filter(|item| item.id == id)
            .cloned()
            .collect();
        for item in items {
            self.settle(&item);
        }
    }

    fn subagent(&mut self) {
        if !self.wants(Feature::Subagents, 95) {
            return;
        }
        self.note(Feature::Subagents);
        let idle = |id: &&String| {
            let owner = Some((*id).clone());
            !self.items.iter().any(|item| item.owner == owner)
                && !self.steps.iter().any(|(_, of)| *of == owner)
                && !self.reasoning_spans.iter().any(|(_, of)| *of == owner)
        };
        let finished = self.subagents.iter().find(idle).cloned();
        if let Some(id) = finished.filter(|_| self.subagents.len() > 1) {
            self.subagents.retain(|active| *active != id);
            self.past_subagents.insert(id.clone());
            let event = if self.source.chance(50) {
                json!({"type": "SUBAGENT_FINISHED", "subagentRunId": id})
            } else {
                json!({"type": "SUBAGENT_ERROR", "subagentRunId": id, "message": "no"})
            };
            return self.emit(event);
        }
        let id = match self.expected_subagents.pop() {
            Some(id) => id,
            None => self.fresh("s"),
        };
        let event = json!({"type": "SUBAGENT_STARTED", "subagentRunId": id, "name": "helper"});
        self.emit(event);
        self.subagents.push(id);
    }

    /// A step or a span of reasoning: begun or ended.
    fn span(&mut self) {
        let owner = self.owner();
        match self.source.below(4) {
            0 => {
                let name = self.fresh("step");
                let mut event = json!({"type": "STEP_STARTED", "stepName": name});
                Self::tag(&mut event, owner.as_ref());
                self.emit(event);
                self.steps.push((name, owner));
            }
            1 => {
                if let Some((name, owner)) = self.steps.pop() {
                    let mut event = json!({"type": "STEP_FINISHED", "stepName": name});
                    Self::tag(&mut event, owner.as_ref());
                    self.emit(event);
                }
            }
            2 => self.reasoning_span(),
            _ => {
                if let Some((id, owner)) = self.reasoning_spans.pop() {
                    self.complete(&id);
                    let mut event = json!({"type": "REASONING_END", "messageId": id});
                    Self::tag(&mut event, owner.as_ref());
                    self.emit(event);
                }
            }
        }
    }

    fn reasoning_span(&mut self) {
        let id = self.known_id("m");
        if self.reasoning_spans.iter().any(|(open, _)| *open == id) {
            return;
        }
        let owner = self.owners.get(&id).cloned().flatten();
        let mut event = json!({"type": "REASONING_START", "messageId": id});
        Self::tag(&mut event, owner.as_ref());
        self.emit(event);
        self.reasoning_spans.push((id, owner));
    }

    /// A tool's result, or an event that means nothing to the chat.
    fn other(&mut self) {
        match self.source.below(4) {
            0 => self.result(),
            1 if self.wants(Feature::UnknownEvent, 100) => {
                self.note(Feature::UnknownEvent);
                self.emit(json!({"type": "FUTURE_EVENT", "messageId": "m1", "x": [1]}));
            }
            2 => self.emit(json!({"type": "RAW", "event": {"p": 1}})),
            _ => {
                let owner = self.owner();
                let mut event = json!({"type": "CUSTOM", "name": "mark", "value": null});
                Self::tag(&mut event, owner.as_ref());
                self.emit(event);
            }
        }
    }

    fn result(&mut self) {
        let active = |(id, owner): (&String, &Option<String>)| {
            let active = owner
                .as_ref()
                .is_none_or(|owner| self.subagents.contains(owner));
            (active && id.starts_with('c')).then(|| id.clone())
        };
        let calls: Vec<String> = self.owners.iter().filter_map(active).collect();
        let Some(call) = self.source.of(&calls).cloned() else {
            return;
        };
        let owner = self.owners.get(&call).cloned().flatten();
        let same = |item: &&Item| item.owner == owner && item.kind != DeltaKind::Call;
        let open: Vec<String> = self
            .items
            .iter()
            .filter(same)
            .map(|item| item.id.clone())
            .collect();
        let id = match self.source.of(&open).cloned() {
            Some(id) if self.wants(Feature::SharedId, 40) => {
                self.note(Feature::SharedId);
                self.complete(&id);
                id
            }
            _ => self.fresh("t"),
        };
        self.owners.insert(id.clone(), owner.clone());
        let mut event = json!({"type": "TOOL_CALL_RESULT", "messageId": id, "toolCallId": call});
        event["content"] = json!("done");
        Self::tag(&mut event, owner.as_ref());
        self.emit(event);
    }
}

/// A message as JSON, unless its text ends in an unpaired surrogate.
fn as_json(message: &Object) -> Option<Value> {
    let mut text = String::new();
    message.write(&mut text);
    serde_json::from_str(&text).ok()
}
