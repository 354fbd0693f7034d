//! One level of an object: its wanted members as raw text, all its names checked for duplicates.

use std::borrow::Cow;

use chatstate_json::{Scanner, SplitText};

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

    /// Refuses a name that stands twice. What a user sees is said by the reader that looks for the
    /// place.
    pub fn check(&mut self) -> Option<()> {
        self.0.sort_unstable();
        let is_twice = self.0.windows(2).any(|pair| pair[0] == pair[1]);
        (!is_twice).then_some(())
    }
}

/// Reads the wanted members of the object that is next, in the order in which they are wanted.
pub(super) fn read_level<'a, const N: usize>(
    scanner: &mut Scanner<'a>,
    names: [&'static str; N],
) -> Option<[Option<&'a str>; N]> {
    let (mut wanted, mut others) = ([None; N], OtherNames::default());
    scanner.members(|scanner, name| {
        match names.iter().position(|known| *known == name) {
            None => {
                others.add(name);
                scanner.value()?;
            }
            Some(place) if wanted[place].is_some() => return None,
            Some(place) => wanted[place] = Some(scanner.raw()?),
        }
        Some(())
    })?;
    others.check()?;
    Some(wanted)
}

/// The text between the quotes of a string, still escaped.
pub(super) fn escaped(raw: &str) -> Option<&str> {
    raw.strip_prefix('"')?.strip_suffix('"')
}

/// The decoded text of a string, borrowed unless it holds escapes.
pub(super) fn text(raw: &str) -> Option<Cow<'_, str>> {
    let inner = escaped(raw)?;
    if memchr::memchr(b'\\', inner.as_bytes()).is_none() {
        return Some(Cow::Borrowed(inner));
    }
    let decoded = split_text(raw)?.into_string().ok()?;
    Some(Cow::Owned(decoded))
}

/// The decoded text of a string that may begin or end with half a character.
pub(super) fn split_text(raw: &str) -> Option<SplitText> {
    escaped(raw)?;
    chatstate_json::split_text_of(raw).ok()
}
