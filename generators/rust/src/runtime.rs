//! The parts of the reference that a package needs beside its types. They have one home, the
//! reference itself; a package depends on it or gets a copy.

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

/// The sources of exact JSON: the path of each file below `src`, and its text.
pub(crate) fn json_sources() -> impl Iterator<Item = (String, &'static str)> {
    let mut found = Vec::new();
    collect(&JSON, &mut found);
    found.into_iter()
}

fn collect(folder: &Dir<'static>, found: &mut Vec<(String, &'static str)>) {
    for file in folder.files() {
        if let Some(text) = file.contents_utf8() {
            found.push((file.path().display().to_string().replace('\\', "/"), text));
        }
    }
    for folder in folder.dirs() {
        collect(folder, found);
    }
}
