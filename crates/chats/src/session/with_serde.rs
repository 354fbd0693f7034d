//! Sessions through `serde`, by the documents that they are (feature `serde`).

use chatstate_json::with_serde::serde::{
    Deserialize, Deserializer, Serialize, Serializer, de, ser,
};
use chatstate_json::with_serde::{deserialize_text, serialize_text};

use super::{Session, StateBag};

impl Serialize for Session {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.to_json().map_err(ser::Error::custom)?;
        Session::from_json(&text).map_err(ser::Error::custom)?;
        serialize_text(&text, serializer)
    }
}

impl<'de> Deserialize<'de> for Session {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = deserialize_text(deserializer)?;
        Session::from_json(&text).map_err(de::Error::custom)
    }
}

impl Serialize for StateBag {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.to_json().map_err(ser::Error::custom)?;
        StateBag::from_json(&text).map_err(ser::Error::custom)?;
        serialize_text(&text, serializer)
    }
}

impl<'de> Deserialize<'de> for StateBag {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = deserialize_text(deserializer)?;
        StateBag::from_json(&text).map_err(de::Error::custom)
    }
}
