//! Faults of channel keys.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chatstate::channel_key;
use chatstate::json::{Value, parse};
use chatstate_protocol::{Reply, RunRequest};

use super::super::operation;
use super::Defect;

/// The faults of channel keys by the ids of the mutants.
pub(super) const DEFECTS: &[(&str, Defect)] = &[
    (
        "channel-key-joins-with-slash",
        Defect::Answered(|it| keyed(it, |parts| channel_key(&[parts.join("/")]))),
    ),
    (
        "channel-key-sorts-parts",
        Defect::Answered(|it| keyed(it, of_sorted)),
    ),
    (
        "channel-key-lowers-parts",
        Defect::Answered(|it| of_each(it, str::to_lowercase)),
    ),
    (
        "channel-key-trims-parts",
        Defect::Answered(|it| of_each(it, |part| part.trim().to_owned())),
    ),
    (
        "channel-key-of-ascii",
        Defect::Answered(|it| of_each(it, ascii)),
    ),
    (
        "channel-key-skips-empty",
        Defect::Answered(|it| keyed(it, without_empty)),
    ),
    (
        "channel-key-in-hex",
        Defect::Answered(|it| keyed(it, in_hex)),
    ),
    (
        "channel-key-url-safe",
        Defect::Answered(|it| {
            keyed(it, |parts| {
                channel_key(parts).replace('+', "-").replace('/', "_")
            })
        }),
    ),
];

/// The key that is made in another way of the parts that the reference takes.
fn keyed(request: &RunRequest, key: fn(&[String]) -> String) -> Reply {
    match (operation::run(request), parts(request)) {
        (Reply::Ok(_), Some(parts)) => Reply::Ok(Value::from(key(&parts)).to_json()),
        (reply, _) => reply,
    }
}

fn of_each(request: &RunRequest, change: fn(&str) -> String) -> Reply {
    match (operation::run(request), parts(request)) {
        (Reply::Ok(_), Some(parts)) => {
            let parts: Vec<String> = parts.iter().map(|part| change(part)).collect();
            Reply::Ok(Value::from(channel_key(&parts)).to_json())
        }
        (reply, _) => reply,
    }
}

fn parts(request: &RunRequest) -> Option<Vec<String>> {
    let input = parse(request.input.as_deref()?).ok()?;
    let parts = input.as_array()?.iter();
    parts.map(|part| part.as_str().map(str::to_owned)).collect()
}

fn of_sorted(parts: &[String]) -> String {
    let mut parts = parts.to_vec();
    parts.sort();
    channel_key(&parts)
}

fn without_empty(parts: &[String]) -> String {
    let mut parts = parts.to_vec();
    parts.retain(|part| !part.is_empty());
    channel_key(&parts)
}

fn ascii(part: &str) -> String {
    part.chars().filter(char::is_ascii).collect()
}

fn in_hex(parts: &[String]) -> String {
    let bytes = STANDARD.decode(channel_key(parts)).unwrap_or_default();
    let digit = |digit: u8| char::from_digit(u32::from(digit), 16);
    let digits = bytes
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]);
    digits.flatten().collect()
}
