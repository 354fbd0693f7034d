//! Enumerations: a struct around the text or the integer, with a member for each known value.

use askama::Template;
use chatstate_codegen::names::{Scope, pascal_case};
use chatstate_codegen::{CodegenError, printed};
use chatstate_schema_model::{Enumeration, Literal, NamedDefinition};

use crate::docs::summary;
use crate::literal::string;
use crate::names::{Names, identifier};

/// Names that the struct has already.
const USED: &[&str] = &[
    "Clone",
    "Equals",
    "FromElement",
    "FromJson",
    "GetHashCode",
    "GetType",
    "IsKnown",
    "MemberwiseClone",
    "Of",
    "PrintMembers",
    "ReferenceEquals",
    "ToJson",
    "ToString",
    "Value",
    "WriteTo",
];

/// What the template prints.
#[derive(Template)]
#[template(path = "enumeration.j2", escape = "none")]
struct EnumerationView {
    docs: Vec<String>,
    obsolete: bool,
    name: String,
    /// `string` or `long`, and the reader and writer for it.
    holds: &'static str,
    read: &'static str,
    write: &'static str,
    text: bool,
    open: bool,
    values: Vec<WordView>,
    /// The known values, for messages and for asking.
    literals: String,
    pattern: String,
}

struct WordView {
    docs: Vec<String>,
    obsolete: bool,
    name: String,
    literal: String,
}

/// The text that an enumeration is printed from.
pub(crate) fn enumeration(
    definition: &NamedDefinition,
    enumeration: &Enumeration,
    names: &Names<'_>,
) -> Result<String, CodegenError> {
    let name = names.definition(&definition.name);
    let text = enumeration.texts().is_some();
    let mut scope = Scope::new(format!("definition `{}`", definition.name));
    let mut values = Vec::new();
    for known in &enumeration.values {
        let spelled = spelled(&known.value);
        let taken = scope.take(value_name(&known.value, &name), &spelled)?;
        values.push(WordView {
            docs: summary(&known.doc, &format!("The value `{spelled}`.")),
            obsolete: known.deprecated,
            name: taken,
            literal: literal(&known.value),
        });
    }
    let literals: Vec<&str> = values.iter().map(|value| value.literal.as_str()).collect();
    let view = EnumerationView {
        docs: summary(
            &definition.doc,
            &format!("`{name}`, which the schema does not describe."),
        ),
        obsolete: definition.deprecated,
        holds: if text { "string" } else { "long" },
        read: if text {
            "JsonRead.Text"
        } else {
            "JsonRead.EnumerationInteger"
        },
        write: if text {
            "JsonWrite.Text"
        } else {
            "JsonWrite.Integer"
        },
        text,
        open: enumeration.open,
        literals: literals.join(", "),
        pattern: literals.join(" or "),
        values,
        name,
    };
    printed(&view)
}

fn spelled(value: &Literal) -> String {
    match value {
        Literal::Text(text) => text.clone(),
        Literal::Boolean(value) => value.to_string(),
        Literal::Integer(value) => value.to_string(),
    }
}

fn literal(value: &Literal) -> String {
    match value {
        Literal::Text(text) => string(text),
        Literal::Boolean(value) => value.to_string(),
        Literal::Integer(value) => format!("{value}L"),
    }
}

/// The name of a value. An integer has no name but its digits.
fn value_name(value: &Literal, type_name: &str) -> String {
    let name = match value {
        Literal::Text(text) => identifier(&pascal_case(text)),
        Literal::Boolean(value) => pascal_case(&value.to_string()),
        Literal::Integer(value) if *value < 0 => format!("Minus{}", value.unsigned_abs()),
        Literal::Integer(value) => format!("Value{value}"),
    };
    if name == type_name || USED.contains(&name.as_str()) {
        return format!("{name}Value");
    }
    name
}
