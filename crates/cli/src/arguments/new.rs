//! The arguments of `new`.

use std::path::PathBuf;

use chatstate_protocol::vocabulary;
use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};

use crate::commands::generate::adapter_languages;

/// What to begin.
#[derive(Debug, Subcommand)]
pub enum NewVerb {
    /// Write the skeleton of an adapter, which you then let call your SDK
    Adapter(NewAdapter),
    /// Write a case for you to finish, which `test --corpus` runs
    Case(NewCase),
}

/// Arguments of `new adapter`.
#[derive(Debug, Args)]
pub struct NewAdapter {
    /// The language of the SDK
    #[arg(value_name = "LANGUAGE", value_parser = PossibleValuesParser::new(adapter_languages()))]
    pub language: String,
    /// The folder to write into
    #[arg(long, value_name = "DIR", default_value = "adapter")]
    pub out: PathBuf,
}

/// Arguments of `new case`.
#[derive(Debug, Args)]
pub struct NewCase {
    /// Its id, such as `round-trip/my-chat`: a suite and a name
    #[arg(value_name = "SUITE/NAME")]
    pub id: String,
    /// The operation that is asked for
    #[arg(long, value_name = "OP", value_parser = PossibleValuesParser::new(vocabulary::OPERATIONS))]
    pub op: String,
    /// The type of the document, where the operation takes one
    #[arg(long = "type", value_name = "TYPE")]
    pub document_type: Option<String>,
    /// The folder with your cases
    #[arg(long, value_name = "DIR", default_value = "cases")]
    pub corpus: PathBuf,
    /// The document (without it: an empty object, to be replaced)
    #[arg(long, value_name = "FILE")]
    pub input: Option<PathBuf>,
}
