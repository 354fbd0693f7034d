//! `chatstate compact`: fewer events that mean the same.

use std::io::{self, IsTerminal};

use chatstate::compact::{self, Failed, Finished, Level, Options, Stopped, TextCompactor};
use chatstate::generated::Event;

use super::findings::{self, is_about_patch};
use crate::arguments::{Compact, CompactLevel, RetainArgument};
use crate::destination::Destination;
use crate::failure::{Failure, UNEXPECTED};
use crate::log::{LogSource, Torn, about_event, index_of, torn_tail};
use crate::output;

/// Prints the compacted events as the log is read: an array for an array, lines for lines.
pub fn run(arguments: &Compact) -> Result<u8, Failure> {
    if arguments.retain.is_some() && arguments.level == CompactLevel::Stream {
        return Err(Failure::usage(
            "`--retain` has no effect at level `stream`, which keeps all runs",
            "give `--level snapshot` too, or leave it out".to_owned(),
        ));
    }
    let mut log = LogSource::open(arguments.file.as_ref())?;
    if io::stdout().is_terminal() {
        log.hide_progress();
    }
    let keep = |event: &Event| arguments.keep.iter().any(|kept| kept == event.tag());
    let mut options = Options::at(level(arguments));
    options.partial = arguments.partial;
    options.lenient = arguments.lenient;
    options.keep = (!arguments.keep.is_empty()).then_some(&keep);
    let mut destination = arguments.output.begin()?;
    let to_file = arguments.output.path().is_some();
    let finished = compact(&mut log, options, &mut destination);
    let finished = finished.map_err(|failed| match failed {
        Failed::Stopped(stopped) => rejected(&log, &stopped, to_file),
        Failed::Caller(failure) => failure,
    })?;
    destination.finish()?;
    let torn = finished.torn.map(Torn::from);
    let torn = torn.or_else(|| log.is_cut().then_some(Torn::BETWEEN_EVENTS));
    remark(&log.name, &finished, torn);
    let mut warnings = finished.warnings;
    warnings.retain(is_about_patch);
    findings::report("warning", &warnings, &log.name, &log.places());
    Ok(if torn.is_some() { UNEXPECTED } else { 0 })
}

fn level(arguments: &Compact) -> Level {
    match (arguments.level, arguments.retain) {
        (CompactLevel::Stream, _) => Level::Stream,
        (CompactLevel::Snapshot, Some(RetainArgument::Runs)) => {
            Level::Snapshot(compact::Retain::Runs)
        }
        (CompactLevel::Snapshot, _) => Level::Snapshot(compact::Retain::Tips),
    }
}

fn compact(
    log: &mut LogSource,
    options: Options<'_>,
    destination: &mut Destination,
) -> Result<Finished, Failed<Failure>> {
    let mut compactor = TextCompactor::new(options);
    let finished = compactor.compact(&mut |block| log.read(block), &mut |bytes| {
        destination.write(bytes)
    });
    // The process ends next. To free what is known of every run takes a fifth of the time.
    std::mem::forget(compactor);
    finished
}

fn rejected(log: &LogSource, stopped: &Stopped, to_file: bool) -> Failure {
    let Stopped {
        rejection,
        bytes_written,
        ..
    } = stopped;
    let written = if to_file {
        "the file was not written".to_owned()
    } else {
        format!("{bytes_written} byte(s) were written, up to the last finished run")
    };
    let help = format!(
        "class `{}`, rule `{}`; {written}",
        rejection.class, rejection.rule
    );
    Failure::RejectedPlain {
        name: log.places().name(&log.name, index_of(&rejection.at)),
        message: about_event(&rejection.to_string()),
        help: Some(help),
        rejection: Box::new(rejection.clone()),
    }
}

/// Says what was passed through or left out.
fn remark(name: &str, finished: &Finished, torn: Option<Torn>) {
    if let Some(violation) = &finished.violation {
        let rule = &violation.rule;
        output::note(&format!(
            "{name}: {violation}, rule `{rule}`; the run and all that follows were passed through"
        ));
    }
    if let Some(torn) = torn {
        output::note(&torn_tail(name, torn));
    }
}
