//! What a format of `serde` holds, as a document.

use std::fmt;

use ::serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};
use ::serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::is_same;
use crate::{MAX_DEPTH, Number, Object, Value, parse, visible};

/// Reads a document as JSON text.
pub(super) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    if gives_text::<D>() {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        return Ok(raw.get().to_owned());
    }
    let value = Any { depth: 0 }.deserialize(deserializer)?;
    Ok(value.to_json())
}

/// Whether `serde_json` reads: JSON text, or its own values.
fn gives_text<D>() -> bool {
    is_same::<D, &mut serde_json::Deserializer<serde_json::de::StrRead<'static>>>()
        || is_same::<D, serde_json::Value>()
        || is_same::<D, &serde_json::Value>()
}

/// Whether a value comes of JSON text that was read before it came here, as for
/// `#[serde(flatten)]` and `#[serde(untagged)]`. Nobody knows then which digits a number had.
fn was_read_before<E>() -> bool {
    is_same::<E, serde_json::Error>()
}

/// The name of the only member of what `serde_json` makes of a number where it keeps all digits.
const KEPT_NUMBER: &str = "$serde_json::private::Number";

/// Reads any value, so many levels deep in its document.
struct Any {
    depth: usize,
}

impl<'de> DeserializeSeed<'de> for Any {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        if self.depth > MAX_DEPTH {
            let message = format!("the document is nested deeper than {MAX_DEPTH} levels");
            return Err(Error::custom(message));
        }
        if gives_text::<D>() {
            let raw = Box::<RawValue>::deserialize(deserializer)?;
            return parse(raw.get()).map_err(Error::custom);
        }
        deserializer.deserialize_any(self)
    }
}

impl Any {
    fn inside(&self) -> Self {
        Self {
            depth: self.depth + 1,
        }
    }
}

impl<'de> Visitor<'de> for Any {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.inside().deserialize(deserializer)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, within: D) -> Result<Value, D::Error> {
        self.inside().deserialize(within)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, integer: i64) -> Result<Value, E> {
        integer_of(&integer.to_string())
    }

    fn visit_u64<E: Error>(self, integer: u64) -> Result<Value, E> {
        integer_of(&integer.to_string())
    }

    fn visit_i128<E: Error>(self, integer: i128) -> Result<Value, E> {
        integer_of(&integer.to_string())
    }

    fn visit_u128<E: Error>(self, integer: u128) -> Result<Value, E> {
        integer_of(&integer.to_string())
    }

    fn visit_f64<E: Error>(self, double: f64) -> Result<Value, E> {
        if was_read_before::<E>() {
            return Err(lost_digits());
        }
        if !double.is_finite() {
            return Err(Error::custom(format!("`{double}` is no number of JSON")));
        }
        Ok(Value::Number(Number::of_f64(double)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(Value::from(text))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Value, E> {
        Ok(Value::String(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element_seed(self.inside())? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut members = Object::new();
        while let Some(name) = map.next_key::<String>()? {
            if name == KEPT_NUMBER && was_read_before::<A::Error>() {
                return Err(lost_digits());
            }
            if members.contains_key(&name) {
                let name = visible(&name);
                let message = format!("the member `{name}` is there twice; take one of them out");
                return Err(Error::custom(message));
            }
            let value = map.next_value_seed(self.inside())?;
            members.insert(name, value);
        }
        Ok(Value::Object(members))
    }
}

fn integer_of<E: Error>(digits: &str) -> Result<Value, E> {
    parse(digits).map_err(Error::custom)
}

fn lost_digits<E: Error>() -> E {
    Error::custom(
        "the digits of a number may be lost where `serde` has read the document before, as for \
         `flatten` and `untagged`; give the document a member of its own",
    )
}
