//! Changes of a document, each at one place: most make it wrong, and some only unusual.

use chatstate_json::{Object, Surrogates, Value, parse, parse_with};

use crate::{Choose, Source, documents};

/// Names that mean something to a programming language, or that are easily taken for another.
const NAMES: [&str; 9] = [
    "later",
    "",
    "__proto__",
    "constructor",
    "toString",
    "a/b",
    "~1",
    "é",
    "Type",
];

/// Texts that a reader may take for something else, cut or repair.
const TEXTS: [&str; 18] = [
    "",
    " ",
    "x",
    "é",
    "e\u{301}",
    "😀",
    "\u{0}",
    "\u{7f}\u{85}",
    "\u{2028}\u{feff}",
    "\"\\/",
    "null",
    "0",
    "9007199254740993",
    "{\"a\":1}",
    "YQ==",
    "2024-02-30T24:00:00Z",
    "a\r\nb",
    "</script>",
];

/// Numbers at the edges of what languages hold, by their spelling.
const NUMBERS: [&str; 14] = [
    "0",
    "-0",
    "1",
    "-1",
    "1.0",
    "1e2",
    "1.5",
    "2147483648",
    "9007199254740993",
    "123456789012345678901234567890",
    "0.1",
    "0.10000000000000000001",
    "1e400",
    "-1e-400",
];

/// How often a change that is not possible at its place is tried at another one.
const TRIES: usize = 8;

/// Changes one thing in a document. `others` are documents that parts are taken from.
pub fn mutate(document: &mut Value, source: &mut Source, others: &[&Value]) {
    for _ in 0..TRIES {
        let mut place = source.below(size(document));
        let Some(value) = at(document, &mut place) else {
            return;
        };
        if mutate_here(value, source, others) {
            return;
        }
    }
}

/// How many values a value has in it, itself included.
#[must_use]
pub fn size(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(size).sum::<usize>(),
        Value::Object(members) => 1 + members.values().map(size).sum::<usize>(),
        _ => 1,
    }
}

/// The value at a place in the order of the text; what is left of `place` counts what was passed.
#[must_use]
pub fn at<'v>(value: &'v mut Value, place: &mut usize) -> Option<&'v mut Value> {
    if *place == 0 {
        return Some(value);
    }
    *place -= 1;
    match value {
        Value::Array(items) => items.iter_mut().find_map(|item| at(item, place)),
        Value::Object(members) => members.iter_mut().find_map(|(_, value)| at(value, place)),
        _ => None,
    }
}

/// Changes a value, if there is something to change; says whether there was.
fn mutate_here(value: &mut Value, source: &mut Source, others: &[&Value]) -> bool {
    if source.chance(10) {
        *value = foreign(source, others);
        return true;
    }
    match value {
        Value::Array(items) => mutate_items(items, source, others),
        Value::Object(members) => mutate_members(members, source, others),
        Value::String(text) => {
            let text = std::mem::take(text);
            *value = other_text(text.as_str(), source);
            true
        }
        Value::Number(_) => {
            *value = number(source);
            true
        }
        Value::Bool(flag) => {
            *flag = !*flag;
            true
        }
        Value::Null | Value::Split(_) => {
            *value = foreign(source, others);
            true
        }
    }
}

fn mutate_items(items: &mut Vec<Value>, source: &mut Source, others: &[&Value]) -> bool {
    let place = source.below(items.len());
    if items.is_empty() {
        items.push(foreign(source, others));
        return true;
    }
    match source.below(6) {
        0 | 1 => drop(items.remove(place)),
        2 => items.insert(place, items[place].clone()),
        3 => {
            let moved = items.remove(place);
            items.insert(source.below(items.len() + 1), moved);
        }
        4 => items.insert(place, foreign(source, others)),
        _ => items.truncate(place),
    }
    true
}

fn mutate_members(members: &mut Object, source: &mut Source, others: &[&Value]) -> bool {
    let names: Vec<_> = members.keys().cloned().collect();
    let chosen = source.of(&names).cloned();
    match (source.below(5), chosen) {
        (0, Some(name)) => drop(members.remove(&name)),
        (1, Some(name)) => {
            if let Some((place, value)) = members.remove(&name) {
                let other = new_name(members, source);
                members.insert_at(place, other, value);
            }
        }
        (2, Some(name)) => {
            let value = foreign(source, others);
            members.insert(name, value);
        }
        (3, _) => {
            let (name, value) = (new_name(members, source), foreign(source, others));
            members.insert(name, value);
        }
        _ => return false,
    }
    true
}

/// A name that the object does not have.
fn new_name(members: &Object, source: &mut Source) -> String {
    let name = source.of(&NAMES).copied().unwrap_or_default();
    let mut name = name.to_owned();
    while members.contains_key(&name) {
        name.push('x');
    }
    name
}

fn other_text(text: &str, source: &mut Source) -> Value {
    match source.below(6) {
        0 => text.to_uppercase().into(),
        1 => format!("{text}{text}").into(),
        2 => format!(" {text}").into(),
        3 => text.chars().skip(1).collect::<String>().into(),
        // An unpaired surrogate after it, which only a few texts may have.
        4 if source.chance(30) => half(text),
        _ => source.of(&TEXTS).copied().unwrap_or_default().into(),
    }
}

fn half(text: &str) -> Value {
    let json = Value::from(text).to_json();
    let (inside, quote) = json.split_at(json.len() - 1);
    let json = format!("{inside}\\ud83d{quote}");
    parse_with(&json, Surrogates::AllowUnpairedAtEnds).expect("half a pair may stand at the end")
}

fn number(source: &mut Source) -> Value {
    let spelling = source.of(&NUMBERS).copied().unwrap_or("0");
    parse(spelling).expect("the numbers are JSON")
}

/// A value from elsewhere.
fn foreign(source: &mut Source, others: &[&Value]) -> Value {
    match source.below(4) {
        0 => number(source),
        1 => source.of(&TEXTS).copied().unwrap_or_default().into(),
        2 => {
            let values = documents::foreign();
            let value = source.of(&values).map(ToString::to_string);
            value.map_or(Value::Null, |value| {
                parse(&value).expect("it was written as JSON")
            })
        }
        _ => {
            let Some(other) = source.of(others) else {
                return Value::Null;
            };
            let place = source.below(size(other));
            part(other, &mut { place }).cloned().unwrap_or_default()
        }
    }
}

fn part<'v>(value: &'v Value, place: &mut usize) -> Option<&'v Value> {
    if *place == 0 {
        return Some(value);
    }
    *place -= 1;
    match value {
        Value::Array(items) => items.iter().find_map(|item| part(item, place)),
        Value::Object(members) => members.values().find_map(|value| part(value, place)),
        _ => None,
    }
}
