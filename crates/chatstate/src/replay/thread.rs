//! The messages of a thread in order, as events build them.

use std::collections::HashMap;

use crate::json::{Object, SplitText, Value};

/// Where a tool call stands: the message and the place among its calls.
#[derive(Clone, Copy, PartialEq)]
struct CallPlace {
    message: usize,
    call: usize,
}

/// The messages, with the places of ids kept beside them so that a delta costs what it appends.
#[derive(Clone, Default, PartialEq)]
pub(super) struct Thread {
    messages: Vec<Object>,
    places: HashMap<String, usize>,
    calls: HashMap<String, CallPlace>,
}

impl Thread {
    /// The message with this id; of several, the first.
    pub fn find(&self, id: &str) -> Option<&Object> {
        self.places.get(id).map(|place| &self.messages[*place])
    }

    /// The message with this id, to change; its id and its tool calls must stay.
    pub fn find_mut(&mut self, id: &str) -> Option<&mut Object> {
        let place = self.places.get(id)?;
        self.messages.get_mut(*place)
    }

    /// The role of the message with this id.
    pub fn role(&self, id: &str) -> Option<&str> {
        self.find(id)?.get("role")?.as_str()
    }

    /// The tool call with this id, to change; its id must stay.
    pub fn call_mut(&mut self, id: &str) -> Option<&mut Object> {
        let place = *self.calls.get(id)?;
        let message = self.messages.get_mut(place.message)?;
        let Some(Value::Array(calls)) = message.get_mut("toolCalls") else {
            return None;
        };
        match calls.get_mut(place.call) {
            Some(Value::Object(call)) => Some(call),
            _ => None,
        }
    }

    /// Adds a message at the end.
    pub fn push(&mut self, message: Object) {
        self.push_at_end(message);
    }

    /// Adds a message at the end and tells its place. Of two messages of one id, the id only finds
    /// the first.
    pub fn push_at_end(&mut self, message: Object) -> usize {
        let place = self.messages.len();
        self.note(place, &message);
        self.messages.push(message);
        place
    }

    /// The place of the message with this id.
    pub fn place(&self, id: &str) -> Option<usize> {
        self.places.get(id).copied()
    }

    /// Puts another message where the one with this id stands.
    pub fn replace(&mut self, id: &str, message: Object) {
        if let Some(place) = self.places.get(id) {
            self.messages[*place] = message;
            self.note_all();
        }
    }

    /// Adds a tool call to the assistant message at this place.
    pub fn push_call(&mut self, place: usize, call_id: &str, call: Object) {
        let Some(message) = self.messages.get_mut(place) else {
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
            self.calls.entry(call_id.to_owned()).or_insert(place);
            calls.push(Value::from(call));
        }
    }

    /// Adds a tool's result after the message that made the call and the results that follow it,
    /// or at the end when nobody made the call.
    pub fn insert_result(&mut self, call_id: &str, message: Object) {
        let owner = self.calls.get(call_id).map(|place| place.message);
        let owner = owner.filter(|place| role_of(&self.messages[*place]) == Some("assistant"));
        let Some(owner) = owner else {
            return self.push(message);
        };
        let results = self.messages[owner + 1..].iter();
        let results = results
            .take_while(|message| role_of(message) == Some("tool"))
            .count();
        let place = owner + 1 + results;
        if place == self.messages.len() {
            return self.push(message);
        }
        self.messages.insert(place, message);
        self.note_all();
    }

    /// Makes the messages those of a snapshot: known ids keep their place and take the snapshot's
    /// value, new ones follow in its order, others go unless `keeps` speaks for them.
    pub fn apply_snapshot(&mut self, snapshot: Vec<Object>, keeps: impl Fn(&Object) -> bool) {
        let mut latest: HashMap<&str, &Object> = HashMap::new();
        for message in &snapshot {
            if let Some(id) = id_of(message) {
                latest.insert(id, message);
            }
        }
        let kept = std::mem::take(&mut self.messages)
            .into_iter()
            .filter_map(|message| {
                let replacement = id_of(&message).and_then(|id| latest.get(id));
                match replacement {
                    Some(replacement) => Some((*replacement).clone()),
                    None => keeps(&message).then_some(message),
                }
            });
        let mut messages: Vec<Object> = kept.collect();
        let known: std::collections::HashSet<String> = messages
            .iter()
            .filter_map(id_of)
            .map(str::to_owned)
            .collect();
        let is_new = |message: &Object| id_of(message).is_none_or(|id| !known.contains(id));
        messages.extend(snapshot.into_iter().filter(is_new));
        self.messages = messages;
        self.note_all();
    }

    /// Whether a message holds this tool call.
    pub fn holds_call(&self, id: &str) -> bool {
        self.calls.contains_key(id)
    }

    /// The messages in order.
    pub fn messages(&self) -> &[Object] {
        &self.messages
    }

    /// The messages in order.
    pub fn into_messages(self) -> Vec<Object> {
        self.messages
    }

    /// Finds all places again, after messages have moved.
    fn note_all(&mut self) {
        self.places.clear();
        self.calls.clear();
        let messages = std::mem::take(&mut self.messages);
        for (place, message) in messages.iter().enumerate() {
            self.note(place, message);
        }
        self.messages = messages;
    }

    fn note(&mut self, place: usize, message: &Object) {
        if let Some(id) = id_of(message) {
            self.places.entry(id.to_owned()).or_insert(place);
        }
        let calls = message
            .get("toolCalls")
            .and_then(Value::as_array)
            .unwrap_or_default();
        for (call, value) in calls.iter().enumerate() {
            if let Some(id) = value.get("id").and_then(Value::as_str) {
                let place = CallPlace {
                    message: place,
                    call,
                };
                self.calls.entry(id.to_owned()).or_insert(place);
            }
        }
    }
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
    if text.push(delta).is_err() {
        text = SplitText::from(without_halves(&text) + &without_halves(delta));
    }
    *place = Value::from(text);
}

/// The text with the replacement character in the place of each half.
fn without_halves(text: &SplitText) -> String {
    let half = |half: Option<u16>| half.map(|_| char::REPLACEMENT_CHARACTER);
    let mut whole: String = half(text.leading()).into_iter().collect();
    whole.push_str(text.body());
    whole.extend(half(text.trailing()));
    whole
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
