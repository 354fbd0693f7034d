//! Where files are before they are moved to their places, and what a run that was killed has left there.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use chatstate_codegen::FileChange;
use tempfile::TempDir;

/// What the names of such folders begin with.
const PREFIX: &str = ".chatstate-";

/// A file that is locked as long as its run lives.
const IN_USE: &str = "in-use";

/// The list of the files that are moved, which is there before the first of them is.
const MOVES: &str = "moves";

/// A folder beside or in the one that is written; it is removed with what is still in it.
pub struct Staging {
    folder: TempDir,
    // Its lock goes with the process.
    _in_use: File,
}

impl Staging {
    /// Makes it in a folder.
    pub fn new_in(parent: &Path) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent)?;
        let in_use = File::create(folder.path().join(IN_USE))?;
        match in_use.lock() {
            // Without locks, what a killed run leaves is not removed, since it may be in use.
            Err(error) if error.kind() != io::ErrorKind::Unsupported => return Err(error),
            _ => {}
        }
        Ok(Self {
            folder,
            _in_use: in_use,
        })
    }

    /// Where new files are before they are moved.
    pub fn new_files(&self) -> PathBuf {
        new_files(self.folder.path())
    }

    /// Where old files are after they were moved.
    pub fn old_files(&self) -> PathBuf {
        old_files(self.folder.path())
    }

    /// Writes down which files are moved.
    pub fn plan<'c>(&self, changes: impl Iterator<Item = (&'c str, FileChange)>) -> io::Result<()> {
        let lines = changes.map(|(path, change)| format!("{}{path}\n", sign(change)));
        let text: String = lines.collect();
        let written = self.folder.path().join("plan");
        fs::write(&written, text)?;
        fs::rename(written, self.folder.path().join(MOVES))
    }
}

/// A move that is taken back.
pub struct MoveBack {
    /// The place of the file, below the folder.
    pub path: String,
    /// Where the file is that was there; without it, there was none.
    pub old: Option<PathBuf>,
}

/// What a run that was killed has left in a folder.
pub struct Leftover(PathBuf);

impl Leftover {
    /// All of a folder. Those of runs that still live are none.
    pub fn all_in(parent: &Path) -> io::Result<Vec<Self>> {
        let entries = match fs::read_dir(parent) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut found = Vec::new();
        for entry in entries {
            let entry = entry?;
            let is_named = entry.file_name().to_string_lossy().starts_with(PREFIX);
            if is_named && entry.file_type()?.is_dir() && is_abandoned(&entry.path()) {
                found.push(Self(entry.path()));
            }
        }
        Ok(found)
    }

    /// The moves to take back, the last one first.
    pub fn moves_back(&self, folder: &Path) -> io::Result<Vec<MoveBack>> {
        let text = match fs::read_to_string(self.0.join(MOVES)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            text => text?,
        };
        let listed = text.lines().rev().filter_map(listed);
        let moves = listed.filter_map(|(is_new, path)| {
            let (old, new) = (old_files(&self.0).join(path), new_files(&self.0).join(path));
            let was_added = || is_new && !new.exists() && folder.join(path).exists();
            let old = old.exists().then_some(old);
            (old.is_some() || was_added()).then(|| MoveBack {
                path: path.to_owned(),
                old,
            })
        });
        Ok(moves.collect())
    }

    /// Removes it.
    pub fn remove(&self) -> io::Result<()> {
        fs::remove_dir_all(&self.0)
    }

    /// Whether files were moved that may have to be moved back.
    pub fn has_moves(&self) -> bool {
        self.0.join(MOVES).exists()
    }
}

fn is_abandoned(folder: &Path) -> bool {
    File::open(folder.join(IN_USE)).is_ok_and(|in_use| in_use.try_lock().is_ok())
}

fn new_files(folder: &Path) -> PathBuf {
    folder.join("new")
}

fn old_files(folder: &Path) -> PathBuf {
    folder.join("old")
}

/// `+` is before a file that was not there, `-` before one that was.
fn sign(change: FileChange) -> char {
    if change == FileChange::Missing {
        '+'
    } else {
        '-'
    }
}

/// Whether a file is new, and its path.
fn listed(line: &str) -> Option<(bool, &str)> {
    let path = line.strip_prefix(['+', '-'])?;
    Some((line.starts_with('+'), path))
}
