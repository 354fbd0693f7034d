//! Text, reasoning and tool calls, by START and END or by chunks.

use super::Feature;
use super::builder::{Builder, DeltaKind, HIGH, Item, LOW};
use crate::Choose;
use serde_json::{Value, json};

impl Builder {
    /// Begins an item.
    pub fn begin(&mut self) {
        let kind = self.kind();
        let chunks = self.wants(Feature::Chunks, 50);
        let id = self.id(kind);
        let owner = match self.owners.get(&id) {
            Some(owner) => owner.clone(),
            None => self.owner(),
        };
        if self
            .items
            .iter()
            .any(|item| item.kind == kind && item.id == id)
        {
            return;
        }
        let parent = self.parent(kind, owner.as_ref());
        if chunks {
            self.clear_lane(owner.as_ref());
        }
        self.settle_id(&id);
        self.owners
            .entry(id.clone())
            .or_insert_with(|| owner.clone());
        let event = self.opening(kind, &id, owner.as_ref(), parent.as_deref(), chunks);
        self.emit(event);
        if self.items.iter().any(|item| item.id == id) {
            self.note(Feature::SharedId);
        }
        if chunks {
            self.note(Feature::Chunks);
            if self.items.iter().any(|item| item.chunks) {
                self.note(Feature::ChunkLanes);
            }
        }
        if !self.items.is_empty() {
            self.note(Feature::Interleaving);
        }
        self.items.push(Item {
            kind,
            id,
            owner,
            chunks,
            half: false,
        });
    }

    fn kind(&mut self) -> DeltaKind {
        if self.wants(Feature::Reasoning, 40) {
            self.note(Feature::Reasoning);
            DeltaKind::Reasoning
        } else if self.wants(Feature::ToolCalls, 50) {
            self.note(Feature::ToolCalls);
            DeltaKind::Call
        } else {
            DeltaKind::Text
        }
    }

    /// A new id, or one that is used already.
    fn id(&mut self, kind: DeltaKind) -> String {
        if self.wants(Feature::SharedId, 45) {
            let usable = |(id, owner): (&String, &Option<String>)| {
                let active = owner
                    .as_ref()
                    .is_none_or(|owner| self.subagents.contains(owner));
                (active && !self.broken.contains(id)).then(|| id.clone())
            };
            let mut ids: Vec<String> = self.owners.iter().filter_map(usable).collect();
            let in_chunks =
                |id: &String| self.items.iter().any(|item| item.chunks && item.id == *id);
            if kind == DeltaKind::Call && ids.iter().any(in_chunks) && self.source.chance(40) {
                ids.retain(in_chunks);
            }
            let is_open = |id: &String| self.items.iter().any(|item| item.id == *id);
            if ids.iter().any(is_open) && self.source.chance(60) {
                ids.retain(|id| self.items.iter().any(|item| item.id == *id));
            }
            if let Some(id) = self.source.of(&ids) {
                return id.clone();
            }
        }
        self.fresh(if kind == DeltaKind::Call { "c" } else { "m" })
    }

    /// The parent message of a call: one of the same owner.
    fn parent(&mut self, kind: DeltaKind, owner: Option<&String>) -> Option<String> {
        if kind != DeltaKind::Call || self.source.chance(50) {
            return None;
        }
        let same = self.owners.iter().filter(|(_, of)| of.as_ref() == owner);
        let ids: Vec<String> = same.map(|(id, _)| id.clone()).collect();
        self.source.of(&ids).cloned()
    }

    /// No text of this id ends in an unpaired surrogate before another kind writes to it.
    fn settle_id(&mut self, id: &str) {
        for item in self.items.clone() {
            if item.id == id {
                self.settle(&item);
            }
        }
    }

    fn opening(
        &mut self,
        kind: DeltaKind,
        id: &str,
        owner: Option<&String>,
        parent: Option<&str>,
        chunks: bool,
    ) -> Value {
        let suffix = if chunks { "CHUNK" } else { "START" };
        let mut event = json!({"type": format!("{}_{suffix}", kind.prefix())});
        event[kind.id_member()] = json!(id);
        match kind {
            DeltaKind::Call => {
                event["toolCallName"] = json!("f");
                if let Some(parent) = parent {
                    event["parentMessageId"] = json!(parent);
                }
            }
            DeltaKind::Reasoning if !chunks => event["role"] = json!("reasoning"),
            DeltaKind::Text if self.source.chance(30) => {
                event["role"] = json!("user");
                event["name"] = json!("Bob");
            }
            _ => {}
        }
        if chunks && self.source.chance(50) {
            event["delta"] = json!("o");
        }
        if chunks && self.wants(Feature::UnknownMember, 10) {
            self.note(Feature::UnknownMember);
            event["later"] = json!(1);
        }
        Self::tag(&mut event, owner);
        event
    }

    /// Appends to one of the open items.
    pub fn continue_one(&mut self) {
        let Some(item) = self.source.of(&self.items).cloned() else {
            return self.begin();
        };
        let alone = self.items.iter().filter(|open| open.id == item.id).count() == 1;
        if item.half {
            return self.append(&item, &format!("{LOW}b"));
        }
        if alone && self.wants(Feature::SplitSurrogatePair, 50) {
            self.note(Feature::SplitSurrogatePair);
            self.append(&item, &format!("a{HIGH}"));
            return;
        }
        if self.wants(Feature::SplitCharacter, 40) {
            self.note(Feature::SplitCharacter);
            self.append(&item, "e");
            if self.items.iter().any(|open| open.id == item.id) {
                self.append(&item, "\u{301}");
            }
            return;
        }
        let text = *self
            .source
            .of(&["x", "", "{\"k\":", "two words", "\"\n"])
            .unwrap_or(&"x");
        self.append(&item, text);
    }

    /// Appends text to an open item.
    pub fn append(&mut self, item: &Item, text: &str) {
        let across = item.owner.is_some() && self.wants(Feature::DeltaAcrossLanes, 35);
        let mut event = if item.chunks && !across {
            self.chunk(item, text)
        } else {
            let mut event = json!({"type": item.kind.delta_type(), "delta": text});
            event[item.kind.id_member()] = json!(item.id);
            if item.chunks {
                // In the parent agent's lane it does not end what it continues with.
                self.note(Feature::DeltaAcrossLanes);
            } else if self.source.chance(50) {
                Self::tag(&mut event, item.owner.as_ref());
            }
            event
        };
        if self.wants(Feature::UnknownMember, 20) {
            self.note(Feature::UnknownMember);
            event["later"] = json!(self.events.len());
        }
        // The flag is set before, so that what the event itself closes is not completed by it.
        let half = text.ends_with(HIGH);
        let open = self
            .items
            .iter_mut()
            .find(|open| open.kind == item.kind && open.id == item.id);
        if let Some(open) = open {
            open.half = half;
        }
        self.emit(event);
    }

    /// A chunk that continues an item, naming it and its owner or not.
    fn chunk(&mut self, item: &Item, text: &str) -> Value {
        let mut event = json!({"type": format!("{}_CHUNK", item.kind.prefix())});
        if !text.is_empty() || self.source.chance(20) {
            event["delta"] = json!(text);
        }
        let named = self.source.chance(50);
        if named {
            event[item.kind.id_member()] = json!(item.id);
        }
        if !named || self.source.chance(50) {
            Self::tag(&mut event, item.owner.as_ref());
        }
        event
    }

    /// Ends one of the items that were begun by a START.
    pub fn end_one(&mut self) {
        let explicit: Vec<Item> = self
            .items
            .iter()
            .filter(|item| !item.chunks)
            .cloned()
            .collect();
        if let Some(item) = self.source.of(&explicit).cloned() {
            self.end(&item);
        }
    }

    /// Ends an item that was begun by a START.
    pub fn end(&mut self, item: &Item) {
        self.settle(item);
        let mut event = json!({"type": format!("{}_END", item.kind.prefix())});
        event[item.kind.id_member()] = json!(item.id);
        if self.source.chance(50) {
            Self::tag(&mut event, item.owner.as_ref());
        }
        self.drop_item(item);
        self.emit(event);
    }
}
