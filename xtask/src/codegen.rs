//! `cargo xtask codegen`: the schema files in, the generated code out, or only compared.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use chatstate_codegen::{CodegenError, Drift, Files, compare};
use chatstate_generator_rust::reference_types;
use chatstate_ir::{IrError, SchemaText, read, with_generated_lists};

/// How the names of schema files end.
const SCHEMA_ENDING: &str = ".schema.json";

/// Schema files and the types that are made of them.
struct Source {
    /// The folder of the schema files, from the root of the workspace.
    schema: &'static str,
    /// The folder of the generated types, from the root of the workspace.
    types: &'static str,
    /// The schema files as the generated types see them.
    schema_from_types: &'static str,
}

/// The types of the reference, and those that the tests of the generator compile.
const SOURCES: [Source; 2] = [
    Source {
        schema: "schema/v1",
        types: "crates/chatstate/src/generated",
        schema_from_types: "../../../../schema/v1",
    },
    Source {
        schema: "generators/rust/tests/schema",
        types: "generators/rust/tests/generated",
        schema_from_types: "../schema",
    },
];

/// The folder of the schemas of the kit's own formats, from the root of the workspace.
#[cfg(feature = "kit")]
const KIT: &str = "schema/kit";

/// The folder of the generated page, from the root of the workspace.
#[cfg(feature = "kit")]
const DOCS: &str = "docs";

/// The generated page that joins requirements and cases.
#[cfg(feature = "kit")]
const TRACEABILITY: &str = "traceability.md";

/// The generated page of the tables of dialects.
#[cfg(feature = "kit")]
const DIALECTS: &str = "dialects.md";

/// The command that puts generated files right.
const FIX: &str = "cargo xtask codegen";

/// Why the code could not be generated, or is not as generated.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file could not be read or written.
    #[error("cannot {action} `{path}`: {source}")]
    File {
        /// What was to be done with the file.
        action: &'static str,
        /// The file.
        path: String,
        /// What the system says.
        source: io::Error,
    },
    /// There is no schema.
    #[error("no schema files in `{0}`\n  help: they end with `{SCHEMA_ENDING}`")]
    NoSchema(&'static str),
    /// The schema cannot be represented.
    #[error(transparent)]
    Schema(#[from] IrError),
    /// A generator cannot express the schema.
    #[error(transparent)]
    Generator(#[from] CodegenError),
    /// The corpus or SPEC.md cannot be read.
    #[cfg(feature = "kit")]
    #[error("{0}")]
    Corpus(String),
    /// The files are not as generated.
    #[error("generated files are not up to date\n{0}")]
    Drift(String),
}

/// Writes all generated files below `workspace`, or with `check` only compares them.
pub fn run(workspace: &Path, check: bool) -> Result<(), Error> {
    let outputs = outputs(workspace)?;
    if check {
        return report(&outputs);
    }
    outputs.iter().try_for_each(write)
}

/// One folder with generated files.
struct Output {
    /// The folder from the root of the workspace.
    folder: &'static str,
    path: PathBuf,
    files: Files,
    existing: BTreeMap<String, String>,
}

/// All generated files.
fn outputs(workspace: &Path) -> Result<Vec<Output>, Error> {
    let mut outputs = Vec::new();
    for source in &SOURCES {
        outputs.extend(type_outputs(workspace, source)?);
    }
    #[cfg(feature = "kit")]
    outputs.extend(kit_outputs(workspace)?);
    Ok(outputs)
}

/// The types, and the schema with its generated lists put right.
fn type_outputs(workspace: &Path, source: &Source) -> Result<[Output; 2], Error> {
    let found = texts(&workspace.join(source.schema), SCHEMA_ENDING)?;
    if found.is_empty() {
        return Err(Error::NoSchema(source.schema));
    }
    let mut schema = Files::new();
    for (name, text) in &found {
        schema.add(name, with_generated_lists(&SchemaText { name, text })?)?;
    }
    let schema_texts: Vec<_> = schema
        .iter()
        .map(|(name, text)| SchemaText { name, text })
        .collect();
    let types = reference_types(&read(&schema_texts)?, source.schema_from_types)?;
    let path = workspace.join(source.types);
    let existing = texts(&path, ".rs")?;
    Ok([
        Output {
            folder: source.types,
            path,
            files: types,
            existing,
        },
        Output {
            folder: source.schema,
            path: workspace.join(source.schema),
            files: schema,
            existing: found,
        },
    ])
}

/// The schemas of the kit's own formats, and the pages that are made of what the kit holds.
#[cfg(feature = "kit")]
fn kit_outputs(workspace: &Path) -> Result<Vec<Output>, Error> {
    let mut schemas = Files::new();
    for (name, text) in chatstate_runner::kit_schemas() {
        schemas.add(name, text)?;
    }
    let mut pages = Files::new();
    pages.add(TRACEABILITY, crate::traceability::page(workspace)?)?;
    pages.add(DIALECTS, chatstate::dialect::page())?;
    let kit = workspace.join(KIT);
    let docs = workspace.join(DOCS);
    // Other pages of the folder are written by people.
    let mut page = texts(&docs, ".md")?;
    page.retain(|name, _| [TRACEABILITY, DIALECTS].contains(&name.as_str()));
    Ok(vec![
        Output {
            folder: KIT,
            existing: texts(&kit, SCHEMA_ENDING)?,
            path: kit,
            files: schemas,
        },
        Output {
            folder: DOCS,
            path: docs,
            files: pages,
            existing: page,
        },
    ])
}

fn report(outputs: &[Output]) -> Result<(), Error> {
    let mut drift = Drift::default();
    for output in outputs {
        drift.merge(compare(&output.files, &output.existing).below(output.folder));
    }
    if drift.is_empty() {
        return Ok(());
    }
    Err(Error::Drift(drift.report(FIX)))
}

/// Writes the files that differ and removes those that are no longer generated.
fn write(output: &Output) -> Result<(), Error> {
    for (name, _) in compare(&output.files, &output.existing).changes() {
        let path = output.path.join(name);
        match output.files.get(name) {
            Some(text) => write_file(&path, text)?,
            None => fs::remove_file(&path).map_err(|source| failed("remove", &path, source))?,
        }
    }
    Ok(())
}

fn write_file(path: &Path, text: &str) -> Result<(), Error> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|source| failed("make", folder, source))?;
    }
    fs::write(path, text).map_err(|source| failed("write", path, source))
}

/// The texts of the files in a folder whose names end so, by name. No folder is no files.
fn texts(folder: &Path, ending: &str) -> Result<BTreeMap<String, String>, Error> {
    let mut texts = BTreeMap::new();
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(texts),
        entries => entries.map_err(|source| failed("read", folder, source))?,
    };
    for entry in entries {
        let path = entry
            .map_err(|source| failed("read", folder, source))?
            .path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if name.ends_with(ending) {
            let text = fs::read_to_string(&path).map_err(|source| failed("read", &path, source))?;
            texts.insert(name, text);
        }
    }
    Ok(texts)
}

/// A file that could not be read or written, as an error.
pub fn failed(action: &'static str, path: &Path, source: io::Error) -> Error {
    Error::File {
        action,
        path: path.display().to_string(),
        source,
    }
}
