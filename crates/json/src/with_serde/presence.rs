//! Members that may be absent, null or a value.

use ::serde::ser::Error;
use ::serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Presence;

/// A field needs `#[serde(default, skip_serializing_if = "Presence::is_absent")]`: only the type that
/// has it can leave it out, so that an absent one that is written is an error.
impl<T: Serialize> Serialize for Presence<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Absent => Err(Error::custom(
                "an absent member is left out; say `skip_serializing_if = \"Presence::is_absent\"`",
            )),
            Self::Null => serializer.serialize_unit(),
            Self::Value(value) => value.serialize(serializer),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Presence<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Option::deserialize(deserializer)?;
        Ok(value.map_or(Self::Null, Self::Value))
    }
}
