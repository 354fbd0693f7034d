//! What is asked of a value beyond its type: a schema of few keywords, each with one meaning.

use std::fmt;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};

/// A condition on the values of a definition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Condition {
    /// The keyword of the schema that says it.
    pub keyword: String,
    /// JSON pointer to that keyword in its file.
    pub pointer: String,
    /// What it says.
    pub holds: Predicate,
}

/// A schema that is only asked whether a value fits it. The keywords mean what draft 2020-12 says,
/// whatever the dialect was that they are read from.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Predicate {
    /// What `$ref` leads to, by their names; the outermost predicate has them.
    #[serde(rename = "$defs", skip_serializing_if = "IndexMap::is_empty")]
    pub definitions: IndexMap<String, Predicate>,
    /// Another predicate that the value fits, as `#/$defs/` and its name.
    #[serde(rename = "$ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// The names of types, one of which the value has.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub types: Option<Vec<String>>,
    /// The value is one of these.
    #[serde(rename = "enum", skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<Value>>,
    /// The least number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimum: Option<Number>,
    /// The greatest number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub maximum: Option<Number>,
    /// What a number is greater than.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exclusive_minimum: Option<Number>,
    /// What a number is less than.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exclusive_maximum: Option<Number>,
    /// What a number is an integer multiple of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub multiple_of: Option<Number>,
    /// The fewest characters of a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_length: Option<u64>,
    /// The most characters of a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_length: Option<u64>,
    /// The regular expression that a text matches somewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// The fewest items.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_items: Option<u64>,
    /// The most items.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_items: Option<u64>,
    /// Whether no two items may be equal.
    #[serde(skip_serializing_if = "is_false")]
    pub unique_items: bool,
    /// What the first items fit, one each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub prefix_items: Vec<Predicate>,
    /// What the items after them fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<Box<Predicate>>,
    /// What some items fit: one at least, if nothing else is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contains: Option<Box<Predicate>>,
    /// The fewest items that do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_contains: Option<u64>,
    /// The most items that do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_contains: Option<u64>,
    /// The fewest members.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_properties: Option<u64>,
    /// The most members.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_properties: Option<u64>,
    /// The members that are there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub required: Vec<String>,
    /// What members fit, by their names.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub properties: IndexMap<String, Predicate>,
    /// What members fit, by patterns that their names match somewhere.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub pattern_properties: IndexMap<String, Predicate>,
    /// What the other members fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub additional_properties: Option<Box<Predicate>>,
    /// What members fit that no other keyword says anything of, here or in a predicate about the same
    /// value that it fits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unevaluated_properties: Option<Box<Predicate>>,
    /// What the names of members fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub property_names: Option<Box<Predicate>>,
    /// What the value does not fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not: Option<Box<Predicate>>,
    /// All of which the value fits.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub all_of: Vec<Predicate>,
    /// One of which the value fits, or several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub any_of: Vec<Predicate>,
    /// One of which the value fits, and no other.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub one_of: Vec<Predicate>,
    /// Where it holds, `then` has to, and `else` elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r#if: Option<Box<Predicate>>,
    /// What a value fits that fits `if`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub then: Option<Box<Predicate>>,
    /// What the other values fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r#else: Option<Box<Predicate>>,
}

// Serde asks for a reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_false(value: &bool) -> bool {
    !value
}

/// How the text of a reference begins: the name follows.
const DEFINITIONS: &str = "#/$defs/";

/// The text that generated code holds: a JSON object of the keywords that are there.
impl fmt::Display for Predicate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = serde_json::to_string(self).map_err(|_| fmt::Error)?;
        formatter.write_str(&text)
    }
}

impl Predicate {
    /// The predicate of that name.
    #[must_use]
    pub fn reference(name: &str) -> Self {
        Self {
            reference: Some(format!("{DEFINITIONS}{name}")),
            ..Self::default()
        }
    }

    /// What no value fits.
    #[must_use]
    pub fn never() -> Self {
        Self {
            not: Some(Box::default()),
            ..Self::default()
        }
    }

    /// The same with other spellings of its regular expressions.
    #[must_use]
    pub fn with_patterns(&self, spelled: &impl Fn(&str) -> String) -> Self {
        let mut predicate = self.clone();
        predicate.pattern = predicate.pattern.as_deref().map(spelled);
        let by_pattern = std::mem::take(&mut predicate.pattern_properties).into_iter();
        let by_pattern = by_pattern.map(|(pattern, member)| (spelled(&pattern), member));
        predicate.pattern_properties = by_pattern.collect();
        for inner in predicate.parts_mut() {
            *inner = inner.with_patterns(spelled);
        }
        predicate
    }

    /// The name of the predicate that this one refers to.
    pub(crate) fn target(&self) -> Option<&str> {
        self.reference.as_deref()?.strip_prefix(DEFINITIONS)
    }

    /// The names of the predicates that are asked of the same value.
    pub(crate) fn targets(&self) -> Vec<&str> {
        let lists = [&self.all_of, &self.any_of, &self.one_of];
        let single = [&self.not, &self.r#if, &self.then, &self.r#else];
        let single = single.into_iter().flatten().map(AsRef::as_ref);
        let parts = single.chain(lists.into_iter().flatten());
        self.target()
            .into_iter()
            .chain(parts.flat_map(Self::targets))
            .collect()
    }

    /// The regular expressions within.
    pub(crate) fn patterns(&self) -> Vec<&str> {
        let names = self.pattern_properties.keys();
        let own = self.pattern.iter().chain(names).map(String::as_str);
        let inner = self.parts().into_iter().flat_map(Self::patterns);
        own.chain(inner).collect()
    }

    /// How many predicates it is made of.
    pub(crate) fn size(&self) -> usize {
        let parts = self.parts().into_iter();
        1 + parts.map(Self::size).sum::<usize>()
    }

    fn parts(&self) -> Vec<&Self> {
        let lists = [&self.prefix_items, &self.all_of, &self.any_of, &self.one_of];
        let named = [
            &self.definitions,
            &self.properties,
            &self.pattern_properties,
        ];
        let single = [
            &self.items,
            &self.contains,
            &self.additional_properties,
            &self.unevaluated_properties,
            &self.property_names,
            &self.not,
            &self.r#if,
            &self.then,
            &self.r#else,
        ];
        let single = single.into_iter().flatten().map(AsRef::as_ref);
        let named = named.into_iter().flat_map(IndexMap::values);
        single
            .chain(named)
            .chain(lists.into_iter().flatten())
            .collect()
    }

    fn parts_mut(&mut self) -> Vec<&mut Self> {
        let lists = [
            &mut self.prefix_items,
            &mut self.all_of,
            &mut self.any_of,
            &mut self.one_of,
        ];
        let named = [
            &mut self.definitions,
            &mut self.properties,
            &mut self.pattern_properties,
        ];
        let single = [
            &mut self.items,
            &mut self.contains,
            &mut self.additional_properties,
            &mut self.unevaluated_properties,
            &mut self.property_names,
            &mut self.not,
            &mut self.r#if,
            &mut self.then,
            &mut self.r#else,
        ];
        let single = single.into_iter().flatten().map(AsMut::as_mut);
        let named = named.into_iter().flat_map(IndexMap::values_mut);
        single
            .chain(named)
            .chain(lists.into_iter().flatten())
            .collect()
    }
}
