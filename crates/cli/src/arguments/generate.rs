//! The arguments of `generate`.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};

use crate::commands::generate::languages;

/// Arguments of `generate`.
#[derive(Debug, Args)]
pub struct Generate {
    /// The language, `all` of them, `adapter` for the skeleton of an adapter, or `templates`
    #[arg(value_name = "LANGUAGE", value_parser = PossibleValuesParser::new(languages()))]
    pub language: Option<String>,
    /// The language of the adapter or of the templates, after `adapter` or `templates`
    #[arg(value_name = "ADAPTER_LANGUAGE")]
    pub adapter_language: Option<String>,
    /// The folder to write into; `all` writes a folder for each language into it
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// A schema file, `-` for stdin (repeatable; without it: chatstate's own schema)
    #[arg(long, value_name = "FILE")]
    pub schema: Vec<PathBuf>,
    /// Where the definitions are, such as `/components/schemas` (repeatable)
    #[arg(long, value_name = "POINTER")]
    pub at: Vec<String>,
    /// A place that cannot be represented and is read as any JSON value, or `all` of them (repeatable)
    #[arg(long, value_name = "POINTER")]
    pub opaque: Vec<String>,
    /// What becomes of variants and values that the schema does not know (without it: `refuse`)
    #[arg(long, value_name = "WHAT", value_enum)]
    pub unknown: Option<UnknownForm>,
    /// A model that `--emit ir` has printed, instead of schema files
    #[arg(long, value_name = "FILE", conflicts_with_all = ["schema", "at", "opaque", "unknown"])]
    pub ir: Option<PathBuf>,
    /// The name of the package, in lower-case words with `-` between
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// What the package is, in one line of its manifest
    #[arg(long, value_name = "TEXT", value_parser = of_manifest)]
    pub description: Option<String>,
    /// The licence of the package, as an SPDX expression such as `MIT`
    #[arg(long, value_name = "EXPRESSION", value_parser = of_manifest)]
    pub license: Option<String>,
    /// The address of the sources of the package
    #[arg(long, value_name = "URL", value_parser = of_manifest)]
    pub repository: Option<String>,
    /// How a package for Rust gets its runtime (without it: `vendored`)
    #[arg(long, value_name = "HOW", value_enum)]
    pub runtime: Option<RuntimeSource>,
    /// Write a part of what packages hold, without a package around it
    #[arg(long, value_name = "WHAT", value_enum, conflicts_with_all = OF_PACKAGES)]
    pub only: Option<PackagePart>,
    /// Templates in the places of some: `DIR/python/object.py.hbs`, as `generate templates` writes them
    #[arg(long, value_name = "DIR")]
    pub templates: Option<PathBuf>,
    /// Write nothing, and show how the files differ from what would be written
    #[arg(long)]
    pub check: bool,
    /// Print what the languages are generated from instead
    #[arg(long, value_name = "WHAT", value_enum)]
    pub emit: Option<EmittedForm>,
}

/// What says something of a package alone.
const OF_PACKAGES: [&str; 4] = ["description", "license", "repository", "runtime"];

/// A text of a manifest: one line with something in it.
fn of_manifest(text: &str) -> Result<String, String> {
    if text.trim().is_empty() {
        return Err("it is empty".to_owned());
    }
    if text.contains(char::is_control) {
        return Err("it has a control character; write it in one line".to_owned());
    }
    Ok(text.to_owned())
}

/// What `generate` prints instead of writing packages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EmittedForm {
    /// The model of the schema, as JSON.
    Ir,
    /// What the templates of the language print, as JSON: the path, template and data of each file.
    View,
}

/// A part of what packages hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PackagePart {
    /// Plain declarations of the types, in one file for each language; they read and check nothing.
    Types,
}

/// What becomes of variants and values that the schema does not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum UnknownForm {
    /// As the schema says: they are rejected where it closes a choice.
    Refuse,
    /// Tagged unions and enumerations of texts keep them; malformed variants are rejected still.
    Keep,
}

impl From<UnknownForm> for chatstate_schema_model::UnknownValues {
    fn from(form: UnknownForm) -> Self {
        match form {
            UnknownForm::Refuse => Self::AsDescribed,
            UnknownForm::Keep => Self::Kept,
        }
    }
}

/// How a package gets the code that its types need.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RuntimeSource {
    /// A folder of the package holds it.
    Vendored,
    /// The package depends on the published crate.
    Dependency,
}

impl From<RuntimeSource> for chatstate_codegen::Runtime {
    fn from(source: RuntimeSource) -> Self {
        match source {
            RuntimeSource::Vendored => Self::Vendored,
            RuntimeSource::Dependency => Self::Dependency,
        }
    }
}
