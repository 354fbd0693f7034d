//! `chatstate compact`: fewer events that mean the same.

use std::fs::File;
use std::io::{self, ErrorKind, IsTerminal, Read};
use std::path::PathBuf;

use chatstate::compact::{self, Failed, Finished, Level, Options, Stopped, TextCompactor};
use chatstate::generated::Event;
use indicatif::{ProgressBar, ProgressStyle};

use crate::arguments::{Compact, CompactLevel, RetainArgument};
use crate::failure::{Failure, UNEXPECTED};
use crate::input::torn_tail;
use crate::output;

/// Prints the compacted events as the log is read: an array for an array, lines for lines.
pub fn run(arguments: &Compact) -> Result<u8, Failure> {
    let mut log = BlockLog::open(arguments.file.as_ref())?;
    let keep = |event: &Event| arguments.keep.iter().any(|kept| kept == event.tag());
    let mut options = Options::at(level(arguments));
    options.partial = arguments.partial;
    options.lenient = arguments.lenient;
    options.keep = (!arguments.keep.is_empty()).then_some(&keep);
    let finished = compact(&mut log, options);
    log.progress.finish_and_clear();
    let finished = finished?;
    remark(&log.name, &finished);
    Ok(if finished.torn.is_some() {
        UNEXPECTED
    } else {
        0
    })
}

fn level(arguments: &Compact) -> Level {
    match (arguments.level, arguments.retain) {
        (CompactLevel::Stream, _) => Level::Stream,
        (CompactLevel::Snapshot, RetainArgument::Runs) => Level::Snapshot(compact::Retain::Runs),
        (CompactLevel::Snapshot, RetainArgument::Tips) => Level::Snapshot(compact::Retain::Tips),
    }
}

fn compact(log: &mut BlockLog, options: Options<'_>) -> Result<Finished, Failure> {
    let name = log.name.clone();
    let mut compactor = TextCompactor::new(options);
    let finished = compactor.compact(&mut |block| log.read(block), &mut output::print_bytes);
    // The process ends next. To free what is known of every run takes a fifth of the time.
    std::mem::forget(compactor);
    finished.map_err(|failed| match failed {
        Failed::Stopped(stopped) => rejected(&name, &stopped),
        Failed::Caller(failure) => failure,
    })
}

fn rejected(name: &str, stopped: &Stopped) -> Failure {
    let Stopped {
        rejection,
        bytes_written,
        ..
    } = stopped;
    let help = format!(
        "class `{}`, rule `{}`; {bytes_written} byte(s) were written, up to the last finished run",
        rejection.class, rejection.rule
    );
    Failure::RejectedPlain {
        name: name.to_owned(),
        message: rejection.to_string(),
        help: Some(help),
    }
}

/// Says what was passed through or left out.
fn remark(name: &str, finished: &Finished) {
    if let Some(violation) = &finished.violation {
        let rule = &violation.rule;
        output::note(&format!(
            "{name}: {violation}, rule `{rule}`; the run and all that follows were passed through"
        ));
    }
    if let Some(torn) = finished.torn {
        output::note(&torn_tail(name, torn));
    }
}

/// A log that is read in blocks.
struct BlockLog {
    /// The file in backticks, or `stdin`.
    name: String,
    source: Box<dyn Read + Send>,
    progress: ProgressBar,
}

impl BlockLog {
    fn open(file: Option<&PathBuf>) -> Result<Self, Failure> {
        let Some(path) = file.filter(|path| path.as_os_str() != "-") else {
            return Ok(Self {
                name: "stdin".to_owned(),
                source: Box::new(io::stdin()),
                progress: progress(None),
            });
        };
        let name = format!("`{}`", path.display());
        match File::open(path) {
            Ok(source) => Ok(Self {
                name,
                progress: progress(source.metadata().ok().map(|metadata| metadata.len())),
                source: Box::new(source),
            }),
            Err(source) => Err(Failure::Unreadable { name, source }),
        }
    }

    fn read(&mut self, block: &mut [u8]) -> Result<usize, Failure> {
        loop {
            match self.source.read(block) {
                Ok(length) => {
                    self.progress.inc(length as u64);
                    return Ok(length);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(source) => {
                    let name = self.name.clone();
                    return Err(Failure::Unreadable { name, source });
                }
            }
        }
    }
}

/// The bytes that were read, on a terminal; nothing in a pipe.
fn progress(length: Option<u64>) -> ProgressBar {
    if !io::stderr().is_terminal() || io::stdout().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = length.map_or_else(ProgressBar::no_length, ProgressBar::new);
    // The template is a constant; were it wrong, the default style would do.
    match ProgressStyle::with_template("{wide_bar} {bytes}/{total_bytes}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
