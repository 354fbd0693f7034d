//! The files of packages: those that need no schema while it is read, then those of each language.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, Scope, ScopedJoinHandle, available_parallelism, scope};

use chatstate_codegen::{CodegenError, Files, Generator, Package};
use chatstate_schema_model::{Ir, Lock};

use super::sources::Sources;
use super::{ALL, GENERATORS};
use crate::STACK_BYTES;
use crate::arguments::Generate;
use crate::failure::Failure;

/// Makes the packages of one language or all.
pub struct Pipeline<'a> {
    pub arguments: &'a Generate,
    pub language: &'a str,
    pub sources: &'a Sources,
}

/// What is done with files as soon as they are made, in several threads at once.
type Take<'t> = &'t (dyn Fn(&Files) -> Result<(), Failure> + Sync);

/// The languages of which files are still to be made.
type Waiting = Mutex<Vec<&'static (dyn Generator + Sync)>>;

/// What was made of each language, by its name.
type PackagesByLanguage = BTreeMap<&'static str, Result<Files, Failure>>;

/// A thread that makes something.
type PackageThread<'s, T> = Result<ScopedJoinHandle<'s, Result<T, Failure>>, Failure>;

/// More memory than a thread needs for the packages of a schema of usual size.
const ROOM_BYTES: usize = 4 * 1024 * 1024;

/// The language that takes longest, which is begun first.
const LONGEST: &str = "rust";

impl Pipeline<'_> {
    /// All files of the packages, and the names of their types.
    pub fn files(&self, names: Lock, take: Take<'_>) -> Result<(Files, Lock), Failure> {
        make_room();
        let known = self.sources.named_package(self.arguments)?;
        let known = known.as_ref();
        let waiting = Mutex::new(self.generators().collect());
        let runtimes =
            |package: &Package| self.make(&waiting, take, |generator| generator.runtime(package));
        scope(|scope| {
            let early = known.map(|package| begin(scope, || Ok(runtimes(package))));
            let reading = self.sources.read(names)?;
            let package = match known {
                Some(package) => package,
                None => &self.sources.titled_package(&reading.ir)?,
            };
            let mut files = self.generated(&reading.ir, package, take)?;
            // Those that still wait; the other thread is at one of them.
            let mut made = runtimes(package);
            if let Some(early) = early {
                made.extend(joined(early)?);
            }
            files.add_all("", self.merged(made)?)?;
            Ok((files, reading.lock))
        })
    }

    /// The files that the schema decides about. This thread makes them, and others where there are
    /// further processors.
    fn generated(&self, ir: &Ir, package: &Package, take: Take<'_>) -> Result<Files, Failure> {
        let mut waiting: Vec<_> = self.generators().collect();
        waiting.sort_by_key(|generator| generator.name() == LONGEST);
        let threads = available_parallelism().map_or(1, NonZero::get);
        let others = threads.min(waiting.len()).saturating_sub(1);
        let waiting = Mutex::new(waiting);
        let work = || self.make(&waiting, take, |generator| generator.generated(ir, package));
        let made = scope(|scope| {
            let others: Vec<_> = (0..others).map(|_| begin(scope, || Ok(work()))).collect();
            let mut made = work();
            for other in others {
                made.extend(joined(other)?);
            }
            Ok::<_, Failure>(made)
        })?;
        self.merged(made)
    }

    /// Makes files of one waiting language after the other, from the last to the first.
    fn make(
        &self,
        waiting: &Waiting,
        take: Take<'_>,
        files_of: impl Fn(&dyn Generator) -> Result<Files, CodegenError>,
    ) -> PackagesByLanguage {
        let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut made = PackagesByLanguage::new();
        while let Some(generator) = next() {
            let files = self.placed(generator, files_of(generator));
            let files = files.and_then(|files| take(&files).map(|()| files));
            made.insert(generator.name(), files);
        }
        made
    }

    /// The files of all languages; of several failures, the one of the first language is reported.
    fn merged(&self, mut made: PackagesByLanguage) -> Result<Files, Failure> {
        let mut files = Files::new();
        for generator in self.generators() {
            let made = made.remove(generator.name());
            files.add_all("", made.transpose()?.unwrap_or_default())?;
        }
        Ok(files)
    }

    fn generators(&self) -> impl Iterator<Item = &'static (dyn Generator + Sync)> {
        let all = GENERATORS.iter().copied();
        all.filter(|generator| self.language == ALL || self.language == generator.name())
    }

    /// The files of a language in the folder of its package, which is the only one if only that
    /// language is wanted.
    fn placed(
        &self,
        generator: &dyn Generator,
        made: Result<Files, CodegenError>,
    ) -> Result<Files, Failure> {
        let made = made?;
        if self.language != ALL {
            return Ok(made);
        }
        let mut files = Files::new();
        files.add_all(&format!("{}/", generator.name()), made)?;
        Ok(files)
    }
}

fn begin<'s, T: Send + 's>(
    scope: &'s Scope<'s, '_>,
    work: impl FnOnce() -> Result<T, Failure> + Send + 's,
) -> PackageThread<'s, T> {
    let work = move || {
        make_room();
        work()
    };
    let thread = Builder::new().stack_size(STACK_BYTES);
    thread.spawn_scoped(scope, work).map_err(Failure::Thread)
}

fn joined<T>(running: PackageThread<'_, T>) -> Result<T, Failure> {
    running?.join().unwrap_or_else(|panic| resume_unwind(panic))
}

/// Makes room in the memory of this thread: it takes a large piece and gives it back. The allocator of
/// glibc keeps that for what is made, where it would otherwise ask the system for every page; it
/// hands the first piece back at once, and learns from it to keep the second. No page is used by that.
fn make_room() {
    for bytes in [2 * ROOM_BYTES, ROOM_BYTES] {
        drop(black_box(Vec::<u8>::with_capacity(bytes)));
    }
}
