//! What to do with lists of expected failures.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use super::{CaseSources, positive, seconds};

/// What to do with lists of expected failures.
#[derive(Debug, Subcommand)]
pub enum ExpectVerb {
    /// Bring a list up to date: what passes goes, what fails comes
    Update(ExpectUpdate),
}

/// Arguments of `expect update`. Comments, order and reasons of the list stay.
#[derive(Debug, Args)]
pub struct ExpectUpdate {
    /// The list (a TOML file); it is made if it is not there
    pub file: PathBuf,
    /// The report of a whole run to go by, in place of running the adapter
    #[arg(long, value_name = "REPORT", conflicts_with = "adapter")]
    pub from: Option<PathBuf>,
    /// Where the cases are from.
    #[command(flatten)]
    pub sources: CaseSources,
    /// The reason of entries that come (without it: what was seen, to be explained)
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
    /// Give new failures of one kind of loss one entry, where there are three or more
    #[arg(long)]
    pub group: bool,
    /// Write nothing; exit with 1 if the list is out of date
    #[arg(long)]
    pub check: bool,
    /// How many adapter processes to run at once
    #[arg(long, value_name = "N", default_value = "1", value_parser = positive)]
    pub jobs: NonZeroUsize,
    /// Seconds one answer may take
    #[arg(long, value_name = "SECS", default_value = "10", value_parser = seconds)]
    pub timeout: Duration,
    /// The command that starts the adapter
    #[arg(last = true, value_name = "ADAPTER")]
    pub adapter: Vec<String>,
}
