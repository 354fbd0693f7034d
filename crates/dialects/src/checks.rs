//! What an SDK demands of a value beside its kind. A value that an SDK rejects makes the whole
//! document unreadable to it, so that it is a loss before it is written.

use super::table::{ValueCheck, ValueShape};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chatstate_json::{Object, Value};

/// Base64 text of the plain alphabet, with its padding.
pub(super) static BASE64: ValueCheck = ValueCheck {
    words: "Base64 text of the plain alphabet, with padding and without line ends",
    shape: ValueShape::Text,
    holds: |value| value.as_str().is_some_and(is_base64),
};

/// An integer of 32 bits.
pub(super) static INTEGER_OF_32_BITS: ValueCheck = ValueCheck {
    words: "an integer of 32 bits in plain digits",
    shape: ValueShape::Integer,
    holds: |value| is_plain::<i32>(value),
};

/// An integer of 64 bits.
pub(super) static INTEGER_OF_64_BITS: ValueCheck = ValueCheck {
    words: "an integer of 64 bits in plain digits",
    shape: ValueShape::Integer,
    holds: |value| is_plain::<i64>(value),
};

/// An object whose names differ in more than the case of their letters.
pub(super) static DISTINCT_NAMES: ValueCheck = ValueCheck {
    words: "an object whose names differ in more than the case of their letters",
    shape: ValueShape::Object,
    holds: |value| {
        let mut seen = std::collections::HashSet::new();
        let mut names = value.as_object().into_iter().flat_map(Object::keys);
        names.all(|name| seen.insert(name.to_uppercase()))
    },
};

/// A media type, such as `text/plain`.
pub(super) static MEDIA_TYPE: ValueCheck = ValueCheck {
    words: "a media type such as `text/plain`",
    shape: ValueShape::Text,
    holds: |value| value.as_str().is_some_and(is_media_type),
};

/// A point in time of ISO 8601 with its offset.
pub(super) static TIME: ValueCheck = ValueCheck {
    words: "a time of ISO 8601 with an offset, such as `2026-01-02T03:04:05+00:00`",
    shape: ValueShape::Text,
    holds: |value| value.as_str().is_some_and(is_time),
};

/// An address of .NET that is not relative and holds no bytes.
pub(super) fn is_absolute_address(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else {
        return false;
    };
    let mut letters = scheme.chars();
    let is_scheme = letters.next().is_some_and(|it| it.is_ascii_alphabetic())
        && letters.all(|it| it.is_ascii_alphanumeric() || "+-.".contains(it));
    let host = rest.strip_prefix("//").map(|rest| {
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        &rest[..end]
    });
    let needs_host = ["http", "https", "ftp", "ws", "wss"]
        .iter()
        .any(|it| scheme.eq_ignore_ascii_case(it));
    let has_host = host.is_some_and(|host| !host.is_empty());
    is_scheme && !rest.is_empty() && (has_host || !needs_host) && !is_data_uri(text)
}

/// Whether a text is an address that holds the bytes itself.
pub(super) fn is_data_uri(text: &str) -> bool {
    let scheme = text.get(..5);
    scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
}

/// Whether text is Base64 as .NET reads it strictly.
pub(super) fn is_base64(text: &str) -> bool {
    STANDARD.decode(text).is_ok()
}

fn is_plain<T: std::str::FromStr>(value: &Value) -> bool {
    matches!(value, Value::Number(number) if number.as_str().parse::<T>().is_ok())
}

/// Whether text is a media type, with parameters or without.
pub(super) fn is_media_type(text: &str) -> bool {
    let kind = text.split(';').next().unwrap_or_default().trim();
    let is_token = |word: &str| {
        let is_allowed = |it: char| it.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(it);
        !word.is_empty() && word.chars().all(is_allowed)
    };
    kind.split_once('/')
        .is_some_and(|(kind, part)| is_token(kind) && is_token(part))
}

fn is_time(text: &str) -> bool {
    let Some((date, time)) = text.split_once('T') else {
        return false;
    };
    let Some(end) = time.find(['Z', '+', '-']) else {
        return false;
    };
    let (time, offset) = time.split_at(end);
    let (time, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let is_offset = offset == "Z" || has_form(&offset[1..], "00:00");
    let is_fraction = !fraction.is_empty() && fraction.bytes().all(|it| it.is_ascii_digit());
    has_form(date, "0000-00-00") && has_form(time, "00:00:00") && is_offset && is_fraction
}

/// Whether text has digits where the form has them, and the same characters elsewhere.
fn has_form(text: &str, form: &str) -> bool {
    let same = |(it, of): (u8, u8)| it == of || (of == b'0' && it.is_ascii_digit());
    text.len() == form.len() && text.bytes().zip(form.bytes()).all(same)
}
