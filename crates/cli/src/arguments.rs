//! The command line: verbs and flags (SPEC.md and `chatstate help` name the exit codes).

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use chatstate_runner::Shard;
use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum};

mod documents;
mod expect;
mod fuzz;
mod generate;
mod interop;
mod json;
mod new;
mod report;
mod sources;
mod verify;

pub use documents::{Diff, Validate};
pub use expect::{ExpectUpdate, ExpectVerb};
pub use fuzz::Fuzz;
pub use generate::{EmittedForm, Generate, PackagePart, RuntimeSource, UnknownForm};
pub use interop::Interop;
pub use json::JsonAnswer;
pub use new::{NewCase, NewVerb};
pub use report::{ReportFormat, ReportOutput, ReportVerb, Reports};
pub use sources::CaseSources;
pub use verify::Verify;

use crate::colour::Colour;
use crate::destination::OutputFile;
use crate::failure::EXIT_CODES;

/// Tests whether an SDK keeps serialized agent chats whole, and checks, replays, compares and
/// converts saved chats and logs of events.
#[derive(Debug, Parser)]
#[command(
    name = "chatstate",
    version,
    max_term_width = 80,
    subcommand_required = true,
    after_help = exit_codes()
)]
pub struct Arguments {
    /// Colours: `auto` at a terminal, `always`, or `never`
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        value_enum,
        default_value = "auto",
        hide_possible_values = true,
        hide_default_value = true,
        display_order = 900
    )]
    pub color: Colour,
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Test an SDK through its adapter (without one: the reference)
    Test(Test),
    /// Compare, check, merge and rewrite the reports of runs
    #[command(subcommand)]
    Report(ReportVerb),
    /// Keep a list of expected failures true
    #[command(subcommand)]
    Expect(ExpectVerb),
    /// Begin an adapter for an SDK, or a case of your own
    #[command(subcommand)]
    New(NewVerb),
    /// List the cases of the embedded corpus
    List(List),
    /// Print one case
    Show {
        /// The case's id, as `list` prints it
        case: String,
    },
    /// Write the embedded corpus into a folder
    Copy {
        /// A folder that does not exist yet or is empty
        directory: PathBuf,
    },
    /// Check the embedded corpus against its own rules and SPEC.md
    Lint {
        /// Also list the parts of the schema that no case touches, or that none violates
        #[arg(long)]
        coverage: bool,
    },
    /// Have several SDKs read what each other wrote
    Interop(Interop),
    /// Look for inputs that an SDK gets wrong, and make them small
    Fuzz(Fuzz),
    /// Run the corpus against references that are broken on purpose
    Selftest(Selftest),
    /// Check documents against the schema
    Validate(Validate),
    /// Print a document's canonical form
    Canonicalize {
        /// The document's type; needed where text may be split inside a character
        #[arg(long = "type", value_name = "TYPE")]
        document_type: Option<String>,
        /// Where it is written to.
        #[command(flatten)]
        output: OutputFile,
        /// The document; `-` or nothing is stdin
        file: Option<PathBuf>,
    },
    /// Show what one document lost against another
    Diff(Diff),
    /// Check whether the order of the events of a stream is valid
    Verify(Verify),
    /// Turn a stream of events into its messages, state and runs
    Replay {
        /// The run to stop at the end of (without it: the last one)
        #[arg(long, value_name = "RUN")]
        at: Option<String>,
        /// Pass over the events of a log that does not verify that break a rule, and say which
        #[arg(long)]
        lenient: bool,
        /// How it is printed: data, or the conversation as people read it
        #[arg(long, value_name = "FORMAT", value_enum, default_value = "json")]
        format: ReplayFormat,
        /// Where it is written to.
        #[command(flatten)]
        output: OutputFile,
        /// A JSON array or JSON Lines of events; `-` or nothing is stdin
        file: Option<PathBuf>,
    },
    /// Shrink a stream of events to fewer events that mean the same
    Compact(Compact),
    /// Print the events that a client needs to join a running thread
    Attach {
        /// Where it is written to.
        #[command(flatten)]
        output: OutputFile,
        /// A JSON array or JSON Lines of events; `-` or nothing is stdin
        file: Option<PathBuf>,
    },
    /// Convert a document between formats, and say what is lost
    Convert(Convert),
    /// Show which run of a stream continues which
    Lineage {
        /// The same as `--format json`
        #[arg(long, conflicts_with = "format")]
        json: bool,
        /// How it is printed: a tree, data, or a graph for Graphviz
        #[arg(long, value_name = "FORMAT", value_enum, default_value = "text")]
        format: LineageFormat,
        /// Print the events of this run and of those that lead to it, and nothing else
        #[arg(long, value_name = "RUN", conflicts_with = "format")]
        branch: Option<String>,
        /// Where it is written to.
        #[command(flatten)]
        output: OutputFile,
        /// A JSON array or JSON Lines of events; `-` or nothing is stdin
        file: Option<PathBuf>,
    },
    /// Restore a saved chat into a chat that a file describes
    Restore {
        /// The chat to restore into, as below
        #[arg(long, value_name = "FILE")]
        target: PathBuf,
        /// Where it is written to.
        #[command(flatten)]
        output: OutputFile,
        /// The saved chat, plain or encoded; `-` or nothing is stdin
        file: Option<PathBuf>,
    },
    /// Write a saved chat in Base64, which protects nothing
    Encode {
        /// Where it is written to.
        #[command(flatten)]
        output: OutputFile,
        /// The saved chat; `-` or nothing is stdin
        file: Option<PathBuf>,
    },
    /// Write an encoded chat as plain JSON
    Decode {
        /// Where it is written to.
        #[command(flatten)]
        output: OutputFile,
        /// The encoded chat; `-` or nothing is stdin
        file: Option<PathBuf>,
    },
    /// Write types for a schema in four languages, or an adapter
    Generate(Generate),
    /// Seal a document, so that anyone with the key notices a change
    Seal(Seal),
    /// Verify the seal of a document and print it without the seal
    Unseal(Unseal),
    /// Explain a requirement, case, rule, class, verdict or exit code
    Explain {
        /// What a report or a message names, such as `replay.messages-snapshot`
        name: String,
    },
    /// Print the script that completes this command line in a shell
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Write the manual pages of this program
    Man {
        /// The folder to write into
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
    },
    /// Speak the adapter protocol on stdin and stdout as the reference implementation
    #[command(hide = true)]
    Adapter {
        /// Break the reference in one named way
        #[arg(long)]
        mutant: Option<String>,
    },
}

/// Arguments of `test`.
#[derive(Debug, Args)]
pub struct Test {
    /// Only cases whose id matches (repeatable; `*` matches any text)
    #[arg(long, value_name = "GLOB")]
    pub only: Vec<String>,
    /// Only cases of this suite (repeatable)
    #[arg(long, value_name = "SUITE")]
    pub suite: Vec<String>,
    /// Where the cases are from.
    #[command(flatten)]
    pub sources: CaseSources,
    /// Only every N-th of these, beginning with the I-th, so that N machines share the work
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub shard: Option<Shard>,
    /// The failures that are known, with their reasons (a TOML file)
    #[arg(long, value_name = "FILE")]
    pub expect: Option<PathBuf>,
    /// How many adapter processes to run at once
    #[arg(long, value_name = "N", default_value = "1", value_parser = positive)]
    pub jobs: NonZeroUsize,
    /// Seconds one answer may take
    #[arg(long, value_name = "SECS", default_value = "10", value_parser = seconds)]
    pub timeout: Duration,
    /// Stop after so many cases that crash the adapter, hang it or break the protocol
    #[arg(long, value_name = "N", default_value = "5", value_parser = positive)]
    pub crash_budget: NonZeroUsize,
    /// Stop at the first failure that no list names
    #[arg(long)]
    pub fail_fast: bool,
    /// Ask only once for what fails, and never call it flaky
    #[arg(long)]
    pub no_rerun: bool,
    /// Mebibytes of memory that an adapter process may have
    #[arg(long, value_name = "MIB", value_parser = positive)]
    pub max_memory: Option<NonZeroUsize>,
    /// Seconds of processor time that an adapter process may take
    #[arg(long, value_name = "SECS", value_parser = seconds)]
    pub max_cpu: Option<Duration>,
    /// Keep all that is asked and answered in a file
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Judge what a file of `--record` says was answered, and start nothing
    #[arg(long, value_name = "FILE", conflicts_with_all = ["adapter", "record", "jobs", "max_memory", "max_cpu"])]
    pub replay: Option<PathBuf>,
    /// Reports to write.
    #[command(flatten)]
    pub reports: Reports,
    /// The command that starts the adapter
    #[arg(last = true, value_name = "ADAPTER")]
    pub adapter: Vec<String>,
}

/// Arguments of `selftest`.
#[derive(Debug, Args)]
pub struct Selftest {
    /// Only this mutant (repeatable)
    #[arg(long, value_name = "MUTANT")]
    pub only: Vec<String>,
    /// How many mutants run at once (without it: one for each processor)
    #[arg(long, value_name = "N", value_parser = positive)]
    pub jobs: Option<NonZeroUsize>,
    /// Print every failure of every mutant as JSON
    #[arg(long)]
    pub json: bool,
    /// Also try a mutant that is not broken, which must be reported as a survivor
    #[arg(long, hide = true)]
    pub with_survivor: bool,
}

/// Arguments of `compact`.
#[derive(Debug, Args)]
pub struct Compact {
    /// How much is kept: every item of every run, or only the results of finished runs
    #[arg(long, value_name = "LEVEL", value_enum, default_value = "stream")]
    pub level: CompactLevel,
    /// Which runs level `snapshot` keeps (without it: tips)
    #[arg(long, value_name = "RUNS", value_enum)]
    pub retain: Option<RetainArgument>,
    /// The log is the rest of a thread: fold nothing onto a state that it does not hold
    #[arg(long)]
    pub partial: bool,
    /// Pass a log that does not verify through from the run on where that shows
    #[arg(long)]
    pub lenient: bool,
    /// Keep the events of this type as they are, where they are (repeatable)
    #[arg(long, value_name = "TYPE", value_parser = verify::event_types(), hide_possible_values = true)]
    pub keep: Vec<String>,
    /// Where it is written to.
    #[command(flatten)]
    pub output: OutputFile,
    /// A JSON array or JSON Lines of events; `-` or nothing is stdin
    pub file: Option<PathBuf>,
}

/// How much compaction keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CompactLevel {
    /// Every item of every run, what a log keeps.
    Stream,
    /// Snapshots of what a run changed, what a store keeps.
    Snapshot,
}

/// Which runs level `snapshot` keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RetainArgument {
    /// The ends of the branches, and the runs where branches part.
    Tips,
    /// All of them.
    Runs,
}

/// Arguments of `convert`.
#[derive(Debug, Args)]
pub struct Convert {
    /// The format of the document (without it: recognised by the members)
    #[arg(long, value_name = "DIALECT", value_parser = dialects([AG_UI_DRAFT, AG_UI_FORMER, CBOR]))]
    pub from: Option<String>,
    /// The format to write
    #[arg(long, value_name = "DIALECT", value_parser = dialects([AG_UI, CBOR]))]
    pub to: String,
    /// The kind of document to write, such as `session`, where the format has several
    #[arg(long = "document", value_name = "KIND")]
    pub kind: Option<String>,
    /// Exit with 0 although something was lost or made up
    #[arg(long)]
    pub allow_loss: bool,
    /// Print the document and what was lost or made up as one JSON object
    #[arg(long)]
    pub json: bool,
    /// Where it is written to.
    #[command(flatten)]
    pub output: OutputFile,
    /// The document; `-` or nothing is stdin
    pub file: Option<PathBuf>,
}

/// Events with the names of AG-UI's serialization draft, which are only read.
pub const AG_UI_DRAFT: &str = "ag-ui-draft";

/// Events of AG-UI before 1.0, which are only read.
const AG_UI_FORMER: &str = chatstate::dialect::ag_ui_former::NAME;

/// What events of the draft and of 0.0.x are written as.
pub const AG_UI: &str = "ag-ui";

/// The canonical form in bytes.
pub const CBOR: &str = "cbor";

/// The dialects that the library has tables for, and those beside them.
fn dialects<const N: usize>(beside: [&'static str; N]) -> PossibleValuesParser {
    let known: Vec<_> = chatstate::dialect::names().collect();
    let beside = beside.into_iter().filter(|name| !known.contains(name));
    PossibleValuesParser::new(known.iter().copied().chain(beside).collect::<Vec<_>>())
}

/// Arguments of `seal`.
#[derive(Debug, Args)]
pub struct Seal {
    /// The file whose bytes are the key; all of them count
    #[arg(long, value_name = "FILE")]
    pub key_file: PathBuf,
    /// A name of the key, which is written into the seal and says nothing of the key itself
    #[arg(long, value_name = "ID")]
    pub key_id: Option<String>,
    /// Where it is written to.
    #[command(flatten)]
    pub output: OutputFile,
    /// The document, any JSON object; `-` or nothing is stdin
    pub file: Option<PathBuf>,
}

/// Arguments of `unseal`.
#[derive(Debug, Args)]
pub struct Unseal {
    /// The file whose bytes are the key; all of them count
    #[arg(long, value_name = "FILE")]
    pub key_file: PathBuf,
    /// The name that the key must have in the seal, if that names one
    #[arg(long, value_name = "ID")]
    pub key_id: Option<String>,
    /// Only verify the seal, and print nothing
    #[arg(long)]
    pub check: bool,
    /// Where it is written to.
    #[command(flatten)]
    pub output: OutputFile,
    /// The sealed document; `-` or nothing is stdin
    pub file: Option<PathBuf>,
}

/// How a lineage is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LineageFormat {
    /// A tree for people.
    Text,
    /// What adapters answer.
    Json,
    /// The graph language of Graphviz.
    Dot,
}

/// How a replay is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReplayFormat {
    /// What adapters answer.
    Json,
    /// Messages by role, then state and runs.
    Text,
}

/// Arguments of `list`.
#[derive(Debug, Args)]
pub struct List {
    /// Only cases of this suite
    #[arg(long, value_name = "SUITE")]
    pub suite: Option<String>,
    /// Only cases of this requirement
    #[arg(long, value_name = "REQUIREMENT")]
    pub requirement: Option<String>,
}

fn exit_codes() -> String {
    let codes = EXIT_CODES.iter();
    let codes: Vec<String> = codes
        .map(|(code, meaning)| format!("{code} {meaning}"))
        .collect();
    format!("exit codes: {}", codes.join(", "))
}

fn positive(text: &str) -> Result<NonZeroUsize, String> {
    let complaint = |_| "give a whole number above 0, such as `4`".to_owned();
    text.parse().map_err(complaint)
}

fn shard(text: &str) -> Result<Shard, String> {
    let complaint = || "give a share such as `2/4`, the second of four".to_owned();
    let (index, of) = text.split_once('/').ok_or_else(complaint)?;
    let index: usize = index.parse().map_err(|_| complaint())?;
    let of: usize = of.parse().map_err(|_| complaint())?;
    if (1..=of).contains(&index) {
        Ok(Shard { index, of })
    } else {
        Err(complaint())
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let complaint = || "give a number of seconds above 0, such as `10` or `0.5`".to_owned();
    let seconds: f64 = text.parse().map_err(|_| complaint())?;
    let duration = Duration::try_from_secs_f64(seconds).map_err(|_| complaint())?;
    if duration.is_zero() {
        Err(complaint())
    } else {
        Ok(duration)
    }
}
