//! Several logs: a line for each on stdout, and the counts.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, available_parallelism, scope};

use chatstate::json::{Object, Value};
use chatstate::log::{Checked, Checking};
use chatstate::verify::VerifyOptions;

use super::{code, rejected_row, row};
use crate::STACK_BYTES;
use crate::arguments::Verify;
use crate::failure::{Failure, UNEXPECTED, USAGE};
use crate::log::{LogFailure, LogInput, about_event, try_read_log};
use crate::output;

/// What a log was found to be.
struct LogVerdict {
    word: &'static str,
    code: u8,
    text: String,
    row: Object,
}

/// Verifies all logs, several at once, and prints what they are in their order.
pub fn run(files: &[PathBuf], options: VerifyOptions, arguments: &Verify) -> Result<u8, Failure> {
    let processors = available_parallelism().map_or(1, usize::from);
    let jobs = arguments
        .jobs
        .map_or(processors, usize::from)
        .min(files.len());
    let (next, verdicts) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    scope(|threads| {
        for _ in 0..jobs {
            let work = || {
                while let Some((place, file)) = {
                    let place = next.fetch_add(1, Ordering::SeqCst);
                    files.get(place).map(|file| (place, file))
                } {
                    let verdict = verdict(file, options, arguments.json);
                    if let Ok(mut verdicts) = verdicts.lock() {
                        verdicts.push((place, verdict));
                    }
                }
            };
            let worker = Builder::new().stack_size(STACK_BYTES);
            worker
                .spawn_scoped(threads, work)
                .map_err(Failure::Thread)?;
        }
        Ok::<_, Failure>(())
    })?;
    let verdicts = verdicts.into_inner();
    let mut verdicts = verdicts.unwrap_or_else(PoisonError::into_inner);
    verdicts.sort_by_key(|(place, _)| *place);
    let code = verdicts.iter().map(|(_, it)| it.code).max().unwrap_or(0);
    if arguments.json {
        let rows = verdicts.into_iter().map(|(_, it)| Value::from(it.row));
        let mut document = Object::new();
        document.insert("valid", code == 0);
        document.insert("logs", rows.collect::<Vec<_>>());
        output::print_line(&Value::from(document).to_json())?;
        return Ok(code);
    }
    for (_, verdict) in &verdicts {
        output::print_line(&format!("{:8} {}", verdict.word, verdict.text))?;
    }
    let counts = ["valid", "invalid", "torn", "unread"].map(|word| {
        let count = verdicts.iter().filter(|(_, it)| it.word == word).count();
        (count > 0).then(|| format!("{count} {word}"))
    });
    let counts: Vec<_> = counts.into_iter().flatten().collect();
    let noun = if files.len() == 1 { "log" } else { "logs" };
    output::note(&format!("{} {noun}: {}", files.len(), counts.join(", ")));
    Ok(code)
}

fn verdict(file: &PathBuf, options: VerifyOptions, json: bool) -> LogVerdict {
    let name = file.display().to_string();
    let mut verdict = match try_read_log(Some(file), Checking::with(options)) {
        Ok(log) => {
            let row = if json { row(&log) } else { Object::new() };
            of_log(&name, &log, row)
        }
        Err(LogFailure::Unread(failure)) => {
            let mut row = Object::new();
            row.insert("valid", false);
            row.insert("error", failure.to_string());
            LogVerdict {
                word: "unread",
                code: USAGE,
                text: format!("{name}: {failure}"),
                row,
            }
        }
        Err(LogFailure::Rejected {
            rejection,
            index,
            places,
            shown,
        }) => {
            let text = format!("{name}: {rejection}");
            let row = rejected_row(LogFailure::Rejected {
                rejection,
                index,
                places,
                shown,
            });
            LogVerdict {
                word: "invalid",
                code: UNEXPECTED,
                text,
                row,
            }
        }
    };
    let mut row = Object::new();
    row.insert("file", name);
    row.extend(std::mem::take(&mut verdict.row));
    LogVerdict { row, ..verdict }
}

fn of_log(name: &str, log: &LogInput<Checked>, row: Object) -> LogVerdict {
    let found = &log.output.found;
    let errors = found.errors.len() + log.output.more;
    let (word, text) = match (found.errors.first(), log.torn) {
        (Some(first), _) => {
            let place = log.places.name(name, Some(first.at));
            let more = match errors - 1 {
                0 => String::new(),
                more => format!(" (and {more} more)"),
            };
            let message = about_event(&first.message);
            ("invalid", format!("{place}: {message}{more}"))
        }
        (None, Some(torn)) => {
            let line = torn.line.map(|line| format!(" in line {line}"));
            (
                "torn",
                format!("{name}: breaks off{}", line.unwrap_or_default()),
            )
        }
        (None, None) => ("valid", format!("{name}: {} events", log.events)),
    };
    LogVerdict {
        word,
        code: code(log),
        text,
        row,
    }
}
