//! Expressions that check a value of some type.

use std::collections::BTreeSet;

use chatstate_schema_model::{Bounds, DefinitionKind, Ir, Slot, Type};
use serde_json::Number;

use crate::names::{MAX_SAFE, check_name, listed, literal, quoted};

/// Writes expressions, and remembers what they take from the runtime.
#[derive(Debug)]
pub(crate) struct Expressions<'a> {
    ir: &'a Ir,
    used: BTreeSet<&'static str>,
}

impl<'a> Expressions<'a> {
    /// Expressions about the types of a model.
    pub fn new(ir: &'a Ir) -> Self {
        Self {
            ir,
            used: BTreeSet::new(),
        }
    }

    /// What the expressions take from the runtime, in order.
    pub fn used(&self) -> impl Iterator<Item = &'static str> {
        self.used.iter().copied()
    }

    /// A name of the runtime.
    pub fn runtime(&mut self, name: &'static str) -> &'static str {
        self.used.insert(name);
        name
    }

    /// What is true of a usual value of the type and can be asked in place; none where only a call
    /// can tell. `value` is an expression that is as cheap as a variable.
    pub fn usual(&self, ty: &Type, value: &str) -> Option<String> {
        match ty {
            Type::Reference { to, .. } => self.usual_of_definition(to, value),
            Type::Text { .. } if !is_constrained(ty) => {
                Some(format!("typeof {value} === \"string\""))
            }
            Type::SplitText => Some(format!("typeof {value} === \"string\"")),
            Type::Boolean => Some(format!("typeof {value} === \"boolean\"")),
            Type::Constant(expected) => Some(format!("{value} === {}", literal(expected))),
            Type::Number(bounds) => within(bounds, value, false).map(|within| {
                format!("typeof {value} === \"number\" && Number.isFinite({value}){within}")
            }),
            Type::Integer(bounds) => within(bounds, value, true).map(|within| {
                format!("typeof {value} === \"number\" && Number.isSafeInteger({value}){within}")
            }),
            _ => None,
        }
    }

    fn usual_of_definition(&self, name: &str, value: &str) -> Option<String> {
        match &self.ir.definitions.get(name)?.kind {
            DefinitionKind::Alias(ty) => self.usual(ty, value),
            DefinitionKind::Enumeration(words) if words.open && words.texts().is_some() => {
                Some(format!("typeof {value} === \"string\""))
            }
            _ => None,
        }
    }

    /// What is wrong with `value`, which is asked in place first where that is possible.
    pub fn found(&mut self, ty: &Type, value: &str) -> String {
        let call = self.call(ty, value);
        match self.usual(ty, value) {
            Some(usual) => format!("{usual} ? undefined : {call}"),
            None => call,
        }
    }

    /// The call that finds what is wrong with `value`.
    pub fn call(&mut self, ty: &Type, value: &str) -> String {
        match ty {
            Type::Reference { to, .. } => format!("{}({value})", check_name(to)),
            Type::List { items, .. } => self.list(ty, items, value),
            Type::Tuple(slots) => {
                let checks: Vec<String> = slots.iter().map(|slot| self.function(slot)).collect();
                format!("{}({value}, {})", self.runtime("tuple"), listed(&checks))
            }
            Type::Map(slot) => {
                let check = self.function(slot);
                format!("{}({value}, {check})", self.runtime("map"))
            }
            Type::Constant(expected) => {
                format!(
                    "{}({value}, {})",
                    self.runtime("constant"),
                    literal(expected)
                )
            }
            Type::UnknownTag(known) => {
                let known: Vec<String> = known.iter().map(|tag| quoted(tag)).collect();
                format!(
                    "{}({value}, {})",
                    self.runtime("unknownTag"),
                    listed(&known)
                )
            }
            Type::Text { .. } => self.text(ty, value),
            Type::Integer(bounds) => self.number("integer", bounds, value),
            Type::Number(bounds) => self.number("number", bounds, value),
            Type::SplitText => format!("{}({value})", self.runtime("splitText")),
            Type::Boolean => format!("{}({value})", self.runtime("boolean")),
            Type::OpenObject => format!("{}({value})", self.runtime("object")),
            Type::Any { nullable: true } => format!("{}({value})", self.runtime("anything")),
            Type::Any { nullable: false } => format!("{}({value})", self.runtime("notNull")),
        }
    }

    /// A function that finds what is wrong with its argument.
    pub fn function(&mut self, slot: &Slot) -> String {
        let any = matches!(slot.ty, Type::Any { .. });
        if slot.nullable && any {
            return self.runtime("anything").to_owned();
        }
        let call = self.call(&slot.ty, "item");
        if slot.nullable {
            return format!("(item) => (item === null ? undefined : {call})");
        }
        match call.strip_suffix("(item)") {
            Some(name) => name.to_owned(),
            None => format!("(item) => {call}"),
        }
    }

    fn list(&mut self, ty: &Type, items: &Slot, value: &str) -> String {
        let check = self.function(items);
        match ty {
            Type::List {
                minimum_items: None,
                maximum_items: None,
                unique: false,
                ..
            } => format!("{}({value}, {check})", self.runtime("list")),
            Type::List {
                minimum_items,
                maximum_items,
                unique,
                ..
            } => {
                let (minimum, maximum) = limits(*minimum_items, *maximum_items);
                // Only what is asked of is in the bundles of users, so each has a function of its own.
                let function = self.runtime(if *unique { "uniqueList" } else { "listWithin" });
                format!("{function}({value}, {check}, {minimum}, {maximum})")
            }
            _ => check,
        }
    }

    fn text(&mut self, ty: &Type, value: &str) -> String {
        let Type::Text {
            pattern,
            minimum_length,
            maximum_length,
            ..
        } = ty
        else {
            return String::new();
        };
        if !is_constrained(ty) {
            return format!("{}({value})", self.runtime("text"));
        }
        let (minimum, maximum) = limits(*minimum_length, *maximum_length);
        let pattern = pattern
            .as_deref()
            .map(|pattern| format!(", {}", quoted(pattern)));
        let function = self.runtime("textWithin");
        format!(
            "{function}({value}, {minimum}, {maximum}{})",
            pattern.unwrap_or_default()
        )
    }

    fn number(&mut self, function: &'static str, bounds: &Bounds, value: &str) -> String {
        let function = self.runtime(function);
        if bounds.multiple_of.is_some() {
            self.runtime("multipleOf");
        }
        let bounds = bounds_text(bounds);
        if bounds.is_empty() {
            return format!("{function}({value})");
        }
        format!("{function}({value}, {{ {} }})", bounds.join(", "))
    }
}

/// Whether more is asked of a text than to be one.
fn is_constrained(ty: &Type) -> bool {
    let free = matches!(
        ty,
        Type::Text {
            pattern: None,
            minimum_length: None,
            maximum_length: None,
            ..
        }
    );
    !free
}

/// The least and the greatest length as arguments.
fn limits(minimum: Option<u64>, maximum: Option<u64>) -> (String, String) {
    let maximum = maximum.map_or_else(|| "Infinity".to_owned(), |most| most.to_string());
    (minimum.unwrap_or(0).to_string(), maximum)
}

/// The bounds of a number by their names.
fn bounds_text(bounds: &Bounds) -> Vec<String> {
    let all = [
        ("minimum", &bounds.minimum),
        ("maximum", &bounds.maximum),
        ("exclusiveMinimum", &bounds.exclusive_minimum),
        ("exclusiveMaximum", &bounds.exclusive_maximum),
    ];
    let given = all
        .iter()
        .filter_map(|(name, bound)| Some((name, bound.as_ref()?)));
    let mut texts: Vec<String> = given
        .map(|(name, bound)| format!("{name}: {}", number_literal(bound)))
        .collect();
    if let Some(of) = &bounds.multiple_of {
        texts.push(format!("multipleOf: multipleOf({})", number_literal(of)));
    }
    texts
}

/// A number as a literal; an integer that no `number` is for certain is a `bigint`.
fn number_literal(number: &Number) -> String {
    if is_large(number) {
        return format!("{number}n");
    }
    number.to_string()
}

/// Whether a number is an integer that no `number` is for certain.
fn is_large(number: &Number) -> bool {
    let text = number.to_string();
    let mut characters = text.bytes();
    let is_plain = characters.all(|byte| byte.is_ascii_digit() || byte == b'-');
    let value = number.as_i64();
    is_plain && value.is_none_or(|value| value.unsigned_abs() > MAX_SAFE)
}

/// Whether a bound is the last integer, in its direction, that a `number` holds for certain.
fn is_limit(bound: &Number) -> bool {
    let value = bound.as_i64();
    value.is_some_and(|value| value.unsigned_abs() == MAX_SAFE)
}

/// What is asked of a `number` in place beside its type: its bounds, but those that every integer
/// keeps which a `number` holds. None where it takes more than comparisons.
fn within(bounds: &Bounds, value: &str, integer: bool) -> Option<String> {
    if bounds.multiple_of.is_some() {
        return None;
    }
    let comparisons = [
        (">=", &bounds.minimum),
        ("<=", &bounds.maximum),
        (">", &bounds.exclusive_minimum),
        ("<", &bounds.exclusive_maximum),
    ];
    let mut text = String::new();
    for (operator, bound) in comparisons {
        let Some(bound) = bound else {
            continue;
        };
        let is_inclusive = operator.ends_with('=');
        if integer && (is_large(bound) || is_inclusive && is_limit(bound)) {
            let is_far = operator.starts_with('>') == bound.to_string().starts_with('-');
            is_far.then_some(())?;
            continue;
        }
        let bound = number_literal(bound);
        text.extend([" && ", value, " ", operator, " ", &bound]);
    }
    Some(text)
}
