//! The files of packages: those that need no schema while it is read, then each language by itself.

use std::panic::resume_unwind;
use std::thread::{Builder, Scope, ScopedJoinHandle, scope};

use chatstate_codegen::{CodegenError, Files, Generator, Package};
use chatstate_ir::{Ir, Lock};

use super::sources::Sources;
use super::{ALL, GENERATORS};
use crate::STACK_BYTES;
use crate::arguments::Generate;
use crate::failure::Failure;

/// Makes the packages of one language or all.
pub struct Making<'a> {
    pub arguments: &'a Generate,
    pub language: &'a str,
    pub sources: &'a Sources,
}

/// What is done with files as soon as they are made, in several threads at once.
type Take<'t> = &'t (dyn Fn(&Files) -> Result<(), Failure> + Sync);

/// A thread that makes files.
type Running<'s> = Result<ScopedJoinHandle<'s, Result<Files, Failure>>, Failure>;

impl Making<'_> {
    /// All files of the packages, and the names of their types.
    pub fn files(&self, names: Lock, take: Take<'_>) -> Result<(Files, Lock), Failure> {
        let named = self.sources.named_package(self.arguments)?;
        let named = named.as_ref();
        scope(|scope| {
            let runtimes = named.map(|package| begin(scope, || self.runtimes(package, take)));
            let reading = self.sources.read(names)?;
            let package = match named {
                Some(package) => package,
                None => &self.sources.titled_package(&reading.ir)?,
            };
            let mut files = self.generated(&reading.ir, package, take)?;
            let runtimes = match runtimes {
                Some(running) => joined(running)?,
                None => self.runtimes(package, take)?,
            };
            files.add_all("", runtimes)?;
            Ok((files, reading.lock))
        })
    }

    /// The files of all languages that no schema changes.
    fn runtimes(&self, package: &Package, take: Take<'_>) -> Result<Files, Failure> {
        let mut files = Files::new();
        for generator in self.generators() {
            files.add_all("", self.placed(generator, generator.runtime(package))?)?;
        }
        take(&files)?;
        Ok(files)
    }

    /// The files that the schema decides about. Each language has a thread of its own.
    fn generated(&self, ir: &Ir, package: &Package, take: Take<'_>) -> Result<Files, Failure> {
        scope(|scope| {
            let make = |generator| {
                let files = self.placed(generator, generator.generated(ir, package))?;
                take(&files)?;
                Ok(files)
            };
            let running: Vec<_> = self
                .generators()
                .map(|generator| begin(scope, move || make(generator)))
                .collect();
            let mut files = Files::new();
            for thread in running {
                files.add_all("", joined(thread)?)?;
            }
            Ok(files)
        })
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

fn begin<'s>(
    scope: &'s Scope<'s, '_>,
    work: impl FnOnce() -> Result<Files, Failure> + Send + 's,
) -> Running<'s> {
    let thread = Builder::new().stack_size(STACK_BYTES);
    thread.spawn_scoped(scope, work).map_err(Failure::Thread)
}

fn joined(running: Running<'_>) -> Result<Files, Failure> {
    running?.join().unwrap_or_else(|panic| resume_unwind(panic))
}
