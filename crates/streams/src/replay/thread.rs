//! The messages of a thread in order, as events build them.
//!
//! A thread is a persistent structure: its copies share what none of them has changed since. So the
//! thread at the end of every run can be kept, and branches cost what they change.

mod changes;
mod reverse;
mod texts;

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use rpds::{HashTrieMapSync, RedBlackTreeMapSync, RedBlackTreeSetSync};

use crate::sequence::{Id, IdHasher};
use changes::ThreadChanges;
use chatstate_json::{Object, Raw, Value};

pub(crate) use changes::PackedThreadChanges;

/// The place of a message among the others. Ranks grow along the thread, with gaps in which
/// results of tools are inserted.
type Rank = u64;

/// The gap behind a message that is appended. Results that are inserted take the next rank, so a
/// gap is as good as never used up; if it is, all ranks are given anew.
const GAP: Rank = 1 << 32;

type Ids<P> = HashTrieMapSync<Id, Places<P>, IdHasher>;

/// What a snapshot may leave where it is: activities and reasoning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum MessageClass {
    Activity,
    Reasoning,
    Other,
}

const CLASSES: [MessageClass; 3] = [
    MessageClass::Activity,
    MessageClass::Reasoning,
    MessageClass::Other,
];

impl MessageClass {
    fn of(message: &Object) -> Self {
        Self::of_role(role_of(message))
    }

    fn of_role(role: Option<&str>) -> Self {
        match role {
            Some("activity") => Self::Activity,
            Some("reasoning") => Self::Reasoning,
            _ => Self::Other,
        }
    }
}

/// Where a message is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct MessagePlace {
    rank: Rank,
    class: MessageClass,
}

/// Where a tool call is kept: its message, and its number among the calls of that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct CallPlace {
    message: MessagePlace,
    call: usize,
}

/// The places of one id. An id rarely has two, and then the first counts.
#[derive(Clone)]
enum Places<P: Ord> {
    One(P),
    Many(Box<RedBlackTreeSetSync<P>>),
}

impl<P: Ord + Copy> Places<P> {
    fn first(&self) -> Option<P> {
        match self {
            Self::One(place) => Some(*place),
            Self::Many(places) => places.first().copied(),
        }
    }

    fn all(&self) -> Vec<P> {
        match self {
            Self::One(place) => vec![*place],
            Self::Many(places) => places.iter().copied().collect(),
        }
    }

    fn add(&mut self, place: P) {
        match self {
            Self::One(known) if *known == place => {}
            Self::One(known) => {
                let mut places = RedBlackTreeSetSync::new_sync();
                places.insert_mut(*known);
                places.insert_mut(place);
                *self = Self::Many(Box::new(places));
            }
            Self::Many(places) => places.insert_mut(place),
        }
    }

    /// Takes a place away; `true` if none is left.
    fn remove(&mut self, place: P) -> bool {
        match self {
            Self::One(known) => *known == place,
            Self::Many(places) => {
                places.remove_mut(&place);
                places.is_empty()
            }
        }
    }
}

/// The messages, with the places of ids kept beside them, so that an event costs what it changes.
#[derive(Clone)]
pub(crate) struct Thread {
    messages: [RedBlackTreeMapSync<Rank, Arc<Object>>; CLASSES.len()],
    ids: Ids<MessagePlace>,
    calls: Ids<CallPlace>,
    /// By assistant messages, the last of the results that follow them.
    results: RedBlackTreeMapSync<Rank, Rank>,
    /// The rank of the message that is appended next.
    next: Rank,
    /// How many places of ids are not the only one of their id.
    shared_ids: usize,
    /// What the run in progress changed.
    changes: ThreadChanges,
}

impl Default for Thread {
    fn default() -> Self {
        Self {
            messages: CLASSES.map(|_| RedBlackTreeMapSync::new_sync()),
            ids: HashTrieMapSync::default(),
            calls: HashTrieMapSync::default(),
            results: RedBlackTreeMapSync::new_sync(),
            next: GAP,
            shared_ids: 0,
            changes: ThreadChanges::default(),
        }
    }
}

impl PartialEq for Thread {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.shared().eq(other.shared())
    }
}

impl Thread {
    /// How many messages there are.
    pub fn len(&self) -> usize {
        self.messages.iter().map(RedBlackTreeMapSync::size).sum()
    }

    /// The message with this id; of several, the first.
    pub fn find(&self, id: &str) -> Option<&Object> {
        self.message(self.place(id)?)
    }

    /// The message with this id, to change; its id, its role and its tool calls must stay.
    pub fn find_mut(&mut self, id: &str) -> Option<&mut Object> {
        let place = self.place(id)?;
        self.message_mut(place)
    }

    fn message(&self, place: MessagePlace) -> Option<&Object> {
        let messages = &self.messages[place.class as usize];
        messages.get(&place.rank).map(Arc::as_ref)
    }

    fn message_mut(&mut self, place: MessagePlace) -> Option<&mut Object> {
        let messages = &mut self.messages[place.class as usize];
        let message = messages.get_mut(&place.rank)?;
        self.changes.note(place, Some(message));
        Some(Arc::make_mut(message))
    }

    /// The role of the message with this id.
    pub fn role(&self, id: &str) -> Option<&str> {
        role_of(self.find(id)?)
    }

    /// The tool call with this id.
    pub fn call(&self, id: &str) -> Option<&Object> {
        let place = self.calls.get(id)?.first()?;
        let calls = self.message(place.message)?.get("toolCalls")?.as_array()?;
        calls.get(place.call)?.as_object()
    }

    /// The tool call with this id, to change; its id must stay.
    pub fn call_mut(&mut self, id: &str) -> Option<&mut Object> {
        let place = self.calls.get(id)?.first()?;
        let message = self.message_mut(place.message)?;
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
    pub fn push(&mut self, message: Object) -> MessagePlace {
        let rank = self.next;
        self.next += GAP;
        self.put(rank, message)
    }

    /// The place of the message with this id.
    pub fn place(&self, id: &str) -> Option<MessagePlace> {
        self.ids.get(id)?.first()
    }

    /// Replaces the message with this id.
    pub fn replace(&mut self, id: &str, message: Object) {
        if let Some(place) = self.place(id) {
            self.replace_at(place, message);
        }
    }

    fn replace_at(&mut self, place: MessagePlace, message: Object) {
        let role = self.message(place).and_then(role_of);
        if role != role_of(&message) {
            self.results = RedBlackTreeMapSync::new_sync();
        }
        self.remove(place);
        self.put(place.rank, message);
    }

    /// Adds a tool call to the assistant message at this place.
    pub fn push_call(&mut self, place: MessagePlace, call_id: &str, call: Object) {
        let Some(message) = self.message_mut(place) else {
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
            self.shared_ids += usize::from(index(&mut self.calls, call_id, place));
        }
    }

    /// Adds a tool's result after the message that made the call and the results that follow it,
    /// or at the end when no message has the call.
    pub fn insert_result(&mut self, call_id: &str, message: Object) {
        let call = self.calls.get(call_id).and_then(Places::first);
        let is = |place, role: &str| self.message(place).and_then(role_of) == Some(role);
        let Some(owner) = call
            .map(|call| call.message)
            .filter(|place| is(*place, "assistant"))
        else {
            self.push(message);
            return;
        };
        let mut last = self.results.get(&owner.rank).copied();
        let mut next = self.after(last.unwrap_or(owner.rank));
        while let Some(place) = next.filter(|next| is(*next, "tool")) {
            last = Some(place.rank);
            next = self.after(place.rank);
        }
        let last = last.unwrap_or(owner.rank);
        if next.is_some_and(|next| next.rank == last + 1) {
            self.spread();
            return self.insert_result(call_id, message);
        }
        self.results.insert_mut(owner.rank, last + 1);
        self.put(last + 1, message);
    }

    /// The message after this rank.
    fn after(&self, rank: Rank) -> Option<MessagePlace> {
        let first = |class: &MessageClass| {
            let (rank, _) = self.messages[*class as usize].range(rank + 1..).next()?;
            Some(MessagePlace {
                rank: *rank,
                class: *class,
            })
        };
        CLASSES.iter().filter_map(first).min()
    }

    /// Gives all ranks anew, with whole gaps between them.
    fn spread(&mut self) {
        self.note_all();
        let messages: Vec<_> = self.shared().cloned().collect();
        *self = Self {
            changes: std::mem::take(&mut self.changes),
            ..Self::default()
        };
        for message in messages {
            let rank = self.next;
            self.next += GAP;
            self.put_shared(rank, message);
        }
    }

    /// Makes the messages those of a snapshot: known ids keep their place and take the snapshot's
    /// value, new ones follow in its order, others go. Activities go only if the snapshot has some
    /// of its own, and so does reasoning.
    pub fn apply_snapshot(&mut self, snapshot: &[Raw<'_>]) {
        let mut latest: HashMap<Cow<'_, str>, usize, IdHasher> = HashMap::default();
        for (number, message) in snapshot.iter().enumerate() {
            latest.extend(text_in(*message, "id").map(|id| (id, number)));
        }
        for class in CLASSES {
            let holds = |message: &Raw<'_>| {
                MessageClass::of_role(text_in(*message, "role").as_deref()) == class
            };
            if class == MessageClass::Other || snapshot.iter().any(holds) {
                self.remove_others(class, |id| latest.contains_key(id));
            }
        }
        self.results = RedBlackTreeMapSync::new_sync();
        let change = |(number, message): (usize, &Raw<'_>)| {
            let known = text_in(*message, "id").and_then(|id| Some((self.ids.get(&*id)?, id)));
            match known {
                None => SnapshotChange::Added,
                Some((places, id)) if latest.get(&id) == Some(&number) => {
                    SnapshotChange::Replaces(places.all())
                }
                Some(_) => SnapshotChange::Overruled,
            }
        };
        let changes: Vec<_> = snapshot.iter().enumerate().map(change).collect();
        for (message, change) in snapshot.iter().zip(changes) {
            match change {
                SnapshotChange::Added => drop(self.push(message.object())),
                SnapshotChange::Replaces(places) => {
                    for place in places {
                        // Most snapshots repeat most messages, which stay shared.
                        if self.message(place).is_none_or(|known| *message != *known) {
                            self.replace_at(place, message.object());
                        }
                    }
                }
                SnapshotChange::Overruled => {}
            }
        }
    }

    /// Removes the messages of a class but for those that a snapshot holds.
    fn remove_others(&mut self, class: MessageClass, holds: impl Fn(&str) -> bool) {
        let messages = self.messages[class as usize].iter();
        let goes = messages.filter(|(_, message)| !id_of(message).is_some_and(&holds));
        let goes: Vec<Rank> = goes.map(|(rank, _)| *rank).collect();
        for rank in goes {
            self.remove(MessagePlace { rank, class });
        }
    }

    /// Whether a message holds this tool call.
    pub fn holds_call(&self, id: &str) -> bool {
        self.calls.contains_key(id)
    }

    /// Whether two messages or two tool calls have one id.
    pub fn has_shared_ids(&self) -> bool {
        self.shared_ids > 0
    }

    /// The messages in order.
    pub fn messages(&self) -> impl Iterator<Item = &Object> {
        self.shared().map(Arc::as_ref)
    }

    fn shared(&self) -> impl Iterator<Item = &Arc<Object>> {
        let mut classes = self
            .messages
            .each_ref()
            .map(|messages| messages.iter().peekable());
        std::iter::from_fn(move || {
            let first = classes.iter_mut().enumerate();
            let first = first.filter_map(|(class, messages)| Some((*messages.peek()?.0, class)));
            let (_, class) = first.min()?;
            Some(classes[class].next()?.1)
        })
    }

    fn put(&mut self, rank: Rank, message: Object) -> MessagePlace {
        self.put_shared(rank, Arc::new(message))
    }

    fn put_shared(&mut self, rank: Rank, message: Arc<Object>) -> MessagePlace {
        let class = MessageClass::of(&message);
        let place = MessagePlace { rank, class };
        let known = self.messages[class as usize].get(&rank);
        self.changes.note(place, known);
        if let Some(id) = id_of(&message) {
            self.shared_ids += usize::from(index(&mut self.ids, id, place));
        }
        for (call, id) in call_ids(&message) {
            let place = CallPlace {
                message: place,
                call,
            };
            self.shared_ids += usize::from(index(&mut self.calls, id, place));
        }
        self.messages[class as usize].insert_mut(rank, message);
        place
    }

    fn remove(&mut self, place: MessagePlace) {
        let messages = &mut self.messages[place.class as usize];
        let Some(message) = messages.get(&place.rank).cloned() else {
            return;
        };
        self.changes.note(place, Some(&message));
        messages.remove_mut(&place.rank);
        if let Some(id) = id_of(&message) {
            self.shared_ids -= usize::from(unindex(&mut self.ids, id, place));
        }
        for (call, id) in call_ids(&message) {
            let place = CallPlace {
                message: place,
                call,
            };
            self.shared_ids -= usize::from(unindex(&mut self.calls, id, place));
        }
    }
}

/// What a message of a snapshot does to the messages that are known.
enum SnapshotChange {
    Added,
    /// All messages of its id take its value.
    Replaces(Vec<MessagePlace>),
    /// A later message of the snapshot has the same id.
    Overruled,
}

/// Notes a place of an id; `true` if it has another.
fn index<P: Ord + Copy>(ids: &mut Ids<P>, id: &str, place: P) -> bool {
    // To look for an id in order to change it copies what leads to its place.
    if ids.contains_key(id)
        && let Some(places) = ids.get_mut(id)
    {
        places.add(place);
        return true;
    }
    ids.insert_mut(Id::from(id), Places::One(place));
    false
}

/// Removes a place of an id; `true` if it still has another.
fn unindex<P: Ord + Copy>(ids: &mut Ids<P>, id: &str, place: P) -> bool {
    let Some(places) = ids.get_mut(id) else {
        return false;
    };
    if places.remove(place) {
        ids.remove_mut(id);
        return false;
    }
    true
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

/// The text of a member of a message that is not a tree.
fn text_in<'t>(message: Raw<'t>, name: &str) -> Option<Cow<'t, str>> {
    message.member(name)?.1.text()
}

fn role_of(message: &Object) -> Option<&str> {
    message.get("role")?.as_str()
}
