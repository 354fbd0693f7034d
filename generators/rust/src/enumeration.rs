//! Enumerations, closed and open, and constants that may be absent.

use askama::Template;
use chatstate_codegen::names::{Scope, pascal_case};
use chatstate_codegen::{CodegenError, printed};
use chatstate_schema_model::{Enumeration, Literal, NamedDefinition};

use crate::code::{Code, quoted, texts};
use crate::docs::{above, with_sentence};
use crate::integers::{all_integers, integer_enumeration, literal, variant_name};
use crate::names::{Names, ident};
use crate::types::inexpressible;

/// What the template of a closed enumeration prints.
#[derive(Template)]
#[template(path = "closed.rs.j2", escape = "none")]
struct ClosedEnumerationView<'v> {
    above: String,
    name: &'v str,
    values: &'v [WordView],
    receiver: &'static str,
    /// The variant of the reader for other texts.
    rejection: String,
}

/// What the template of an open enumeration prints.
#[derive(Template)]
#[template(path = "open.rs.j2", escape = "none")]
struct OpenEnumerationView<'v> {
    above: String,
    name: &'v str,
    values: &'v [WordView],
    receiver: &'static str,
}

/// A value as it is printed.
pub(crate) struct WordView {
    /// The value, what it means, and whether it is deprecated.
    pub above: String,
    pub name: String,
    pub literal: String,
}

/// All items of an enumeration definition.
pub(crate) fn enumeration(
    definition: &NamedDefinition,
    enumeration: &Enumeration,
    names: &Names,
) -> Result<Code, CodegenError> {
    let name = names.definition(&definition.name);
    let values = values(definition, enumeration)?;
    let above = above(&definition.doc, definition.deprecated, "");
    match enumeration.texts() {
        Some(_) if enumeration.open => open(above, &name, &values),
        Some(texts) => closed(above, &name, &values, no_such_value("other", &texts)),
        None if all_integers(enumeration) => {
            integer_enumeration(above, &name, &values, enumeration)
        }
        None => Err(inexpressible("an enumeration of both texts and integers")),
    }
}

/// The variant of a reader that rejects a value.
fn no_such_value(found: &str, known: &[&str]) -> String {
    let known = texts(known.iter().copied());
    format!("{found} => Err(constraint::no_such_value({found}, {known}))")
}

/// A variant for each value. `Other` is the variant of unknown values.
fn values(
    definition: &NamedDefinition,
    enumeration: &Enumeration,
) -> Result<Vec<WordView>, CodegenError> {
    let mut scope = Scope::new(format!("definition `{}`", definition.name));
    let values = enumeration.values.iter().map(|known| {
        let (name, text) = match &known.value {
            Literal::Text(text) => (pascal_case(text), text.clone()),
            Literal::Integer(value) => (variant_name(*value), value.to_string()),
            Literal::Boolean(value) => (pascal_case(&value.to_string()), value.to_string()),
        };
        let reserved = enumeration.open && name == "Other" || name == "Self";
        let name = if reserved {
            format!("{name}Value")
        } else {
            name
        };
        let name = ident(&scope.take(name, &text)?);
        let text = known.value.text().map_or(text, |text| format!("{text:?}"));
        Ok(WordView {
            above: above_value(&text, &known.doc, known.deprecated),
            name,
            literal: literal(&known.value),
        })
    });
    values.collect()
}

/// What is above a variant: the value, what it means, and whether it is deprecated.
fn above_value(text: &str, description: &str, deprecated: bool) -> String {
    let sentence = Some(description).filter(|text| !text.is_empty());
    above(
        &with_sentence(&format!("`{text}`"), sentence),
        deprecated,
        "    ",
    )
}

/// The type of a constant that may be absent: an enumeration of one value.
pub(crate) fn constant_type(
    name: &str,
    value: &str,
    description: &str,
) -> Result<Code, CodegenError> {
    let name_of_value = pascal_case(value);
    let is_self = name_of_value == "Self";
    let variant = WordView {
        above: above_value(&format!("{value:?}"), "", false),
        name: ident(if is_self { "SelfValue" } else { &name_of_value }),
        literal: quoted(value),
    };
    let message = quoted(&format!("must be the text `{value}`"));
    let rejection = format!("_ => Err(Rejection::schema(\"const\", {message}))");
    closed(above(description, false, ""), name, &[variant], rejection)
}

fn closed(
    above: String,
    name: &str,
    values: &[WordView],
    rejection: String,
) -> Result<Code, CodegenError> {
    let view = ClosedEnumerationView {
        above,
        name,
        values,
        receiver: "self",
        rejection,
    };
    Ok(Code {
        text: printed(&view)?,
        laid_out: true,
    })
}

fn open(above: String, name: &str, values: &[WordView]) -> Result<Code, CodegenError> {
    let view = OpenEnumerationView {
        above,
        name,
        values,
        receiver: "&self",
    };
    Ok(Code {
        text: printed(&view)?,
        laid_out: true,
    })
}
