//! The C# type of a model type, and the functions that read and write it.

use std::collections::HashSet;
use std::fmt::Write;

use chatstate_schema_model::{Bounds, DefinitionKind, Literal, Slot, Type};
use serde_json::Number;

use crate::literal::string;
use crate::names::{Names, USED_MEMBERS};
use crate::pattern::pattern;

/// A type as C# spells it, with an expression for the function that reads a value of it and one for
/// the function that writes it.
#[derive(Debug, Clone)]
pub(crate) struct CsType {
    pub text: String,
    /// Whether it is a struct, which `?` makes another type.
    pub is_value: bool,
    pub read: String,
    pub write: String,
}

impl CsType {
    fn new(text: &str, is_value: bool, read: &str, write: &str) -> Self {
        Self {
            text: text.to_owned(),
            is_value,
            read: read.to_owned(),
            write: write.to_owned(),
        }
    }

    /// An expression that reads `element`.
    pub fn read_call(&self) -> String {
        let body = self.read.strip_prefix("static element => ");
        body.map_or_else(|| format!("{}(element)", self.read), str::to_owned)
    }

    /// An expression that writes `value`.
    pub fn write_call(&self) -> String {
        match self.write.strip_prefix("static (writer, value) => ") {
            // A body of statements is no expression.
            Some(body) if !body.starts_with('{') => body.to_owned(),
            Some(_) => format!("JsonWrite.Item(writer, value, {})", self.write),
            None => format!("{}(writer, value)", self.write),
        }
    }

    fn text(read: &str) -> Self {
        Self::new("string", false, read, "JsonWrite.Text")
    }

    fn list(name: &str, items: &Self, read: String, write: &str) -> Self {
        let write = format!(
            "static (writer, value) => JsonWrite.{write}(writer, value, {})",
            items.write
        );
        Self {
            text: name.to_owned(),
            is_value: false,
            read,
            write,
        }
    }
}

/// Makes C# types. `hidden` has the names of properties, which in an expression hide a type of the
/// same name.
pub(crate) struct CSharpTypes<'a> {
    pub names: &'a Names<'a>,
    pub hidden: HashSet<String>,
}

impl<'a> CSharpTypes<'a> {
    /// For a place without properties.
    pub fn new(names: &'a Names<'a>) -> Self {
        Self {
            names,
            hidden: HashSet::new(),
        }
    }

    /// The C# type of `ty`, `null` aside.
    pub fn of(&self, ty: &Type) -> CsType {
        match ty {
            Type::Reference { to, .. } => self.reference(to),
            Type::List {
                items,
                minimum_items,
                maximum_items,
                unique,
            } => {
                let items = self.slot(items);
                let limits = limits(&[
                    ("minimum", length(*minimum_items)),
                    ("maximum", length(*maximum_items)),
                    ("unique", unique.then(|| "true".to_owned())),
                ]);
                let read = format!(
                    "static element => JsonRead.List(element, {}{limits})",
                    items.read
                );
                CsType::list(&format!("IList<{}>", items.text), &items, read, "List")
            }
            Type::Tuple(items) => self.tuple(items),
            Type::Map(values) => {
                let values = self.slot(values);
                let read = format!("static element => JsonRead.Map(element, {})", values.read);
                CsType::list(
                    &format!("IDictionary<string, {}>", values.text),
                    &values,
                    read,
                    "Map",
                )
            }
            Type::Constant(value) => constant(value),
            Type::UnknownTag(known) => {
                let known: Vec<String> = known.iter().map(|tag| string(tag)).collect();
                let known = known.join(", ");
                CsType::text(&format!(
                    "static element => JsonRead.UnknownTag(element, {known})"
                ))
            }
            Type::Text {
                pattern: matched,
                minimum_length,
                maximum_length,
                ..
            } => {
                let limits = limits(&[
                    ("minimum", length(*minimum_length)),
                    ("maximum", length(*maximum_length)),
                    (
                        "pattern",
                        matched.as_ref().map(|text| string(&pattern(text))),
                    ),
                ]);
                if limits.is_empty() {
                    return CsType::text("JsonRead.Text");
                }
                CsType::text(&format!(
                    "static element => JsonRead.LimitedText(element{limits})"
                ))
            }
            Type::SplitText => {
                CsType::new("string", false, "JsonRead.SplitText", "JsonWrite.SplitText")
            }
            Type::Boolean => CsType::new("bool", true, "JsonRead.Boolean", "JsonWrite.Boolean"),
            Type::Integer(bounds) => integer(bounds),
            Type::Number(bounds) => number(bounds, false),
            Type::OpenObject => CsType::new(
                "IDictionary<string, JsonElement>",
                false,
                "JsonRead.OpenObject",
                "JsonWrite.OpenObject",
            ),
            Type::Any { nullable: true } => {
                CsType::new("JsonElement", true, "JsonRead.Any", "JsonWrite.Any")
            }
            Type::Any { nullable: false } => {
                CsType::new("JsonElement", true, "JsonRead.NotNull", "JsonWrite.Any")
            }
        }
    }

    /// What a list or a map holds.
    pub fn slot(&self, slot: &Slot) -> CsType {
        let ty = self.of(&slot.ty);
        if !slot.nullable || self.holds_null(&slot.ty) {
            return ty;
        }
        let reader = if ty.is_value { "NullOrValue" } else { "NullOr" };
        CsType {
            text: format!("{}?", ty.text),
            is_value: ty.is_value,
            read: format!("static element => JsonRead.{reader}(element, {})", ty.read),
            write: format!(
                "static (writer, value) => JsonWrite.NullOr(writer, value, {})",
                ty.write
            ),
        }
    }

    /// Whether the C# type has a value for null of its own.
    pub fn holds_null(&self, ty: &Type) -> bool {
        match ty {
            Type::Any { nullable } => *nullable,
            Type::Reference { to, .. } => self.names.takes_null(to),
            _ => false,
        }
    }

    /// A name for the type of a definition that means it in an expression, too.
    pub fn expression(&self, definition: &str) -> String {
        let name = self.names.definition(definition);
        if self.hidden.contains(&name) || USED_MEMBERS.contains(&name.as_str()) {
            format!("global::{}.{name}", self.names.namespace)
        } else {
            name
        }
    }

    fn reference(&self, to: &str) -> CsType {
        let name = self.expression(to);
        let read = format!("{name}.FromElement");
        match self.names.kind(to) {
            Some(DefinitionKind::Alias(ty)) if is_inline(ty) => {
                let inner = self.of(ty);
                CsType {
                    read,
                    write: format!("{name}.WriteTo"),
                    ..inner
                }
            }
            kind => CsType {
                text: self.names.definition(to),
                is_value: matches!(kind, Some(DefinitionKind::Enumeration(_))),
                read,
                write: "JsonWrite.Value".to_owned(),
            },
        }
    }

    fn tuple(&self, items: &[Slot]) -> CsType {
        let items: Vec<CsType> = items.iter().map(|slot| self.slot(slot)).collect();
        let count = items.len();
        let texts: Vec<&str> = items.iter().map(|item| item.text.as_str()).collect();
        let reads: Vec<String> = items
            .iter()
            .enumerate()
            .map(|(index, item)| format!("JsonRead.Item(element, {index}, {count}, {})", item.read))
            .collect();
        let writes: Vec<String> = items
            .iter()
            .enumerate()
            .map(|(index, item)| {
                format!(
                    " JsonWrite.Item(writer, value.Item{}, {});",
                    index + 1,
                    item.write
                )
            })
            .collect();
        let (texts, reads) = (texts.join(", "), reads.join(", "));
        let (text, read) = match count {
            0 => (
                "ValueTuple".to_owned(),
                "JsonRead.Nothing(element)".to_owned(),
            ),
            1 => (
                format!("ValueTuple<{texts}>"),
                format!("new ValueTuple<{texts}>({reads})"),
            ),
            _ => (format!("({texts})"), format!("({reads})")),
        };
        CsType {
            text,
            is_value: true,
            read: format!("static element => {read}"),
            write: format!(
                "static (writer, value) => {{ writer.WriteStartArray();{} writer.WriteEndArray(); }}",
                writes.concat()
            ),
        }
    }
}

/// Whether an alias of a type is that type in C#, and not a class of its own.
pub(crate) fn is_inline(ty: &Type) -> bool {
    !matches!(ty, Type::List { .. } | Type::Map(_))
}

fn constant(value: &Literal) -> CsType {
    let (text, is_value, literal) = match value {
        Literal::Text(text) => ("string", false, string(text)),
        Literal::Boolean(value) => ("bool", true, value.to_string()),
        Literal::Integer(value) => ("long", true, format!("{value}L")),
    };
    let write = format!("static (writer, value) => JsonWrite.Constant(writer, value, {literal})");
    let read = format!("static element => JsonRead.OptionalConstant(element, {literal})");
    CsType::new(text, is_value, &read, &write)
}

/// An integer that has bounds on both sides is a `long`; any other may be of any size.
fn integer(bounds: &Bounds) -> CsType {
    let Some((minimum, maximum)) = range(bounds) else {
        return number(bounds, true);
    };
    let others = Bounds {
        minimum: None,
        maximum: None,
        ..bounds.clone()
    };
    let checked = match bound_limits(&others) {
        limits if limits.is_empty() => "element".to_owned(),
        limits => format!("JsonRead.Limited(element{limits})"),
    };
    let read = format!("static element => JsonRead.Integer({checked}, {minimum}L, {maximum}L)");
    CsType::new("long", true, &read, "JsonWrite.Integer")
}

fn number(bounds: &Bounds, whole: bool) -> CsType {
    let limits = bound_limits(bounds);
    let read = match (limits.is_empty(), whole) {
        (true, false) => "JsonRead.Number".to_owned(),
        (true, true) => "JsonRead.WholeNumber".to_owned(),
        (false, false) => {
            format!("static element => JsonRead.Number(JsonRead.Limited(element{limits}))")
        }
        (false, true) => {
            format!("static element => JsonRead.WholeNumber(JsonRead.Limited(element{limits}))")
        }
    };
    CsType::new("JsonNumber", true, &read, "JsonWrite.Number")
}

/// The least and the greatest value of an integer that has both.
fn range(bounds: &Bounds) -> Option<(i64, i64)> {
    let whole = |bound: &Option<Number>| bound.as_ref().and_then(Number::as_i64);
    Some((whole(&bounds.minimum)?, whole(&bounds.maximum)?))
}

fn bound_limits(bounds: &Bounds) -> String {
    let literal = |bound: &Option<Number>| bound.as_ref().map(|bound| string(&bound.to_string()));
    limits(&[
        ("minimum", literal(&bounds.minimum)),
        ("maximum", literal(&bounds.maximum)),
        ("exclusiveMinimum", literal(&bounds.exclusive_minimum)),
        ("exclusiveMaximum", literal(&bounds.exclusive_maximum)),
        ("multipleOf", literal(&bounds.multiple_of)),
    ])
}

/// A length as a `long`, beyond which no text and no list is.
fn length(length: Option<u64>) -> Option<String> {
    length.map(|length| length.min(i64::MAX.unsigned_abs()).to_string())
}

/// Further arguments by name, for those that there are.
fn limits(all: &[(&str, Option<String>)]) -> String {
    let there = all
        .iter()
        .filter_map(|(name, value)| Some((name, value.as_ref()?)));
    there.fold(String::new(), |mut out, (name, value)| {
        // Writing to a string cannot fail.
        let _ = write!(out, ", {name}: {value}");
        out
    })
}
