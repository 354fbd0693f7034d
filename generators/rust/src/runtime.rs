//! The parts of the reference that a package needs beside its types. They have one home, the
//! reference itself; a package depends on it or gets a copy.

use chatstate_codegen::{CodegenError, Files, embedded};
use include_dir::{Dir, include_dir};

/// The sources of the crate for exact JSON.
static JSON: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../../crates/json/src");

/// A file: its path in a package, and its text.
pub(crate) type RuntimeFile = (&'static str, &'static str);

/// What is about saved chats.
pub(crate) const SAVED_CHATS: &[RuntimeFile] = &[
    (
        "src/channel_key.rs",
        include_str!("../../../crates/chats/src/channel_key.rs"),
    ),
    (
        "src/encoding.rs",
        include_str!("../../../crates/chats/src/encoding.rs"),
    ),
    (
        "src/version.rs",
        include_str!("../../../crates/types/src/version.rs"),
    ),
];

/// The sources of exact JSON, by their paths below `src`.
pub(crate) fn json_sources() -> Result<Files, CodegenError> {
    embedded(&JSON)
}
