//! Conditions of a schema: what is asked of an object beyond the types of its members, as a schema of
//! few keywords, which is read once and then asked of each object.

mod answer;

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;

use crate::constraint::Bound;
use crate::{Number, Object, Raw, Rejection, Value, parse};

/// A condition that is read when it is first asked.
pub type LazyCondition = LazyLock<AskedCondition>;

/// What a keyword of a schema asks.
#[derive(Debug)]
pub struct AskedCondition {
    keyword: &'static str,
    pointer: &'static str,
    holds: Result<AskedSchema, Rejection>,
}

impl AskedCondition {
    /// Reads what the keyword at that JSON pointer asks.
    #[must_use]
    pub fn new(keyword: &'static str, pointer: &'static str, predicate: &str) -> Self {
        let read = parse(predicate).and_then(|value| AskedSchema::of(&value));
        Self {
            keyword,
            pointer,
            holds: read,
        }
    }

    /// Rejects a value that is not as the keyword asks.
    pub fn check(&self, value: Raw<'_>) -> Result<(), Rejection> {
        self.check_value(&value.tree())
    }

    /// The same for a value that is no part of a text.
    pub fn check_value(&self, value: &Value) -> Result<(), Rejection> {
        let predicate = self.holds.as_ref().map_err(Clone::clone)?;
        if predicate.fits(value)? {
            return Ok(());
        }
        let message = format!("must be as the schema asks at `{}`", self.pointer);
        Err(Rejection::schema(self.keyword, message))
    }
}

/// What is asked, and what references in it lead to.
#[derive(Debug)]
struct AskedSchema {
    asked: AskedKeywords,
    definitions: HashMap<String, AskedKeywords>,
}

impl AskedSchema {
    fn of(value: &Value) -> Result<Self, Rejection> {
        let definitions = value.get("$defs").and_then(Value::as_object);
        let definitions = definitions.into_iter().flat_map(Object::iter);
        let definitions =
            definitions.map(|(name, asked)| Ok((name.to_string(), AskedKeywords::of(asked)?)));
        Ok(Self {
            asked: AskedKeywords::of(value)?,
            definitions: definitions.collect::<Result<_, Rejection>>()?,
        })
    }
}

/// All of what is asked of a value.
#[derive(Debug, Default)]
struct AskedKeywords {
    questions: Vec<AskedKeyword>,
    /// What members fit that no question says anything of.
    unevaluated: Option<Box<AskedKeywords>>,
}

/// One question. Each lets values of other types through, as the keywords of JSON Schema do.
#[derive(Debug)]
enum AskedKeyword {
    Target(String),
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
    others: Option<AskedKeywords>,
}

impl AskedKeywords {
    fn of(value: &Value) -> Result<Self, Rejection> {
        let object = value.as_object().ok_or_else(|| malformed("a predicate"))?;
        let mut questions = Vec::new();
        for (keyword, said) in object.iter() {
            questions.extend(question(value, keyword, said)?);
        }
        let unevaluated = value.get("unevaluatedProperties").map(Self::of);
        Ok(Self {
            questions,
            unevaluated: unevaluated.transpose()?.map(Box::new),
        })
    }

    /// The predicate at a keyword, and one that every value fits where it is not there.
    fn at(value: &Value, keyword: &str) -> Result<Self, Rejection> {
        value.get(keyword).map_or(Ok(Self::default()), Self::of)
    }
}

/// What a keyword asks; nothing where another keyword asks it with its own.
fn question(all: &Value, keyword: &str, said: &Value) -> Result<Option<AskedKeyword>, Rejection> {
    Ok(Some(match keyword {
        "$ref" => AskedKeyword::Target(target(said)?),
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
        "$defs" | "minContains" | "maxContains" | "then" | "else" | "unevaluatedProperties" => {
            return Ok(None);
        }
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
        others: all
            .get("additionalProperties")
            .map(AskedKeywords::of)
            .transpose()?,
    }))
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

/// The name at the end of a reference.
fn target(value: &Value) -> Result<String, Rejection> {
    let name = text(value)?.strip_prefix("#/$defs/");
    name.map(str::to_owned).ok_or_else(|| malformed("$ref"))
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
        let predicate = AskedSchema::of(&parse(predicate).unwrap()).unwrap();
        predicate.fits(&parse(value).unwrap()).unwrap()
    }

    /// Each predicate with a list of values that fit it, and a list of others.
    fn check(cases: &[(&str, &str, &str)]) {
        for (predicate, fitting, others) in cases {
            for (values, expected) in [(fitting, true), (others, false)] {
                for value in parse(values).unwrap().as_array().unwrap() {
                    let found = fits(predicate, &value.to_json());
                    assert_eq!(found, expected, "{predicate}: {value}");
                }
            }
        }
    }

    #[test]
    fn each_question_is_asked() {
        check(&[
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
        ]);
    }

    #[test]
    fn references_and_unevaluated_members_are_asked() {
        check(&[
            (
                r##"{"$defs":{"0":{"items":{"$ref":"#/$defs/0"},"type":["array","null"]}},"$ref":"#/$defs/0"}"##,
                "[[], [null, [[]]], null]",
                "[1, [[[1]]]]",
            ),
            (
                r#"{"properties":{"a":{}},"patternProperties":{"^b":{}},"unevaluatedProperties":{"type":["null"]}}"#,
                r#"[{"a": 1, "bc": 1, "c": null}, 1]"#,
                r#"[{"c": 1}]"#,
            ),
            (
                r##"{"$defs":{"0":{"properties":{"a":{}}}},"$ref":"#/$defs/0","anyOf":[{"properties":{"b":{"enum":[1]}}},{"properties":{"c":{}}}],"unevaluatedProperties":{"not":{}}}"##,
                r#"[{"a": 1, "b": 1, "c": 1}, {"b": 1}, {"c": 1}, []]"#,
                r#"[{"b": 2}, {"d": 1}]"#,
            ),
            (
                r#"{"if":{"properties":{"a":{"enum":[1]}},"required":["a"]},"then":{"properties":{"b":{}}},"else":{"properties":{"c":{}}},"unevaluatedProperties":{"not":{}}}"#,
                r#"[{"a": 1, "b": 1}, {"c": 1}, {}]"#,
                r#"[{"a": 1, "c": 1}, {"b": 1}, {"a": 2}]"#,
            ),
            (
                r#"{"allOf":[{"additionalProperties":{}},{"not":{"required":["x"]}}],"unevaluatedProperties":{"not":{}}}"#,
                r#"[{"a": 1}]"#,
                r#"[{"x": 1}]"#,
            ),
            (
                r#"{"oneOf":[{"unevaluatedProperties":{"minimum":1}},{"required":["b"],"not":{"properties":{"c":{}}}}],"unevaluatedProperties":{"not":{}}}"#,
                r#"[{"a": 1}, {}]"#,
                r#"[{"a": 0}, {"b": 0}]"#,
            ),
        ]);
    }

    #[test]
    fn a_condition_follows_itself_to_a_limit() {
        let condition =
            r##"{"$defs":{"0":{"allOf":[{"items":{"$ref":"#/$defs/0"}}]}},"$ref":"#/$defs/0"}"##;
        let asked = AskedCondition::new("if", "/if", condition);
        for (levels, expected) in [(341, None), (342, Some("depth"))] {
            let document = "[".repeat(levels) + &"]".repeat(levels);
            let mut tape = crate::Tape::default();
            let found = asked.check(tape.read(&document).unwrap());
            let rule = found.err().map(|rejection| rejection.rule);
            assert_eq!(rule.as_deref(), expected, "{levels}");
        }
    }

    #[test]
    fn a_malformed_condition_rejects() {
        for predicate in [
            r#"{"unevaluatedItems":{}}"#,
            r#"{"$ref":"0"}"#,
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
