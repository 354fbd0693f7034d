//! The skeleton of an adapter for somebody's SDK in Python.

use chatstate_codegen::{CodegenError, Files};

/// The files of the skeleton, as they are written.
const SKELETON: &[(&str, &str)] = &[
    ("README.md", include_str!("../skeleton/README.md")),
    ("adapter.py", include_str!("../skeleton/adapter.py")),
];

/// All files of the skeleton.
pub(crate) fn skeleton() -> Result<Files, CodegenError> {
    let mut files = Files::new();
    for (path, text) in SKELETON {
        files.add(*path, *text)?;
    }
    Ok(files)
}
