//! Faults of channel keys.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chatstate::channel_key;
use chatstate::json::{Value, parse};
use chatstate_adapter::{Reply, Run};

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
        Defect::Answered(|it| of_each(it, |part| part.to_lowercase())),
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
                channel_key(&parts).replace('+', "-").replace('/', "_")
            })
        }),
    ),
];

/// The key that is made in another way of the parts that the reference takes.
fn keyed(request: &Run, key: fn(Vec<String>) -> String) -> Reply {
    match (operation::run(request), parts(request)) {
        (Reply::Ok(_), Some(parts)) => Reply::Ok(Value::from(key(parts)).to_json()),
        (reply, _) => reply,
    }
}

fn of_each(request: &Run, change: fn(&str) -> String) -> Reply {
    match (operation::run(request), parts(request)) {
        (Reply::Ok(_), Some(parts)) => {
            let parts: Vec<String> = parts.iter().map(|part| change(part)).collect();
            Reply::Ok(Value::from(channel_key(&parts)).to_json())
        }
        (reply, _) => reply,
    }
}

fn parts(request: &Run) -> Option<Vec<String>> {
    let input = parse(request.input.as_deref()?).ok()?;
    let parts = input.as_array()?.iter();
    parts.map(|part| part.as_str().map(str::to_owned)).collect()
}

fn of_sorted(mut parts: Vec<String>) -> String {
    parts.sort();
    channel_key(&parts)
}

fn without_empty(mut parts: Vec<String>) -> String {
    parts.retain(|part| !part.is_empty());
    channel_key(&parts)
}

fn ascii(part: &str) -> String {
    part.chars().filter(char::is_ascii).collect()
}

fn in_hex(parts: Vec<String>) -> String {
    let bytes = STANDARD.decode(channel_key(&parts)).unwrap_or_default();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
