//! The folder that generated files are written into: all of them, or none.
//!
//! Half a package does not compile, and looks like the result of a run that succeeded. Files of an
//! earlier run are known from the lock file; any other file is foreign, and is never
//! overwritten.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fs, io};

use chatstate_codegen::{Drift, FileChange, Files};

use super::interrupts;
use super::lock_file::LockFile;
use super::new_folder::{NewFolder, parent_of};
use super::staging::{Leftover, MoveBack, Staging};
use crate::failure::{FILE_ALONE, Failure};

/// A folder, which may not be there yet.
pub struct Folder<'p> {
    path: &'p Path,
}

impl<'p> Folder<'p> {
    /// The folder at `path`.
    pub fn new(path: &'p Path) -> Self {
        Self { path }
    }

    /// Whether a path from a lock file stays inside of the folder.
    pub fn is_inside(path: &str) -> bool {
        let steps = path.split('/');
        !path.contains(['\\', ':'])
            && steps
                .into_iter()
                .all(|step| !matches!(step, "" | "." | ".."))
    }

    /// The text of a file; what is not UTF-8 is shown as well as it can be. Rejected is what is no
    /// file, or would be outside of the folder.
    pub fn text(&self, path: &str) -> Result<Option<String>, Failure> {
        let file = self.path.join(path);
        self.reject_other_kinds(&file)?;
        match fs::read(&file) {
            Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
            Err(error) if is_missing(&error) => Ok(None),
            Err(source) => Err(Failure::Unreadable {
                name: format!("`{}`", file.display()),
                source,
                help: FILE_ALONE,
            }),
        }
    }

    /// Rejects a symbolic link on the way to a file, which may lead out of the folder, and in its
    /// place what is no file: a pipe would be waited for.
    fn reject_other_kinds(&self, file: &Path) -> Result<(), Failure> {
        let below = file.ancestors().take_while(|place| *place != self.path);
        for place in below {
            let Ok(found) = fs::symlink_metadata(place) else {
                continue;
            };
            let is_right = if place == file {
                found.is_file()
            } else {
                found.is_dir()
            };
            if !is_right {
                let kind = if found.is_symlink() {
                    "a symbolic link"
                } else {
                    "in the way"
                };
                let message = format!("`{}` is {kind}", place.display());
                let help = "choose another folder, or move it away; nothing was written";
                return Err(Failure::usage(message, Some(help.to_owned())));
            }
        }
        Ok(())
    }

    /// The texts of those files that are there.
    pub fn texts(&self, paths: &BTreeSet<&str>) -> Result<BTreeMap<String, String>, Failure> {
        let mut texts = BTreeMap::new();
        if !self.path.exists() {
            return Ok(texts);
        }
        for path in paths {
            if let Some(text) = self.text(path)? {
                texts.insert((*path).to_owned(), text);
            }
        }
        Ok(texts)
    }

    /// Rejects to write over a file that is not from an earlier run.
    pub fn reject_strangers(
        &self,
        files: &Files,
        existing: &BTreeMap<String, String>,
        before: &LockFile,
    ) -> Result<(), Failure> {
        let ours =
            |path: &str| path == super::LOCK_FILE || before.files.iter().any(|known| known == path);
        let stranger = files.iter().find(|(path, text)| {
            !ours(path) && existing.get(*path).is_some_and(|found| found != text)
        });
        match stranger {
            None => Ok(()),
            Some((path, _)) => {
                let file = self.path.join(path);
                let message = format!("`{}` is not from an earlier run", file.display());
                let help = "choose another folder, or move the file away; nothing was written";
                Err(Failure::usage(message, Some(help.to_owned())))
            }
        }
    }

    /// Brings the folder to what was generated and says how much that was. When something fails, the
    /// folder is as before.
    pub fn put(&self, files: &Files, drift: &Drift<'_>) -> Result<String, Failure> {
        let total = files.iter().count();
        let texts = files.iter().map(|(path, text)| (path, text.as_bytes()));
        self.put_all(&texts.collect(), &drift.changes().collect::<Vec<_>>())?;
        let count = |wanted: fn(FileChange) -> bool| {
            drift
                .changes()
                .filter(|(_, change)| wanted(*change))
                .count()
        };
        let removed = count(|change| change == FileChange::Left);
        let written = count(|change| change != FileChange::Left);
        let mut summary = vec![format!("{written} of {total} files written")];
        if written < total {
            summary.push(format!("{} as they were", total - written));
        }
        if removed > 0 {
            summary.push(format!("{removed} removed"));
        }
        Ok(summary.join(", "))
    }

    /// Writes files into the folder, in which nothing is. When something fails, the folder is as before.
    pub fn fill(&self, files: &BTreeMap<&str, &[u8]>) -> Result<(), Failure> {
        let changes = files.keys().map(|path| (*path, FileChange::Missing));
        self.put_all(files, &changes.collect::<Vec<_>>())
    }

    /// Makes changes, of which the files are those that are not removed.
    fn put_all(
        &self,
        files: &BTreeMap<&str, &[u8]>,
        changes: &[(&str, FileChange)],
    ) -> Result<(), Failure> {
        interrupts::defer()?;
        if let Some(new) = NewFolder::begin(self.path)? {
            new.write(files)?;
            new.finish()?;
        } else {
            let mut moves = Moves::default();
            self.stage(files, changes, &mut moves)
                .inspect_err(|_| moves.undo())?;
        }
        interrupts::asked("all files were written")
    }

    /// Takes back what a run that was killed had begun here, and removes what it left here and beside
    /// the folder.
    pub fn recover(&self) -> Result<(), Failure> {
        let failed = |source| unwritable(self.path, source);
        for leftover in Leftover::all_in(self.path).map_err(failed)? {
            for back in leftover.moves_back(self.path).map_err(failed)? {
                self.take_back(&back)?;
            }
            leftover.remove().map_err(failed)?;
        }
        // Beside it may be the folders of others, whose files are not moved, and may not be removed.
        let beside = Leftover::all_in(parent_of(self.path)).unwrap_or_default();
        for leftover in beside.iter().filter(|leftover| !leftover.has_moves()) {
            let _ = leftover.remove();
        }
        Ok(())
    }

    /// Takes one move back, if it leads nowhere out of the folder.
    fn take_back(&self, back: &MoveBack) -> Result<(), Failure> {
        if !Self::is_inside(&back.path) {
            let message = format!("a run left a move of `{}`, which is outside", back.path);
            let help = format!(
                "remove the folders `.chatstate-*` in `{}`",
                self.path.display()
            );
            return Err(Failure::usage(message, Some(help)));
        }
        let place = self.path.join(&back.path);
        self.reject_other_kinds(&place)?;
        let done = match &back.old {
            Some(old) => {
                self.reject_other_kinds(old)?;
                fs::rename(old, &place)
            }
            None => fs::remove_file(&place),
        };
        done.map_err(|source| unwritable(&place, source))
    }

    /// Writes everything beside its place first, then moves it there.
    fn stage(
        &self,
        files: &BTreeMap<&str, &[u8]>,
        changes: &[(&str, FileChange)],
        moves: &mut Moves,
    ) -> Result<(), Failure> {
        let failed = |source| unwritable(self.path, source);
        fs::create_dir_all(self.path).map_err(failed)?;
        let staged = moves
            .staged
            .insert(Staging::new_in(self.path).map_err(failed)?);
        let (new, old) = (staged.new_files(), staged.old_files());
        let written = changes
            .iter()
            .filter_map(|(path, _)| Some((*path, *files.get(path)?)));
        write_all(&new, written)?;
        staged.plan(changes.iter().copied()).map_err(failed)?;
        for (path, change) in changes {
            let place = self.path.join(path);
            if *change != FileChange::Missing {
                moves.make(place.clone(), old.join(path))?;
            }
            if *change != FileChange::Left {
                moves.make(new.join(path), place)?;
            }
        }
        Ok(())
    }
}

/// Files that were moved, so that they can be moved back.
#[derive(Default)]
struct Moves {
    made: Vec<(PathBuf, PathBuf)>,
    /// Where the new files are before they are moved, and the old ones after.
    staged: Option<Staging>,
}

impl Moves {
    fn make(&mut self, from: PathBuf, to: PathBuf) -> Result<(), Failure> {
        if fs::rename(&from, &to).is_err() {
            // Most often the folder is there; where it is not, it is made.
            if let Some(folder) = to.parent() {
                fs::create_dir_all(folder).map_err(|source| unwritable(folder, source))?;
            }
            fs::rename(&from, &to).map_err(|source| unwritable(&to, source))?;
        }
        self.made.push((from, to));
        Ok(())
    }

    fn undo(&mut self) {
        for (from, to) in self.made.drain(..).rev() {
            // The failure that is reported is the one that led here.
            let _ = fs::rename(to, from);
        }
    }
}

/// Writes files below a folder, and makes the folders that they are in.
pub(super) fn write_all<'f>(
    below: &Path,
    files: impl IntoIterator<Item = (&'f str, &'f [u8])>,
) -> Result<(), Failure> {
    let mut made = BTreeSet::new();
    for (path, text) in files {
        interrupts::asked("nothing was written")?;
        let path = below.join(path);
        if let Some(folder) = path.parent().filter(|folder| !made.contains(*folder)) {
            fs::create_dir_all(folder).map_err(|source| unwritable(folder, source))?;
            made.insert(folder.to_owned());
        }
        fs::write(&path, text).map_err(|source| unwritable(&path, source))?;
    }
    Ok(())
}

fn is_missing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

pub(super) fn unwritable(path: &Path, source: io::Error) -> Failure {
    Failure::Unwritable {
        path: path.to_owned(),
        source,
    }
}
