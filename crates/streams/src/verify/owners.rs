//! Who owns what: what one subagent began, no other may continue.
//!
//! Owners are kept for a whole run, also of what is closed, and begin again with the next run. An
//! event without `subagentRunId` never disagrees; an opening without one makes the parent agent the
//! owner.

use std::collections::HashMap;

use crate::header::{Header, MessageHeader};
use crate::sequence::{Beginning, IdHasher, ItemKind, Opening, Part, Violation};
use chatstate_types::generated::{
    ActivitySnapshotEvent, EncryptedValueSubtype, Event, ReasoningEncryptedValueEvent,
};

/// An owner, by the event that said so; `None` is the parent agent.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Owner {
    subagent_run_id: Option<String>,
    index: usize,
}

impl Owner {
    fn new(index: usize, subagent_run_id: Option<&str>) -> Self {
        Self {
            subagent_run_id: subagent_run_id.map(str::to_owned),
            index,
        }
    }

    /// Rejects a `subagentRunId` that is not the owner.
    fn agree(&self, tag: Option<&str>, what: &str, id: &str) -> Result<(), Violation> {
        let Some(tag) = tag.filter(|_| tag != self.subagent_run_id.as_deref()) else {
            return Ok(());
        };
        let message = format!(
            "the event names the subagent `{tag}`, but the {what} `{id}` belongs to {}",
            self.name()
        );
        Err(Violation::new("subagent.wrong-owner", message).with(self.index))
    }

    fn name(&self) -> String {
        match &self.subagent_run_id {
            Some(id) => format!("the subagent `{id}`"),
            None => "the parent agent".to_owned(),
        }
    }
}

type Registry = HashMap<String, Owner, IdHasher>;

/// The owners within one run, by kind, since an id is unique only within its kind.
#[derive(Debug, Clone, Default)]
pub(super) struct Owners {
    messages: Registry,
    calls: Registry,
    activities: Registry,
    /// Of reasoning messages and reasoning spans alike.
    reasoning: Registry,
    /// The subagents that have begun in this run, each with the index of its beginning.
    subagents: HashMap<String, usize>,
}

impl Owners {
    /// Forgets everything, as the next run does.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Whether both know the same owners.
    pub fn is_equivalent(&self, other: &Self) -> bool {
        let same = |one: &Registry, other: &Registry| {
            let holds = |(id, owner): (&String, &Owner)| {
                let named = other.get(id).map(|other| &other.subagent_run_id);
                named == Some(&owner.subagent_run_id)
            };
            one.len() == other.len() && one.iter().all(holds)
        };
        same(&self.messages, &other.messages)
            && same(&self.calls, &other.calls)
            && same(&self.activities, &other.activities)
            && same(&self.reasoning, &other.reasoning)
            && self.subagents.len() == other.subagents.len()
            && self
                .subagents
                .keys()
                .all(|id| other.subagents.contains_key(id))
    }

    /// Checks and notes the owner of what is begun.
    pub fn begun(&mut self, index: usize, beginning: &Beginning<'_>) -> Result<(), Violation> {
        if let Opening::Call { parent, .. } = beginning.opening {
            return self.call_begun(index, beginning, parent);
        }
        let (registry, what) = match beginning.kind {
            ItemKind::Text => (&mut self.messages, "message"),
            ItemKind::Reasoning | ItemKind::ReasoningSpan => (&mut self.reasoning, "reasoning"),
            ItemKind::Subagent => return self.subagent_begun(index, beginning),
            _ => return Ok(()),
        };
        let tag = beginning.subagent_run_id;
        if let Some(owner) = registry.get(beginning.id) {
            return owner.agree(tag, what, beginning.id);
        }
        registry.insert(beginning.id.to_owned(), Owner::new(index, tag));
        Ok(())
    }

    /// A call lives in the message that makes it and belongs to the owner of that message.
    fn call_begun(
        &mut self,
        index: usize,
        beginning: &Beginning<'_>,
        parent: Option<&str>,
    ) -> Result<(), Violation> {
        let (id, tag) = (beginning.id, beginning.subagent_run_id);
        let holder = parent.and_then(|parent| Some((parent, self.messages.get(parent)?)));
        if let Some((parent, holder)) = holder
            && holder.agree(tag, "message", parent).is_err()
        {
            let message = format!(
                "the call `{id}` is put into `{parent}` of {}",
                holder.name()
            );
            return Err(Violation::new("subagent.wrong-parent", message).with(holder.index));
        }
        let inherited = holder.and_then(|(_, holder)| holder.subagent_run_id.as_deref());
        match self.calls.get(id) {
            None => {
                let owner = Owner::new(index, tag.or(inherited));
                self.calls.insert(id.to_owned(), owner);
                Ok(())
            }
            Some(owner) => {
                owner.agree(tag, "tool call", id)?;
                // A call that is begun again without a tag is the one of the message around it.
                match holder {
                    Some((_, holder)) if holder.subagent_run_id != owner.subagent_run_id => {
                        let message = format!(
                            "the call `{id}` of {} is put into a message of {}",
                            owner.name(),
                            holder.name()
                        );
                        Err(Violation::new("subagent.wrong-parent", message).with(owner.index))
                    }
                    _ => Ok(()),
                }
            }
        }
    }

    /// Checks the owner of what is continued or ended.
    pub fn continued(&self, part: &Part<'_>) -> Result<(), Violation> {
        let (registry, what) = match part.kind {
            ItemKind::Text => (&self.messages, "message"),
            ItemKind::ToolCall => (&self.calls, "tool call"),
            ItemKind::Reasoning | ItemKind::ReasoningSpan => (&self.reasoning, "reasoning"),
            _ => return Ok(()),
        };
        // Most events name no owner, and for those none is looked up.
        match part.subagent_run_id {
            None => Ok(()),
            tag => agree(registry.get(part.id), tag, what, part.id),
        }
    }

    /// Checks and notes what an event says of owners beside the items that it begins or continues.
    pub fn event(&mut self, index: usize, header: &Header<'_>) -> Result<(), Violation> {
        let tag = header.subagent_run_id();
        match header.event() {
            Some(Event::RunStarted(_)) => self.seed(index, header, false),
            Some(Event::MessagesSnapshot(_)) => self.seed(index, header, true),
            Some(Event::ToolCallResult(event)) => {
                let owner = Owner::new(index, tag);
                self.messages.insert(event.message_id.clone(), owner);
            }
            Some(Event::ActivitySnapshot(event)) => self.activity(index, event),
            Some(Event::ActivityDelta(event)) => {
                let id = &event.message_id;
                return agree(self.activities.get(id), tag, "activity", id);
            }
            Some(Event::ReasoningEncryptedValue(event)) => return self.encrypted_value(event),
            _ => {}
        }
        Ok(())
    }

    /// An activity belongs to whom its last replacing snapshot names.
    fn activity(&mut self, index: usize, event: &ActivitySnapshotEvent) {
        if event.replace != Some(false) || !self.activities.contains_key(&event.message_id) {
            let owner = Owner::new(index, event.subagent_run_id.as_deref());
            self.activities.insert(event.message_id.clone(), owner);
        }
    }

    fn encrypted_value(&self, event: &ReasoningEncryptedValueEvent) -> Result<(), Violation> {
        let id = &event.entity_id;
        let (owner, what) = match event.subtype {
            EncryptedValueSubtype::ToolCall => (self.calls.get(id), "tool call"),
            EncryptedValueSubtype::Message => {
                let owner = self.messages.get(id).or_else(|| self.reasoning.get(id));
                (owner, "message")
            }
            // It is not known what the id is of.
            EncryptedValueSubtype::Other(_) => return Ok(()),
        };
        agree(owner, event.subagent_run_id.as_deref(), what, id)
    }

    /// The id of a subagent is for one time that it works, and its parent has begun before.
    fn subagent_begun(&mut self, index: usize, beginning: &Beginning<'_>) -> Result<(), Violation> {
        let (id, parent) = (beginning.id, beginning.subagent_run_id);
        let unknown = parent.filter(|parent| !self.subagents.contains_key(*parent));
        if let Some(earlier) = self.subagents.get(id) {
            let message = format!("the run has had a subagent `{id}` before");
            return Err(Violation::new("subagent.reused", message).with(*earlier));
        }
        self.subagents.insert(id.to_owned(), index);
        unknown.map_or(Ok(()), |parent| {
            let message = format!("the subagent `{id}` names `{parent}`, which has not begun");
            Err(Violation::new("subagent.unknown-parent", message))
        })
    }

    /// Notes the owners that messages name. A snapshot overrules what was known, an input does not.
    fn seed(&mut self, index: usize, header: &Header<'_>, overrules: bool) {
        for message in header.messages {
            self.seed_message(index, &MessageHeader::of(message), overrules);
        }
    }

    /// A message of an unknown role may lack an id, and then no event can name it.
    fn seed_message(&mut self, index: usize, message: &MessageHeader<'_>, overrules: bool) {
        let Some(id) = message.id else {
            return;
        };
        let note = |registry: &mut Registry, id: &str| {
            if overrules || !registry.contains_key(id) {
                let owner = Owner::new(index, message.subagent_run_id);
                registry.insert(id.to_owned(), owner);
            }
        };
        match message.role {
            "reasoning" => note(&mut self.reasoning, id),
            "activity" => note(&mut self.activities, id),
            _ => note(&mut self.messages, id),
        }
        for call in &message.call_ids {
            note(&mut self.calls, call);
        }
    }
}

fn agree(owner: Option<&Owner>, tag: Option<&str>, what: &str, id: &str) -> Result<(), Violation> {
    owner.map_or(Ok(()), |owner| owner.agree(tag, what, id))
}
