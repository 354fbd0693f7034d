//! `chatstate generate`: packages with the types of a schema, and skeletons of adapters.

mod emitted;
pub mod folder;
mod interrupts;
mod lock_file;
mod new_folder;
mod obstacles;
mod packages;
mod sources;
mod staging;
mod templates;

use std::collections::BTreeSet;
use std::path::Path;

use chatstate_codegen::{Files, Generator, compare};
use chatstate_generator_dotnet::DotnetGenerator;
use chatstate_generator_python::PythonGenerator;
use chatstate_generator_rust::RustGenerator;
use chatstate_generator_typescript::TypeScriptGenerator;

use crate::arguments::{EmittedForm, Generate, PackagePart, RuntimeSource, UnknownForm};
use crate::failure::{Failure, UNEXPECTED};
use crate::output;
use emitted::EmittedModel;
use folder::Folder;
use lock_file::{LOCK_FILE, LockFile};
use obstacles::quoted;
use packages::packages;
use sources::Sources;

/// All languages, by the order of their names.
const GENERATORS: &[&(dyn Generator + Sync)] = &[
    &DotnetGenerator,
    &PythonGenerator,
    &RustGenerator,
    &TypeScriptGenerator,
];

/// The word for all languages.
const ALL: &str = "all";

/// The word for a skeleton instead of a package.
const ADAPTER: &str = "adapter";

/// The word for the templates of a language.
const TEMPLATES: &str = "templates";

/// The words that may be in the place of a language.
pub fn languages() -> impl Iterator<Item = &'static str> {
    let names = GENERATORS.iter().map(|generator| generator.name());
    names.chain([ALL, ADAPTER, TEMPLATES])
}

/// Does what `generate` asks for.
pub fn run(arguments: &Generate) -> Result<u8, Failure> {
    reject_parts_of_no_package(arguments)?;
    match arguments.emit {
        Some(EmittedForm::Ir) => return emit(arguments),
        Some(EmittedForm::View) => return emit_views(arguments),
        None => {}
    }
    let Some(out) = &arguments.out else {
        return Err(Failure::usage(
            "there is no `--out`",
            Some("name the folder to write into: `--out DIR`".to_owned()),
        ));
    };
    match arguments.language.as_deref() {
        Some(word @ (ADAPTER | TEMPLATES)) => for_users(arguments, word, out),
        Some(language) => write_packages(arguments, language, out),
        None => Err(Failure::usage(
            "there is no language",
            Some(format!("name one of {}", listed(languages()))),
        )),
    }
}

/// A part of packages is asked for where no package is made.
fn reject_parts_of_no_package(arguments: &Generate) -> Result<(), Failure> {
    let other = match (arguments.emit, arguments.language.as_deref()) {
        (Some(EmittedForm::Ir), _) => "--emit ir",
        (_, Some(word @ (ADAPTER | TEMPLATES))) => word,
        _ => return Ok(()),
    };
    if arguments.only.is_none() {
        return Ok(());
    }
    Err(Failure::usage(
        format!("`--only` is for what packages hold, and `{other}` makes none"),
        Some("leave `--only` out".to_owned()),
    ))
}

/// Prints the model of the schema.
fn emit(arguments: &Generate) -> Result<u8, Failure> {
    let sources = Sources::load(arguments)?;
    let reading = sources.read(arguments, LockFile::default().names)?;
    let text = serde_json::to_string_pretty(&EmittedModel::from(reading))
        .map_err(|error| Failure::Bug(error.to_string()))?;
    output::print_line(&text)?;
    Ok(0)
}

/// Prints what the templates of a language print.
fn emit_views(arguments: &Generate) -> Result<u8, Failure> {
    let language = arguments.language.as_deref();
    let mut generators = GENERATORS.iter();
    let generator = generators.find(|generator| Some(generator.name()) == language);
    let generator = generator.ok_or_else(|| {
        let help = "write `chatstate generate LANGUAGE --emit view`".to_owned();
        Failure::usage("the views of which language?", Some(help))
    })?;
    let sources = Sources::load(arguments)?;
    let ir = sources.read(arguments, LockFile::default().names)?.ir;
    let package = sources.package(arguments, &ir)?;
    let views = match arguments.only {
        None => generator.views(&ir, &package)?,
        Some(PackagePart::Types) => generator.declaration_views(&ir, &package)?,
    };
    let text =
        serde_json::to_string_pretty(&views).map_err(|error| Failure::Bug(error.to_string()))?;
    output::print_line(&text)?;
    Ok(0)
}

/// Writes the packages of one language or all, or only compares them.
fn write_packages(arguments: &Generate, language: &str, out: &Path) -> Result<u8, Failure> {
    let sources = &Sources::load(arguments)?;
    let folder = Folder::new(out);
    if !arguments.check {
        folder.recover()?;
    }
    let before = LockFile::read(&folder)?;
    let made = packages(arguments, language, sources, before.names.clone())?;
    let mut files = made.files;
    let lock = LockFile::new(made.names, &files, made.templates);
    files.add(LOCK_FILE, lock.text()?)?;
    let mut known: BTreeSet<&str> = files.iter().map(|(path, _)| path).collect();
    known.extend(before.files.iter().map(String::as_str));
    let existing = folder.texts(&known)?;
    let drift = compare(&files, &existing);
    if arguments.check {
        return Ok(report(&drift.report(&command(arguments, language, out))));
    }
    folder.reject_strangers(&files, &existing, &before)?;
    let written = folder.put(&files, &drift)?;
    output::print_line(&format!("{}: {written}", out.display()))?;
    Ok(0)
}

/// Prints what differs to stderr and gives the exit code.
fn report(differences: &str) -> u8 {
    if differences.is_empty() {
        return 0;
    }
    output::note(differences.trim_end());
    UNEXPECTED
}

/// The command that puts the files right.
fn command(arguments: &Generate, language: &str, out: &Path) -> String {
    let path = |path: &Path| quoted(&path.to_string_lossy());
    let mut words = vec![format!("chatstate generate {language} --out {}", path(out))];
    for schema in &arguments.schema {
        words.push(format!("--schema {}", path(schema)));
    }
    if let Some(model) = &arguments.ir {
        words.push(format!("--ir {}", path(model)));
    }
    if arguments.unknown == Some(UnknownForm::Keep) {
        words.push("--unknown keep".to_owned());
    }
    for place in &arguments.at {
        words.push(format!("--at {}", quoted(place)));
    }
    for place in &arguments.opaque {
        words.push(format!("--opaque {}", quoted(place)));
    }
    if let Some(name) = &arguments.name {
        words.push(format!("--name {name}"));
    }
    let about = [
        ("description", &arguments.description),
        ("license", &arguments.license),
        ("repository", &arguments.repository),
    ];
    let given = about
        .into_iter()
        .filter_map(|(name, text)| Some((name, text.as_deref()?)));
    words.extend(given.map(|(name, text)| format!("--{name} {}", quoted(text))));
    if let Some(folder) = &arguments.templates {
        words.push(format!("--templates {}", path(folder)));
    }
    if arguments.runtime == Some(RuntimeSource::Dependency) {
        words.push("--runtime dependency".to_owned());
    }
    if arguments.only == Some(PackagePart::Types) {
        words.push("--only types".to_owned());
    }
    words.join(" ")
}

/// Writes the skeleton of an adapter, or the templates of a language: files that belong to the user
/// from then on.
fn for_users(arguments: &Generate, word: &str, out: &Path) -> Result<u8, Failure> {
    let generator = named(arguments, word)?;
    let files = if word == ADAPTER {
        generator.adapter_skeleton()?
    } else {
        templates::of(generator)?
    };
    write_for_users(&files, out)
}

/// The languages that there are skeletons of adapters in.
pub fn adapter_languages() -> impl Iterator<Item = &'static str> {
    GENERATORS.iter().map(|generator| generator.name())
}

/// Writes the skeleton of an adapter.
pub fn skeleton(language: &str, out: &Path) -> Result<u8, Failure> {
    let mut generators = GENERATORS.iter().copied();
    let generator = generators.find(|generator| generator.name() == language);
    let Some(generator) = generator else {
        let known = listed(adapter_languages());
        let message = format!("`{language}` passed for one of {known}");
        return Err(Failure::Bug(message));
    };
    write_for_users(&generator.adapter_skeleton()?, out)
}

/// Writes files that belong to the user from then on.
fn write_for_users(files: &Files, out: &Path) -> Result<u8, Failure> {
    let folder = Folder::new(out);
    folder.recover()?;
    let paths: BTreeSet<&str> = files.iter().map(|(path, _)| path).collect();
    let existing = folder.texts(&paths)?;
    folder.reject_strangers(files, &existing, &LockFile::default())?;
    let written = folder.put(files, &compare(files, &existing))?;
    output::print_line(&format!("{}: {written}", out.display()))?;
    Ok(0)
}

/// The generator of the language that is named after a word.
fn named(arguments: &Generate, word: &str) -> Result<&'static (dyn Generator + Sync), Failure> {
    let wanted = arguments.adapter_language.as_deref();
    let mut generators = GENERATORS.iter().copied();
    let generator = generators.find(|generator| Some(generator.name()) == wanted);
    generator.ok_or_else(|| {
        let names = listed(GENERATORS.iter().map(|generator| generator.name()));
        let help =
            format!("write `chatstate generate {word} LANGUAGE --out DIR` with one of {names}");
        let article = if word == ADAPTER { "an adapter" } else { word };
        Failure::usage(format!("{article} of which language?"), Some(help))
    })
}

fn listed<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let quoted: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}
