//! The arguments of verbs for documents.

use std::path::PathBuf;

use clap::Args;

/// Arguments of `validate`.
#[derive(Debug, Args)]
pub struct Validate {
    /// The document's type
    #[arg(long = "type", value_name = "TYPE")]
    pub document_type: String,
    /// Print the result as JSON on stdout
    #[arg(long)]
    pub json: bool,
    /// The document; `-` or nothing is stdin
    pub file: Option<PathBuf>,
}

/// Arguments of `diff`.
#[derive(Debug, Args)]
pub struct Diff {
    /// Print the differences as JSON on stdout
    #[arg(long)]
    pub json: bool,
    /// Also show numbers of equal value with another spelling
    #[arg(long)]
    pub lexical: bool,
    /// The documents' type, so that unknown members are distinguished from known ones
    #[arg(long = "type", value_name = "TYPE")]
    pub document_type: Option<String>,
    /// The document before, or JSON Lines; `-` is stdin
    pub before: PathBuf,
    /// The document after, or JSON Lines; `-` is stdin
    pub after: PathBuf,
}
