//! Which adapters are to understand each other.

use std::num::NonZeroUsize;
use std::time::Duration;

use clap::Args;

use super::{positive, seconds};

/// Arguments of `interop`.
#[derive(Debug, Args)]
pub struct Interop {
    /// Only the documents of cases whose id matches (repeatable; `*` matches any text)
    #[arg(long, value_name = "GLOB")]
    pub only: Vec<String>,
    /// Only the documents of this suite (repeatable)
    #[arg(long, value_name = "SUITE")]
    pub suite: Vec<String>,
    /// Print every loss as JSON
    #[arg(long)]
    pub json: bool,
    /// Seconds one answer may take
    #[arg(long, value_name = "SECS", default_value = "10", value_parser = seconds)]
    pub timeout: Duration,
    /// Ask an adapter no more after so many documents that crash it, hang it or break the protocol
    #[arg(long, value_name = "N", default_value = "5", value_parser = positive)]
    pub crash_budget: NonZeroUsize,
    /// The commands that start the adapters, two or more, each after a `--` of its own
    #[arg(last = true, required = true, value_name = "ADAPTER")]
    pub adapters: Vec<String>,
}
