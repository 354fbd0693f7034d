//! `chatstate verify`: whether the order of the events of a stream is valid.

mod many;

use std::collections::BTreeSet;
use std::path::PathBuf;

use chatstate::json::{Object, Value, WriteJson, parse};
use chatstate::log::{Checked, Checking};
use chatstate::verify::{Finding, VerifyOptions};

use super::findings;
use crate::arguments::Verify;
use crate::failure::{Failure, UNEXPECTED};
use crate::log::{
    LOGS, LogFailure, LogInput, LogPlaces, Torn, about_event, expand, is_one, try_read_log,
};
use crate::output;

/// Says on stderr, or with `--json` on stdout, what is wrong with the stream. Warnings do not make
/// it invalid. Several logs have one line each.
pub fn run(arguments: &Verify) -> Result<u8, Failure> {
    let options = VerifyOptions {
        complete: arguments.complete,
    };
    if is_one(&arguments.files) {
        if arguments.jobs.is_some() {
            let help = "leave it out, or name several logs or a folder".to_owned();
            return Err(Failure::usage("`--jobs` has no effect on one log", help));
        }
        return one(arguments.files.first(), options, arguments.json);
    }
    many::run(&expand(&arguments.files, &LOGS)?, options, arguments)
}

fn one(file: Option<&PathBuf>, options: VerifyOptions, json: bool) -> Result<u8, Failure> {
    let read = try_read_log(file, Checking::with(options));
    if json {
        let (row, code) = match read {
            Ok(log) => (row(&log), code(&log)),
            Err(LogFailure::Unread(failure)) => return Err(failure),
            Err(rejected) => (rejected_row(rejected), UNEXPECTED),
        };
        output::print_line(&Value::from(row).to_json())?;
        return Ok(code);
    }
    let log = read?;
    report(&log);
    Ok(code(&log))
}

fn code(log: &LogInput<Checked>) -> u8 {
    if log.output.found.is_valid() {
        log.code()
    } else {
        UNEXPECTED
    }
}

/// What was found in a log, as JSON; valid is what exits with 0.
fn row(log: &LogInput<Checked>) -> Object {
    let found = &log.output.found;
    let mut row = Object::new();
    row.insert("valid", code(log) == 0);
    row.insert("errors", rows(&found.errors, &log.places));
    row.insert("warnings", rows(&found.warnings, &log.places));
    if log.output.more > 0 {
        row.insert("more", log.output.more);
    }
    if let Some(torn) = log.torn {
        row.insert("torn", torn_row(torn));
    }
    row
}

fn torn_row(torn: Torn) -> Value {
    let mut row = Object::new();
    row.extend(torn.line.map(|line| ("line", number(line))));
    row.extend(torn.byte.map(|byte| ("byte", number(byte))));
    Value::from(row)
}

fn number(number: u64) -> Value {
    // LogPlaces are smaller than files.
    Value::from(usize::try_from(number).unwrap_or(usize::MAX))
}

/// The finding that a log cannot be taken apart.
fn rejected_row(failure: LogFailure) -> Object {
    let mut row = Object::new();
    row.insert("valid", false);
    if let LogFailure::Rejected {
        rejection,
        index,
        places,
        ..
    } = failure
    {
        let mut error = Object::new();
        error.insert("rule", rejection.rule.as_ref());
        error.insert("at", rejection.at.as_str());
        error.insert("message", rejection.message.as_str());
        if let Some(place) = places.find(BTreeSet::from([index])).get(&index) {
            error.insert("line", number(place.line));
            error.insert("byte", number(place.byte));
        }
        row.insert("errors", vec![Value::from(error)]);
        row.insert("warnings", Vec::<Value>::new());
    }
    row
}

fn rows(found: &[Finding], places: &LogPlaces) -> Vec<Value> {
    let places = places.find(found.iter().map(|finding| finding.at).collect());
    let row = |finding: &Finding| {
        let mut text = String::new();
        finding.write(&mut text);
        let mut row = match parse(&text) {
            Ok(Value::Object(row)) => row,
            _ => Object::new(),
        };
        row.insert("message", about_event(&finding.message));
        if let Some(place) = places.get(&finding.at) {
            row.insert("line", number(place.line));
            row.insert("byte", number(place.byte));
        }
        Value::from(row)
    };
    found.iter().map(row).collect()
}

fn report(log: &LogInput<Checked>) {
    let (name, found) = (&log.name, &log.output.found);
    for (level, findings) in [("error", &found.errors), ("warning", &found.warnings)] {
        findings::report(level, findings, name, &log.places);
    }
    if log.output.more > 0 {
        output::note(&format!("error: {} more broken events", log.output.more));
    }
    if let Some(index) = log.output.unordered_from {
        output::note(&format!(
            "{name}: the order of the events after `/{index}` was not verified, since that is no event"
        ));
    }
    log.note_torn();
    if found.is_valid() && log.torn.is_none() {
        output::note(&format!("{name} is a valid stream of events"));
    } else if found.is_valid() {
        output::note(&format!("{name}: the events before are valid"));
    }
}
