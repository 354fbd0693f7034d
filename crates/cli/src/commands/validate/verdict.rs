//! What a document is, and all that is wrong with it.

use chatstate::Rejection;
use chatstate::compact::Framing;
use chatstate::definition::definition_of;
use chatstate::dialect::{self, CANONICAL};
use chatstate::generated::{Event, ROOT_NAMES};
use chatstate::json::{Object, Surrogates, Value, parse_with, visible};
use chatstate::recognition::recognise;
use chatstate::validate::{Unnamed, rejections, unnamed, validate};

use crate::failure::Failure;
use crate::input::{InputDocument, line_and_column, locate};
use crate::names::did_you_mean;

/// The largest text of which all that is wrong is told, and not only the first.
const MAX_REPORTED_BYTES: usize = 1024 * 1024;

/// The type of a stream of events, which may be JSON Lines.
const EVENT_STREAM: &str = "EventStream";

/// What a document is, and what is wrong with it.
pub struct DocumentVerdict {
    /// The type that it was held against.
    pub type_name: &'static str,
    /// What is wrong; the first is what a reader says.
    pub found: Vec<Rejection>,
}

/// Judges a document as one of the type that was asked for, or that it looks like.
pub fn judge(
    input: &InputDocument,
    asked: Option<&'static str>,
    strict: bool,
) -> Result<DocumentVerdict, Failure> {
    let text = input
        .text()
        .map_err(|rejection| input.rejected(&rejection))?;
    let type_name = match asked {
        Some(type_name) => type_name,
        None => recognised(input, text)?,
    };
    let mut found = match check(type_name, text) {
        Ok(()) if strict => strictly(type_name, text),
        Ok(()) => Vec::new(),
        Err(first) => vec![first],
    };
    if let Some(first) = found.first() {
        let others = further(type_name, text, &first.at);
        found.extend(others);
    }
    Ok(DocumentVerdict { type_name, found })
}

fn recognised(input: &InputDocument, text: &str) -> Result<&'static str, Failure> {
    let is_log = [".jsonl", ".ndjson"].iter().any(|end| input.is_named(end));
    let document = match parse_with(text, Surrogates::AllowUnpairedAtEnds) {
        Ok(document) if is_log && document.as_object().is_some() => Value::from(vec![document]),
        Ok(document) => document,
        Err(rejection) => match value_of_lines(text) {
            Some(document) => document,
            None => return Err(input.rejected(&rejection)),
        },
    };
    recognise(&document).ok_or_else(|| {
        let message = format!("{} looks like no type of the schema", input.name);
        let types = format!("say which with `--type`: `{}`", ROOT_NAMES.join("`, `"));
        let dialect = dialect::recognise(&document).filter(|name| *name != CANONICAL);
        let help = dialect.map(|name| {
            format!("it looks like `{name}`; `chatstate convert --to {CANONICAL}` converts it")
        });
        Failure::usage(message, help.unwrap_or(types))
    })
}

fn check(type_name: &str, text: &str) -> Result<(), Rejection> {
    if type_name == EVENT_STREAM && Framing::of(text) == Framing::Lines {
        return check_lines(text);
    }
    validate(type_name, text).unwrap_or(Ok(()))
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

/// The document as a value, or the list of its lines if all of them are documents.
fn value_of(text: &str) -> Option<Value> {
    let whole = parse_with(text, Surrogates::AllowUnpairedAtEnds);
    whole.ok().or_else(|| value_of_lines(text))
}

fn value_of_lines(text: &str) -> Option<Value> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let values = lines.map(|line| parse_with(line, Surrogates::AllowUnpairedAtEnds).ok());
    values.collect::<Option<Vec<_>>>().map(Value::from)
}

/// What is wrong beside the first, at other places.
fn further(type_name: &str, text: &str, first: &str) -> Vec<Rejection> {
    let definition = definition_of(type_name).filter(|_| text.len() <= MAX_REPORTED_BYTES);
    let Some((definition, value)) = definition.zip(value_of(text)) else {
        return Vec::new();
    };
    let is_other =
        |rejection: &Rejection| !format!("{}/", rejection.at).starts_with(&format!("{first}/"));
    let mut others = rejections(definition, &value);
    others.retain(is_other);
    others
}

const UNKNOWN_MEMBER: &str = "strict.unknown-member";
const UNKNOWN_VARIANT: &str = "strict.unknown-variant";

/// What a strict check finds and a reader does not, and when.
pub const STRICT_RULES: [(&str, &str); 2] = [
    (
        UNKNOWN_MEMBER,
        "the schema does not name the member; readers keep it as it is",
    ),
    (
        UNKNOWN_VARIANT,
        "the schema does not name the variant; readers keep it as it is",
    ),
];

/// What the schema does not name, as rejections.
fn strictly(type_name: &str, text: &str) -> Vec<Rejection> {
    let found = definition_of(type_name).zip(value_of(text));
    let found = found.map(|(definition, value)| unnamed(definition, &value));
    found
        .unwrap_or_default()
        .into_iter()
        .map(rejected)
        .collect()
}

fn rejected(unnamed: Unnamed) -> Rejection {
    let Unnamed {
        at,
        name,
        known,
        is_variant,
    } = unnamed;
    let (rule, what) = if is_variant {
        (UNKNOWN_VARIANT, "variant")
    } else {
        (UNKNOWN_MEMBER, "member")
    };
    let question = did_you_mean(&name, known).map(|it| format!(" ({it})"));
    let message = format!(
        "the schema names no {what} `{}`{}",
        visible(&name),
        question.unwrap_or_default()
    );
    Rejection {
        at,
        ..Rejection::schema(rule, message)
    }
}

/// A rejection with its place in the file.
pub fn message(input: &InputDocument, rejection: &Rejection) -> String {
    let name = input.name.trim_matches('`');
    let place = match place(input, rejection) {
        Some((line, column)) => format!("{name}:{line}:{column}"),
        None => name.to_owned(),
    };
    format!("{place}: {rejection} (rule `{}`)", rejection.rule)
}

fn place(input: &InputDocument, rejection: &Rejection) -> Option<(usize, usize)> {
    let text = input.text().ok()?;
    let span = locate(text, &rejection.at)?;
    Some(line_and_column(text, span.start))
}

/// A valid document, for programs.
pub fn valid_row(type_name: &str) -> Object {
    let mut row = Object::new();
    row.insert("valid", true);
    row.insert("type", type_name);
    row
}

/// A document that is not valid, for programs.
pub fn rejected_row(input: &InputDocument, first: &Rejection, others: &[Rejection]) -> Object {
    let mut row = Object::new();
    row.insert("valid", false);
    row.insert("class", first.class.as_str());
    row.extend(finding(input, first));
    let others = others.iter().map(|it| Value::from(finding(input, it)));
    row.insert("also", others.collect::<Vec<_>>());
    row
}

fn finding(input: &InputDocument, rejection: &Rejection) -> Object {
    let mut row = Object::new();
    row.insert("at", rejection.at.as_str());
    row.insert("rule", rejection.rule.as_ref());
    row.insert("message", rejection.message.as_str());
    if let Some((line, column)) = place(input, rejection) {
        row.insert("line", line);
        row.insert("column", column);
    }
    row
}
