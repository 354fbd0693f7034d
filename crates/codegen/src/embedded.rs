//! Folders of files that people wrote, as parts of the program.

use include_dir::{Dir, File};

use crate::{CodegenError, Files};

/// What running a package leaves beside its files.
const LEFT_BEHIND: &str = "__pycache__";

/// All files of an embedded folder and below it, by their paths in it.
///
/// # Errors
///
/// When one of them is not text as [`Files::add`] wants it.
pub fn embedded(folder: &'static Dir<'static>) -> Result<Files, CodegenError> {
    let mut files = Files::new();
    collect(folder, &mut files)?;
    Ok(files)
}

fn collect(folder: &'static Dir<'static>, files: &mut Files) -> Result<(), CodegenError> {
    for file in folder.files() {
        let path = path_of(file);
        let Some(text) = file.contents_utf8() else {
            let fault = "is not UTF-8";
            return Err(CodegenError::File { path, fault });
        };
        files.add(path, text)?;
    }
    let inner = folder.dirs();
    let mut written = inner.filter(|inner| !inner.path().ends_with(LEFT_BEHIND));
    written.try_for_each(|inner| collect(inner, files))
}

/// The path in the embedded folder, with `/` on every system.
fn path_of(file: &File<'_>) -> String {
    let steps = file.path().iter();
    let steps: Vec<_> = steps.map(|step| step.to_string_lossy()).collect();
    steps.join("/")
}
