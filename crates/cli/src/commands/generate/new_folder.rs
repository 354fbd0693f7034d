//! A folder that is not there yet: it is made beside its place, and gets its name when it is whole.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::folder::{unwritable, write_all};
use super::staging::Staging;
use crate::failure::Failure;

/// A folder that is being made. What was made of it is removed again, unless it is finished.
pub struct NewFolder<'p> {
    path: &'p Path,
    staged: Staging,
    // Removed after what was staged in them.
    around: Around<'p>,
}

impl<'p> NewFolder<'p> {
    /// Makes the folders around `path`; there is nothing to make where it is there already.
    pub fn begin(path: &'p Path) -> Result<Option<Self>, Failure> {
        let Some(outermost) = first_missing(path) else {
            return Ok(None);
        };
        let around = Around {
            path,
            outermost: Some(outermost),
        };
        let failed = |source| unwritable(path, source);
        let beside = parent_of(path);
        fs::create_dir_all(beside).map_err(failed)?;
        let staged = Staging::new_in(beside).map_err(failed)?;
        Ok(Some(Self {
            path,
            staged,
            around,
        }))
    }

    /// Writes the files of the folder.
    pub fn write(&self, files: &BTreeMap<&str, &[u8]>) -> Result<(), Failure> {
        let files = files.iter().map(|(path, text)| (*path, *text));
        write_all(&self.staged.new_files(), files)
    }

    /// Gives the folder its name.
    pub fn finish(mut self) -> Result<(), Failure> {
        fs::rename(self.staged.new_files(), self.path)
            .map_err(|source| unwritable(self.path, source))?;
        self.around.outermost = None;
        Ok(())
    }
}

/// The folders around a new one.
struct Around<'p> {
    path: &'p Path,
    /// The outermost of those that were made; `None` if they stay.
    outermost: Option<PathBuf>,
}

impl Drop for Around<'_> {
    /// Removes them from the inside to the outermost. What another one has put something into is
    /// left.
    fn drop(&mut self) {
        let Some(outermost) = &self.outermost else {
            return;
        };
        let around = self.path.ancestors().skip(1);
        for folder in around.take_while(|folder| folder.starts_with(outermost)) {
            if fs::remove_dir(folder).is_err() {
                return;
            }
        }
    }
}

/// The outermost folder of a path that is not there yet.
fn first_missing(path: &Path) -> Option<PathBuf> {
    let missing = path
        .ancestors()
        .take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists());
    missing.last().map(Path::to_path_buf)
}

/// The folder around a path.
pub fn parent_of(path: &Path) -> &Path {
    let parent = path.parent().unwrap_or(path);
    if parent.as_os_str().is_empty() {
        Path::new(".")
    } else {
        parent
    }
}
