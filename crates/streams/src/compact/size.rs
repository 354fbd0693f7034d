//! Sizes of values: the bytes of their canonical text, which every implementation counts alike.

use chatstate_json::Rejection;
use chatstate_json::{
    Object, SplitText, Surrogates, Value, WriteJson, canonical, parse_with, write_string,
};

/// The size of an event. Timestamps do not count, since a snapshot has none of the many.
pub(super) fn size_of(event: &str) -> Result<usize, Rejection> {
    let mut event = parse_with(event, Surrogates::AllowUnpairedAtEnds)?;
    if let Value::Object(members) = &mut event {
        members.remove("timestamp");
    }
    Ok(canonical(&event).len())
}

/// Counts down from a limit, and stops where it is passed, so that it costs no more than what it is
/// compared with.
pub(super) struct Countdown(usize);

impl Countdown {
    pub fn from(limit: usize) -> Self {
        Self(limit)
    }

    pub fn bytes(&mut self, bytes: usize) -> Option<()> {
        self.0 = self.0.checked_sub(bytes)?;
        Some(())
    }

    pub fn value(&mut self, value: &Value) -> Option<()> {
        match value {
            Value::Null | Value::Bool(true) => self.bytes(4),
            Value::Bool(false) => self.bytes(5),
            Value::Number(number) => self.bytes(number.canonical().len()),
            Value::String(text) => self.text(text),
            Value::Split(text) => self.split(text),
            Value::Array(items) => {
                self.bytes(1 + items.len().max(1))?;
                items.iter().try_for_each(|item| self.value(item))
            }
            Value::Object(object) => self.object(object),
        }
    }

    pub fn object(&mut self, object: &Object) -> Option<()> {
        self.bytes(1 + object.len().max(1))?;
        for (name, value) in object.iter() {
            self.text(name)?;
            self.bytes(1)?;
            self.value(value)?;
        }
        Some(())
    }

    fn text(&mut self, text: &str) -> Option<()> {
        // Escapes only make it longer.
        if text.len() + 2 > self.0 {
            return None;
        }
        let mut written = String::with_capacity(text.len() + 2);
        write_string(&mut written, text);
        self.bytes(written.len())
    }

    fn split(&mut self, text: &SplitText) -> Option<()> {
        let mut written = String::new();
        text.write(&mut written);
        self.bytes(written.len())
    }
}
