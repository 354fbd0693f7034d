//! The messages of a thread in order, as events build them.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::chain::Chain;
use chatstate_json::{Object, SplitText, Value};

/// Where a tool call stands: the message and the place among its calls.
#[derive(Clone, Copy)]
struct CallPlace {
    message: usize,
    call: usize,
}

/// The messages, with the places of ids kept beside them, so that an event costs what it changes.
#[derive(Clone, Default)]
pub(super) struct Thread {
    /// Shared by the branches that leave them as they are.
    messages: Chain<Arc<Object>>,
    places: HashMap<Arc<str>, usize>,
    calls: HashMap<Arc<str>, CallPlace>,
    /// The places of the messages of each kind. A message that went or changed its role is still
    /// named where it was.
    kinds: [Vec<usize>; 3],
    /// By assistant messages, the last of the results that follow them.
    results: HashMap<usize, usize>,
    /// Whether two messages or two tool calls have had one id, of which only the first is found.
    has_twins: bool,
}

/// What a snapshot may leave where it is: activities and reasoning.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Activity,
    Reasoning,
    Other,
}

impl Kind {
    fn of(message: &Object) -> Self {
        match role_of(message) {
            Some("activity") => Self::Activity,
            Some("reasoning") => Self::Reasoning,
            _ => Self::Other,
        }
    }
}

impl PartialEq for Thread {
    fn eq(&self, other: &Self) -> bool {
        self.messages.iter().eq(other.messages.iter())
    }
}

impl Thread {
    /// The message with this id; of several, the first.
    pub fn find(&self, id: &str) -> Option<&Object> {
        self.message(*self.places.get(id)?)
    }

    /// The message with this id, to change; its id, its role and its tool calls must stay.
    pub fn find_mut(&mut self, id: &str) -> Option<&mut Object> {
        let place = *self.places.get(id)?;
        self.messages.get_mut(place).map(Arc::make_mut)
    }

    fn message(&self, place: usize) -> Option<&Object> {
        self.messages.get(place).map(Arc::as_ref)
    }

    /// The role of the message with this id.
    pub fn role(&self, id: &str) -> Option<&str> {
        role_of(self.find(id)?)
    }

    /// The tool call with this id, to change; its id must stay.
    pub fn call_mut(&mut self, id: &str) -> Option<&mut Object> {
        let place = *self.calls.get(id)?;
        let message = self.messages.get_mut(place.message).map(Arc::make_mut)?;
        let Some(Value::Array(calls)) = message.get_mut("toolCalls") else {
            return None;
        };
        match calls.get_mut(place.call) {
            Some(Value::Object(call)) => Some(call),
            _ => None,
        }
    }

    /// Adds a message at the end and tells its place. Of two messages of one id, the id only finds
    /// the first.
    pub fn push(&mut self, message: Object) -> usize {
        let place = self.messages.push(Arc::new(message));
        self.note(place);
        place
    }

    /// The place of the message with this id.
    pub fn place(&self, id: &str) -> Option<usize> {
        self.places.get(id).copied()
    }

    /// Puts another message where the one with this id stands.
    pub fn replace(&mut self, id: &str, message: Object) {
        if let Some(place) = self.place(id) {
            self.replace_at(place, message);
            self.note_twins();
        }
    }

    fn replace_at(&mut self, place: usize, message: Object) {
        self.forget(place);
        if let Some(before) = self.messages.get_mut(place) {
            if role_of(before) != role_of(&message) {
                self.results.clear();
            }
            *before = Arc::new(message);
        }
        self.note(place);
    }

    /// Adds a tool call to the assistant message at this place.
    pub fn push_call(&mut self, place: usize, call_id: &str, call: Object) {
        let Some(message) = self.messages.get_mut(place).map(Arc::make_mut) else {
            return;
        };
        if !message.contains_key("toolCalls") {
            message.insert("toolCalls", Vec::new());
        }
        if let Some(Value::Array(calls)) = message.get_mut("toolCalls") {
            let place = CallPlace {
                message: place,
                call: calls.len(),
            };
            calls.push(Value::from(call));
            self.has_twins |= !note_call(&mut self.calls, call_id, place);
        }
    }

    /// Adds a tool's result after the message that made the call and the results that follow it,
    /// or at the end when nobody made the call.
    pub fn insert_result(&mut self, call_id: &str, message: Object) {
        let is = |place: usize, role: &str| self.message(place).and_then(role_of) == Some(role);
        let owner = self.calls.get(call_id).map(|place| place.message);
        let Some(owner) = owner.filter(|place| is(*place, "assistant")) else {
            self.push(message);
            return;
        };
        let mut last = self.results.get(&owner).copied().unwrap_or(owner);
        while let Some(next) = self.messages.after(last).filter(|next| is(*next, "tool")) {
            last = next;
        }
        let place = self.messages.insert_after(last, Arc::new(message));
        self.results.insert(owner, place);
        self.note(place);
        self.note_twins();
    }

    /// Makes the messages those of a snapshot: known ids keep their place and take the snapshot's
    /// value, new ones follow in its order, others go. Activities go only if the snapshot has some
    /// of its own, and so does reasoning.
    pub fn apply_snapshot(&mut self, snapshot: Vec<Object>) {
        let mut latest: HashMap<&str, usize> = HashMap::new();
        for (number, message) in snapshot.iter().enumerate() {
            latest.extend(id_of(message).map(|id| (id, number)));
        }
        let goes = [Kind::Activity, Kind::Reasoning, Kind::Other].map(|kind| {
            kind == Kind::Other || snapshot.iter().any(|message| Kind::of(message) == kind)
        });
        if self.has_twins {
            return self.apply_to_twins(&snapshot, &latest, goes);
        }
        self.remove(goes, |id| latest.contains_key(id));
        let change = |(number, message): (usize, &Object)| {
            let Some(id) = id_of(message) else {
                return Change::Added;
            };
            match self.places.get(id) {
                None => Change::Added,
                Some(place) if latest.get(id) == Some(&number) => Change::Replaces(*place),
                Some(_) => Change::Overruled,
            }
        };
        let changes: Vec<_> = snapshot.iter().enumerate().map(change).collect();
        for (message, change) in snapshot.into_iter().zip(changes) {
            match change {
                Change::Added => drop(self.push(message)),
                Change::Replaces(place) => self.replace_at(place, message),
                Change::Overruled => {}
            }
        }
        self.note_twins();
    }

    /// The same where an id does not tell two messages apart: both take the snapshot's value.
    fn apply_to_twins(
        &mut self,
        snapshot: &[Object],
        latest: &HashMap<&str, usize>,
        goes: [bool; 3],
    ) {
        let mut known = HashSet::new();
        for message in std::mem::take(self).into_messages() {
            let id = id_of(&message);
            known.extend(id.map(str::to_owned));
            match id.and_then(|id| latest.get(id)) {
                Some(number) => drop(self.push(snapshot[*number].clone())),
                None if goes[Kind::of(&message) as usize] => {}
                None => drop(self.push(message)),
            }
        }
        let is_new = |message: &&Object| id_of(message).is_none_or(|id| !known.contains(id));
        for message in snapshot.iter().filter(is_new) {
            self.push(message.clone());
        }
    }

    /// Removes the messages of some kinds but for those that a snapshot holds, which will be noted
    /// again when they take its value.
    fn remove(&mut self, goes: [bool; 3], holds: impl Fn(&str) -> bool) {
        for kind in (0..goes.len()).filter(|kind| goes[*kind]) {
            for place in std::mem::take(&mut self.kinds[kind]) {
                let goes = self.message(place).is_some_and(|message| {
                    Kind::of(message) as usize == kind && !id_of(message).is_some_and(&holds)
                });
                if goes {
                    self.forget(place);
                    self.messages.remove(place);
                }
            }
        }
        self.results.clear();
    }

    /// Whether a message holds this tool call.
    pub fn holds_call(&self, id: &str) -> bool {
        self.calls.contains_key(id)
    }

    /// The messages in order.
    pub fn messages(&self) -> impl Iterator<Item = &Object> {
        self.messages.iter().map(Arc::as_ref)
    }

    /// The messages in order.
    pub fn into_messages(self) -> Vec<Object> {
        let messages = self.messages.into_values().into_iter();
        messages.map(Arc::unwrap_or_clone).collect()
    }

    /// Notes where the ids of a message stand.
    fn note(&mut self, place: usize) {
        let Some(message) = self.messages.get(place) else {
            return;
        };
        self.kinds[Kind::of(message) as usize].push(place);
        if let Some(id) = id_of(message) {
            match self.places.entry(Arc::from(id)) {
                Entry::Vacant(entry) => drop(entry.insert(place)),
                Entry::Occupied(known) => self.has_twins |= *known.get() != place,
            }
        }
        for (call, id) in call_ids(message) {
            let place = CallPlace {
                message: place,
                call,
            };
            self.has_twins |= !note_call(&mut self.calls, id, place);
        }
    }

    /// Forgets where the ids of a message stand.
    fn forget(&mut self, place: usize) {
        let Some(message) = self.messages.get(place) else {
            return;
        };
        if let Some(id) = id_of(message)
            && self.places.get(id) == Some(&place)
        {
            self.places.remove(id);
        }
        for (_, id) in call_ids(message) {
            if self.calls.get(id).is_some_and(|call| call.message == place) {
                self.calls.remove(id);
            }
        }
    }

    /// Finds all ids again if one stands twice: which of the two is first may have changed. Ids are
    /// unique in a thread as it should be, so this hardly ever costs anything.
    fn note_twins(&mut self) {
        if !std::mem::take(&mut self.has_twins) {
            return;
        }
        self.places.clear();
        self.calls.clear();
        self.kinds = Default::default();
        let places: Vec<_> = self.messages.places().collect();
        for place in places {
            self.note(place);
        }
    }
}

/// What a message of a snapshot does to the messages that are known.
enum Change {
    Added,
    Replaces(usize),
    /// A later message of the snapshot has the same id.
    Overruled,
}

/// Notes where a tool call stands; `false` if another one has its id.
fn note_call(calls: &mut HashMap<Arc<str>, CallPlace>, id: &str, place: CallPlace) -> bool {
    match calls.entry(Arc::from(id)) {
        Entry::Vacant(entry) => {
            entry.insert(place);
            true
        }
        Entry::Occupied(_) => false,
    }
}

/// The tool calls of a message that have an id, each with its place among them.
fn call_ids(message: &Object) -> impl Iterator<Item = (usize, &str)> {
    let calls = message.get("toolCalls").and_then(Value::as_array);
    let ids = calls.unwrap_or_default().iter().map(|call| call.get("id"));
    ids.enumerate()
        .filter_map(|(call, id)| Some((call, id?.as_str()?)))
}

fn id_of(message: &Object) -> Option<&str> {
    message.get("id")?.as_str()
}

fn role_of(message: &Object) -> Option<&str> {
    message.get("role")?.as_str()
}

/// Appends text to a member that holds text; a member of another kind begins anew.
///
/// Half a character that an aborted run left at the end cannot be completed any more when the text
/// goes on, and U+FFFD takes its place.
pub(super) fn append_text(object: &mut Object, name: &str, delta: &SplitText) {
    let Some(place) = object.get_mut(name) else {
        object.insert(name, delta.clone());
        return;
    };
    let mut text = match std::mem::take(place) {
        Value::String(text) => SplitText::from(text),
        Value::Split(text) => *text,
        _ => SplitText::default(),
    };
    text.push_lossy(delta);
    *place = Value::from(text);
}

/// Folds metadata into an object, name by name; the last write wins.
pub(super) fn fold_metadata(object: &mut Object, metadata: Option<&Object>) {
    let Some(metadata) = metadata else {
        return;
    };
    let mut folded = match object.get("metadata") {
        Some(Value::Object(before)) => before.clone(),
        _ => Object::new(),
    };
    folded.extend(
        metadata
            .iter()
            .map(|(name, value)| (name.clone(), value.clone())),
    );
    object.insert("metadata", folded);
}
