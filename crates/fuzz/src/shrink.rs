//! Making a document that shows a failure as small as it goes.
//!
//! Every candidate has a shorter text than the document before it, so that this comes to an end. Which
//! candidates still show the failure is for the caller to say, several at a time.

use std::collections::BTreeSet;

use chatstate::json::{Object, Value};
use chatstate_inputs::mutations::{at, size};

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
pub(crate) type Fails<'f, E> = dyn FnMut(&[Value]) -> Result<Found, E> + 'f;

/// What came of trying candidates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
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
                Found::This(found) if found < batch.len() => {
                    self.document = batch.swap_remove(found);
                    return Ok(places.get(found).copied());
                }
                Found::Enough => self.enough = true,
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
                let starts = (first..items.len()).step_by(length.max(1));
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

    /// Takes away two events that stand apart, such as a start and its end.
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
    let mut whole = document.clone();
    let Some(value) = at(&mut whole, &mut { place }) else {
        return Vec::new();
    };
    let others = simpler_values(value);
    let replaced = others.into_iter().filter_map(|other| {
        let mut document = document.clone();
        *at(&mut document, &mut { place })? = other;
        Some(document)
    });
    replaced.collect()
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
