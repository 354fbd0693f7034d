//! Whether all values of a JSON kind fit a predicate, or none of them, as far as is easily seen.

use std::cell::RefCell;
use std::collections::HashMap;

use serde_json::Value;

use crate::Predicate;
use crate::form::NOT_NULL;

/// Whether all values of a kind fit, or none; nothing where it depends on the value.
type KindAnswer = Option<bool>;

impl Predicate {
    /// Whether nothing but objects fits.
    pub(crate) fn takes_only_objects(&self) -> bool {
        let others = NOT_NULL.iter().filter(|kind| **kind != "object");
        others
            .chain(&["null"])
            .all(|kind| self.takes(kind) == Some(false))
    }

    /// Whether values of a kind fit.
    pub(crate) fn takes(&self, kind: &str) -> KindAnswer {
        KindQuestion::new(kind, self).of(self)
    }
}

/// The question whether values of a kind fit.
struct KindQuestion<'p> {
    kind: &'p str,
    /// The predicate that has what references lead to.
    within: &'p Predicate,
    /// What was found of these, since they may be referred to often.
    known: RefCell<HashMap<&'p str, KindAnswer>>,
}

impl<'p> KindQuestion<'p> {
    fn new(kind: &'p str, within: &'p Predicate) -> Self {
        Self {
            kind,
            within,
            known: RefCell::default(),
        }
    }

    fn of(&self, predicate: &'p Predicate) -> KindAnswer {
        let all = predicate.all_of.iter().map(|part| self.of(part));
        let any = match predicate.any_of.as_slice() {
            [] => Some(true),
            arms => any(arms.iter().map(|arm| self.of(arm))),
        };
        let not = predicate
            .not
            .as_deref()
            .map_or(Some(true), |not| self.of(not).map(|fits| !fits));
        let own = [
            predicate.by_type(self.kind),
            predicate.by_value(self.kind),
            predicate.by_keywords(self.kind),
            predicate
                .target()
                .map_or(Some(true), |name| self.of_target(name)),
            self.by_branch(predicate),
            self.by_one(predicate),
            any,
            not,
        ];
        conjunction(own.into_iter().chain(all))
    }

    fn of_target(&self, name: &'p str) -> KindAnswer {
        let known = self.known.borrow().get(name).copied();
        if let Some(known) = known {
            return known;
        }
        let target = self.within.definitions.get(name);
        let answer = target.and_then(|target| self.of(target));
        self.known.borrow_mut().insert(name, answer);
        answer
    }

    fn by_branch(&self, predicate: &'p Predicate) -> KindAnswer {
        let Some(condition) = &predicate.r#if else {
            return Some(true);
        };
        let takes = |branch: &'p Option<Box<Predicate>>| {
            let branch = branch.as_deref();
            branch.map_or(Some(true), |branch| self.of(branch))
        };
        let (then, otherwise) = (takes(&predicate.then), takes(&predicate.r#else));
        match self.of(condition) {
            Some(true) => then,
            Some(false) => otherwise,
            None => then.filter(|_| then == otherwise),
        }
    }

    fn by_one(&self, predicate: &'p Predicate) -> KindAnswer {
        if predicate.one_of.is_empty() {
            return Some(true);
        }
        let answers = predicate.one_of.iter().map(|one| self.of(one));
        let answers: Vec<KindAnswer> = answers.collect();
        let sure = answers
            .iter()
            .filter(|answer| **answer == Some(true))
            .count();
        if sure > 1 {
            return Some(false);
        }
        let unsure = answers.iter().any(Option::is_none);
        if unsure { None } else { Some(sure == 1) }
    }
}

/// What the keywords of one predicate say that ask no other predicate about the value.
impl Predicate {
    fn by_type(&self, kind: &str) -> KindAnswer {
        let Some(types) = &self.types else {
            return Some(true);
        };
        match kind {
            _ if types.iter().any(|name| name == kind) => Some(true),
            "number" if types.iter().any(|name| name == "integer") => None,
            _ => Some(false),
        }
    }

    fn by_value(&self, kind: &str) -> KindAnswer {
        let Some(values) = &self.values else {
            return Some(true);
        };
        let of_kind = values.iter().any(|value| kind_of(value) == kind);
        match kind {
            "null" => Some(of_kind),
            _ => {
                if of_kind {
                    None
                } else {
                    Some(false)
                }
            }
        }
    }

    fn by_keywords(&self, kind: &str) -> KindAnswer {
        let asked = match kind {
            "number" => self.asks_numbers(),
            "string" => {
                self.min_length.is_some() || self.max_length.is_some() || self.pattern.is_some()
            }
            "array" => self.asks_arrays(),
            "object" => self.asks_objects(),
            _ => false,
        };
        if asked { None } else { Some(true) }
    }

    fn asks_numbers(&self) -> bool {
        let limits = [
            &self.minimum,
            &self.maximum,
            &self.exclusive_minimum,
            &self.exclusive_maximum,
            &self.multiple_of,
        ];
        limits.iter().any(|limit| limit.is_some())
    }

    fn asks_arrays(&self) -> bool {
        let counts = [self.min_items, self.max_items];
        counts.iter().any(Option::is_some)
            || self.unique_items
            || !self.prefix_items.is_empty()
            || self.items.is_some()
            || self.contains.is_some()
    }

    fn asks_objects(&self) -> bool {
        let counts = [self.min_properties, self.max_properties];
        let members = [
            &self.additional_properties,
            &self.unevaluated_properties,
            &self.property_names,
        ];
        counts.iter().any(Option::is_some)
            || members.iter().any(|member| member.is_some())
            || !self.required.is_empty()
            || !self.properties.is_empty()
            || !self.pattern_properties.is_empty()
    }
}

fn conjunction(mut answers: impl Iterator<Item = KindAnswer>) -> KindAnswer {
    answers
        .try_fold(Some(true), |all, answer| match (all, answer) {
            (_, Some(false)) => Err(()),
            (Some(true), answer) => Ok(answer),
            (all, _) => Ok(all),
        })
        .unwrap_or(Some(false))
}

fn any(answers: impl Iterator<Item = KindAnswer>) -> KindAnswer {
    conjunction(answers.map(|answer| answer.map(|fits| !fits))).map(|none| !none)
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}
