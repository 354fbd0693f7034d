//! The arguments of verbs for documents.

use std::path::PathBuf;

use clap::Args;

/// Arguments of `validate`.
#[derive(Debug, Args)]
pub struct Validate {
    /// The documents' type (without it: recognised by the members)
    #[arg(long = "type", value_name = "TYPE")]
    pub document_type: Option<String>,
    /// Also reject members and variants that the schema does not name
    #[arg(long)]
    pub strict: bool,
    /// Print the result as JSON on stdout
    #[arg(long)]
    pub json: bool,
    /// Documents; folders with `.json`, `.jsonl` or `.ndjson` files; patterns;
    /// `-` or nothing is stdin
    pub files: Vec<PathBuf>,
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
    /// The documents' type, by which unknown members are told from known ones (without
    /// it: recognised by the members)
    #[arg(long = "type", value_name = "TYPE")]
    pub document_type: Option<String>,
    /// The document before, or JSON Lines; `-` is stdin
    pub before: PathBuf,
    /// The document after, or JSON Lines; `-` is stdin
    pub after: PathBuf,
}
