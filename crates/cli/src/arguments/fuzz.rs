//! What to look for, and for how long.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use chatstate_protocol::vocabulary;
use clap::Args;
use clap::builder::PossibleValuesParser;

use super::{positive, seconds};

/// Arguments of `fuzz`.
#[derive(Debug, Args)]
pub struct Fuzz {
    /// Only this operation (repeatable; without it: all that the adapter declares)
    #[arg(long = "op", value_name = "OP", value_parser = PossibleValuesParser::new(vocabulary::OPERATIONS))]
    pub operations: Vec<String>,
    /// Stop looking after so many seconds (without it and `--cases`: 60); what was found may take
    /// some more to be made small
    #[arg(long, value_name = "SECS", value_parser = seconds)]
    pub seconds: Option<Duration>,
    /// Stop after so many inputs; the same seed and number find the same
    #[arg(long, value_name = "N")]
    pub cases: Option<u64>,
    /// Where the inputs come from (without it: from the clock)
    #[arg(long, value_name = "SEED")]
    pub seed: Option<u64>,
    /// Ask every case of the corpus in other spellings and with changes that keep its meaning instead
    #[arg(long, conflicts_with_all = ["seconds", "cases", "seed", "exact"])]
    pub variants: bool,
    /// What answers are held to.
    #[command(flatten)]
    pub strictness: Strictness,
    /// Stop after so many kinds of failures
    #[arg(long, value_name = "N", default_value = "20", value_parser = positive)]
    pub findings: NonZeroUsize,
    /// Seconds one answer may take
    #[arg(long, value_name = "SECS", default_value = "10", value_parser = seconds)]
    pub timeout: Duration,
    /// Print what was found as JSON
    #[arg(long)]
    pub json: bool,
    /// Also write each finding as a case into this folder of a corpus
    #[arg(long, value_name = "DIR")]
    pub promote: Option<PathBuf>,
    /// The command that starts the adapter
    #[arg(last = true, value_name = "ADAPTER")]
    pub adapter: Vec<String>,
}

/// What answers are held to, other than any that is right by the reference.
#[derive(Debug, Args)]
pub struct Strictness {
    /// Ask for the reference's own answer also where others are right
    #[arg(long)]
    pub exact: bool,
    /// Judge by the SDK's own answers alone: what it accepts it gives back, decodes, unseals and
    /// replays as it was, and repeats when it is asked for it again
    #[arg(long, conflicts_with_all = ["variants", "exact"])]
    pub laws: bool,
}
