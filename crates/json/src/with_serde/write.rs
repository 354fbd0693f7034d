//! A document as what a format of `serde` holds.

use ::serde::ser::{Error, SerializeMap, SerializeSeq};
use ::serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::is_same;
use crate::{Number, Object, Value, WriteJson};

/// Writes a document.
pub(super) fn document<S: Serializer>(value: &Value, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        // Not `none`: formats without null leave that out without a word.
        Value::Null => serializer.serialize_unit(),
        Value::Bool(value) => serializer.serialize_bool(*value),
        Value::Number(value) => number(value, serializer),
        Value::String(text) => serializer.serialize_str(text),
        Value::Split(text) if writes_text::<S>() => raw(&text.as_ref().clone(), serializer),
        Value::Split(_) => Err(Error::custom(
            "a text that begins or ends with an unpaired surrogate is written in JSON text alone; \
             use `to_json`",
        )),
        Value::Array(items) => array(items, serializer),
        Value::Object(members) => object(members, serializer),
    }
}

fn array<S: Serializer>(items: &[Value], serializer: S) -> Result<S::Ok, S::Error> {
    let length = length(items.len(), &serializer);
    let mut list = serializer.serialize_seq(length)?;
    for item in items {
        list.serialize_element(&MemberOrItem(item))?;
    }
    list.end()
}

fn object<S: Serializer>(members: &Object, serializer: S) -> Result<S::Ok, S::Error> {
    let length = length(members.len(), &serializer);
    let mut map = serializer.serialize_map(length)?;
    for (name, value) in members.iter() {
        map.serialize_entry(name.as_str(), &MemberOrItem(value))?;
    }
    map.end()
}

/// The length that a format is told. Formats that do not say the types of what they hold cannot be
/// read again as any value; they need lengths, and refuse without one.
fn length<S: Serializer>(length: usize, serializer: &S) -> Option<usize> {
    serializer.is_human_readable().then_some(length)
}

/// A value inside of a document.
struct MemberOrItem<'a>(&'a Value);

impl Serialize for MemberOrItem<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        document(self.0, serializer)
    }
}

/// Whether a format is JSON text of `serde_json`, which takes raw text.
fn writes_text<S>() -> bool {
    is_same::<S, &mut serde_json::Serializer<Vec<u8>>>()
}

/// Whether values of `serde_json` are made. They keep every number or round some of them: a feature
/// of that crate decides.
fn makes_exact_values<S>() -> bool {
    let is_kept = |text| {
        let number = serde_json::from_str::<serde_json::Number>(text);
        number.is_ok_and(|number| number.to_string() == text)
    };
    is_same::<S, serde_json::value::Serializer>() && is_kept("1.10")
}

fn raw<S: Serializer>(value: &impl WriteJson, serializer: S) -> Result<S::Ok, S::Error> {
    let mut text = String::new();
    value.write(&mut text);
    let raw = RawValue::from_string(text).map_err(Error::custom)?;
    raw.serialize(serializer)
}

/// A number as itself, or else as the integer or double that is exactly it.
fn number<S: Serializer>(number: &Number, serializer: S) -> Result<S::Ok, S::Error> {
    if writes_text::<S>() || makes_exact_values::<S>() {
        return raw(number, serializer);
    }
    let text = number.as_str();
    if text != "-0" {
        if let Ok(integer) = text.parse() {
            return serializer.serialize_i64(integer);
        }
        if let Ok(integer) = text.parse() {
            return serializer.serialize_u64(integer);
        }
        if let Ok(integer) = text.parse() {
            return serializer.serialize_i128(integer);
        }
        if let Ok(integer) = text.parse() {
            return serializer.serialize_u128(integer);
        }
    }
    let double = number.nearest_f64();
    if Number::of_f64(double) == *number {
        return serializer.serialize_f64(double);
    }
    let message = format!("no double is the number `{text}`; write the document with `to_json`");
    Err(Error::custom(message))
}
