//! Where in a text a JSON pointer points, so that people can be shown the place.

use std::ops::Range;

use super::{Kind, Raw, Tape, pointer};

/// The bytes of `text` that hold the value named by `pointer`, or the nearest value around it that
/// exists. `None` if the text is not JSON.
#[must_use]
pub fn span(text: &str, pointer: &str) -> Option<Range<usize>> {
    let mut tape = Tape::default();
    let mut raw = tape.read(text).ok()?;
    for segment in pointer::segments(pointer)? {
        match child(raw, &segment) {
            Some(inner) => raw = inner,
            None => break,
        }
    }
    Some(raw.range())
}

fn child<'a>(raw: Raw<'a>, segment: &str) -> Option<Raw<'a>> {
    match raw.kind() {
        Kind::Object => raw.member(segment).map(|(_, value)| value),
        Kind::Array => raw.elements().nth(pointer::index(segment)?),
        _ => None,
    }
}
