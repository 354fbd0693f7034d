//! Enumerations of integers, closed and open.

use askama::Template;
use chatstate_codegen::{CodegenError, printed};
use chatstate_schema_model::{Enumeration, Literal};

use crate::code::{Code, quoted, suffixed, texts};
use crate::enumeration::WordView;

/// What the template of a closed enumeration prints.
#[derive(Template)]
#[template(path = "closed-integers.rs.j2", escape = "none")]
struct ClosedIntegersView<'v> {
    above: String,
    name: &'v str,
    values: &'v [WordView],
    receiver: &'static str,
    /// The variant of the reader for other integers.
    rejection: String,
}

/// What the template of an open enumeration prints.
#[derive(Template)]
#[template(path = "open-integers.rs.j2", escape = "none")]
struct OpenIntegersView<'v> {
    above: String,
    name: &'v str,
    values: &'v [WordView],
    receiver: &'static str,
}

/// Whether the values are integers.
pub(crate) fn all_integers(enumeration: &Enumeration) -> bool {
    let mut values = enumeration.values.iter();
    values.all(|known| matches!(known.value, Literal::Integer(_)))
}

/// The name of the variant of an integer: `N1`, `Minus1`.
pub(crate) fn variant_name(value: i64) -> String {
    let sign = if value < 0 { "Minus" } else { "N" };
    format!("{sign}{}", value.unsigned_abs())
}

/// A value as a literal.
pub(crate) fn literal(value: &Literal) -> String {
    match value {
        Literal::Text(text) => quoted(text),
        Literal::Integer(value) => suffixed(*value),
        Literal::Boolean(value) => value.to_string(),
    }
}

/// The items of an enumeration of integers, with what is above it.
pub(crate) fn integer_enumeration(
    above: String,
    name: &str,
    values: &[WordView],
    enumeration: &Enumeration,
) -> Result<Code, CodegenError> {
    let text = if enumeration.open {
        let view = OpenIntegersView {
            above,
            name,
            values,
            receiver: "&self",
        };
        printed(&view)?
    } else {
        let view = ClosedIntegersView {
            above,
            name,
            values,
            receiver: "self",
            rejection: rejection(enumeration),
        };
        printed(&view)?
    };
    Ok(Code {
        text,
        laid_out: true,
    })
}

fn rejection(enumeration: &Enumeration) -> String {
    let known = enumeration
        .values
        .iter()
        .filter_map(|known| match known.value {
            Literal::Integer(value) => Some(value.to_string()),
            Literal::Boolean(_) | Literal::Text(_) => None,
        });
    let known: Vec<String> = known.collect();
    let known = texts(known.iter().map(String::as_str));
    format!("_ => Err(constraint::no_such_value(number.as_str(), {known}))")
}
