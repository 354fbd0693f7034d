//! Conditions of a schema: what is asked of an object beyond the types of its members, as a schema of
//! few keywords, which is read once and then asked of each object.

use std::sync::LazyLock;

use regex::Regex;

use crate::constraint::{Bound, satisfies};
use crate::{Kind, Number, Object, Raw, Rejection, Value, parse};

/// A condition that is read when it is first asked.
pub type LazyCondition = LazyLock<AskedCondition>;

/// What a keyword of a schema asks.
#[derive(Debug)]
pub struct AskedCondition {
    keyword: &'static str,
    pointer: &'static str,
    holds: Result<AskedKeywords, Rejection>,
}

impl AskedCondition {
    /// Reads what the keyword at that JSON pointer asks.
    #[must_use]
    pub fn new(keyword: &'static str, pointer: &'static str, predicate: &str) -> Self {
        let read = parse(predicate).and_then(|value| AskedKeywords::of(&value));
        Self {
            keyword,
            pointer,
            holds: read,
        }
    }

    /// Rejects a value that is not as the keyword asks.
    pub fn check(&self, value: Raw<'_>) -> Result<(), Rejection> {
        let predicate = self.holds.as_ref().map_err(Clone::clone)?;
        if predicate.fits(&value.tree()) {
            return Ok(());
        }
        let message = format!("must be as the schema asks at `{}`", self.pointer);
        Err(Rejection::schema(self.keyword, message))
    }
}

/// All of what is asked of a value.
#[derive(Debug, Default)]
struct AskedKeywords(Vec<AskedKeyword>);

/// One question. Each lets values of other types through, as the keywords of JSON Schema do.
#[derive(Debug)]
enum AskedKeyword {
    Type(Vec<String>),
    OneOfThese(Vec<Value>),
    Bound(Bound, Number),
    Length(usize, usize),
    Pattern(Regex),
    Count(usize, usize),
    Unique,
    Items(Vec<AskedKeywords>, AskedKeywords),
    Contains(AskedKeywords, usize, usize),
    MemberCount(usize, usize),
    Required(Vec<String>),
    Members(MemberQuestions),
    Names(AskedKeywords),
    Not(AskedKeywords),
    All(Vec<AskedKeywords>),
    Any(Vec<AskedKeywords>),
    One(Vec<AskedKeywords>),
    If(AskedKeywords, AskedKeywords, AskedKeywords),
}

/// What members fit: by name, by patterns of names, and the others.
#[derive(Debug)]
struct MemberQuestions {
    named: Vec<(String, AskedKeywords)>,
    by_pattern: Vec<(Regex, AskedKeywords)>,
    others: AskedKeywords,
}

impl AskedKeywords {
    fn of(value: &Value) -> Result<Self, Rejection> {
        let object = value.as_object().ok_or_else(|| malformed("a predicate"))?;
        let mut questions = Vec::new();
        for (keyword, said) in object.iter() {
            questions.extend(question(value, keyword, said)?);
        }
        Ok(Self(questions))
    }

    /// The predicate at a keyword, and one that every value fits where it is not there.
    fn at(value: &Value, keyword: &str) -> Result<Self, Rejection> {
        value.get(keyword).map_or(Ok(Self::default()), Self::of)
    }

    fn fits(&self, value: &Value) -> bool {
        self.0.iter().all(|question| question.holds(value))
    }
}

/// What a keyword asks; nothing where another keyword asks it with its own.
fn question(all: &Value, keyword: &str, said: &Value) -> Result<Option<AskedKeyword>, Rejection> {
    Ok(Some(match keyword {
        "type" => AskedKeyword::Type(texts(said)?),
        "enum" => AskedKeyword::OneOfThese(items(said)?.to_vec()),
        "minimum" => AskedKeyword::Bound(Bound::Minimum, number(said)?),
        "maximum" => AskedKeyword::Bound(Bound::Maximum, number(said)?),
        "exclusiveMinimum" => AskedKeyword::Bound(Bound::ExclusiveMinimum, number(said)?),
        "exclusiveMaximum" => AskedKeyword::Bound(Bound::ExclusiveMaximum, number(said)?),
        "multipleOf" => AskedKeyword::Bound(Bound::MultipleOf, number(said)?),
        "minLength" => AskedKeyword::Length(count(said)?, usize::MAX),
        "maxLength" => AskedKeyword::Length(0, count(said)?),
        "pattern" => AskedKeyword::Pattern(regex(text(said)?)?),
        "minItems" => AskedKeyword::Count(count(said)?, usize::MAX),
        "maxItems" => AskedKeyword::Count(0, count(said)?),
        "uniqueItems" => AskedKeyword::Unique,
        "minProperties" => AskedKeyword::MemberCount(count(said)?, usize::MAX),
        "maxProperties" => AskedKeyword::MemberCount(0, count(said)?),
        "required" => AskedKeyword::Required(texts(said)?),
        "propertyNames" => AskedKeyword::Names(AskedKeywords::of(said)?),
        "not" => AskedKeyword::Not(AskedKeywords::of(said)?),
        "allOf" => AskedKeyword::All(predicates(said)?),
        "anyOf" => AskedKeyword::Any(predicates(said)?),
        "oneOf" => AskedKeyword::One(predicates(said)?),
        "minContains" | "maxContains" | "then" | "else" => return Ok(None),
        _ => return together(all, keyword, said),
    }))
}

/// What keywords ask that belong together: the first of them asks it.
fn together(all: &Value, keyword: &str, said: &Value) -> Result<Option<AskedKeyword>, Rejection> {
    let first =
        |keywords: &[&str]| keywords.iter().find(|name| all.get(name).is_some()) == Some(&keyword);
    Ok(match keyword {
        "if" => Some(AskedKeyword::If(
            AskedKeywords::of(said)?,
            AskedKeywords::at(all, "then")?,
            AskedKeywords::at(all, "else")?,
        )),
        "contains" => {
            let least = all.get("minContains").map_or(Ok(1), count)?;
            let most = all.get("maxContains").map_or(Ok(usize::MAX), count)?;
            Some(AskedKeyword::Contains(
                AskedKeywords::of(said)?,
                least,
                most,
            ))
        }
        "prefixItems" | "items" => first(&["prefixItems", "items"])
            .then(|| {
                let places = all.get("prefixItems").map_or(Ok(Vec::new()), predicates)?;
                Ok(AskedKeyword::Items(
                    places,
                    AskedKeywords::at(all, "items")?,
                ))
            })
            .transpose()?,
        "properties" | "patternProperties" | "additionalProperties" => {
            first(&["properties", "patternProperties", "additionalProperties"])
                .then(|| members(all))
                .transpose()?
        }
        _ => return Err(malformed(keyword)),
    })
}

fn members(all: &Value) -> Result<AskedKeyword, Rejection> {
    let at = |keyword: &str| all.get(keyword).and_then(Value::as_object);
    let named = at("properties").into_iter().flat_map(Object::iter);
    let named = named.map(|(name, said)| Ok((name.to_string(), AskedKeywords::of(said)?)));
    let by_pattern = at("patternProperties").into_iter().flat_map(Object::iter);
    let by_pattern =
        by_pattern.map(|(pattern, said)| Ok((regex(pattern)?, AskedKeywords::of(said)?)));
    Ok(AskedKeyword::Members(MemberQuestions {
        named: named.collect::<Result<_, Rejection>>()?,
        by_pattern: by_pattern.collect::<Result<_, Rejection>>()?,
        others: AskedKeywords::at(all, "additionalProperties")?,
    }))
}

impl AskedKeyword {
    fn holds(&self, value: &Value) -> bool {
        match self {
            Self::Type(names) => names.iter().any(|name| is_of_type(value, name)),
            Self::OneOfThese(values) => values.contains(value),
            Self::Not(predicate) => !predicate.fits(value),
            Self::All(all) => all.iter().all(|one| one.fits(value)),
            Self::Any(all) => all.iter().any(|one| one.fits(value)),
            Self::One(all) => all.iter().filter(|one| one.fits(value)).count() == 1,
            Self::If(condition, then, _) if condition.fits(value) => then.fits(value),
            Self::If(_, _, otherwise) => otherwise.fits(value),
            _ => self.holds_for_kind(value),
        }
    }

    /// The questions that are about values of one kind.
    fn holds_for_kind(&self, value: &Value) -> bool {
        match (self, value) {
            (Self::Bound(bound, limit), Value::Number(number)) => satisfies(number, *bound, limit),
            (Self::Length(least, most), Value::String(text)) => {
                (*least..=*most).contains(&text.chars().count())
            }
            (Self::Pattern(pattern), Value::String(text)) => pattern.is_match(text),
            (_, Value::Array(items)) => self.holds_for_items(items),
            (Self::MemberCount(least, most), Value::Object(object)) => {
                (*least..=*most).contains(&object.len())
            }
            (Self::Required(names), Value::Object(object)) => {
                names.iter().all(|name| object.contains_key(name))
            }
            (Self::Names(predicate), Value::Object(object)) => {
                let mut names = object.keys();
                names.all(|name| predicate.fits(&Value::String(name.to_string())))
            }
            (Self::Members(members), Value::Object(object)) => {
                object.iter().all(|(name, value)| members.fit(name, value))
            }
            _ => true,
        }
    }

    fn holds_for_items(&self, items: &[Value]) -> bool {
        match self {
            Self::Count(least, most) => (*least..=*most).contains(&items.len()),
            Self::Unique => crate::constraint::unique_items(items).is_ok(),
            Self::Items(first, rest) => {
                let predicates = first.iter().chain(std::iter::repeat(rest));
                items
                    .iter()
                    .zip(predicates)
                    .all(|(item, each)| each.fits(item))
            }
            Self::Contains(predicate, least, most) => {
                let found = items.iter().filter(|item| predicate.fits(item)).count();
                (*least..=*most).contains(&found)
            }
            _ => true,
        }
    }
}

impl MemberQuestions {
    fn fit(&self, name: &str, value: &Value) -> bool {
        let named = self.named.iter().filter(|(known, _)| known == name);
        let named = named.map(|(_, predicate)| predicate);
        let by_pattern = self.by_pattern.iter();
        let matching = by_pattern.filter(|(pattern, _)| pattern.is_match(name));
        let matching = matching.map(|(_, predicate)| predicate);
        let mut known = named.chain(matching).peekable();
        if known.peek().is_none() {
            return self.others.fits(value);
        }
        known.all(|predicate| predicate.fits(value))
    }
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match (name, value) {
        ("integer", Value::Number(number)) => number.is_integer(),
        _ => Kind::of_value(value).as_str() == name,
    }
}

fn malformed(keyword: &str) -> Rejection {
    let message = format!("the condition in the generated code has a malformed `{keyword}`");
    Rejection::schema("condition", message)
}

fn items(value: &Value) -> Result<&[Value], Rejection> {
    value.as_array().ok_or_else(|| malformed("list"))
}

fn texts(value: &Value) -> Result<Vec<String>, Rejection> {
    let texts = items(value)?.iter();
    texts.map(|item| Ok(text(item)?.to_owned())).collect()
}

fn text(value: &Value) -> Result<&str, Rejection> {
    value.as_str().ok_or_else(|| malformed("text"))
}

fn predicates(value: &Value) -> Result<Vec<AskedKeywords>, Rejection> {
    items(value)?.iter().map(AskedKeywords::of).collect()
}

fn number(value: &Value) -> Result<Number, Rejection> {
    match value {
        Value::Number(number) => Ok(number.clone()),
        _ => Err(malformed("number")),
    }
}

fn count(value: &Value) -> Result<usize, Rejection> {
    let count = number(value)?
        .as_i64()
        .and_then(|count| usize::try_from(count).ok());
    count.ok_or_else(|| malformed("count"))
}

fn regex(pattern: &str) -> Result<Regex, Rejection> {
    Regex::new(pattern).map_err(|_| malformed("pattern"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(predicate: &str, value: &str) -> bool {
        let predicate = AskedKeywords::of(&parse(predicate).unwrap()).unwrap();
        predicate.fits(&parse(value).unwrap())
    }

    #[test]
    fn each_question_is_asked() {
        for (predicate, fitting, others) in [
            (
                r#"{"type":["integer","null"]}"#,
                "[1, 1.0, null]",
                r#"[1.5, "1", {}]"#,
            ),
            (
                r#"{"enum":[1,"a",{"b":[]}]}"#,
                r#"[1.0, "a", {"b": []}]"#,
                r#"[true, "b", {}]"#,
            ),
            (
                r#"{"minimum":0.1,"maximum":2}"#,
                r#"[0.1, 2, "x"]"#,
                "[0.09, 2.1]",
            ),
            (
                r#"{"exclusiveMinimum":1,"exclusiveMaximum":3}"#,
                "[2]",
                "[1, 3]",
            ),
            (r#"{"multipleOf":0.1}"#, "[0.3]", "[0.35]"),
            (
                r#"{"minLength":2,"maxLength":3}"#,
                r#"["ab", "\ud83d\ude00b", 1]"#,
                r#"["\ud83d\ude00", "abcd"]"#,
            ),
            (r#"{"pattern":"^a"}"#, r#"["ab", 1]"#, r#"["ba"]"#),
            (
                r#"{"minItems":1,"maxItems":2}"#,
                r#"[[1], "x"]"#,
                "[[], [1, 2, 3]]",
            ),
            (r#"{"uniqueItems":true}"#, r#"[[1, 2], "x"]"#, "[[1, 1.0]]"),
            (
                r#"{"items":{"type":["string"]},"prefixItems":[{"type":["null"]}]}"#,
                r#"[[], [null], [null, "a"]]"#,
                r#"[["a"], [null, null]]"#,
            ),
            (r#"{"contains":{"enum":[1]}}"#, "[[2, 1], 3]", "[[], [2]]"),
            (
                r#"{"contains":{"enum":[1]},"minContains":0,"maxContains":1}"#,
                "[[], [1]]",
                "[[1, 1]]",
            ),
            (
                r#"{"minProperties":1,"maxProperties":1}"#,
                r#"[{"a": 1}, []]"#,
                r#"[{}, {"a": 1, "b": 2}]"#,
            ),
            (
                r#"{"required":["a"]}"#,
                r#"[{"a": null}, []]"#,
                r#"[{"b": 1}]"#,
            ),
            (
                r#"{"additionalProperties":{"type":["null"]},"patternProperties":{"b":{"type":["boolean"]}},"properties":{"a":{"enum":[1]},"ab":{"enum":[true]}}}"#,
                r#"[{"a": 1, "b": true, "ab": true, "c": null}, 1]"#,
                r#"[{"a": 2}, {"b": 1}, {"ab": false}, {"c": 1}]"#,
            ),
            (
                r#"{"propertyNames":{"maxLength":1}}"#,
                r#"[{"a": 1}]"#,
                r#"[{"ab": 1}]"#,
            ),
            (r#"{"not":{"required":["a"]}}"#, "[{}]", r#"[{"a": 1}, 1]"#),
            (
                r#"{"allOf":[{"minimum":1},{"maximum":2}]}"#,
                "[1, 2]",
                "[0, 3]",
            ),
            (
                r#"{"anyOf":[{"maximum":1},{"minimum":3}]}"#,
                "[1, 3]",
                "[2]",
            ),
            (
                r#"{"oneOf":[{"maximum":2},{"minimum":2}]}"#,
                "[1, 3]",
                "[2]",
            ),
            (
                r#"{"if":{"minimum":5},"then":{"multipleOf":2},"else":{"enum":[1]}}"#,
                "[1, 6]",
                "[2, 7]",
            ),
            (
                r#"{"else":{"enum":[1]},"if":{"minimum":5}}"#,
                "[1, 7]",
                "[2]",
            ),
        ] {
            for (values, expected) in [(fitting, true), (others, false)] {
                for value in parse(values).unwrap().as_array().unwrap() {
                    let found = fits(predicate, &value.to_json());
                    assert_eq!(found, expected, "{predicate}: {value}");
                }
            }
        }
    }

    #[test]
    fn a_malformed_condition_rejects() {
        for predicate in [
            r#"{"unevaluatedItems":{}}"#,
            r#"{"pattern":1}"#,
            r#"{"pattern":"("}"#,
            r#"{"required":[1]}"#,
            r#"{"minLength":"1"}"#,
            "1",
        ] {
            let asked = AskedCondition::new("if", "/if", predicate);
            let mut tape = crate::Tape::default();
            let found = asked.check(tape.read("{}").unwrap()).unwrap_err();
            assert_eq!(found.rule, "condition", "{predicate}");
        }
    }
}
