//! `chatstate diff`: what one document lost against another.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use chatstate::definition::definition_of;
use chatstate::diff::{Difference, Differences, LossClass, Words, diff, diff_lexical};
use chatstate::json::{Object, Surrogates, Value, parse_with};
use owo_colors::OwoColorize;

use super::known_type;
use crate::arguments::Diff;
use crate::failure::{Failure, UNEXPECTED, USAGE};
use crate::input::InputDocument;
use crate::output;

/// Prints the differences; none is exit code 0, and documents that cannot be compared are 2.
pub fn run(arguments: &Diff) -> Result<u8, Failure> {
    let document_type = arguments
        .document_type
        .as_deref()
        .map(known_type)
        .transpose()?;
    let definition = document_type.and_then(definition_of);
    let both = read(&arguments.before)
        .and_then(|before| read(&arguments.after).map(|after| (before, after)));
    let (before, after) = match both {
        Ok(both) => both,
        Err(failure) => return not_compared(failure, arguments.json),
    };
    let compare = if arguments.lexical {
        diff_lexical
    } else {
        diff
    };
    let differences = compare(&before, &after, definition);
    if arguments.json {
        output::print_line(&document(&differences).to_json())?;
    } else {
        output::print_coloured(&lines(&differences))?;
    }
    Ok(if differences.found.is_empty() {
        0
    } else {
        UNEXPECTED
    })
}

/// Says why there is nothing to compare, which is not a difference.
fn not_compared(failure: Failure, json: bool) -> Result<u8, Failure> {
    if json {
        let mut answer = Object::new();
        answer.insert("error", failure.to_string());
        output::print_line(&Value::from(answer).to_json())?;
    }
    output::print_failure(failure);
    Ok(USAGE)
}

fn read(path: &Path) -> Result<Value, Failure> {
    let input = InputDocument::read(Some(&path.to_owned()))?;
    let parsed = |text| parse_with(text, Surrogates::AllowUnpairedAtEnds);
    let value = input.text().and_then(|text| {
        parsed(text).or_else(|rejection| json_lines(text).unwrap_or(Err(rejection)))
    });
    value.map_err(|rejection| input.rejected(&rejection))
}

/// The array of the lines of a text, if the first of several lines is a whole document.
fn json_lines(text: &str) -> Option<Result<Value, chatstate::Rejection>> {
    let line = |line| parse_with(line, Surrogates::AllowUnpairedAtEnds);
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    line(lines.next()?).ok()?;
    lines.next()?;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let values = lines
        .enumerate()
        .map(|(index, text)| line(text).map_err(|rejection| rejection.within(index)));
    Some(values.collect::<Result<Vec<Value>, _>>().map(Value::from))
}

fn document(differences: &Differences) -> Value {
    let rows: Vec<Value> = differences.found.iter().map(row).collect();
    let mut document = Object::new();
    document.insert("differences", rows);
    document.insert("more", differences.more);
    Value::from(document)
}

fn row(difference: &Difference) -> Value {
    let mut row = Object::new();
    row.insert("class", difference.class.as_str());
    row.insert("at", difference.at.as_str());
    row.extend(difference.to.clone().map(|to| ("to", Value::from(to))));
    row.extend(difference.before.clone().map(|value| ("before", value)));
    row.extend(difference.after.clone().map(|value| ("after", value)));
    Value::from(row)
}

fn lines(differences: &Differences) -> String {
    let mut text: String = differences.found.iter().map(line).collect();
    if !differences.found.is_empty() {
        text.push_str(&summary(differences));
    }
    text
}

/// How many differences of each class there are.
fn summary(differences: &Differences) -> String {
    let mut counts: BTreeMap<LossClass, usize> = BTreeMap::new();
    for difference in &differences.found {
        *counts.entry(difference.class).or_default() += 1;
    }
    let counts = counts
        .iter()
        .map(|(class, count)| format!("{count} {class}"));
    let counts: Vec<String> = counts.collect();
    let more = match differences.more {
        0 => String::new(),
        more => format!(", and {more} more, whose places are too long to keep"),
    };
    let found = differences.found.len();
    let noun = if found == 1 {
        "difference"
    } else {
        "differences"
    };
    format!("\n{found} {noun}: {}{more}\n", counts.join(", "))
}

fn line(difference: &Difference) -> String {
    let Words { line, excerpt } = difference.words();
    let mut text = format!("{line}\n");
    if let Some(excerpt) = excerpt {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {}", format_args!("- {}", excerpt.before).red());
        let _ = writeln!(text, "  {}", format_args!("+ {}", excerpt.after).green());
        let _ = writeln!(text, "    {}", excerpt.marks());
    }
    text
}
