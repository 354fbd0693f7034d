//! Types of state that callers bring.

use serde::Serialize;
use serde::de::DeserializeOwned;

use chatstate_json::Rejection;
use chatstate_json::{Value, canonical, parse};

/// A type that an entry of a state bag can be read as.
///
/// It need not know every member of what it reads: the bag keeps those that it does not give back
/// (requirement `session.unknown-member`).
///
/// ```
/// use chatstate_json::Rejection;
/// use chatstate_json::Value;
/// use chatstate_chats::session::{State, from_plain, to_plain};
///
/// #[derive(serde::Serialize, serde::Deserialize)]
/// struct Profile {
///     name: String,
/// }
///
/// impl State for Profile {
///     const NAME: &'static str = "Profile";
///
///     fn from_value(value: &Value) -> Result<Self, Rejection> {
///         from_plain(value)
///     }
///
///     fn to_value(&self) -> Result<Value, Rejection> {
///         to_plain(self)
///     }
/// }
/// ```
pub trait State: Sized + Send + Sync + 'static {
    /// What messages call the type. For a state of one of several kinds it is its `$type`.
    const NAME: &'static str;

    /// The value as this type; a rejection names the place in the value and the rule.
    fn from_value(value: &Value) -> Result<Self, Rejection>;

    /// The members that this type knows, as a value.
    fn to_value(&self) -> Result<Value, Rejection>;
}

/// Reads a type of `serde` from a value, for an implementation of [`State::from_value`].
///
/// The value is read in its canonical form, so that `3e0` is an integer for `serde`, too.
pub fn from_plain<T: DeserializeOwned>(value: &Value) -> Result<T, Rejection> {
    serde_json::from_str(&canonical(value)).map_err(|error| not_of_serde(&error))
}

/// Writes a type of `serde` as a value, for an implementation of [`State::to_value`]. What is no
/// JSON value, such as a map whose keys are no text, is rejected.
pub fn to_plain<T: Serialize>(state: &T) -> Result<Value, Rejection> {
    let text = serde_json::to_string(state).map_err(|error| not_of_serde(&error))?;
    parse(&text)
}

/// The line and column are those of a text that was not seen.
fn not_of_serde(error: &serde_json::Error) -> Rejection {
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    Rejection::schema("type", message)
}
