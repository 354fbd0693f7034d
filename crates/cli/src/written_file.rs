//! Files that are written beside their places first.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::failure::Failure;

/// A file that is written and gets its place in one step. It is removed unless it gets there.
pub struct WrittenFile {
    path: PathBuf,
    target: Target,
}

enum Target {
    /// A file beside the place.
    Beside(NamedTempFile),
    /// What is no file, such as a pipe or `/dev/null`, which cannot be replaced. It is opened by the
    /// first write, since a pipe waits for its reader.
    Direct(Option<File>),
}

impl WrittenFile {
    /// Begins a file beside its place. Of a symbolic link, the place is where it leads.
    pub fn begin(path: &Path) -> Result<Self, Failure> {
        let failed = |source| Failure::Unwritable {
            path: path.to_owned(),
            source,
        };
        let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let target = match fs::metadata(&place) {
            Ok(found) if found.is_dir() => {
                return Err(failed(io::ErrorKind::IsADirectory.into()));
            }
            Ok(found) if !found.is_file() => Target::Direct(None),
            found => {
                let permissions = found.ok().map(|found| found.permissions());
                Target::Beside(begun(&place, permissions).map_err(failed)?)
            }
        };
        Ok(Self {
            path: place,
            target,
        })
    }

    /// Writes a whole text beside its place.
    pub fn beside(path: &Path, text: &str) -> Result<Self, Failure> {
        let mut file = Self::begin(path)?;
        file.write(text.as_bytes())?;
        Ok(file)
    }

    /// Writes more.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let written = match &mut self.target {
            Target::Beside(file) => file.write_all(bytes),
            Target::Direct(open) => opened(open, &self.path).and_then(|file| file.write_all(bytes)),
        };
        written.map_err(|source| self.unwritable(source))
    }

    /// Puts what was written in its place.
    pub fn put(self) -> Result<(), Failure> {
        let path = self.path;
        let put = match self.target {
            // A rename that reaches the disk before the bytes would leave an empty file.
            Target::Beside(file) => file
                .as_file()
                .sync_all()
                .and_then(|()| file.persist(&path).map(drop).map_err(|it| it.error)),
            Target::Direct(mut open) => opened(&mut open, &path).map(drop),
        };
        put.map_err(|source| Failure::Unwritable { path, source })
    }

    fn unwritable(&self, source: io::Error) -> Failure {
        Failure::Unwritable {
            path: self.path.clone(),
            source,
        }
    }
}

fn opened<'open>(open: &'open mut Option<File>, path: &Path) -> io::Result<&'open mut File> {
    match open {
        Some(file) => Ok(file),
        None => Ok(open.insert(File::options().write(true).open(path)?)),
    }
}

/// A file beside a place, with the permissions of the one that is there or of any new file.
fn begun(place: &Path, permissions: Option<fs::Permissions>) -> io::Result<NamedTempFile> {
    let folder = place.parent().filter(|it| !it.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    builder.prefix(".chatstate-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let file = builder.tempfile_in(folder.unwrap_or(Path::new(".")))?;
    if let Some(permissions) = permissions {
        // A file that nobody may write is not replaced.
        if permissions.readonly() {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        file.as_file().set_permissions(permissions)?;
    }
    Ok(file)
}
