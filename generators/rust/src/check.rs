//! Constraints: the expression that checks a value beyond its Rust type.

use chatstate_codegen::CodegenError;
use chatstate_schema_model::{Bounds, Literal, Slot, Type};
use regex::Regex;
use serde_json::Number;

use crate::code::{fits, list, quoted};
use crate::names::Names;
use crate::types::{holds_null, inexpressible, range};

/// An expression of type `Result<(), Rejection>`, on one line.
#[derive(Debug, Clone)]
pub(crate) struct Check {
    pub code: String,
    form: ExpressionForm,
}

/// What an expression is, as far as [`Check::statement`] knows how it is printed.
#[derive(Debug, Clone)]
enum ExpressionForm {
    /// One call of a function of the runtime with plain arguments.
    Call,
    /// A call for a value and one of these literals.
    CallOfTexts(Vec<String>),
    Other,
}

/// A statement, and whether it is laid out as it would be printed.
pub(crate) struct Statement {
    pub code: String,
    pub laid_out: bool,
}

/// The function that rejects known tags.
const UNKNOWN_TAG: &str = "constraint::unknown_tag";

impl Check {
    fn call(function: &str, arguments: &str) -> Self {
        Self {
            code: format!("constraint::{function}({arguments})"),
            form: ExpressionForm::Call,
        }
    }

    fn unknown_tag(known: &[String]) -> Self {
        let known: Vec<String> = known.iter().map(|tag| quoted(tag)).collect();
        Self {
            code: format!("{UNKNOWN_TAG}(value, &[{}])", known.join(", ")),
            form: ExpressionForm::CallOfTexts(known),
        }
    }

    fn other(code: String) -> Self {
        let form = ExpressionForm::Other;
        Self { code, form }
    }

    /// The check as a statement that returns a rejection, which is within the member `wire` if
    /// there is one. The first line is indented by the printer, the others are.
    pub fn statement(&self, wire: Option<&str>, indent: &str) -> Statement {
        let within = wire.map(|wire| within(&quoted(wire))).unwrap_or_default();
        let line = format!("{}{within}?;", self.code);
        let is_call = !matches!(self.form, ExpressionForm::Other);
        let broken = is_call && wire.is_some() && !fits(&format!("{indent}{line}"));
        Statement {
            code: if broken {
                self.broken(&format!("{indent}    {within}?;"), indent)
            } else {
                line
            },
            laid_out: is_call,
        }
    }

    /// The check and then its last step, on several lines.
    fn broken(&self, step: &str, indent: &str) -> String {
        let code = &self.code;
        match &self.form {
            ExpressionForm::CallOfTexts(known) if !fits(&format!("{indent}{code}")) => {
                let inner = format!("{indent}        ");
                let known = list(&inner, "&[", known, "]");
                format!("{UNKNOWN_TAG}(\n{inner}value,\n{known},\n{indent}    )\n{step}")
            }
            _ => format!("{code}\n{step}"),
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
        Type::UnknownTag(known) => Some(Check::unknown_tag(known)),
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
