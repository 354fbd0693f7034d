//! What a schema asks of a value beyond its type. Generated readers call these; each rejection names
//! the JSON Schema keyword that asks.

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

use super::{AskedCondition, Constant, Kind, Number, Value, WriteJson, canonical};
use crate::rejection::Rejection;

/// `type: integer`: no fractional part; `1.0` and `1e2` are integers.
pub fn integer(number: &Number) -> Result<(), Rejection> {
    if number.is_integer() {
        return Ok(());
    }
    Err(Rejection::schema(
        "type",
        "must be of type integer, but has a fraction",
    ))
}

/// An integer that has bounds on both sides, which always fit 64 bits.
pub fn int64(number: &Number) -> Result<i64, Rejection> {
    if let Some(value) = number.as_i64() {
        return Ok(value);
    }
    integer(number)?;
    let keyword = if number.as_str().starts_with('-') {
        "minimum"
    } else {
        "maximum"
    };
    Err(Rejection::schema(keyword, "the integer is out of range"))
}

/// `minimum` and `maximum` of an integer that fits 64 bits.
pub fn range(value: i64, minimum: i64, maximum: i64) -> Result<(), Rejection> {
    if value < minimum {
        return Err(Rejection::schema(
            "minimum",
            format!("must be at least {minimum}"),
        ));
    }
    if value > maximum {
        return Err(Rejection::schema(
            "maximum",
            format!("must be at most {maximum}"),
        ));
    }
    Ok(())
}

/// `minimum` of a number of any size.
pub fn minimum(number: &Number, minimum: i64) -> Result<(), Rejection> {
    if *number >= Number::from(minimum) {
        return Ok(());
    }
    Err(Rejection::schema(
        "minimum",
        format!("must be at least {minimum}"),
    ))
}

/// `maximum` of a number of any size.
pub fn maximum(number: &Number, maximum: i64) -> Result<(), Rejection> {
    if *number <= Number::from(maximum) {
        return Ok(());
    }
    Err(Rejection::schema(
        "maximum",
        format!("must be at most {maximum}"),
    ))
}

/// What may be asked of a number by another number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// The least value.
    Minimum,
    /// The greatest value.
    Maximum,
    /// What every value is greater than.
    ExclusiveMinimum,
    /// What every value is less than.
    ExclusiveMaximum,
    /// What every value is an integer multiple of.
    MultipleOf,
}

/// Whether a number is as a bound asks.
pub(crate) fn satisfies(number: &Number, bound: Bound, limit: &Number) -> bool {
    match bound {
        Bound::Minimum => number >= limit,
        Bound::Maximum => number <= limit,
        Bound::ExclusiveMinimum => number > limit,
        Bound::ExclusiveMaximum => number < limit,
        Bound::MultipleOf => number.is_multiple_of(limit),
    }
}

/// A bound of any size and precision, which is spelled as in the schema.
pub fn bound(number: &Number, bound: Bound, spelled: &str) -> Result<(), Rejection> {
    if satisfies(number, bound, &Number::from_grammatical(spelled)) {
        return Ok(());
    }
    let (keyword, words) = match bound {
        Bound::Minimum => ("minimum", "at least"),
        Bound::Maximum => ("maximum", "at most"),
        Bound::ExclusiveMinimum => ("exclusiveMinimum", "greater than"),
        Bound::ExclusiveMaximum => ("exclusiveMaximum", "less than"),
        Bound::MultipleOf => ("multipleOf", "a multiple of"),
    };
    Err(Rejection::schema(
        keyword,
        format!("must be {words} {spelled}"),
    ))
}

/// `minProperties` and `maxProperties` of an object with so many members.
pub fn member_count(count: usize, minimum: usize, maximum: usize) -> Result<(), Rejection> {
    let (keyword, words, limit) = match count {
        _ if count < minimum => ("minProperties", "at least", minimum),
        _ if count > maximum => ("maxProperties", "at most", maximum),
        _ => return Ok(()),
    };
    let message = format!("must have {words} {limit} member(s), but has {count}");
    Err(Rejection::schema(keyword, message))
}

/// The rejection of an object that has a member and lacks one that this one needs.
#[must_use]
pub fn lacks_dependent(name: &str, lacking: &str) -> Rejection {
    let message = format!("the member `{lacking}` is missing, which `{name}` needs");
    Rejection::schema("dependentRequired", message).within(lacking)
}

/// `minItems` of an array of the given length.
pub fn min_items(length: usize, minimum: usize) -> Result<(), Rejection> {
    if length >= minimum {
        return Ok(());
    }
    let message = format!("must hold at least {minimum} item(s), but holds {length}");
    Err(Rejection::schema("minItems", message))
}

/// `maxItems` of an array of the given length.
pub fn max_items(length: usize, maximum: usize) -> Result<(), Rejection> {
    if length <= maximum {
        return Ok(());
    }
    let message = format!("must hold at most {maximum} item(s), but holds {length}");
    Err(Rejection::schema("maxItems", message))
}

/// `uniqueItems` of an array; equal are items of one canonical form.
pub fn unique_items(items: &[impl WriteJson]) -> Result<(), Rejection> {
    let mut seen = HashSet::with_capacity(items.len());
    let mut twice = None;
    for (index, item) in items.iter().enumerate() {
        if !seen.insert(canonical(&Value::try_of(item)?)) {
            twice = Some(index);
            break;
        }
    }
    let Some(index) = twice else {
        return Ok(());
    };
    let message = format!("no two items may be equal, but item {index} is there before");
    Err(Rejection::schema("uniqueItems", message))
}

/// What a condition asks of a value that was read.
pub fn condition(value: &impl WriteJson, asked: &AskedCondition) -> Result<(), Rejection> {
    asked.check_value(&Value::try_of(value)?)
}

/// `minLength` of a text, in characters.
pub fn min_length(text: &str, minimum: usize) -> Result<(), Rejection> {
    if text.chars().count() >= minimum {
        return Ok(());
    }
    Err(Rejection::schema(
        "minLength",
        format!("must be at least {minimum} character(s) long"),
    ))
}

/// `maxLength` of a text, in characters.
pub fn max_length(text: &str, maximum: usize) -> Result<(), Rejection> {
    if text.chars().count() <= maximum {
        return Ok(());
    }
    Err(Rejection::schema(
        "maxLength",
        format!("must be at most {maximum} character(s) long"),
    ))
}

/// A pattern that is compiled when it is first used.
pub type Pattern = LazyLock<Regex>;

/// `pattern` of a text.
pub fn pattern(text: &str, pattern: &Regex) -> Result<(), Rejection> {
    if pattern.is_match(text) {
        return Ok(());
    }
    Err(Rejection::schema(
        "pattern",
        format!("must match the pattern `{pattern}`"),
    ))
}

/// The `type` of any value but null.
pub fn not_null(value: &Value) -> Result<(), Rejection> {
    if *value != Value::Null {
        return Ok(());
    }
    Err(Rejection::schema("type", "must be any value but null"))
}

/// `not` of the tag of a variant for unknown tags: it is none of the known ones.
pub fn unknown_tag(tag: &str, known: &[&str]) -> Result<(), Rejection> {
    if !known.contains(&tag) {
        return Ok(());
    }
    let message = format!("`{tag}` is known, so its own definition applies");
    Err(Rejection::schema("not", message))
}

/// `const`: the rejection of anything but the one value, which is given in words.
#[must_use]
pub fn no_constant(expected: &str) -> Rejection {
    Rejection::schema("const", format!("must be {expected}"))
}

/// `const` of a plain value, which has been compared.
pub fn constant(is_equal: bool, expected: &(impl Constant + ?Sized)) -> Result<(), Rejection> {
    if is_equal {
        return Ok(());
    }
    Err(no_constant(&expected.words()))
}

/// `anyOf`: the rejection of a value that none of the definitions accepts.
#[must_use]
pub fn no_alternative(names: &[&str]) -> Rejection {
    Rejection::schema("anyOf", format!("must be one of {}", quoted(names)))
}

/// `additionalProperties`: the rejection of a member that an object may not have.
#[must_use]
pub fn no_such_member(name: &str) -> Rejection {
    Rejection::schema("additionalProperties", "the schema has no such member").within(name)
}

/// `enum`: the rejection of a text that is none of the values.
#[must_use]
pub fn no_such_value(found: &str, values: &[&str]) -> Rejection {
    let message = format!("must be one of {}, but is `{found}`", quoted(values));
    Rejection::schema("enum", message)
}

/// `oneOf` of a closed union: the rejection of a tag that no variant has.
#[must_use]
pub fn no_such_tag(found: &str, tags: &[&str]) -> Rejection {
    let message = format!("must be one of {}, but is `{found}`", quoted(tags));
    Rejection::schema("oneOf", message)
}

/// `oneOf` of variants by JSON kind: the rejection of a kind that no variant has.
#[must_use]
pub fn no_such_kind(found: Kind, kinds: &[Kind]) -> Rejection {
    let kinds: Vec<&str> = kinds.iter().map(|kind| kind.as_str()).collect();
    let message = format!(
        "must be one of {}, but is {}",
        kinds.join(", "),
        found.as_str()
    );
    Rejection::schema("oneOf", message)
}

/// Texts in back quotes with commas between.
fn quoted(texts: &[&str]) -> String {
    let quoted: Vec<String> = texts.iter().map(|text| format!("`{text}`")).collect();
    quoted.join(", ")
}
