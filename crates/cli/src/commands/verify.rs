//! `chatstate verify`: whether the order of the events of a stream is valid.

use std::collections::BTreeMap;
use std::path::PathBuf;

use chatstate::json::{WriteJson, visible};
use chatstate::log::Verifying;
use chatstate::verify::{Finding, Verification};

use crate::failure::{Failure, UNEXPECTED};
use crate::input::read_log;
use crate::output;

/// So many findings of one rule are reported: a log that has one often has thousands.
const TOLD: usize = 10;

/// Says on stderr, or with `--json` on stdout, what is wrong with the stream. Warnings do not make
/// it invalid.
pub fn run(file: Option<&PathBuf>, json: bool) -> Result<u8, Failure> {
    let log = read_log(file, Verifying::default())?;
    let found = log.output;
    if json {
        let mut text = String::new();
        found.write(&mut text);
        output::print_line(&text)?;
    } else {
        report(&log.name, &found);
    }
    Ok(if found.is_valid() {
        log.code
    } else {
        UNEXPECTED
    })
}

fn report(name: &str, found: &Verification) {
    for (level, findings) in [("error", &found.errors), ("warning", &found.warnings)] {
        for line in lines(level, findings) {
            output::note(&line);
        }
    }
    if found.is_valid() {
        output::note(&format!("{name} is a valid stream of events"));
    }
}

/// The first findings of each rule, and how many more there are.
fn lines(level: &str, findings: &[Finding]) -> Vec<String> {
    let (mut lines, mut of_rule) = (Vec::new(), BTreeMap::<&str, usize>::new());
    for finding in findings {
        let count = of_rule.entry(&finding.rule).or_default();
        *count += 1;
        if *count <= TOLD {
            lines.push(line(level, finding));
        }
    }
    for (rule, count) in of_rule.into_iter().filter(|(_, count)| *count > TOLD) {
        let more = count - TOLD;
        lines.push(format!(
            "{level}: {more} more like these (rule `{rule}`); `--json` lists all"
        ));
    }
    lines
}

fn line(level: &str, finding: &Finding) -> String {
    let Finding {
        rule, at, message, ..
    } = finding;
    let other = finding
        .other
        .map(|index| format!(", with the event at `/{index}`"));
    format!(
        "{level}: {}, at `/{at}`{} (rule `{rule}`)",
        visible(message),
        other.unwrap_or_default()
    )
}
