//! The arguments of `verify`, and the types of events.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use chatstate::header::EventKind;
use clap::Args;
use clap::builder::PossibleValuesParser;

use super::positive;

/// Arguments of `verify`.
#[derive(Debug, Args)]
pub struct Verify {
    /// Print the findings as JSON on stdout
    #[arg(long)]
    pub json: bool,
    /// Reject a log that ends before its last run has finished or failed
    #[arg(long)]
    pub complete: bool,
    /// How many logs are verified at once (without it: one for each processor)
    #[arg(long, value_name = "N", value_parser = positive)]
    pub jobs: Option<NonZeroUsize>,
    /// Logs of events: a JSON array or JSON Lines, also by gzip or Zstandard; folders
    /// with `.jsonl` or `.ndjson` files; patterns; `-` or nothing is stdin
    pub files: Vec<PathBuf>,
}

/// The types of events; an event of another type is kept anyway.
pub(super) fn event_types() -> PossibleValuesParser {
    let kinds = EventKind::ALL
        .iter()
        .filter(|kind| **kind != EventKind::Unknown);
    PossibleValuesParser::new(kinds.map(|kind| kind.role().tag).collect::<Vec<_>>())
}
