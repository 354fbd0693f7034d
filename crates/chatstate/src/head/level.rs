//! One level of an object: its wanted members as raw text, all its names checked for duplicates.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::json::SplitText;

/// A member name, borrowed from the text unless it holds escapes.
#[derive(Deserialize)]
pub(super) struct Name<'a>(#[serde(borrow)] pub Cow<'a, str>);

/// The names of one object. Names that nobody wants are rare enough to be sorted in the end.
#[derive(Default)]
pub(super) struct OtherNames<'a>(Vec<Cow<'a, str>>);

impl<'a> OtherNames<'a> {
    pub fn add(&mut self, name: Cow<'a, str>) {
        self.0.push(name);
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Refuses a name that stands twice.
    pub fn check<E: Error>(&mut self) -> Result<(), E> {
        self.0.sort_unstable();
        if self.0.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(duplicate());
        }
        Ok(())
    }
}

/// The refusal of a member name that stands twice. What a user sees is said by the reader that
/// looks for the place.
pub(super) fn duplicate<E: Error>() -> E {
    E::custom("a member name stands twice")
}

/// The wanted members of an object, in the order in which they are wanted.
pub(super) type Wanted<'a, const N: usize> = [Option<&'a RawValue>; N];

/// Reads one level of an object.
pub(super) struct Level<const N: usize>(pub [&'static str; N]);

impl<'de, const N: usize> DeserializeSeed<'de> for Level<N> {
    type Value = Wanted<'de, N>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, const N: usize> Visitor<'de> for Level<N> {
    type Value = Wanted<'de, N>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut wanted, mut others) = ([None; N], OtherNames::default());
        while let Some(Name(name)) = map.next_key()? {
            match self.0.iter().position(|known| *known == name) {
                None => {
                    others.add(name);
                    map.next_value::<IgnoredAny>()?;
                }
                Some(place) if wanted[place].is_some() => return Err(duplicate()),
                Some(place) => wanted[place] = Some(map.next_value()?),
            }
        }
        others.check()?;
        Ok(wanted)
    }
}

/// Reads one level of an object from its text.
pub(super) fn read_level<'a, const N: usize>(
    raw: &'a str,
    names: [&'static str; N],
) -> Option<Wanted<'a, N>> {
    read_with(raw, Level(names))
}

/// Reads text with a seed; `None` if it does not fit.
pub(super) fn read_with<'a, S: DeserializeSeed<'a>>(raw: &'a str, seed: S) -> Option<S::Value> {
    seed.deserialize(&mut serde_json::Deserializer::from_str(raw))
        .ok()
}

/// The text between the quotes of a string, still escaped.
pub(super) fn escaped(raw: &RawValue) -> Option<&str> {
    raw.get().strip_prefix('"')?.strip_suffix('"')
}

/// The decoded text of a string, borrowed unless it holds escapes.
pub(super) fn text(raw: &RawValue) -> Option<Cow<'_, str>> {
    let inner = escaped(raw)?;
    if memchr::memchr(b'\\', inner.as_bytes()).is_none() {
        return Some(Cow::Borrowed(inner));
    }
    let decoded = split_text(raw)?.into_string().ok()?;
    Some(Cow::Owned(decoded))
}

/// The decoded text of a string that may begin or end with half a character.
pub(super) fn split_text(raw: &RawValue) -> Option<SplitText> {
    escaped(raw)?;
    crate::json::split_text_of(raw.get()).ok()
}
