//! The skeleton of an adapter for an SDK in Rust.

use chatstate_codegen::{CodegenError, Files};

/// The files of the skeleton, as they are written.
const SKELETON: &[(&str, &str)] = &[
    ("Cargo.toml", include_str!("../skeleton/Cargo.toml")),
    ("README.md", include_str!("../skeleton/README.md")),
    ("src/main.rs", include_str!("../skeleton/src/main.rs")),
];

/// All files of the skeleton.
pub(crate) fn skeleton() -> Result<Files, CodegenError> {
    let mut files = Files::new();
    for (path, text) in SKELETON {
        files.add(*path, *text)?;
    }
    Ok(files)
}
