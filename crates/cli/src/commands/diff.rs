//! `chatstate diff`: what one document lost against another.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use chatstate::definition::definition_of;
use chatstate::diff::{Difference, Differences, LossClass, Words, diff, diff_lexical};
use chatstate::json::pointer::{index, segments};
use chatstate::json::{Object, Surrogates, Value, parse_with, visible};
use chatstate::recognition::recognise;
use owo_colors::OwoColorize;

use super::known_type;
use crate::arguments::Diff;
use crate::failure::{Failure, UNEXPECTED};
use crate::input::InputDocument;
use crate::output;

/// Prints the differences; none is exit code 0, and documents that cannot be compared are 2.
pub fn run(arguments: &Diff) -> Result<u8, Failure> {
    let document_type = arguments
        .document_type
        .as_deref()
        .map(known_type)
        .transpose()?;
    let both = read(&arguments.before)
        .and_then(|before| read(&arguments.after).map(|after| (before, after)));
    // What cannot be compared is no difference.
    let (before, after) = both.map_err(|failure| Failure::NotCompared(Box::new(failure)))?;
    let recognised = recognise(&before).filter(|it| recognise(&after) == Some(it));
    let definition = document_type.or(recognised).and_then(definition_of);
    let compare = if arguments.lexical {
        diff_lexical
    } else {
        diff
    };
    let differences = compare(&before, &after, definition);
    if arguments.json {
        output::print_line(&document(&differences).to_json())?;
    } else {
        output::print_coloured(&lines(&differences, &before))?;
    }
    Ok(if differences.found.is_empty() {
        0
    } else {
        UNEXPECTED
    })
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

fn lines(differences: &Differences, before: &Value) -> String {
    let found = differences.found.iter();
    let mut text: String = found.map(|difference| line(difference, before)).collect();
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

fn line(difference: &Difference, before: &Value) -> String {
    let Words { line, excerpt } = difference.words();
    let (class, rest) = line.split_once(' ').unwrap_or((&line, ""));
    let class = match (&difference.before, &difference.after) {
        (Some(_), None) => class.red().to_string(),
        (None, Some(_)) => class.green().to_string(),
        _ => class.yellow().to_string(),
    };
    let around = around(before, &difference.at).map(|it| format!(" (in {it})"));
    let around = around.unwrap_or_default();
    let mut text = format!("{class} {rest}{}\n", around.dimmed());
    if let Some(excerpt) = excerpt {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {}", format_args!("- {}", excerpt.before).red());
        let _ = writeln!(text, "  {}", format_args!("+ {}", excerpt.after).green());
        let _ = writeln!(text, "    {}", excerpt.marks().yellow());
    }
    text
}

/// The members by which people know an object, the first that it has.
const NAMES: [&str; 4] = ["id", "messageId", "toolCallId", "runId"];

/// The longest name that is shown, in characters.
const MAX_NAME: usize = 40;

/// What people know the innermost object around a place by, where it is an item of a list: `/3/text`
/// says little of which message it is.
fn around(document: &Value, at: &str) -> Option<String> {
    let (mut value, mut name) = (document, None);
    let segments = segments(at)?;
    for segment in segments.iter().take(segments.len().checked_sub(1)?) {
        value = match value {
            Value::Array(items) => {
                let item = items.get(index(segment)?)?;
                name = name_of(item).or(name);
                item
            }
            _ => value.get(segment)?,
        };
    }
    name
}

fn name_of(item: &Value) -> Option<String> {
    let named = NAMES
        .iter()
        .find_map(|name| Some((name, item.get(name)?.as_str()?)));
    let (name, text) = named.filter(|(_, text)| text.chars().count() <= MAX_NAME)?;
    Some(format!("the item with {name} `{}`", visible(text)))
}
