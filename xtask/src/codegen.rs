//! `cargo xtask codegen`: writes the generated files from the schema files, or only compares them.
//!
//! Generated files are checked in, so that a clone builds without a generator. They hold no date, path
//! or tool version, so that two machines write equal bytes. Without the feature `kit` the task builds
//! even when the generated types do not compile.

mod disk;
#[cfg(feature = "kit")]
mod names;
mod packages;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use chatstate_codegen::{CodegenError, Drift, Files, compare, events_page};
#[cfg(feature = "kit")]
use chatstate_codegen::{Generator, VIEW_SCHEMA, view_schema};
#[cfg(feature = "kit")]
use chatstate_generator_dotnet::DotnetGenerator;
#[cfg(feature = "kit")]
use chatstate_generator_python::PythonGenerator;
#[cfg(feature = "kit")]
use chatstate_generator_rust::RustGenerator;
use chatstate_generator_rust::{reference_schemas, reference_types};
#[cfg(feature = "kit")]
use chatstate_generator_typescript::TypeScriptGenerator;
use chatstate_schema_model::{Ir, IrError, SchemaText, read, with_generated_lists};

use disk::{texts, write};

/// How the names of schema files end.
const SCHEMA_ENDING: &str = ".schema.json";

/// Schema files and the types that are made of them.
struct SchemaSource {
    /// The folder of the schema files, from the root of the workspace.
    schema: &'static str,
    /// The folder of the generated types, from the root of the workspace.
    types: &'static str,
    /// The schema files as the generated types see them.
    schema_from_types: &'static str,
}

/// The canonical schema, and the types of the reference.
const CANONICAL: SchemaSource = SchemaSource {
    schema: "schema/v1",
    types: "crates/types/src/generated",
    schema_from_types: "../../../../schema/v1",
};

/// The folder of the JSON Schemas of the canonical types, from the root of the workspace.
const JSON_SCHEMAS: &str = "crates/types/src/json_schema";

/// What the tests of the generator for Rust compile.
const OBSTACLES: SchemaSource = SchemaSource {
    schema: "generators/rust/tests/schema",
    types: "generators/rust/tests/generated",
    schema_from_types: "../schema",
};

/// The folder of the schemas of the kit's own formats, from the root of the workspace.
#[cfg(feature = "kit")]
const KIT: &str = "schema/kit";

/// The folder of the generated pages, from the root of the workspace.
const DOCS: &str = "docs";

/// The generated page about what events do.
const EVENTS: &str = "events.md";

/// The generated page that joins requirements and cases.
#[cfg(feature = "kit")]
const TRACEABILITY: &str = "traceability.md";

/// The generated page of the tables of dialects.
#[cfg(feature = "kit")]
const DIALECTS: &str = "dialects.md";

/// The generated page of what things are called in each language.
#[cfg(feature = "kit")]
const NAMES: &str = "names.md";

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
struct GeneratedFolder {
    /// The folder from the root of the workspace.
    folder: String,
    path: PathBuf,
    files: Files,
    existing: BTreeMap<String, String>,
}

/// All generated files.
fn outputs(workspace: &Path) -> Result<Vec<GeneratedFolder>, Error> {
    let mut outputs = Vec::new();
    for source in [&CANONICAL, &OBSTACLES] {
        let schema = SchemaFolder::read(workspace, source)?;
        let ir = schema.ir()?;
        if source.schema == CANONICAL.schema {
            outputs.extend(packages::outputs(workspace, &ir)?);
            outputs.push(json_schemas(workspace, &ir)?);
            outputs.push(events(workspace, &ir)?);
        }
        outputs.push(types(workspace, source, &ir)?);
        outputs.push(schema.output);
    }
    #[cfg(feature = "kit")]
    outputs.extend(kit_outputs(workspace)?);
    Ok(outputs)
}

/// Schema files, with their generated lists put right.
struct SchemaFolder {
    output: GeneratedFolder,
}

impl SchemaFolder {
    fn read(workspace: &Path, source: &SchemaSource) -> Result<Self, Error> {
        let path = workspace.join(source.schema);
        let existing = texts(&path, SCHEMA_ENDING)?;
        if existing.is_empty() {
            return Err(Error::NoSchema(source.schema));
        }
        let mut files = Files::new();
        for (name, text) in &existing {
            files.add(
                name.as_str(),
                with_generated_lists(&SchemaText { name, text })?,
            )?;
        }
        let folder = source.schema.to_owned();
        let output = GeneratedFolder {
            folder,
            path,
            files,
            existing,
        };
        Ok(Self { output })
    }

    fn ir(&self) -> Result<Ir, Error> {
        let files = self.output.files.iter();
        let texts: Vec<_> = files
            .map(|(name, text)| SchemaText { name, text })
            .collect();
        Ok(read(&texts)?)
    }
}

/// The page about what events do.
fn events(workspace: &Path, ir: &Ir) -> Result<GeneratedFolder, Error> {
    let mut files = Files::new();
    if let Some(roles) = &ir.roles {
        files.add(EVENTS, events_page(roles))?;
    }
    pages(workspace, files, &[EVENTS])
}

/// The page of names.
#[cfg(feature = "kit")]
fn names(workspace: &Path) -> Result<GeneratedFolder, Error> {
    let path = workspace.join(names::NAMES);
    let unreadable = |source| Error::File {
        action: "read",
        path: names::NAMES.to_owned(),
        source,
    };
    let text = std::fs::read_to_string(path).map_err(unreadable)?;
    let page = names::page(&text).map_err(|error| unreadable(error.into()))?;
    let mut files = Files::new();
    files.add(NAMES, page)?;
    pages(workspace, files, &[NAMES])
}

/// Generated pages in a folder whose other pages are written by people.
fn pages(workspace: &Path, files: Files, names: &[&str]) -> Result<GeneratedFolder, Error> {
    let path = workspace.join(DOCS);
    let mut existing = texts(&path, ".md")?;
    existing.retain(|name, _| names.contains(&name.as_str()));
    Ok(GeneratedFolder {
        folder: DOCS.to_owned(),
        path,
        files,
        existing,
    })
}

/// The types of the reference or of a test.
fn types(workspace: &Path, source: &SchemaSource, ir: &Ir) -> Result<GeneratedFolder, Error> {
    let path = workspace.join(source.types);
    let files = reference_types(ir, source.schema_from_types)?;
    Ok(GeneratedFolder {
        folder: source.types.to_owned(),
        existing: texts(&path, ".rs")?,
        path,
        files,
    })
}

/// The JSON Schemas of the canonical types.
fn json_schemas(workspace: &Path, ir: &Ir) -> Result<GeneratedFolder, Error> {
    let path = workspace.join(JSON_SCHEMAS);
    let mut files = Files::new();
    files.add("schemas.rs", reference_schemas(ir)?)?;
    Ok(GeneratedFolder {
        folder: JSON_SCHEMAS.to_owned(),
        existing: texts(&path, ".rs")?,
        path,
        files,
    })
}

/// The schemas of the kit's own formats, and the pages that are made of what the kit holds.
#[cfg(feature = "kit")]
fn kit_outputs(workspace: &Path) -> Result<Vec<GeneratedFolder>, Error> {
    let mut schemas = Files::new();
    for (name, text) in chatstate_runner::kit_schemas() {
        schemas.add(name, text)?;
    }
    let generators: [&dyn Generator; 4] = [
        &DotnetGenerator,
        &PythonGenerator,
        &RustGenerator,
        &TypeScriptGenerator,
    ];
    schemas.add(VIEW_SCHEMA, view_schema(&generators))?;
    let mut made = Files::new();
    made.add(TRACEABILITY, crate::traceability::page(workspace)?)?;
    made.add(DIALECTS, chatstate::dialect::page())?;
    let kit = workspace.join(KIT);
    Ok(vec![
        GeneratedFolder {
            folder: KIT.to_owned(),
            existing: texts(&kit, SCHEMA_ENDING)?,
            path: kit,
            files: schemas,
        },
        pages(workspace, made, &[TRACEABILITY, DIALECTS])?,
        names(workspace)?,
    ])
}

fn report(outputs: &[GeneratedFolder]) -> Result<(), Error> {
    let mut drift = Drift::default();
    for output in outputs {
        drift.merge(compare(&output.files, &output.existing).below(&output.folder));
    }
    if drift.is_empty() {
        return Ok(());
    }
    Err(Error::Drift(drift.report(FIX)))
}

/// A file that could not be read or written, as an error.
pub fn failed(action: &'static str, path: &Path, source: io::Error) -> Error {
    Error::File {
        action,
        path: path.display().to_string(),
        source,
    }
}
