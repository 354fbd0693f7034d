//! Untagged unions: the first variant that accepts the value is the one.

use super::{Kind, Raw};
use crate::rejection::Rejection;

/// How one variant is read.
pub type Alternative<T> = fn(Raw<'_>) -> Result<T, Rejection>;

/// Reads a value as the first of several variants that accepts it.
///
/// A variant that fails late has read all that is inside of it, and the next one reads it again,
/// which would double the work with each level of nesting. So the tape keeps which variant has
/// accepted a container. The name tells one union from another.
pub fn first_of<T>(raw: Raw<'_>, name: &'static str, alternatives: &[Alternative<T>]) -> Option<T> {
    let read = |index: usize| Some((index, alternatives.get(index)?(raw).ok()?));
    if !matches!(raw.kind(), Kind::Array | Kind::Object) {
        return (0..alternatives.len())
            .find_map(read)
            .map(|(_, value)| value);
    }
    let found = match raw.accepted(name) {
        Some(index) => index.and_then(read),
        None => {
            let found = (0..alternatives.len()).find_map(read);
            raw.set_accepted(name, found.as_ref().map(|(index, _)| *index));
            found
        }
    };
    found.map(|(_, value)| value)
}
