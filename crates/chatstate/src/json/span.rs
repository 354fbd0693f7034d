//! Where in a text a JSON pointer points, so that people can be shown the place.

use std::ops::Range;

use serde_json::value::RawValue;

use super::pointer;
use super::typed::{Kind, Members, items, raw_from};

/// The bytes of `text` that hold the value named by `pointer`, or the nearest value around it that
/// exists. `None` if the text is not JSON.
#[must_use]
pub fn span(text: &str, pointer: &str) -> Option<Range<usize>> {
    let trimmed = text.trim_matches([' ', '\t', '\n', '\r']);
    let mut raw = raw_from(trimmed).ok()?;
    for segment in pointer::segments(pointer)? {
        match child(raw, &segment) {
            Some(inner) => raw = inner,
            None => break,
        }
    }
    range_within(text, raw.get())
}

/// The bytes of `text` that `part`, which was borrowed from it, is. `None` if it begins before it.
pub(crate) fn range_within(text: &str, part: &str) -> Option<Range<usize>> {
    // Both slices lie in one text, so the difference of their addresses is the offset.
    let start = part.as_ptr().addr().checked_sub(text.as_ptr().addr())?;
    Some(start..start + part.len())
}

fn child<'a>(raw: &'a RawValue, segment: &str) -> Option<&'a RawValue> {
    match Kind::of(raw) {
        Kind::Object => Members::read(raw).ok()?.find(segment),
        Kind::Array => items(raw).ok()?.get(pointer::index(segment)?).copied(),
        _ => None,
    }
}
