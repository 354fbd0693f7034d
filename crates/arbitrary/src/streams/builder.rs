//! The stream under construction: what is open, and what may come next without breaking a rule.

use super::Feature;
use crate::{Choose, Source};
use chatstate_types::generated::Event;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Stands for an unpaired high surrogate until the event becomes text.
pub const HIGH: char = '\u{e000}';
/// Stands for an unpaired low surrogate.
pub const LOW: char = '\u{e001}';

/// The kinds of items that have deltas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeltaKind {
    Text,
    Reasoning,
    Call,
}

impl DeltaKind {
    /// What the names of the kind's events begin with.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Text => "TEXT_MESSAGE",
            Self::Reasoning => "REASONING_MESSAGE",
            Self::Call => "TOOL_CALL",
        }
    }

    /// The member that names the item.
    pub fn id_member(self) -> &'static str {
        if self == Self::Call {
            "toolCallId"
        } else {
            "messageId"
        }
    }

    /// The event that carries a delta.
    pub fn delta_type(self) -> String {
        let suffix = if self == Self::Call {
            "ARGS"
        } else {
            "CONTENT"
        };
        format!("{}_{suffix}", self.prefix())
    }
}

/// An open item.
#[derive(Debug, Clone)]
pub struct Item {
    pub kind: DeltaKind,
    pub id: String,
    pub owner: Option<String>,
    /// Whether chunks keep it open.
    pub chunks: bool,
    /// Whether its text ends in an unpaired surrogate.
    pub half: bool,
}

/// The stream under construction.
pub struct Builder {
    pub source: Source,
    pub plan: BTreeSet<Feature>,
    pub features: BTreeSet<Feature>,
    pub events: Vec<Event>,
    pub items: Vec<Item>,
    /// Names and owners of open steps.
    pub steps: Vec<(String, Option<String>)>,
    pub reasoning_spans: Vec<(String, Option<String>)>,
    pub subagents: Vec<String>,
    /// Subagents that messages of an input belong to and that have not begun yet.
    pub expected_subagents: Vec<String>,
    /// Subagents that were active in this run.
    pub past_subagents: BTreeSet<String>,
    /// Whose each id is, for good.
    pub owners: BTreeMap<String, Option<String>>,
    /// Ids whose text a failed run left with an unpaired surrogate.
    pub broken: BTreeSet<String>,
    /// The runs so far.
    pub runs: Vec<String>,
    pub count: usize,
}

impl Builder {
    pub fn new(mut source: Source, allowed: &[Feature]) -> Self {
        let plan = super::FEATURES
            .iter()
            .copied()
            .filter(|_| source.chance(45));
        let mut plan: BTreeSet<Feature> = plan.collect();
        plan.retain(|feature| allowed.contains(feature));
        if plan.contains(&Feature::DeltaAcrossLanes) {
            plan.insert(Feature::ChunkLanes);
        }
        if plan.contains(&Feature::InputOwners) {
            plan.insert(Feature::InputMessages);
        }
        if plan.contains(&Feature::ChunkLanes) {
            plan.extend([Feature::Chunks, Feature::Subagents]);
        }
        if plan.contains(&Feature::Branches) {
            plan.insert(Feature::SeveralRuns);
        }
        Self {
            source,
            plan,
            features: BTreeSet::new(),
            events: Vec::new(),
            items: Vec::new(),
            steps: Vec::new(),
            reasoning_spans: Vec::new(),
            subagents: Vec::new(),
            expected_subagents: Vec::new(),
            past_subagents: BTreeSet::new(),
            owners: BTreeMap::new(),
            broken: BTreeSet::new(),
            runs: Vec::new(),
            count: 0,
        }
    }

    /// Whether a feature is planned; with `percent`, only so often.
    pub fn wants(&mut self, feature: Feature, percent: usize) -> bool {
        self.plan.contains(&feature) && self.source.chance(percent)
    }

    pub fn note(&mut self, feature: Feature) {
        self.features.insert(feature);
    }

    /// A name that was not used before.
    pub fn fresh(&mut self, prefix: &str) -> String {
        self.count += 1;
        format!("{prefix}{}", self.count)
    }

    /// Adds an event, with what every event may have.
    pub fn emit(&mut self, mut event: Value) {
        self.settle_closed_by(&event);
        self.decorate(&mut event);
        let text = event.to_string();
        let text = text.replace(HIGH, "\\ud83d").replace(LOW, "\\ude00");
        let event = Event::from_json(&text);
        debug_assert!(event.is_ok(), "the generator made {text}: {event:?}");
        self.events.extend(event);
    }

    fn decorate(&mut self, event: &mut Value) {
        if self.wants(Feature::Timestamps, 60) {
            self.note(Feature::Timestamps);
            event["timestamp"] = json!(1000 + self.events.len());
        }
        if self.wants(Feature::Metadata, 30) {
            self.note(Feature::Metadata);
            let name = *self.source.of(&["a", "b", "c"]).unwrap_or(&"a");
            event["metadata"] = json!({ name: self.events.len() });
        }
        if self.wants(Feature::OriginalEvents, 20) {
            self.note(Feature::OriginalEvents);
            event["rawEvent"] = json!({"n": self.events.len()});
        }
    }

    /// Completes the characters of the chunk items that an event closes.
    fn settle_closed_by(&mut self, event: &Value) {
        let kind = event["type"].as_str().unwrap_or_default();
        let all = matches!(
            kind,
            "RUN_STARTED" | "RUN_FINISHED" | "RUN_ERROR" | "MESSAGES_SNAPSHOT"
        );
        let none = kind.ends_with("_CHUNK")
            || kind.starts_with("ACTIVITY")
            || matches!(
                kind,
                "RAW" | "REASONING_ENCRYPTED_VALUE" | "SUBAGENT_STARTED" | "FUTURE_EVENT"
            );
        if none {
            return;
        }
        let owner = event["subagentRunId"].as_str().map(str::to_owned);
        while let Some(item) = self
            .items
            .iter()
            .find(|item| item.chunks && (all || item.owner == owner))
            .cloned()
        {
            self.settle(&item);
            self.drop_item(&item);
        }
    }

    /// Completes the last character of an item.
    pub fn settle(&mut self, item: &Item) {
        let half = |open: &&Item| open.kind == item.kind && open.id == item.id && open.half;
        if self.items.iter().any(|open| half(&open)) {
            self.append(item, &LOW.to_string());
        }
    }

    /// Completes the last characters of all items.
    pub fn settle_all(&mut self) {
        for item in self.items.clone() {
            self.settle(&item);
        }
    }

    /// Forgets an open item.
    pub fn drop_item(&mut self, item: &Item) {
        self.items
            .retain(|open| open.kind != item.kind || open.id != item.id);
    }

    /// Ends the item that chunks keep open in a lane, as a chunk of another item does.
    pub fn clear_lane(&mut self, owner: Option<&String>) {
        let held = self
            .items
            .iter()
            .find(|item| item.chunks && item.owner.as_ref() == owner);
        if let Some(item) = held.cloned() {
            self.settle(&item);
            self.drop_item(&item);
        }
    }

    /// An owner for something new: the parent agent, or an active subagent.
    pub fn owner(&mut self) -> Option<String> {
        if self.source.chance(35) {
            return None;
        }
        self.source.of(&self.subagents).cloned()
    }

    /// Says of an event whose it is.
    pub fn tag(event: &mut Value, owner: Option<&String>) {
        if let Some(owner) = owner {
            event["subagentRunId"] = json!(owner);
        }
    }
}
