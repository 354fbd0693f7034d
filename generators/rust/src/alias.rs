//! Names for other types: a type alias where the Rust type says it all, else a type of its own that
//! checks what it reads.

use askama::Template;
use chatstate_codegen::{CodegenError, printed};
use chatstate_schema_model::{Literal, NamedDefinition, Type};

use crate::check::{Check, check};
use crate::code::Code;
use crate::docs::above;
use crate::enumeration::constant_type;
use crate::names::Names;
use crate::types::{range, rust_type};

/// What the template of a type of its own prints.
#[derive(Template)]
#[template(path = "alias.rs.j2", escape = "none")]
struct AliasView<'n> {
    above: String,
    derives: &'static str,
    name: &'n str,
    inner: &'n str,
    receiver: &'static str,
    check: Option<&'n str>,
}

/// All items of a definition that names another type.
pub(crate) fn alias(
    definition: &NamedDefinition,
    ty: &Type,
    names: &Names,
) -> Result<Code, CodegenError> {
    let name = names.definition(&definition.name);
    if let Type::Constant(Literal::Text(value)) = ty {
        return constant_type(&name, value, &definition.doc);
    }
    let above = above(&definition.doc, definition.deprecated, "");
    let inner = rust_type(ty, names, None)?;
    let check = check(ty, names, false)?;
    if !has_own_type(definition, ty, check.as_ref(), names) {
        return Ok(Code {
            text: format!("{above}pub type {name} = {inner};\n"),
            laid_out: true,
        });
    }
    let statement = check.map(|check| check.statement(None, "        "));
    let (derives, receiver) = traits(ty);
    let view = AliasView {
        above,
        derives,
        name: &name,
        inner: &inner,
        receiver,
        check: statement.as_ref().map(|statement| statement.code.as_str()),
    };
    Ok(Code {
        text: printed(&view)?,
        laid_out: statement.is_none_or(|statement| statement.laid_out),
    })
}

/// Whether a definition that names another type is a type of its own: what is checked is one, and
/// what has methods.
pub(crate) fn is_own_type(
    definition: &NamedDefinition,
    ty: &Type,
    names: &Names,
) -> Result<bool, CodegenError> {
    let check = check(ty, names, false)?;
    Ok(has_own_type(definition, ty, check.as_ref(), names))
}

fn has_own_type(
    definition: &NamedDefinition,
    ty: &Type,
    check: Option<&Check>,
    names: &Names,
) -> bool {
    let is_root = names.is_root(&definition.name) && !matches!(ty, Type::Reference { .. });
    check.is_some() || is_root || matches!(ty, Type::List { .. } | Type::Map(_))
}

/// What is derived for a type of its own, and how its methods take it; a bounded integer is copied.
fn traits(ty: &Type) -> (&'static str, &'static str) {
    match ty {
        Type::Text { .. } => ("Debug, Clone, PartialEq, Eq, Hash", "&self"),
        Type::Integer(bounds) if range(bounds).is_some() => (
            "Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash",
            "self",
        ),
        _ => ("Debug, Clone, PartialEq", "&self"),
    }
}
