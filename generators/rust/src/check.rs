//! Constraints: the expression that checks a value beyond its Rust type.

use chatstate_codegen::CodegenError;
use chatstate_ir::{Bounds, Literal, Slot, Type};
use regex::Regex;
use serde_json::Number;

use crate::code::{fits, quoted, texts};
use crate::names::Names;
use crate::types::{holds_null, inexpressible, range};

/// An expression of type `Result<(), Rejection>`, on one line.
#[derive(Debug, Clone)]
pub(crate) struct Check {
    pub code: String,
    /// Whether it is one call of a function of the runtime with plain arguments, so that
    /// [`Check::statement`] knows how it is printed.
    is_call: bool,
}

/// Statements, and whether they stand as they would be printed.
pub(crate) struct Statement {
    pub code: String,
    pub laid_out: bool,
}

impl Check {
    fn call(function: &str, arguments: &str) -> Self {
        Self {
            code: format!("constraint::{function}({arguments})"),
            is_call: true,
        }
    }

    fn other(code: String) -> Self {
        let is_call = false;
        Self { code, is_call }
    }

    /// The check as a statement that returns a refusal, which is within the member `wire` if there is
    /// one. The first line is indented by whoever prints it, the others are.
    pub fn statement(&self, wire: Option<&str>, indent: &str) -> Statement {
        let code = &self.code;
        let within = wire.map(|wire| within(&quoted(wire))).unwrap_or_default();
        let line = format!("{code}{within}?;");
        let first = format!("{indent}{code}");
        let second = format!("{indent}    {within}?;");
        if self.is_call && !fits(&format!("{indent}{line}")) && fits(&first) && fits(&second) {
            let code = format!("{code}\n{second}");
            let laid_out = wire.is_some();
            return Statement { code, laid_out };
        }
        let laid_out = self.is_call;
        Statement {
            code: line,
            laid_out,
        }
    }
}

fn within(place: &str) -> String {
    format!(".map_err(|rejection| rejection.within({place}))")
}

/// A check of `value`, a reference to the type's value; or nothing where the Rust type says it all.
/// `typed` says that a constant in it has a Rust type of its own.
pub(crate) fn check(ty: &Type, names: &Names, typed: bool) -> Result<Option<Check>, CodegenError> {
    Ok(match ty {
        Type::Text {
            pattern,
            minimum_length,
            maximum_length,
            ..
        } => {
            let pattern = pattern.as_deref().map(check_pattern).transpose()?;
            let least = minimum_length.map(|least| bound("min_length", "value", least));
            let most = maximum_length.map(|most| bound("max_length", "value", most));
            all([pattern, least, most])
        }
        Type::Integer(bounds) => match range(bounds) {
            Some((minimum, maximum)) => {
                let (minimum, maximum) = (integer(minimum), integer(maximum));
                Some(Check::call(
                    "range",
                    &format!("*value, {minimum}, {maximum}"),
                ))
            }
            None => all([Some(Check::call("integer", "value")), check_bounds(bounds)?]),
        },
        Type::Number(bounds) => check_bounds(bounds)?,
        Type::List {
            items,
            minimum_items,
            maximum_items,
            unique,
        } => {
            let least = minimum_items.map(|least| bound("min_items", "value.len()", least));
            let most = maximum_items.map(|most| bound("max_items", "value.len()", most));
            let unique = unique.then(|| Check::call("unique_items", "value"));
            let items = check_slot(items, names, typed)?;
            all([
                least,
                most,
                unique,
                items.map(|check| each("enumerate().", "index", &check)),
            ])
        }
        Type::Map(values) => {
            check_slot(values, names, typed)?.map(|check| each("", "name", &check))
        }
        Type::Tuple(slots) => check_tuple(slots, names)?,
        Type::Constant(literal) => (!typed).then(|| check_constant(literal)),
        Type::Any { nullable: false } => Some(Check::call("not_null", "value")),
        Type::UnknownTag(known) => {
            let known = texts(known.iter().map(String::as_str));
            Some(Check::call("unknown_tag", &format!("value, {known}")))
        }
        _ => None,
    })
}

fn bound(function: &str, value: &str, bound: u64) -> Check {
    Check::call(function, &format!("{value}, {bound}"))
}

/// The check of each of many, whose place is called `place`.
fn each(steps: &str, place: &str, check: &Check) -> Check {
    let (code, within) = (&check.code, within(place));
    Check::other(format!(
        "value.iter().{steps}try_for_each(|({place}, value)| {code}{within})"
    ))
}

/// The check of what a list or map holds, past a null.
fn check_slot(slot: &Slot, names: &Names, typed: bool) -> Result<Option<Check>, CodegenError> {
    let check = check(&slot.ty, names, typed)?;
    Ok(match check {
        Some(Check { code, .. }) if slot.nullable && !holds_null(&slot.ty, names) => Some(
            Check::other(format!("value.as_ref().map_or(Ok(()), |value| {code})")),
        ),
        check => check,
    })
}

/// The checks one after the other.
fn all<const N: usize>(checks: [Option<Check>; N]) -> Option<Check> {
    checks.into_iter().flatten().reduce(both)
}

fn both(first: Check, second: Check) -> Check {
    let (first, second) = (first.code, second.code);
    Check::other(format!("{first}.and_then(|()| {second})"))
}

/// The checks of the items of a tuple that have one.
fn check_tuple(slots: &[Slot], names: &Names) -> Result<Option<Check>, CodegenError> {
    let mut checks = Vec::new();
    for (index, slot) in slots.iter().enumerate() {
        if let Some(Check { code, .. }) = check_slot(slot, names, false)? {
            let within = within(&index.to_string());
            checks.push(Check::other(format!(
                "{{ let value = &value.{index}; {code}{within} }}"
            )));
        }
    }
    Ok(checks.into_iter().reduce(both))
}

/// The check of a constant that is read as a plain value.
fn check_constant(literal: &Literal) -> Check {
    let (expected, shown) = match literal {
        Literal::Boolean(expected) => (expected.to_string(), format!("&{expected}")),
        Literal::Integer(expected) => (integer(*expected), format!("&{}", integer(*expected))),
        Literal::Text(expected) => (quoted(expected), quoted(expected)),
    };
    Check::other(format!(
        "constraint::constant(*value == {expected}, {shown})"
    ))
}

fn check_bounds(bounds: &Bounds) -> Result<Option<Check>, CodegenError> {
    let least = bounds.minimum.as_ref().map(|bound| match bound.as_i64() {
        Some(bound) => Check::call("minimum", &format!("value, {}", integer(bound))),
        None => spelled("Minimum", bound),
    });
    let greatest = bounds.maximum.as_ref().map(|bound| match bound.as_i64() {
        Some(bound) => Check::call("maximum", &format!("value, {}", integer(bound))),
        None => spelled("Maximum", bound),
    });
    let above = bounds.exclusive_minimum.as_ref();
    let below = bounds.exclusive_maximum.as_ref();
    let step = bounds.multiple_of.as_ref();
    if let Some(step) = step.filter(|step| !has_few_digits(step)) {
        return Err(inexpressible(&format!("a multiple of `{step}`")));
    }
    Ok(all([
        least,
        greatest,
        above.map(|bound| spelled("ExclusiveMinimum", bound)),
        below.map(|bound| spelled("ExclusiveMaximum", bound)),
        step.map(|bound| spelled("MultipleOf", bound)),
    ]))
}

/// The check of a bound that is not an integer of 64 bits, or is none that a number may have.
fn spelled(kind: &str, bound: &Number) -> Check {
    let text = quoted(&bound.to_string());
    Check::call(
        "bound",
        &format!("value, constraint::Bound::{kind}, {text}"),
    )
}

/// Whether the digits of a number are an integer of 64 bits.
fn has_few_digits(number: &Number) -> bool {
    let text = number.to_string();
    let digits = text.split(['e', 'E']).next().unwrap_or_default();
    digits.replace(['.', '-'], "").parse::<u64>().is_ok()
}

/// A bound as an integer of 64 bits.
pub(crate) fn whole(bound: Option<&Number>) -> Option<i64> {
    bound.and_then(Number::as_i64)
}

fn check_pattern(text: &str) -> Result<Check, CodegenError> {
    let pattern = pattern(text)?;
    Ok(Check::other(format!(
        "constraint::pattern(value, {pattern})"
    )))
}

/// A reference to a compiled pattern. It is compiled here once, so that the generated code cannot
/// hold one that fails.
pub(crate) fn pattern(pattern: &str) -> Result<String, CodegenError> {
    if let Err(error) = Regex::new(pattern) {
        return Err(CodegenError::Inexpressible {
            message: format!("the pattern `{pattern}` is not known in Rust: {error}"),
            place: "a `pattern`".to_owned(),
            help: "write it without look-around and back references".to_owned(),
        });
    }
    let pattern = quoted(pattern);
    Ok(format!(
        "{{ static PATTERN: LazyLock<Regex> = LazyLock::new(|| Regex::new({pattern})\
         .expect(\"the generator has compiled this pattern\")); &PATTERN }}"
    ))
}

/// An integer literal with its digits in groups.
pub(crate) fn integer(value: i64) -> String {
    let digits = value.unsigned_abs().to_string();
    let mut grouped = String::new();
    if value < 0 {
        grouped.push('-');
    }
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push('_');
        }
        grouped.push(digit);
    }
    grouped
}
