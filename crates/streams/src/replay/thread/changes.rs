//! What a run changed in its thread, so that the thread before it need not be kept.

use std::collections::BTreeMap;
use std::sync::Arc;

use rpds::RedBlackTreeMapSync;

use super::reverse::ReverseObject;
use super::texts::{self, TextPlace};
use super::{CLASSES, GAP, MessagePlace, Rank, Thread};
use chatstate_json::Object;

/// What was there before the run.
#[derive(Clone)]
pub(super) enum ThreadChanges {
    Places(PlaceChanges),
    /// The thread, whose places are others now.
    Thread(Box<Thread>),
}

/// What changed, if the messages before the run have their places still.
#[derive(Clone)]
pub(super) struct PlaceChanges {
    /// The run appended the messages from this rank on.
    first_appended: Rank,
    /// By the places before that, the message that was there.
    messages: BTreeMap<MessagePlace, Option<Arc<Object>>>,
    /// The length that texts had, in bytes, of messages of which only texts have grown. A copy of the
    /// message in each run that goes on with it would take a square of memory.
    texts: BTreeMap<TextPlace, usize>,
}

impl PlaceChanges {
    fn from(first_appended: Rank) -> Self {
        Self {
            first_appended,
            messages: BTreeMap::new(),
            texts: BTreeMap::new(),
        }
    }

    /// Whether what was at a place is noted already, or is none.
    fn knows(&self, place: MessagePlace) -> bool {
        place.rank >= self.first_appended || self.messages.contains_key(&place)
    }

    /// Notes the message at a place, whose texts may have grown.
    fn note(&mut self, place: MessagePlace, message: Option<&Arc<Object>>) {
        if self.knows(place) {
            return;
        }
        let mut before = message.cloned();
        for (place, length) in self.texts.extract_if(TextPlace::all_of(place), |_, _| true) {
            if let Some(message) = &mut before {
                texts::cut(Arc::make_mut(message), place, length);
            }
        }
        self.messages.insert(place, before);
    }

    /// Notes that a text of the message at its place is about to grow.
    fn note_growth(&mut self, place: TextPlace, message: &Arc<Object>) {
        if self.knows(place.message) {
            return;
        }
        match texts::length(message, place) {
            Some(length) => {
                self.texts.entry(place).or_insert(length);
            }
            None => self.note(place.message, Some(message)),
        }
    }
}

impl Default for ThreadChanges {
    fn default() -> Self {
        Self::Places(PlaceChanges::from(GAP))
    }
}

impl ThreadChanges {
    /// Notes the message at a place, if that is not noted.
    pub fn note(&mut self, place: MessagePlace, message: Option<&Arc<Object>>) {
        if let Self::Places(changes) = self {
            changes.note(place, message);
        }
    }

    /// Notes that a text of the message at its place is about to grow.
    pub fn note_growth(&mut self, place: TextPlace, message: &Arc<Object>) {
        if let Self::Places(changes) = self {
            changes.note_growth(place, message);
        }
    }
}

/// The same in less memory, for a run that is over.
pub(crate) enum PackedThreadChanges {
    Places {
        first_appended: Rank,
        messages: Box<[(MessagePlace, MessageBefore)]>,
        texts: Box<[(TextPlace, usize)]>,
    },
    Thread(Box<Thread>),
}

/// What was at a place before the run, where there is another message now.
pub(crate) enum MessageBefore {
    Absent,
    Message(Arc<Object>),
    /// A message that is made of the one that is there now.
    Delta(ReverseObject),
}

impl MessageBefore {
    fn of(before: Option<Arc<Object>>, now: Option<&Object>) -> Self {
        let Some(before) = before else {
            return Self::Absent;
        };
        match now.and_then(|now| ReverseObject::between(now, &before)) {
            Some(delta) => Self::Delta(delta),
            None => Self::Message(before),
        }
    }
}

impl Thread {
    /// Ends the run in progress, and gives what it changed.
    pub fn end_run(&mut self) -> PackedThreadChanges {
        let next = ThreadChanges::Places(PlaceChanges::from(self.next));
        match std::mem::replace(&mut self.changes, next) {
            ThreadChanges::Places(changes) => PackedThreadChanges::Places {
                first_appended: changes.first_appended,
                messages: self.pack(changes.messages),
                texts: changes.texts.into_iter().collect(),
            },
            ThreadChanges::Thread(before) => PackedThreadChanges::Thread(before),
        }
    }

    fn pack(
        &self,
        messages: BTreeMap<MessagePlace, Option<Arc<Object>>>,
    ) -> Box<[(MessagePlace, MessageBefore)]> {
        let messages = messages.into_iter();
        let messages = messages.map(|(place, before)| {
            let before = MessageBefore::of(before, self.message(place));
            (place, before)
        });
        messages.collect()
    }

    /// The thread before the run in progress.
    pub fn before_run(&self) -> Self {
        let mut before = self.clone();
        let changes = before.end_run();
        before.undo(&changes);
        before
    }

    /// Takes back what a run changed, after which nothing else was changed.
    pub fn undo(&mut self, changes: &PackedThreadChanges) {
        match changes {
            PackedThreadChanges::Places {
                first_appended,
                messages,
                texts,
            } => {
                self.remove_from(*first_appended);
                for (place, length) in texts {
                    self.cut(*place, *length);
                }
                for (place, before) in messages {
                    self.set(*place, before);
                }
                self.results = RedBlackTreeMapSync::new_sync();
            }
            PackedThreadChanges::Thread(before) => self.clone_from(before),
        }
        self.changes = ThreadChanges::Places(PlaceChanges::from(self.next));
    }

    /// Removes the messages from a rank on.
    fn remove_from(&mut self, first: Rank) {
        for class in CLASSES {
            let messages = self.messages[class as usize].range(first..);
            let ranks: Vec<_> = messages.map(|(rank, _)| *rank).collect();
            for rank in ranks {
                self.remove(MessagePlace { rank, class });
            }
        }
    }

    fn set(&mut self, place: MessagePlace, before: &MessageBefore) {
        let now = self.messages[place.class as usize]
            .get(&place.rank)
            .cloned();
        self.remove(place);
        let message = match before {
            MessageBefore::Absent => return,
            MessageBefore::Message(message) => message.clone(),
            MessageBefore::Delta(delta) => {
                let mut message = now.unwrap_or_default();
                delta.apply(Arc::make_mut(&mut message));
                message
            }
        };
        self.put_shared(place.rank, message);
    }

    /// Notes the whole thread, whose places become others.
    pub(super) fn note_all(&mut self) {
        self.changes = ThreadChanges::Thread(Box::new(self.before_run()));
    }
}

#[cfg(test)]
mod tests {
    use super::super::GAP;
    use super::*;
    use chatstate_json::parse;

    fn message(text: &str) -> Object {
        let value = parse(text).expect("it is JSON");
        value.as_object().expect("it is an object").clone()
    }

    #[test]
    fn a_run_is_taken_back_that_gave_all_places_anew() {
        let mut thread = Thread::default();
        thread.push(message(
            r#"{"id":"m","role":"assistant","toolCalls":[{"id":"c"}]}"#,
        ));
        // So that only one result has a place before the next message.
        thread.next = GAP + 2;
        thread.push(message(r#"{"id":"n","role":"user"}"#));
        thread.end_run();
        let before = thread.clone();
        for result in ["r", "s"] {
            let result = format!(r#"{{"id":"{result}","role":"tool","toolCallId":"c"}}"#);
            thread.insert_result("c", message(&result));
        }
        let ids: Vec<_> = thread.messages().filter_map(super::super::id_of).collect();
        assert_eq!(ids, ["m", "r", "s", "n"]);
        let changes = thread.end_run();
        assert!(matches!(changes, PackedThreadChanges::Thread(_)));
        thread.undo(&changes);
        assert!(thread == before);
    }

    /// A run on a message with a text and a call: what it changed is taken back, and noted by copies
    /// of this many messages.
    fn check(name: &str, copies: usize, run: impl FnOnce(&mut Thread)) {
        let mut thread = Thread::default();
        thread.push(message(
            r#"{"id":"m","role":"assistant","content":"é","toolCalls":[{"id":"c","function":{"arguments":"{"}}]}"#,
        ));
        thread.end_run();
        let before = thread.clone();
        run(&mut thread);
        assert!(thread != before, "{name} changes nothing");
        let changes = thread.end_run();
        let PackedThreadChanges::Places { messages, .. } = &changes else {
            unreachable!("no place is another");
        };
        assert_eq!(messages.len(), copies, "{name}");
        thread.undo(&changes);
        assert!(thread == before, "{name} is not taken back");
    }

    fn append(thread: &mut Thread, delta: &str) {
        let delta = chatstate_json::SplitText::from(delta);
        for place in [thread.content_of("m"), thread.arguments_of("c")] {
            thread.append(place.expect("there is a text"), &delta);
        }
    }

    #[test]
    fn texts_that_grow_are_taken_back_without_a_copy() {
        let half = chatstate_json::SplitText::new(None, String::new(), Some(0xd83d));
        let half = half.expect("it is a high surrogate");
        let set = |thread: &mut Thread| {
            let message = thread.find_mut("m").expect("it is there");
            message.insert("encryptedValue", "e");
        };
        check("a delta", 0, |thread| append(thread, "a"));
        check("two deltas", 0, |thread| {
            append(thread, "a");
            append(thread, "ü");
        });
        check("half a character", 0, |thread| {
            let content = thread.content_of("m").expect("there is a text");
            thread.append(content, &half);
        });
        check("a delta, then a member", 1, |thread| {
            append(thread, "a");
            set(thread);
        });
        check("a member, then a delta", 1, |thread| {
            set(thread);
            append(thread, "a");
        });
        check("a delta, and the message goes", 1, |thread| {
            append(thread, "a");
            thread.apply_snapshot(&[]);
        });
        check("a new message", 0, |thread| {
            thread.push(message(r#"{"id":"n","role":"user"}"#));
        });
    }
}
