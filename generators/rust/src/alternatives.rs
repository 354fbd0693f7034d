//! Unions that nothing distinguishes: the first definition that accepts a value has it.

use askama::Template;
use chatstate_codegen::names::Scope;
use chatstate_codegen::{CodegenError, printed};
use chatstate_schema_model::{Ir, NamedDefinition};

use crate::code::{Code, quoted, texts};
use crate::docs::above;
use crate::names::{Names, ident};
use crate::size::is_large;

/// What the template of alternatives prints.
#[derive(Template)]
#[template(path = "alternatives.rs.j2", escape = "none")]
struct AlternativesView {
    above: String,
    name: String,
    variants: Vec<AlternativeView>,
    receiver: &'static str,
    /// What the schema calls the definition, and its alternatives.
    original: String,
    arms: String,
}

/// One alternative as it is printed.
struct AlternativeView {
    above: String,
    name: String,
    ty: String,
}

/// All items of a definition with alternatives.
pub(crate) fn alternatives(
    ir: &Ir,
    definition: &NamedDefinition,
    arms: &[String],
    names: &Names,
) -> Result<Code, CodegenError> {
    let view = AlternativesView {
        above: above(&definition.doc, definition.deprecated, ""),
        name: names.definition(&definition.name),
        variants: variants(ir, definition, arms, names)?,
        receiver: "&self",
        original: quoted(&definition.name),
        arms: texts(arms.iter().map(String::as_str)),
    };
    // Whether the readers of the alternatives are on one line is left to the printer.
    Ok(Code {
        text: printed(&view)?,
        laid_out: false,
    })
}

fn variants(
    ir: &Ir,
    definition: &NamedDefinition,
    arms: &[String],
    names: &Names,
) -> Result<Vec<AlternativeView>, CodegenError> {
    let mut scope = Scope::new(format!("definition `{}`", definition.name));
    let variants = arms.iter().map(|arm| {
        let ty = names.definition(arm);
        let name = if ty == "Self" { "SelfValue" } else { &ty };
        let text = ir.definitions.get(arm).map_or("", |arm| arm.doc.as_str());
        Ok(AlternativeView {
            above: above(text, false, "    "),
            name: ident(&scope.take(name.to_owned(), arm)?),
            ty: if is_large(ir, arm) {
                format!("Box<{ty}>")
            } else {
                ty
            },
        })
    });
    variants.collect()
}
