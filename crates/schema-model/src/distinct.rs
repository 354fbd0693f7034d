//! What distinguishes variants of a choice that would be called the same.

use std::collections::HashSet;

use crate::IrError;
use crate::choice::arms_of;
use crate::form::{Form, FormSubject};
use crate::node::Node;
use crate::reader::SchemaReader;

/// The limits that distinguish values of one type, each with the word for it.
const LIMITS: &[(&str, &str)] = &[
    ("minItems", "from"),
    ("maxItems", "to"),
    ("minLength", "from"),
    ("maxLength", "to"),
    ("minimum", "from"),
    ("maximum", "to"),
];

impl<'a> SchemaReader<'a> {
    /// What the variants of a choice are called: those with one label get a word more, of what the
    /// others do not have.
    pub fn labels(&self, at: &Node<'a>, arms: &[FormSubject<'a>]) -> Result<Vec<String>, IrError> {
        let labels = arms.iter().map(|arm| self.label(at, arm));
        let labels: Vec<String> = labels.collect::<Result<_, _>>()?;
        let mut longer = labels.clone();
        for (index, label) in labels.iter().enumerate() {
            let others = labels.iter().enumerate();
            let others: Vec<_> = others
                .filter(|(other, same)| *other != index && *same == label)
                .map(|(other, _)| &arms[other])
                .collect();
            if let (false, Some(word)) =
                (others.is_empty(), self.distinction(&arms[index], &others)?)
            {
                longer[index] = format!("{label} {word}");
            }
        }
        Ok(longer)
    }

    /// A word for what a variant has and the others do not.
    fn distinction(
        &self,
        arm: &FormSubject<'a>,
        others: &[&FormSubject<'a>],
    ) -> Result<Option<String>, IrError> {
        let Form::Object(schemas) = self.forms.of(arm)?.form else {
            let limit = limit(arm.node(), others);
            return limit.map_or_else(|| self.item_distinction(arm, others), |word| Ok(Some(word)));
        };
        let (mut theirs, mut required_there) = (Vec::new(), HashSet::new());
        for other in others {
            if let Form::Object(schemas) = self.forms.of(other)?.form {
                required_there.extend(required(&schemas));
                theirs.push(members(&schemas));
            }
        }
        let names: HashSet<&str> = theirs.iter().flatten().map(|(name, _)| *name).collect();
        let own = members(&schemas);
        if let Some((name, _)) = own.iter().find(|(name, _)| !names.contains(name)) {
            return Ok(Some(format!("and {name}")));
        }
        if let Some(name) = required(&schemas).find(|name| !required_there.contains(name)) {
            return Ok(Some(format!("with {name}")));
        }
        for (name, place) in &own {
            let word = self.label(place, &FormSubject::Schema(place.clone()))?;
            let mut same = Vec::new();
            for (_, other) in theirs.iter().flatten().filter(|(other, _)| other == name) {
                same.push(self.label(other, &FormSubject::Schema(other.clone()))?);
            }
            if !same.contains(&word) {
                return Ok(Some(format!("{name} {word}")));
            }
        }
        Ok(None)
    }

    /// For a list of several kinds of items, the first kind that is in no other list.
    fn item_distinction(
        &self,
        arm: &FormSubject<'a>,
        others: &[&FormSubject<'a>],
    ) -> Result<Option<String>, IrError> {
        let mut theirs = HashSet::new();
        for other in others {
            theirs.extend(self.item_labels(other)?);
        }
        let own = self.item_labels(arm)?;
        let first = own.into_iter().find(|label| !theirs.contains(label));
        Ok(first.map(|label| format!("of {label}")))
    }

    /// What the variants of the items of a list are called.
    fn item_labels(&self, list: &FormSubject<'a>) -> Result<Vec<String>, IrError> {
        let Some(items) = list
            .node()
            .get("items")
            .filter(|items| items.has_any(&["anyOf", "oneOf"]))
        else {
            return Ok(Vec::new());
        };
        let arms = arms_of(&items)?.items()?.into_iter();
        arms.map(|arm| self.label(&items, &FormSubject::Schema(arm)))
            .collect()
    }
}

/// The members that schemas name, each with its place.
fn members<'a>(schemas: &[Node<'a>]) -> Vec<(&'a str, Node<'a>)> {
    let named = schemas.iter().filter_map(|schema| schema.get("properties"));
    named
        .filter_map(|members| members.members().ok())
        .flatten()
        .collect()
}

/// The names of the members that schemas require.
fn required<'s, 'a>(schemas: &'s [Node<'a>]) -> impl Iterator<Item = &'a str> + use<'s, 'a> {
    let lists = schemas.iter().filter_map(|schema| schema.get("required"));
    lists.filter_map(|names| names.texts().ok()).flatten()
}

/// The first limit that is another one for the others.
fn limit(node: &Node<'_>, others: &[&FormSubject<'_>]) -> Option<String> {
    let differs = |name: &str| {
        let own = node.member(name);
        others.iter().all(|other| other.node().member(name) != own)
    };
    let (name, word) = LIMITS.iter().find(|(name, _)| differs(name))?;
    match node.member(name) {
        Some(limit) => Some(format!("{word} {limit}")),
        None => Some("without limit".to_owned()),
    }
}
