//! Which reports to write, and what to do with written ones.

use std::path::PathBuf;

use chatstate_runner::report::text::TextDetail;
use clap::{Args, Subcommand, ValueEnum};

/// What to do with reports. A report is what `--report jsonl=PATH` or `--report json=PATH` wrote.
#[derive(Debug, Subcommand)]
pub enum ReportVerb {
    /// Write a report in other formats (several runs on one page: `html`)
    Show {
        /// Reports to write.
        #[command(flatten)]
        reports: Reports,
        /// The reports of runs
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Show what is different between two runs
    Diff {
        /// Print the differences as JSON on stdout
        #[arg(long)]
        json: bool,
        /// Only what got worse or fails in another way; the rest is no reason for exit code 1
        #[arg(long)]
        only_worse: bool,
        /// The report of the earlier run
        before: PathBuf,
        /// The report of the later run
        after: PathBuf,
    },
    /// Check that a report is whole, unchanged and about the whole corpus
    Verify {
        /// The reports
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Put the reports of the shards of one run together
    Merge {
        /// Reports to write.
        #[command(flatten)]
        reports: Reports,
        /// The reports of all shards
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
}

/// Reports to write.
#[derive(Debug, Clone, Args)]
pub struct Reports {
    /// A report to write, to stdout or to a file: `text`, `jsonl`, `json`, `junit`, `tap`, `sarif`, `markdown`, `github`, `badge` or `html` (repeatable)
    #[arg(long = "report", value_name = "FORMAT[=PATH]", value_parser = output)]
    pub wanted: Vec<ReportOutput>,
    /// Show so many failing cases in full, after the causes of all failures
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub max_failures: usize,
    /// Show all failing cases in full, and what was skipped for want of what
    #[arg(long, conflicts_with_all = ["max_failures", "statistics", "quiet"])]
    pub verbose: bool,
    /// Show the causes of failures with their counts, and no case in full
    #[arg(long, conflicts_with_all = ["max_failures", "quiet"])]
    pub statistics: bool,
    /// Show the result alone
    #[arg(long, conflicts_with = "max_failures")]
    pub quiet: bool,
}

impl Reports {
    /// How much of a run the text report shows.
    pub fn detail(&self) -> TextDetail {
        match (self.quiet, self.statistics, self.verbose) {
            (true, ..) => TextDetail::Result,
            (_, true, _) => TextDetail::Causes,
            (.., true) => TextDetail::Everything,
            _ => TextDetail::Cases(self.max_failures),
        }
    }
}

/// A report and where it goes.
#[derive(Debug, Clone)]
pub struct ReportOutput {
    /// How it is written.
    pub format: ReportFormat,
    /// The file; `None` is stdout.
    pub path: Option<PathBuf>,
}

/// How a report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// For people.
    Text,
    /// A header, a line for each case, a footer: what to keep.
    Jsonl,
    /// For programs (`schema/kit/report.schema.json`).
    Json,
    /// For CI servers.
    Junit,
    /// For harnesses of the Test Anything Protocol, version 14.
    Tap,
    /// For code scanning.
    Sarif,
    /// For comments and summaries.
    Markdown,
    /// Annotations of GitHub, and the summary of the step where it has a file for it.
    Github,
    /// For shields.io.
    Badge,
    /// A page for people, of one or several runs.
    Html,
}

fn output(text: &str) -> Result<ReportOutput, String> {
    let (format, path) = match text.split_once('=') {
        Some((_, "")) => return Err("there is no path after `=`".to_owned()),
        Some((format, path)) => (format, Some(PathBuf::from(path))),
        None => (text, None),
    };
    let format = ReportFormat::from_str(format, false).map_err(|_| unknown(format))?;
    Ok(ReportOutput { format, path })
}

fn unknown(format: &str) -> String {
    let known = ReportFormat::value_variants().iter();
    let known = known.filter_map(ValueEnum::to_possible_value);
    let known: Vec<_> = known.map(|it| format!("`{}`", it.get_name())).collect();
    format!(
        "`{format}` is not a report; the reports are {}",
        known.join(", ")
    )
}
