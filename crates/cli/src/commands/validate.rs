//! `chatstate validate`: one document against the schema.

use chatstate::Rejection;
use chatstate::compact::Framing;
use chatstate::generated::Event;
use chatstate::json::{Object, Value};
use chatstate::validate::{validate, violations};

use super::known_type;
use crate::arguments::Validate;
use crate::failure::{Failure, UNEXPECTED};
use crate::input::InputDocument;
use crate::output;

/// The largest text that is also given to the slow and complete JSON Schema report.
const MAX_REPORTED_BYTES: usize = 1024 * 1024;

/// Says on stderr, or with `--json` on stdout, whether the document is valid.
pub fn run(arguments: &Validate) -> Result<u8, Failure> {
    let document_type = known_type(&arguments.document_type)?;
    let input = InputDocument::read(arguments.file.as_ref())?;
    let Err(rejection) = check(document_type, &input) else {
        if arguments.json {
            output::print_line(r#"{"valid":true}"#)?;
        } else {
            output::note(&format!("{} is a valid {document_type}", input.name));
        }
        return Ok(0);
    };
    let more = further_violations(document_type, &input, &rejection);
    if !arguments.json {
        let help = (!more.is_empty()).then(|| format!("also wrong:\n{}", more.join("\n")));
        return Err(input.rejected_with(&rejection, help));
    }
    output::print_line(&row(&rejection, more).to_json())?;
    Ok(UNEXPECTED)
}

fn check(document_type: &str, input: &InputDocument) -> Result<(), Rejection> {
    let text = input.text()?;
    if document_type == "EventStream" && Framing::of(text) == Framing::Lines {
        return check_lines(text);
    }
    validate(document_type, text).unwrap_or(Ok(()))
}

/// Checks JSON Lines event by event, so that a large log needs no more memory than its text.
fn check_lines(text: &str) -> Result<(), Rejection> {
    let mut events = 0;
    for line in text.split('\n').filter(|line| !line.trim().is_empty()) {
        Event::from_json(line).map_err(|rejection| rejection.within(events))?;
        events += 1;
    }
    if events == 0 {
        // An empty file is neither an array nor a line of JSON.
        return chatstate::json::check(text);
    }
    Ok(())
}

/// What else is wrong, in the words of the JSON Schema report.
fn further_violations(
    document_type: &str,
    input: &InputDocument,
    first: &Rejection,
) -> Vec<String> {
    let text = match input.text() {
        Ok(text) if text.len() <= MAX_REPORTED_BYTES => text,
        _ => return Vec::new(),
    };
    let others = violations(document_type, text);
    let is_first =
        |at: &str| at == first.at || format!("{at}/").starts_with(&format!("{}/", first.at));
    let others = others.iter().filter(|violation| !is_first(&violation.at));
    others
        .map(|violation| {
            let place = match violation.at.as_str() {
                "" => String::new(),
                at => format!(", at `{at}`"),
            };
            format!(
                "{}{place} (rule `{}`)",
                violation.message, violation.keyword
            )
        })
        .collect()
}

fn row(rejection: &Rejection, more: Vec<String>) -> Value {
    let mut row = Object::new();
    row.insert("valid", false);
    row.insert("class", rejection.class.as_str());
    row.insert("at", rejection.at.as_str());
    row.insert("rule", rejection.rule.as_ref());
    row.insert("message", rejection.message.as_str());
    row.insert(
        "also",
        more.into_iter().map(Value::from).collect::<Vec<_>>(),
    );
    Value::from(row)
}
