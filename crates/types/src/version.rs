//! The version of the format that a document says it is of.

use chatstate_json::{Class, Rejection};
use chatstate_json::{Kind, Members, Raw, ReadJson, Tape, Value, from_text};

/// The major version of documents that this library supports.
const SUPPORTED_VERSION: &str = "1";

/// The root types whose documents may say in which version they were written. A list of sessions
/// says it of each.
const VERSIONED: [&str; 3] = ["ChatState", "EncodedChatState", "AgentSession"];

/// Reads a document of a type that may say in which version it was written.
pub fn read_versioned<T: ReadJson>(type_name: &str, text: &str) -> Result<T, Rejection> {
    in_spoken_version(type_name, text, from_text(text))
}

/// What was read, unless the text says that it is of a version that is not supported.
///
/// A document of another version may well break this version's schema, so the version is the
/// better answer.
pub fn in_spoken_version<T>(
    type_name: &str,
    text: &str,
    result: Result<T, Rejection>,
) -> Result<T, Rejection> {
    let readable = match &result {
        Ok(_) => true,
        Err(rejection) => rejection.class == Class::Schema,
    };
    let unspoken = || unspoken_version(type_name, text);
    match readable.then(unspoken).flatten() {
        Some(rejection) => Err(rejection),
        None => result,
    }
}

/// The rejection of a document of a version that is not supported, if its type has versions.
fn unspoken_version(type_name: &str, text: &str) -> Option<Rejection> {
    // Events have no version, and are not read twice.
    if type_name != "SessionList" && !VERSIONED.contains(&type_name) {
        return None;
    }
    let mut tape = Tape::default();
    let raw = tape.read(text).ok()?;
    match (type_name, raw.kind()) {
        (name, Kind::Object) if VERSIONED.contains(&name) => unspoken_of(raw),
        ("SessionList", Kind::Array) => {
            let mut sessions = raw.elements().enumerate();
            sessions.find_map(|(index, raw)| Some(unspoken_of(raw)?.within(index)))
        }
        _ => None,
    }
}

/// The rejection of one value that says it is of a version that is not supported.
#[must_use]
pub fn unspoken_of(raw: Raw<'_>) -> Option<Rejection> {
    let version: String = Members::read(raw).ok()?.optional("schemaVersion").ok()??;
    unspoken(&version)
}

/// The rejection of a value tree of a version that is not supported, if its type has versions.
#[must_use]
pub fn unspoken_version_of(type_name: &str, value: &Value) -> Option<Rejection> {
    let of_one = |value: &Value| unspoken(value.get("schemaVersion")?.as_str()?);
    match type_name {
        name if VERSIONED.contains(&name) => of_one(value),
        "SessionList" => {
            let mut sessions = value.as_array()?.iter().enumerate();
            sessions.find_map(|(index, value)| Some(of_one(value)?.within(index)))
        }
        _ => None,
    }
}

/// The rejection of a version that is not supported.
fn unspoken(version: &str) -> Option<Rejection> {
    let spoken = match version.split_once('.') {
        None => version == SUPPORTED_VERSION,
        Some((major, minor)) => {
            let is_number = !minor.is_empty() && minor.bytes().all(|byte| byte.is_ascii_digit());
            major == SUPPORTED_VERSION && is_number
        }
    };
    if spoken {
        return None;
    }
    let message = format!(
        "the version `{version}` is not supported; the supported versions are `{SUPPORTED_VERSION}` and `{SUPPORTED_VERSION}.x`"
    );
    Some(Rejection::new(Class::Version, "version.unspoken", message).within("schemaVersion"))
}
