//! JSON pointers (RFC 6901).

use super::Value;

/// One segment as it is written in a pointer: `~` is `~0`, `/` is `~1`.
#[must_use]
pub fn escape(segment: &str) -> String {
    segment.replace('~', "~0").replace('/', "~1")
}

/// The segments of a pointer, unescaped; `None` if the text is not a pointer.
#[must_use]
pub fn segments(pointer: &str) -> Option<Vec<String>> {
    if pointer.is_empty() {
        return Some(Vec::new());
    }
    let rest = pointer.strip_prefix('/')?;
    rest.split('/').map(unescape).collect()
}

/// The value that a pointer names.
#[must_use]
pub fn find<'a>(root: &'a Value, pointer: &str) -> Option<&'a Value> {
    let mut value = root;
    for segment in segments(pointer)? {
        value = match value {
            Value::Object(object) => object.get(&segment)?,
            Value::Array(items) => items.get(index(&segment)?)?,
            _ => return None,
        };
    }
    Some(value)
}

/// An array index as RFC 6901 writes it: digits without a leading zero.
#[must_use]
pub fn index(segment: &str) -> Option<usize> {
    let digits = segment.bytes().all(|byte| byte.is_ascii_digit());
    let leading_zero = segment.len() > 1 && segment.starts_with('0');
    if digits && !leading_zero {
        segment.parse().ok()
    } else {
        None
    }
}

fn unescape(segment: &str) -> Option<String> {
    let mut text = String::with_capacity(segment.len());
    let mut characters = segment.chars();
    while let Some(character) = characters.next() {
        match character {
            '~' => match characters.next() {
                Some('0') => text.push('~'),
                Some('1') => text.push('/'),
                _ => return None,
            },
            other => text.push(other),
        }
    }
    Some(text)
}
