//! Making a document that shows a failure as small as it goes.
//!
//! Every candidate has a shorter text than the document before it, so that this comes to an end. Which
//! candidates still show the failure is for the caller to say, several at a time.

use std::collections::BTreeSet;

use chatstate_arbitrary::mutations::{at, size};
use chatstate_json::{Object, Value};

/// Members whose texts name something, and that are left as they are.
const NAMES: [&str; 4] = ["type", "role", "threadId", "subtype"];

/// Spans of up to so many events are tried at every place, longer ones side by side.
const SHORT: usize = 4;

/// How many candidates are tried at once.
const BATCH: usize = 8;

/// Pairs of events are tried only in streams of up to so many.
const MOST_FOR_PAIRS: usize = 60;

/// Members by which events belong together.
const IDS: [&str; 9] = [
    "messageId",
    "toolCallId",
    "runId",
    "subagentRunId",
    "entityId",
    "stepName",
    "parentMessageId",
    "parentRunId",
    "id",
];

/// Says which is the first of these candidates that shows the failure, if one does; or that it is
/// enough.
pub(crate) type Fails<'f, E> = dyn FnMut(&[Value]) -> Result<ShrinkResult, E> + 'f;

/// What came of trying candidates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ShrinkResult {
    /// This one shows the failure.
    This(usize),
    /// None does.
    None,
    /// No more can be tried.
    Enough,
}

/// The smallest document that was found.
pub(crate) fn shrink<E>(document: Value, fails: &mut Fails<'_, E>) -> Result<Value, E> {
    let mut shrinking = Shrinking {
        document,
        fails,
        enough: false,
    };
    loop {
        let before = length(&shrinking.document);
        shrinking.groups()?;
        shrinking.spans()?;
        shrinking.pairs()?;
        shrinking.parts()?;
        if shrinking.enough || length(&shrinking.document) == before {
            return Ok(shrinking.document);
        }
    }
}

struct Shrinking<'f, 'c, E> {
    document: Value,
    fails: &'f mut Fails<'c, E>,
    enough: bool,
}

impl<E> Shrinking<'_, '_, E> {
    /// Goes on with the first of the candidates that shows the failure, and gives its place.
    fn adopt(
        &mut self,
        candidates: impl Iterator<Item = (usize, Value)>,
    ) -> Result<Option<usize>, E> {
        let limit = length(&self.document);
        let mut shorter = candidates.filter(|(_, document)| length(document) < limit);
        while !self.enough {
            let (places, mut batch): (Vec<_>, Vec<_>) = shorter.by_ref().take(BATCH).unzip();
            if batch.is_empty() {
                break;
            }
            match (self.fails)(&batch)? {
                ShrinkResult::This(found) if found < batch.len() => {
                    self.document = batch.swap_remove(found);
                    return Ok(places.get(found).copied());
                }
                ShrinkResult::Enough => self.enough = true,
                _ => {}
            }
        }
        Ok(None)
    }

    /// Takes away all events of one id.
    fn groups(&mut self) -> Result<(), E> {
        while let Some(events) = self.document.as_array().map(<[_]>::to_vec) {
            let ids: BTreeSet<String> = events.iter().flat_map(ids_of).collect();
            let without = ids.iter().enumerate().map(|(place, id)| {
                let others = events
                    .iter()
                    .filter(|event| !ids_of(event).any(|it| it == *id));
                (place, Value::Array(others.cloned().collect()))
            });
            if self.adopt(without)?.is_none() {
                break;
            }
        }
        Ok(())
    }

    /// Takes away neighbours, first many and then few.
    fn spans(&mut self) -> Result<(), E> {
        let mut length = self.document.as_array().map_or(0, <[_]>::len) / 2;
        while length > 0 {
            let mut first = 0;
            while let Some(items) = self.document.as_array().map(<[_]>::to_vec) {
                let step = if length > SHORT { length } else { 1 };
                let starts = (first..items.len()).step_by(step);
                let found = self.adopt(starts.map(|start| {
                    let end = (start + length).min(items.len());
                    (
                        start,
                        Value::Array([&items[..start], &items[end..]].concat()),
                    )
                }))?;
                match found {
                    Some(start) => first = start,
                    None => break,
                }
            }
            length /= 2;
        }
        Ok(())
    }

    /// Takes away two events that are not adjacent, such as a start and its end.
    fn pairs(&mut self) -> Result<(), E> {
        while let Some(items) = self.document.as_array().map(<[_]>::to_vec) {
            if items.len() > MOST_FOR_PAIRS {
                break;
            }
            let count = items.len();
            let pairs = (0..count).flat_map(|one| (one + 1..count).map(move |two| (one, two)));
            let without = pairs.map(|(one, two)| {
                let others = items.iter().enumerate();
                let others = others.filter(|(place, _)| *place != one && *place != two);
                (
                    one,
                    Value::Array(others.map(|(_, item)| item.clone()).collect()),
                )
            });
            if self.adopt(without)?.is_none() {
                break;
            }
        }
        Ok(())
    }

    /// Makes parts of the document simpler, one after the other.
    fn parts(&mut self) -> Result<(), E> {
        let mut first = 0;
        while first < size(&self.document) {
            let document = self.document.clone();
            let others = (first..size(&document)).flat_map(|place| {
                let others = simpler(&document, place).into_iter();
                others.map(move |other| (place, other))
            });
            match self.adopt(others)? {
                Some(place) => first = place,
                None => break,
            }
        }
        Ok(())
    }
}

fn length(document: &Value) -> usize {
    document.to_json().len()
}

/// The ids in an event.
fn ids_of(event: &Value) -> impl Iterator<Item = String> {
    let ids = IDS.iter().filter_map(|name| event.get(name)?.as_str());
    ids.map(str::to_owned)
}

/// The document with a simpler value at a place.
fn simpler(document: &Value, place: usize) -> Vec<Value> {
    let Some((name, value)) = named(document, &mut { place }, "") else {
        return Vec::new();
    };
    let is_name = IDS.contains(&name) || NAMES.contains(&name);
    let others = match value {
        Value::String(_) if is_name => Vec::new(),
        value => simpler_values(value),
    };
    let replaced = others.into_iter().filter_map(|other| {
        let mut document = document.clone();
        *at(&mut document, &mut { place })? = other;
        Some(document)
    });
    replaced.collect()
}

/// The value at a place, with the name of the member that it is in.
fn named<'v>(value: &'v Value, place: &mut usize, name: &'v str) -> Option<(&'v str, &'v Value)> {
    if *place == 0 {
        return Some((name, value));
    }
    *place -= 1;
    match value {
        Value::Array(items) => items.iter().find_map(|item| named(item, place, name)),
        Value::Object(members) => members
            .iter()
            .find_map(|(name, value)| named(value, place, name)),
        _ => None,
    }
}

fn simpler_values(value: &Value) -> Vec<Value> {
    match value {
        Value::Object(members) => {
            let mut others: Vec<Value> =
                members.keys().map(|name| without(members, name)).collect();
            others.push(Object::new().into());
            others
        }
        Value::Array(items) => {
            let mut others = vec![Value::Array(Vec::new())];
            others.extend((0..items.len()).map(|place| {
                let mut items = items.clone();
                items.remove(place);
                Value::Array(items)
            }));
            others
        }
        Value::String(text) => simpler_texts(text),
        Value::Number(_) => vec![Value::from(0_i64)],
        Value::Split(_) => vec!["".into()],
        Value::Null | Value::Bool(_) => Vec::new(),
    }
}

fn without(members: &Object, name: &str) -> Value {
    let mut members = members.clone();
    members.remove(name);
    members.into()
}

fn simpler_texts(text: &str) -> Vec<Value> {
    let characters: Vec<char> = text.chars().collect();
    let halves = [
        &characters[..characters.len() / 2],
        &characters[characters.len() / 2..],
    ];
    let mut others = vec![Value::from("")];
    others.extend(halves.map(|half| half.iter().collect::<String>().into()));
    others.extend((0..characters.len().min(BATCH)).map(|place| {
        let mut characters = characters.clone();
        characters.remove(place);
        characters.into_iter().collect::<String>().into()
    }));
    others
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use chatstate_json::{Value, parse};

    use super::{ShrinkResult, shrink};

    /// The smallest document with what `shows` looks for.
    fn smallest(document: &str, shows: fn(&str) -> bool) -> (String, usize) {
        let mut tries = 0;
        let document = parse(document).expect("JSON");
        let found = shrink::<Infallible>(document, &mut |candidates: &[Value]| {
            tries += candidates.len();
            let mut texts = candidates.iter().map(Value::to_json);
            Ok(texts
                .position(|text| shows(&text))
                .map_or(ShrinkResult::None, ShrinkResult::This))
        });
        let Ok(document) = found;
        (document.to_json(), tries)
    }

    fn check(document: &str, shows: fn(&str) -> bool, expected: &str) {
        let (found, tries) = smallest(document, shows);
        assert_eq!(found, expected);
        assert!(tries < 2_000, "{tries} tries");
    }

    #[test]
    fn events_go_alone_in_pairs_and_by_their_ids() {
        let both = |text: &str| text.contains("START") == text.contains("END");
        let log =
            r#"[{"type":"START","messageId":"m"},{"type":"X"},{"type":"END","messageId":"m"}]"#;
        check(log, both, "[]");
        let start = |text: &str| text.contains("START") && text.matches("type").count() > 1;
        check(log, start, r#"[{"type":"START"},{"type":"END"}]"#);
    }

    #[test]
    fn parts_become_simpler_and_names_stay() {
        let kept = |text: &str| text.contains("\"b\":") && text.contains("role");
        let document = r#"{"a":[1,2,{"b":"long text","c":null}],"d":true,"role":"user"}"#;
        check(document, kept, r#"{"a":[{"b":""}],"role":"user"}"#);
        let number = |text: &str| text.contains("77");
        check(r#"[[5,770],"x"]"#, number, "[[770]]");
    }

    #[test]
    fn it_stops_when_it_is_told_to() {
        let document = parse("[1,2,3]").expect("JSON");
        let found = shrink::<Infallible>(document.clone(), &mut |_| Ok(ShrinkResult::Enough));
        assert_eq!(found, Ok(document));
    }
}
