//! Untagged unions: the first variant that accepts the value is the one.

use super::tape::Accepted;
use super::{Kind, Raw};
use crate::rejection::Rejection;

/// How one variant is read.
pub type ReadAlternative<T> = fn(Raw<'_>) -> Result<T, Rejection>;

/// Reads a value as the first of several variants that accepts it.
///
/// A variant that fails late has read all that is inside of it, and the next one reads it again,
/// which would double the work with each level of nesting. So the tape keeps which variant has
/// accepted a container. The name distinguishes unions.
pub fn first_of<T>(
    raw: Raw<'_>,
    name: &'static str,
    alternatives: &[ReadAlternative<T>],
) -> Option<T> {
    let read = |index: usize| Some((index, alternatives.get(index)?(raw).ok()?));
    let search = || (0..alternatives.len()).find_map(read);
    if !matches!(raw.kind(), Kind::Array | Kind::Object) {
        return search().map(|(_, value)| value);
    }
    let found = match raw.accepted(name) {
        Accepted::Variant(index) => read(index),
        Accepted::None => None,
        Accepted::Unknown => {
            let found = search();
            let variant = found.as_ref().map(|(index, _)| *index);
            raw.set_accepted(name, variant.map_or(Accepted::None, Accepted::Variant));
            found
        }
    };
    found.map(|(_, value)| value)
}
