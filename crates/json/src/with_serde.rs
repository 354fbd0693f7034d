//! Documents through `serde` (feature `serde`): the same document, or an error.
//!
//! The text formats of `serde_json` keep every digit and every spelling of a number, and a document
//! is read from its text, so that what [`from_text`] rejects is rejected here. Other formats get
//! maps, lists, texts and numbers. There a number is an integer or a double that is exactly it, and
//! any other number is an error. Formats that do not say the types of what they hold, such as those
//! of `bincode` and `postcard`, are refused.
//!
//! A type that is [`ReadJson`] and [`WriteJson`] gets both traits by
//! [`impl_serde!`](crate::impl_serde), and a field of such a type may say
//! `#[serde(with = "chatstate_json::with_serde")]`.

mod presence;
mod read;
mod write;

pub use ::serde;

use ::serde::{Deserializer, Serializer, de, ser};

use crate::{ReadJson, Tape, WriteJson, from_text};

/// Writes a value as the document that it is. What its own reader would reject is an error.
pub fn serialize<T, S>(value: &T, serializer: S) -> Result<S::Ok, S::Error>
where
    T: ReadJson + WriteJson,
    S: Serializer,
{
    let mut text = String::new();
    value.write(&mut text);
    let mut tape = Tape::default();
    let raw = tape.read(&text).map_err(ser::Error::custom)?;
    if value.is_in_doubt(0) {
        T::read(raw).map_err(ser::Error::custom)?;
    }
    write::document(&raw.tree(), serializer)
}

/// Writes the JSON text of a document.
pub fn serialize_text<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    let mut tape = Tape::default();
    let raw = tape.read(text).map_err(ser::Error::custom)?;
    write::document(&raw.tree(), serializer)
}

/// Reads a document as the value that it is.
pub fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: ReadJson,
    D: Deserializer<'de>,
{
    let text = deserialize_text(deserializer)?;
    from_text(&text).map_err(de::Error::custom)
}

/// Reads a document as JSON text: as it is written where `serde_json` reads, else the same values.
pub fn deserialize_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    read::text(deserializer)
}

/// Implements `Serialize` and `Deserialize` for types that are [`ReadJson`] and [`WriteJson`], by
/// the documents that they are.
#[macro_export]
macro_rules! impl_serde {
    ($($name:ty),* $(,)?) => {$(
        impl $crate::with_serde::serde::Serialize for $name {
            fn serialize<S>(&self, serializer: S) -> Result<S::Ok, S::Error>
            where
                S: $crate::with_serde::serde::Serializer,
            {
                $crate::with_serde::serialize(self, serializer)
            }
        }

        impl<'de> $crate::with_serde::serde::Deserialize<'de> for $name {
            fn deserialize<D>(deserializer: D) -> Result<Self, D::Error>
            where
                D: $crate::with_serde::serde::Deserializer<'de>,
            {
                $crate::with_serde::deserialize(deserializer)
            }
        }
    )*};
}

impl_serde!(crate::Value, crate::Object, crate::Number, crate::SplitText);

/// Whether a type is another one, whatever the types in its angle brackets. Not every type that
/// `serde` asks about has an id, so they are told apart by their names.
fn is_same<A: ?Sized, B: ?Sized>() -> bool {
    let base = |name: &'static str| name.split('<').next().unwrap_or(name);
    base(std::any::type_name::<A>()) == base(std::any::type_name::<B>())
}
