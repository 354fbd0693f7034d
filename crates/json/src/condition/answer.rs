//! The answers to what conditions ask of values.

use std::cell::Cell;
use std::collections::HashMap;

use super::{AskedKeyword, AskedKeywords, AskedSchema, MemberQuestions};
use crate::constraint::{satisfies, unique_items};
use crate::{Class, Kind, Rejection, Value};

/// How many predicates may be asked for each other: those that refer to themselves go as deep as a document.
const MAX_NESTING: usize = 1_024;

/// What a predicate is asked with.
#[derive(Debug, Clone, Copy)]
struct Asking<'a> {
    definitions: &'a HashMap<String, AskedKeywords>,
    nesting: usize,
    /// Whether the nesting came to its limit, so that the answer is worth nothing.
    is_too_deep: &'a Cell<bool>,
}

impl Asking<'_> {
    /// The same for a predicate inside; `None` at the limit.
    fn deeper(self) -> Option<Self> {
        if self.nesting == MAX_NESTING {
            self.is_too_deep.set(true);
            return None;
        }
        let nesting = self.nesting + 1;
        Some(Self { nesting, ..self })
    }
}

impl AskedSchema {
    /// Whether a value fits; an error if finding it out has no end that is near.
    pub(super) fn fits(&self, value: &Value) -> Result<bool, Rejection> {
        let is_too_deep = Cell::new(false);
        let asking = Asking {
            definitions: &self.definitions,
            nesting: 0,
            is_too_deep: &is_too_deep,
        };
        let fits = self.asked.fits(value, asking);
        if is_too_deep.get() {
            let message = "the document is nested too deeply for a condition";
            return Err(Rejection::new(Class::Limit, "depth", message));
        }
        Ok(fits)
    }
}

impl AskedKeywords {
    fn fits(&self, value: &Value, asking: Asking<'_>) -> bool {
        let Some(asking) = asking.deeper() else {
            return false;
        };
        let mut questions = self.questions.iter();
        questions.all(|question| question.holds(value, asking))
            && self.unevaluated_fit(value, asking)
    }

    /// Whether members that no question says anything of are as they have to be.
    fn unevaluated_fit(&self, value: &Value, asking: Asking<'_>) -> bool {
        let (Some(predicate), Value::Object(object)) = (&self.unevaluated, value) else {
            return true;
        };
        let is_evaluated = |name: &str| {
            let mut questions = self.questions.iter();
            questions.any(|question| question.evaluates(name, value, asking))
        };
        let mut others = object.iter().filter(|(name, _)| !is_evaluated(name));
        others.all(|(_, member)| predicate.fits(member, asking))
    }

    /// Whether this says something of a member of an object that fits it.
    fn evaluates(&self, name: &str, value: &Value, asking: Asking<'_>) -> bool {
        let Some(asking) = asking.deeper() else {
            return false;
        };
        let mut questions = self.questions.iter();
        self.unevaluated.is_some()
            || questions.any(|question| question.evaluates(name, value, asking))
    }
}

impl AskedKeyword {
    fn holds(&self, value: &Value, asking: Asking<'_>) -> bool {
        let fits = |predicate: &AskedKeywords| predicate.fits(value, asking);
        match self {
            Self::Type(names) => names.iter().any(|name| is_of_type(value, name)),
            Self::OneOfThese(values) => values.contains(value),
            Self::Target(name) => asking.definitions.get(name).is_some_and(fits),
            Self::Not(predicate) => !fits(predicate),
            Self::All(all) => all.iter().all(fits),
            Self::Any(all) => all.iter().any(fits),
            Self::One(all) => all.iter().filter(|one| fits(one)).count() == 1,
            Self::If(condition, then, otherwise) => {
                fits(if fits(condition) { then } else { otherwise })
            }
            _ => self.holds_for_kind(value, asking),
        }
    }

    /// The questions that are about values of one kind.
    fn holds_for_kind(&self, value: &Value, asking: Asking<'_>) -> bool {
        match (self, value) {
            (Self::Bound(bound, limit), Value::Number(number)) => satisfies(number, *bound, limit),
            (Self::Length(least, most), Value::String(text)) => {
                (*least..=*most).contains(&text.chars().count())
            }
            (Self::Pattern(pattern), Value::String(text)) => pattern.is_match(text),
            (_, Value::Array(items)) => self.holds_for_items(items, asking),
            (Self::MemberCount(least, most), Value::Object(object)) => {
                (*least..=*most).contains(&object.len())
            }
            (Self::Required(names), Value::Object(object)) => {
                names.iter().all(|name| object.contains_key(name))
            }
            (Self::Names(predicate), Value::Object(object)) => {
                let mut names = object.keys();
                names.all(|name| predicate.fits(&Value::String(name.to_string()), asking))
            }
            (Self::Members(members), Value::Object(object)) => {
                let mut all = object.iter();
                all.all(|(name, value)| members.fit(name, value, asking))
            }
            _ => true,
        }
    }

    fn holds_for_items(&self, items: &[Value], asking: Asking<'_>) -> bool {
        match self {
            Self::Count(least, most) => (*least..=*most).contains(&items.len()),
            Self::Unique => unique_items(items).is_ok(),
            Self::Items(first, rest) => {
                let predicates = first.iter().chain(std::iter::repeat(rest));
                items
                    .iter()
                    .zip(predicates)
                    .all(|(item, each)| each.fits(item, asking))
            }
            Self::Contains(predicate, least, most) => {
                let fitting = items.iter().filter(|item| predicate.fits(item, asking));
                (*least..=*most).contains(&fitting.count())
            }
            _ => true,
        }
    }

    /// Whether this says something of a member of an object that fits it.
    fn evaluates(&self, name: &str, value: &Value, asking: Asking<'_>) -> bool {
        let evaluates = |predicate: &AskedKeywords| predicate.evaluates(name, value, asking);
        let fitting =
            |predicate: &AskedKeywords| evaluates(predicate) && predicate.fits(value, asking);
        match self {
            Self::Members(members) => members.evaluate(name),
            Self::Target(target) => asking.definitions.get(target).is_some_and(evaluates),
            Self::All(all) => all.iter().any(evaluates),
            Self::Any(all) | Self::One(all) => all.iter().any(fitting),
            Self::If(condition, then, _) if condition.fits(value, asking) => {
                evaluates(condition) || evaluates(then)
            }
            Self::If(_, _, otherwise) => evaluates(otherwise),
            _ => false,
        }
    }
}

impl MemberQuestions {
    fn fit(&self, name: &str, value: &Value, asking: Asking<'_>) -> bool {
        let mut known = self.about(name).peekable();
        if known.peek().is_none() {
            let others = self.others.as_ref();
            return others.is_none_or(|others| others.fits(value, asking));
        }
        known.all(|predicate| predicate.fits(value, asking))
    }

    fn evaluate(&self, name: &str) -> bool {
        self.others.is_some() || self.about(name).next().is_some()
    }

    /// What its name and patterns of names say of a member.
    fn about(&self, name: &str) -> impl Iterator<Item = &AskedKeywords> {
        let named = self.named.iter().filter(move |(known, _)| known == name);
        let by_pattern = self.by_pattern.iter();
        let matching = by_pattern.filter(move |(pattern, _)| pattern.is_match(name));
        let named = named.map(|(_, predicate)| predicate);
        named.chain(matching.map(|(_, predicate)| predicate))
    }
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match (name, value) {
        ("integer", Value::Number(number)) => number.is_integer(),
        _ => Kind::of_value(value).as_str() == name,
    }
}
