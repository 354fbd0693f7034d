//! What the run in progress does to messages.

mod whole;

use std::collections::{HashMap, HashSet};

use super::draft::{CallDraft, Draft, Encrypted};
use super::entries::{CONVERSATION, Calls, Entries, Known, Role};
use super::hash::{Identity, hash_of};
use super::path::{CLASSES, NONE, Path, Place};
use super::{Held, Item};
use crate::compact::metadata::FoldedMetadata;
use crate::head::{Digest, MessageHead};
use crate::replay::ItemKind;
use chatstate_json::Rejection;
use chatstate_json::{Object, Value, canonical};

/// The messages that the run in progress made or changed, by the hash of their id.
pub(super) struct RunMessages {
    pub place: Place,
    pub predecessor: Place,
    messages: HashMap<u64, Message, Identity>,
    calls: HashMap<u64, CallPlace, Identity>,
    /// The calls that the run's messages make, with the messages.
    holders: Vec<(u64, u64)>,
    /// The classes of messages that a snapshot restated.
    restated: [bool; CLASSES],
}

impl Default for RunMessages {
    fn default() -> Self {
        Self::of(NONE, NONE)
    }
}

/// A message that the run made or changed.
enum Message {
    /// Built by the events of this run alone.
    Draft(Box<Draft>),
    Settled(Known),
}

/// Where a call of this run stands.
#[derive(Clone, Copy)]
enum CallPlace {
    /// In a draft: the message, and the place among its calls.
    Draft(u64, usize),
    /// In a message that is not found by its id, because another one with it came first.
    Hidden,
    /// In a message that others made too.
    Elsewhere,
}

impl Message {
    fn role(&self) -> Role {
        match self {
            Self::Draft(draft) => Role::of(&draft.role),
            Self::Settled(known) => known.role,
        }
    }
}

fn unknown(role: Role) -> Message {
    Message::Settled(Known {
        role,
        digest: None,
        spelling: 0,
    })
}

impl RunMessages {
    pub fn of(place: Place, predecessor: Place) -> Self {
        Self {
            place,
            predecessor,
            messages: HashMap::default(),
            calls: HashMap::default(),
            holders: Vec::new(),
            restated: [false; CLASSES],
        }
    }

    /// Takes a message of the input, and tells whether there is one with its id and value.
    pub fn take_input(
        &mut self,
        path: &Path,
        entries: &mut Entries,
        id: &str,
        message: &MessageHead<'_>,
        digest: Option<Digest>,
    ) -> bool {
        let (key, spelling) = (hash_of(id), hash_of(message.value));
        let digest = || digest.or_else(|| Digest::of(message.value));
        let is_same = |known: &Known| {
            let same = |it| known.spelling == spelling || digest() == Some(it);
            known.digest.is_some_and(same)
        };
        if let Some(Message::Settled(known)) = self.messages.get(&key) {
            return is_same(known);
        }
        if let Some((place, known)) = entries.at(path, self.predecessor, key) {
            let is_same = is_same(&known);
            if is_same && known.spelling != spelling {
                entries.respell(place, spelling);
            }
            return is_same;
        }
        let known = Known {
            role: Role::of(&message.role),
            digest: digest(),
            spelling,
        };
        self.messages.insert(key, Message::Settled(known));
        self.note_calls(key, message);
        false
    }

    fn note_calls(&mut self, key: u64, message: &MessageHead<'_>) {
        for call in &message.call_ids {
            let call = hash_of(call);
            self.holders.push((call, key));
            self.calls.entry(call).or_insert(CallPlace::Elsewhere);
        }
    }

    /// Learns the unknown values from the messages as they are at the end of the run.
    pub fn learn(&mut self, messages: &[Object]) {
        let is_unknown = |message: &Message| matches!(message, Message::Settled(known) if known.digest.is_none());
        if !self.messages.values().any(is_unknown) {
            return;
        }
        let text =
            |message: &Object, name| message.get(name).and_then(Value::as_str).map(str::to_owned);
        let mut seen = HashSet::<u64, Identity>::default();
        for message in messages {
            let Some(id) = text(message, "id") else {
                continue;
            };
            let key = hash_of(&id);
            if let Some(Message::Settled(known)) = self.messages.get_mut(&key)
                && seen.insert(key)
                && known.digest.is_none()
            {
                known.role = Role::of(&text(message, "role").unwrap_or_default());
                let value = Value::Object(message.clone());
                known.digest = Some(Digest::of_canonical(&canonical(&value)));
            }
        }
        self.messages.retain(|_, message| match message {
            Message::Draft(_) => true,
            Message::Settled(known) => known.digest.is_some(),
        });
    }

    /// Hands what the run made of messages on to those that come after it.
    pub fn commit(self, path: &mut Path, entries: &mut Entries, calls: &mut Calls) {
        for (class, is_restated) in self.restated.iter().enumerate() {
            if *is_restated {
                path.restate(self.place, class);
            }
        }
        for (key, message) in self.messages {
            let known = match message {
                Message::Settled(known) => known,
                Message::Draft(draft) => Known {
                    role: Role::of(&draft.role),
                    digest: Some(draft.digest()),
                    spelling: 0,
                },
            };
            let before = entries.at(path, self.predecessor, key);
            let is_restated = known.role.class().is_some_and(|class| self.restated[class]);
            let stands = before.is_some_and(|(place, before)| {
                (before.role, before.digest) == (known.role, known.digest)
                    && (!is_restated || entries.confirm(path, self.place, place))
            });
            if !stands {
                entries.add(self.place, key, known);
            }
        }
        for (call, holder) in self.holders {
            calls.add(call, holder);
        }
    }
}

impl Held {
    /// What is known of the message that has this id now.
    fn find(&self, key: u64) -> Option<Known> {
        let (_, mut known) = self.entries.at(&self.path, self.run.predecessor, key)?;
        if self.run.restated[CONVERSATION] {
            known.role = known.role.when_restated();
        }
        let is_restated = known
            .role
            .class()
            .is_some_and(|class| self.run.restated[class]);
        (!is_restated).then_some(known)
    }

    /// The role of the message that has this id now.
    fn role(&self, key: u64) -> Option<Role> {
        match self.run.messages.get(&key) {
            Some(message) => Some(message.role()),
            None => self.find(key).map(|known| known.role),
        }
    }

    /// Makes the value of a message unknown, if there is such a message.
    fn touch(&mut self, key: u64) {
        if let Some(role) = self.role(key) {
            self.run.messages.insert(key, unknown(role));
        }
    }

    /// Makes the value of a message unknown, whether or not there is one.
    fn doubt(&mut self, key: u64) {
        let role = self.role(key).unwrap_or(Role::Doubtful);
        self.run.messages.insert(key, unknown(role));
    }

    fn draft(&mut self, key: u64) -> Option<&mut Draft> {
        match self.run.messages.get_mut(&key) {
            Some(Message::Draft(draft)) => Some(draft),
            _ => None,
        }
    }

    /// Begins an item.
    pub fn begin(&mut self, item: &Item<'_>) -> Result<(), Rejection> {
        if item.kind == ItemKind::ToolCall {
            return self.begin_call(item);
        }
        let key = hash_of(item.id);
        if self.role(key).is_none() {
            let role = match item.kind {
                ItemKind::Reasoning => "reasoning",
                _ => item.heads.role.as_deref().unwrap_or("assistant"),
            };
            let draft = Draft {
                id: item.id.to_owned(),
                role: role.to_owned(),
                name: item.heads.name.clone(),
                subagent_run_id: item.subagent_run_id.map(str::to_owned),
                content: Some(String::new()),
                ..Draft::default()
            };
            self.run
                .messages
                .insert(key, Message::Draft(Box::new(draft)));
        }
        let mut metadata = None;
        FoldedMetadata::fold_into(&mut metadata, item.metadata)?;
        self.continue_message(item.id, None, metadata.as_ref());
        Ok(())
    }

    pub(super) fn continue_message(
        &mut self,
        id: &str,
        delta: Option<&str>,
        metadata: Option<&FoldedMetadata>,
    ) {
        if delta.is_none() && metadata.is_none() {
            return;
        }
        let key = hash_of(id);
        if let Some(draft) = self.draft(key) {
            if let Some(delta) = delta {
                draft.content.get_or_insert_default().push_str(delta);
            }
            FoldedMetadata::fold_all(&mut draft.metadata, metadata);
        } else if self.role(key) != Some(Role::Activity) {
            self.touch(key);
        }
    }

    fn begin_call(&mut self, item: &Item<'_>) -> Result<(), Rejection> {
        let key = hash_of(item.id);
        let name = item.heads.tool_call_name.as_deref().unwrap_or_default();
        let parent = item.heads.parent_message_id.as_deref();
        let parent_key = parent.map(hash_of);
        match self.run.calls.get(&key).copied() {
            Some(CallPlace::Draft(holder, place)) => {
                if let Some(call) = self.call_draft(holder, place) {
                    name.clone_into(&mut call.name);
                    return FoldedMetadata::fold_into(&mut call.metadata, item.metadata);
                }
                self.begin_call_again(key, parent_key);
            }
            Some(CallPlace::Hidden) => {}
            Some(CallPlace::Elsewhere) => self.begin_call_again(key, parent_key),
            None if self.is_call_of_earlier_run(key) => self.begin_call_again(key, parent_key),
            None => self.begin_new_call(item, key, parent.zip(parent_key))?,
        }
        Ok(())
    }

    /// Whether an earlier run made a call, and no snapshot of this run took its message away.
    fn is_call_of_earlier_run(&self, key: u64) -> bool {
        !self.run.restated[CONVERSATION] && self.calls.is_known(key)
    }

    /// A call that another event made before, perhaps in a message that is gone by now.
    fn begin_call_again(&mut self, key: u64, parent: Option<u64>) {
        self.touch_holders(key);
        self.doubt(key);
        if let Some(parent) = parent {
            self.doubt(parent);
        }
        self.run.calls.insert(key, CallPlace::Elsewhere);
        let holders = [Some(key), parent].into_iter().flatten();
        self.run.holders.extend(holders.map(|holder| (key, holder)));
    }

    /// A call goes into its parent if that is an assistant's message, else into a new message.
    fn begin_new_call(
        &mut self,
        item: &Item<'_>,
        key: u64,
        parent: Option<(&str, u64)>,
    ) -> Result<(), Rejection> {
        let role = parent.and_then(|(_, parent)| self.role(parent));
        let (id, holder) = match (parent, role) {
            (Some(parent), None | Some(Role::Assistant)) => parent,
            (Some(_), Some(Role::Doubtful)) => {
                self.begin_call_again(key, parent.map(|(_, parent)| parent));
                return Ok(());
            }
            _ => (item.id, key),
        };
        self.run.holders.push((key, holder));
        let exists = self.role(holder);
        let is_parent = role == Some(Role::Assistant);
        match exists {
            Some(Role::Doubtful) => {
                self.begin_call_again(key, Some(holder));
                return Ok(());
            }
            Some(_) if !is_parent => {
                self.run.calls.insert(key, CallPlace::Hidden);
                return Ok(());
            }
            Some(_) if self.draft(holder).is_none() => {
                self.touch(holder);
                self.run.calls.insert(key, CallPlace::Elsewhere);
                return Ok(());
            }
            Some(_) => {}
            None => {
                let draft = Draft {
                    id: id.to_owned(),
                    role: "assistant".to_owned(),
                    subagent_run_id: item.subagent_run_id.map(str::to_owned),
                    ..Draft::default()
                };
                self.run
                    .messages
                    .insert(holder, Message::Draft(Box::new(draft)));
            }
        }
        let mut call = CallDraft {
            id: item.id.to_owned(),
            name: item.heads.tool_call_name.clone().unwrap_or_default(),
            ..CallDraft::default()
        };
        FoldedMetadata::fold_into(&mut call.metadata, item.metadata)?;
        if let Some(draft) = self.draft(holder) {
            draft.calls.push(call);
            let place = CallPlace::Draft(holder, draft.calls.len() - 1);
            self.run.calls.insert(key, place);
        }
        Ok(())
    }

    pub(super) fn continue_call(
        &mut self,
        id: &str,
        delta: Option<&str>,
        metadata: Option<&FoldedMetadata>,
    ) {
        if delta.is_none() && metadata.is_none() {
            return;
        }
        if let Some(call) = self.change_call(hash_of(id)) {
            call.arguments.push_str(delta.unwrap_or_default());
            FoldedMetadata::fold_all(&mut call.metadata, metadata);
        }
    }

    pub(super) fn encrypt_call(&mut self, id: &str, encrypted: Encrypted) {
        if let Some(call) = self.change_call(hash_of(id)) {
            call.encrypted = Some(encrypted);
        }
    }

    pub(super) fn encrypt_message(&mut self, id: &str, encrypted: Encrypted) {
        let key = hash_of(id);
        if let Some(draft) = self.draft(key) {
            draft.encrypted = Some(encrypted);
        } else if self.role(key) != Some(Role::Activity) {
            self.touch(key);
        }
    }

    /// The draft of a call that changes; the messages that may hold it are unknown from now on if
    /// there is none.
    fn change_call(&mut self, key: u64) -> Option<&mut CallDraft> {
        match self.run.calls.get(&key).copied() {
            Some(CallPlace::Hidden) => None,
            Some(CallPlace::Draft(holder, place)) if self.call_draft(holder, place).is_some() => {
                self.call_draft(holder, place)
            }
            _ => {
                self.touch_holders(key);
                None
            }
        }
    }

    fn call_draft(&mut self, holder: u64, place: usize) -> Option<&mut CallDraft> {
        self.draft(holder)?.calls.get_mut(place)
    }

    fn touch_holders(&mut self, key: u64) {
        let own = self.run.holders.iter().filter(|(call, _)| *call == key);
        let mut holders: Vec<u64> = own.map(|(_, holder)| *holder).collect();
        if !self.run.restated[CONVERSATION] {
            holders.extend(self.calls.holders(key));
        }
        for holder in holders {
            self.touch(holder);
        }
    }
}
