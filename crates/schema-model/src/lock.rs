//! Names that stay: what each type was called by an earlier run.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// The names of all types by their places.
///
/// A place is the schema file, `#`, and a JSON pointer in which the variants of a choice are named
/// by their labels, so that a variant added before them does not move it. Types that are in a lock
/// keep their names, whatever is added around them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Lock {
    /// The SHA-256 of each schema file, by its name.
    pub schemas: IndexMap<String, String>,
    /// The type name of each place.
    pub types: IndexMap<String, String>,
    /// The places that were read as any JSON value, each with its file and `#`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opaque: Vec<String>,
}
