//! One entry of a state bag: text until it is read as a type.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::sync::OnceLock;

use super::merge::merged;
use super::state::State;
use chatstate_json::{Class, Rejection};
use chatstate_json::{Value, parse};

/// One entry. Once it is read as a type, it holds the value of that type, which is what later reads
/// give and what is written.
pub(super) struct Entry {
    /// The text as it was read or written; none for what only a caller has set.
    text: Option<Box<str>>,
    read: OnceLock<TypedEntry>,
}

impl Entry {
    /// An entry that was not read yet; the text is JSON.
    pub fn of_text(text: &str) -> Self {
        Self {
            text: Some(text.into()),
            read: OnceLock::new(),
        }
    }

    /// An entry that a caller sets.
    pub fn of_state<T: State>(state: T) -> Result<Self, Rejection> {
        let reading = TypedEntry {
            before: Value::Null,
            held: Box::new(state),
        };
        // What cannot be written is rejected now and not when the session is saved.
        reading.held.value()?;
        Ok(Self {
            text: None,
            read: OnceLock::from(reading),
        })
    }

    /// Whether the entry is `null`.
    pub fn is_null(&self) -> bool {
        self.text.as_deref() == Some("null")
    }

    /// The entry as a type, read now or before; the entry is not `null`.
    pub fn read<T: State>(&self) -> Result<&T, Rejection> {
        let reading = if let Some(reading) = self.read.get() {
            reading
        } else {
            let reading = self.reading::<T>()?;
            self.read.get_or_init(|| reading)
        };
        let held: &dyn Any = reading.held.as_ref().as_any();
        held.downcast_ref()
            .ok_or_else(|| other_type(reading.held.name(), T::NAME))
    }

    /// The same, to change in place.
    pub fn read_mut<T: State>(&mut self) -> Result<&mut T, Rejection> {
        self.read::<T>()?;
        let Some(reading) = self.read.get_mut() else {
            return Err(other_type("nothing", T::NAME));
        };
        let name = reading.held.name();
        let held: &mut dyn Any = reading.held.as_any_mut();
        held.downcast_mut().ok_or_else(|| other_type(name, T::NAME))
    }

    fn reading<T: State>(&self) -> Result<TypedEntry, Rejection> {
        let value = self.origin()?;
        let state = T::from_value(&value).map_err(|rejection| not_of_type(rejection, T::NAME))?;
        Ok(TypedEntry {
            before: state.to_value()?,
            held: Box::new(state),
        })
    }

    /// The value as it was read.
    fn origin(&self) -> Result<Value, Rejection> {
        parse(self.text.as_deref().unwrap_or("null"))
    }

    /// The entry as JSON text: the very text that was read, unless a type has changed the value.
    pub fn text(&self) -> Result<Cow<'_, str>, Rejection> {
        let Some(reading) = self.read.get() else {
            return Ok(Cow::Borrowed(self.text.as_deref().unwrap_or("null")));
        };
        let after = reading.held.value()?;
        match self.text.as_deref() {
            None => Ok(Cow::Owned(after.to_json())),
            Some(text) if after == reading.before => Ok(Cow::Borrowed(text)),
            Some(_) => {
                let value = merged(&self.origin()?, &reading.before, &after);
                Ok(Cow::Owned(value.to_json()))
            }
        }
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.text() {
            Ok(text) => formatter.write_str(&text),
            Err(rejection) => write!(formatter, "cannot be written: {rejection}"),
        }
    }
}

/// A value of a caller's type, and what it gave back when it was read.
struct TypedEntry {
    before: Value,
    held: Box<dyn CachedValue>,
}

/// A value of any type of state.
trait CachedValue: Send + Sync {
    fn name(&self) -> &'static str;
    fn value(&self) -> Result<Value, Rejection>;
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

impl<T: State> CachedValue for T {
    fn name(&self) -> &'static str {
        T::NAME
    }

    fn value(&self) -> Result<Value, Rejection> {
        self.to_value()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

fn other_type(read: &str, asked: &str) -> Rejection {
    let message = format!(
        "the entry is in use as `{read}` and cannot be read as `{asked}`; give the two different keys"
    );
    Rejection::new(Class::Semantic, "session.other-type", message)
}

fn not_of_type(rejection: Rejection, name: &str) -> Rejection {
    let message = format!("the entry is no `{name}`: {}", rejection.message);
    Rejection {
        message,
        ..rejection
    }
}
