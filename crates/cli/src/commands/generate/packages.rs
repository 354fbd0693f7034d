//! The files of the packages of one language or all.

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::thread::{Builder, scope};

use chatstate_codegen::{Files, Generator, Package};
use chatstate_schema_model::{Ir, Lock};

use super::sources::Sources;
use super::{ALL, GENERATORS};
use crate::STACK_BYTES;
use crate::arguments::{Generate, PackagePart};
use crate::failure::Failure;
use crate::output;

/// Packages, and what the lock file says of them.
pub struct Packages {
    pub files: Files,
    /// The names of the types.
    pub names: Lock,
    /// The digests of the templates of the user's that the files are printed by.
    pub templates: BTreeMap<String, String>,
}

/// The packages of one language or all. Each language has a thread of its own.
pub fn packages(
    arguments: &Generate,
    language: &str,
    sources: &Sources,
    names: Lock,
) -> Result<Packages, Failure> {
    let reading = sources.read(arguments, names)?;
    let ir = &reading.ir;
    let package = &sources.package(arguments, ir)?;
    let wanted = GENERATORS.iter().copied();
    let wanted = wanted.filter(|generator| language == ALL || language == generator.name());
    // The warnings are of what readers check, and declarations check nothing.
    let checking = wanted.clone().filter(|_| arguments.only.is_none());
    let warnings = checking.flat_map(|generator| generator.warnings(ir));
    warnings.for_each(|warning| output::note(&warning));
    let made: Vec<_> = scope(|scope| {
        let made = wanted.map(|generator| {
            let thread = Builder::new().stack_size(STACK_BYTES);
            let make = move || made(generator, ir, package, arguments.only, language == ALL);
            thread.spawn_scoped(scope, make).map_err(Failure::Thread)
        });
        let made: Vec<_> = made.collect();
        let join = |made: Result<_, Failure>| {
            made.and_then(|thread: std::thread::ScopedJoinHandle<'_, _>| {
                thread.join().unwrap_or_else(|panic| resume_unwind(panic))
            })
        };
        made.into_iter().map(join).collect()
    });
    let mut files = Files::new();
    for language in made {
        files.add_all("", language?)?;
    }
    let mut templates = package.overlay.digests();
    let of_language = |path: &String| path.split('/').next() == Some(language);
    templates.retain(|path, _| language == ALL || of_language(path));
    Ok(Packages {
        files,
        names: reading.lock,
        templates,
    })
}

/// The files of one language, in a folder of its own beside those of others.
fn made(
    generator: &dyn Generator,
    ir: &Ir,
    package: &Package,
    only: Option<PackagePart>,
    has_folder: bool,
) -> Result<Files, Failure> {
    let folder = if has_folder {
        format!("{}/", generator.name())
    } else {
        String::new()
    };
    let mut files = Files::new();
    match only {
        None => {
            files.add_all(&folder, generator.generated(ir, package)?)?;
            files.add_all(&folder, generator.runtime(package)?)?;
        }
        Some(PackagePart::Types) => {
            files.add_all(&folder, generator.declarations(ir, package)?)?;
        }
    }
    Ok(files)
}
