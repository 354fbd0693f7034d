//! What a run changed in its thread, so that the thread before it need not be kept.

use std::collections::BTreeMap;
use std::sync::Arc;

use rpds::RedBlackTreeMapSync;

use super::{MessagePlace, Thread};
use chatstate_json::Object;

/// What was there before the run.
#[derive(Clone)]
pub(super) enum ThreadChanges {
    /// By the places that changed, the message that was there.
    Places(BTreeMap<MessagePlace, Option<Arc<Object>>>),
    /// The thread, whose places are others now.
    Thread(Box<Thread>),
}

impl Default for ThreadChanges {
    fn default() -> Self {
        Self::Places(BTreeMap::new())
    }
}

/// The same in less memory, for a run that is over.
pub(crate) enum PackedThreadChanges {
    Places(Box<[(MessagePlace, Option<Arc<Object>>)]>),
    Thread(Box<Thread>),
}

impl Thread {
    /// Ends the run in progress, and gives what it changed.
    pub fn end_run(&mut self) -> PackedThreadChanges {
        match std::mem::take(&mut self.changes) {
            ThreadChanges::Places(places) => {
                PackedThreadChanges::Places(places.into_iter().collect())
            }
            ThreadChanges::Thread(before) => PackedThreadChanges::Thread(before),
        }
    }

    /// Takes back what a run changed, after which nothing else was changed.
    pub fn undo(&mut self, changes: &PackedThreadChanges) {
        match changes {
            PackedThreadChanges::Places(places) => {
                for (place, before) in places {
                    self.set(*place, before.clone());
                }
                self.results = RedBlackTreeMapSync::new_sync();
            }
            PackedThreadChanges::Thread(before) => self.clone_from(before),
        }
        self.changes = ThreadChanges::default();
    }

    fn set(&mut self, place: MessagePlace, message: Option<Arc<Object>>) {
        self.remove(place);
        if let Some(message) = message {
            self.put_shared(place.rank, message);
        }
    }

    /// Notes what is at a place, if that is not noted.
    pub(super) fn note(&mut self, place: MessagePlace) {
        let ThreadChanges::Places(places) = &mut self.changes else {
            return;
        };
        let messages = &self.messages[place.class as usize];
        places
            .entry(place)
            .or_insert_with(|| messages.get(&place.rank).cloned());
    }

    /// Notes the whole thread, whose places become others.
    pub(super) fn note_all(&mut self) {
        let mut before = self.clone();
        before.undo(&self.end_run());
        self.changes = ThreadChanges::Thread(Box::new(before));
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
}
