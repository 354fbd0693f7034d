//! `chatstate diff`: what one document lost against another.

use std::fmt::Write;

use chatstate::definition::definition_of;
use chatstate::diff::{Difference, diff, diff_lexical};
use chatstate::json::{Object, Surrogates, Value, parse_with, visible};

use super::known_type;
use crate::arguments::Diff;
use crate::failure::{Failure, UNEXPECTED};
use crate::input::InputDocument;
use crate::output;

/// The longest value that is shown whole, in characters.
const MAX_SHOWN: usize = 60;

/// Prints the differences; none is exit code 0.
pub fn run(arguments: &Diff) -> Result<u8, Failure> {
    let document_type = arguments
        .document_type
        .as_deref()
        .map(known_type)
        .transpose()?;
    let definition = document_type.and_then(definition_of);
    let before = read(&InputDocument::read_file(&arguments.before)?)?;
    let after = read(&InputDocument::read_file(&arguments.after)?)?;
    let compare = if arguments.lexical {
        diff_lexical
    } else {
        diff
    };
    let differences = compare(&before, &after, definition);
    if arguments.json {
        let rows: Vec<Value> = differences.iter().map(row).collect();
        output::print_line(&Value::from(rows).to_json())?;
    } else {
        output::print(&lines(&differences))?;
    }
    Ok(if differences.is_empty() {
        0
    } else {
        UNEXPECTED
    })
}

fn read(input: &InputDocument) -> Result<Value, Failure> {
    let value = input
        .text()
        .and_then(|text| parse_with(text, Surrogates::AllowUnpairedAtEnds));
    value.map_err(|rejection| input.rejected(&rejection))
}

fn row(difference: &Difference) -> Value {
    let mut row = Object::new();
    row.insert("class", difference.class.as_str());
    row.insert("at", difference.at.as_str());
    row.extend(difference.before.clone().map(|value| ("before", value)));
    row.extend(difference.after.clone().map(|value| ("after", value)));
    Value::from(row)
}

fn lines(differences: &[Difference]) -> String {
    let mut text = String::new();
    for difference in differences {
        let before = difference
            .before
            .as_ref()
            .map_or_else(|| "nothing".to_owned(), shown);
        let after = difference
            .after
            .as_ref()
            .map_or_else(|| "nothing".to_owned(), shown);
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{} at `{}`: {before} -> {after}",
            difference.class,
            visible(&difference.at)
        );
    }
    text
}

fn shown(value: &Value) -> String {
    let text = value.to_json();
    if text.chars().count() <= MAX_SHOWN {
        return visible(&text).into_owned();
    }
    let mut short: String = text.chars().take(MAX_SHOWN).collect();
    short.push('…');
    visible(&short).into_owned()
}
