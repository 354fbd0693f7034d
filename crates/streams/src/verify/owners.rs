//! Who owns what: what one subagent began, no other may continue.
//!
//! Owners are kept for a whole run, also of what is closed, and begin again with the next run. An
//! event without `subagentRunId` never disagrees; an opening without one makes the parent agent the
//! owner.

use std::collections::HashMap;

use crate::header::{Header, MessageHeader};
use crate::sequence::{Beginning, Id, IdHasher, ItemKind, Opening, Part, Violation};
use chatstate_types::generated::roles::{OwnedKind, Subject};
use chatstate_types::generated::{
    ActivitySnapshotEvent, EncryptedValueSubtype, Event, ReasoningEncryptedValueEvent,
};

/// An owner, by the event that said so; `None` is the parent agent.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Owner {
    subagent_run_id: Option<Id>,
    index: usize,
}

impl Owner {
    fn new(index: usize, subagent_run_id: Option<&str>) -> Self {
        Self {
            subagent_run_id: subagent_run_id.map(Id::from),
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

type Registry = HashMap<Id, Owner, IdHasher>;

/// The owners within one run, by what the ids name, since an id is unique only within that.
#[derive(Debug, Clone, Default)]
pub(super) struct Owners([Registry; OwnedKind::ALL.len()]);

impl Owners {
    /// Forgets everything, as the next run does.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    fn of(&self, what: OwnedKind) -> &Registry {
        &self.0[what as usize]
    }

    fn of_mut(&mut self, what: OwnedKind) -> &mut Registry {
        &mut self.0[what as usize]
    }

    /// Whether both know the same owners.
    pub fn is_equivalent(&self, other: &Self) -> bool {
        let same = |(one, other): (&Registry, &Registry)| {
            let holds = |(id, owner): (&Id, &Owner)| {
                let named = other.get(id).map(|other| &other.subagent_run_id);
                named == Some(&owner.subagent_run_id)
            };
            one.len() == other.len() && one.iter().all(holds)
        };
        self.0.iter().zip(&other.0).all(same)
    }

    /// Checks and notes the owner of what is begun.
    pub fn begun(&mut self, index: usize, beginning: &Beginning<'_>) -> Result<(), Violation> {
        let Some(what) = beginning.kind.owners() else {
            return Ok(());
        };
        if let Opening::Call { parent, .. } = beginning.opening {
            return self.call_begun(what, index, beginning, parent);
        }
        if beginning.kind == ItemKind::Subagent {
            return self.subagent_begun(what, index, beginning);
        }
        let (id, tag) = (beginning.id, beginning.subagent_run_id);
        if self.of(what).contains_key(id) {
            return self.agree(what, tag, id);
        }
        let owner = Owner::new(index, tag);
        self.of_mut(what).insert(Id::from(id), owner);
        Ok(())
    }

    /// Rejects a subagent that is not the owner, if there is one.
    fn agree(&self, what: OwnedKind, tag: Option<&str>, id: &str) -> Result<(), Violation> {
        let owner = self.of(what).get(id);
        owner.map_or(Ok(()), |owner| owner.agree(tag, what.as_str(), id))
    }

    /// A call lives in the message that makes it and belongs to the owner of that message.
    fn call_begun(
        &mut self,
        what: OwnedKind,
        index: usize,
        beginning: &Beginning<'_>,
        parent: Option<&str>,
    ) -> Result<(), Violation> {
        let (id, tag) = (beginning.id, beginning.subagent_run_id);
        let messages = self.of(OwnedKind::Message);
        let holder = parent.and_then(|parent| Some((parent, messages.get(parent)?)));
        if let Some((parent, holder)) = holder
            && holder
                .agree(tag, OwnedKind::Message.as_str(), parent)
                .is_err()
        {
            let message = format!(
                "the call `{id}` is put into `{parent}` of {}",
                holder.name()
            );
            return Err(Violation::new("subagent.wrong-parent", message).with(holder.index));
        }
        let inherited = holder.and_then(|(_, holder)| holder.subagent_run_id.as_deref());
        match self.of(what).get(id) {
            None => {
                let owner = Owner::new(index, tag.or(inherited));
                self.of_mut(what).insert(Id::from(id), owner);
                Ok(())
            }
            Some(owner) => {
                owner.agree(tag, what.as_str(), id)?;
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
        // Most events name no owner, and for those none is looked up. The events of a subagent name it by its id.
        match (part.kind.owners(), part.subagent_run_id) {
            (Some(what), Some(tag)) => self.agree(what, Some(tag), part.id),
            _ => Ok(()),
        }
    }

    /// Checks and notes what an event says of owners beside the items that it begins or continues.
    pub fn event(&mut self, index: usize, header: &Header<'_>) -> Result<(), Violation> {
        let tag = header.subagent_run_id();
        let what = match header.kind.role().subject {
            Subject::Value(kind) => kind.owners(),
            _ => None,
        };
        match (header.event(), what) {
            (Some(Event::RunStarted(_)), _) => self.seed(index, header, false),
            (Some(Event::MessagesSnapshot(_)), _) => self.seed(index, header, true),
            (Some(Event::ToolCallResult(event)), Some(what)) => {
                let owner = Owner::new(index, tag);
                self.of_mut(what).insert(Id::from(&event.message_id), owner);
            }
            (Some(Event::ActivitySnapshot(event)), Some(what)) => {
                self.activity(what, index, event);
            }
            (Some(Event::ActivityDelta(event)), Some(what)) => {
                return self.agree(what, tag, &event.message_id);
            }
            (Some(Event::ReasoningEncryptedValue(event)), _) => return self.encrypted_value(event),
            _ => {}
        }
        Ok(())
    }

    /// An activity belongs to whom its last replacing snapshot names.
    fn activity(&mut self, what: OwnedKind, index: usize, event: &ActivitySnapshotEvent) {
        let activities = self.of_mut(what);
        if event.replace != Some(false) || !activities.contains_key(event.message_id.as_str()) {
            let owner = Owner::new(index, event.subagent_run_id.as_deref());
            activities.insert(Id::from(&event.message_id), owner);
        }
    }

    fn encrypted_value(&self, event: &ReasoningEncryptedValueEvent) -> Result<(), Violation> {
        let (id, tag) = (event.entity_id.as_str(), event.subagent_run_id.as_deref());
        match event.subtype {
            EncryptedValueSubtype::ToolCall => self.agree(OwnedKind::ToolCall, tag, id),
            EncryptedValueSubtype::Message => {
                let messages = self.of(OwnedKind::Message).get(id);
                let owner = messages.or_else(|| self.of(OwnedKind::Reasoning).get(id));
                owner.map_or(Ok(()), |owner| {
                    owner.agree(tag, OwnedKind::Message.as_str(), id)
                })
            }
            // It is not known what the id is of.
            EncryptedValueSubtype::Other(_) => Ok(()),
        }
    }

    /// The id of a subagent is for one time that it works, and its parent has begun before.
    fn subagent_begun(
        &mut self,
        what: OwnedKind,
        index: usize,
        beginning: &Beginning<'_>,
    ) -> Result<(), Violation> {
        let (id, parent) = (beginning.id, beginning.subagent_run_id);
        let subagents = self.of_mut(what);
        let unknown = parent.filter(|parent| !subagents.contains_key(*parent));
        if let Some(earlier) = subagents.get(id) {
            let message = format!("the run has had a subagent `{id}` before");
            return Err(Violation::new("subagent.reused", message).with(earlier.index));
        }
        subagents.insert(Id::from(id), Owner::new(index, parent));
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
        let mut note = |what: OwnedKind, id: &str| {
            let registry = self.of_mut(what);
            if overrules || !registry.contains_key(id) {
                let owner = Owner::new(index, message.subagent_run_id);
                registry.insert(Id::from(id), owner);
            }
        };
        match message.role {
            "reasoning" => note(OwnedKind::Reasoning, id),
            "activity" => note(OwnedKind::Activity, id),
            _ => note(OwnedKind::Message, id),
        }
        for call in &message.call_ids {
            note(OwnedKind::ToolCall, call);
        }
    }
}
