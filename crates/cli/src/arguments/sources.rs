//! Where cases are from, beside the embedded corpus.

use std::path::PathBuf;

use clap::Args;

/// Cases of the user's own.
#[derive(Debug, Args)]
pub struct CaseSources {
    /// A folder with cases of your own, which run beside those of the corpus (repeatable)
    #[arg(long, value_name = "DIR", conflicts_with = "fixtures")]
    pub corpus: Vec<PathBuf>,
    /// Instead of the corpus: fixtures in the form of AG-UI's conformance data
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub fixtures: Vec<PathBuf>,
}
