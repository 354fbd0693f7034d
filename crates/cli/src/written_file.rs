//! Files that are written beside their places first.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::failure::Failure;

/// A text that is on the disk and gets its place in one step.
pub struct WrittenFile {
    path: PathBuf,
    text: Text,
}

enum Text {
    /// In a file beside the place, which is removed unless it gets there.
    Beside(NamedTempFile),
    /// For what is no file, such as a pipe or `/dev/null`, which cannot be replaced.
    Direct(String),
}

impl WrittenFile {
    /// Writes a text beside its place. Of a symbolic link, the place is where it leads.
    pub fn beside(path: &Path, text: &str) -> Result<Self, Failure> {
        let failed = |source| Failure::Unwritable {
            path: path.to_owned(),
            source,
        };
        let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let text = match fs::metadata(&place) {
            Ok(found) if found.is_dir() => {
                return Err(failed(io::ErrorKind::IsADirectory.into()));
            }
            Ok(found) if !found.is_file() => Text::Direct(text.to_owned()),
            found => {
                let permissions = found.ok().map(|found| found.permissions());
                Text::Beside(written(&place, text, permissions).map_err(failed)?)
            }
        };
        Ok(Self { path: place, text })
    }

    /// Puts the text in its place.
    pub fn put(self) -> Result<(), Failure> {
        let put = match self.text {
            Text::Beside(file) => file.persist(&self.path).map(drop).map_err(|it| it.error),
            Text::Direct(text) => fs::write(&self.path, text),
        };
        put.map_err(|source| Failure::Unwritable {
            path: self.path,
            source,
        })
    }
}

/// A file beside a place, with the permissions of the one that is there or of any new file.
fn written(
    place: &Path,
    text: &str,
    permissions: Option<fs::Permissions>,
) -> io::Result<NamedTempFile> {
    let folder = place.parent().filter(|it| !it.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    builder.prefix(".chatstate-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder.unwrap_or(Path::new(".")))?;
    file.write_all(text.as_bytes())?;
    if let Some(permissions) = permissions {
        // A file that nobody may write is not replaced.
        if permissions.readonly() {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        file.as_file().set_permissions(permissions)?;
    }
    Ok(file)
}
