//! Unions distinguished by JSON kind: an enumeration with one variant for each kind.

use askama::Template;
use chatstate_codegen::{CodegenError, printed};
use chatstate_schema_model::{JsonKind, KindArm, NamedDefinition};

use crate::check::check;
use crate::code::Code;
use crate::docs::above;
use crate::names::Names;
use crate::types::rust_type;

/// What the template of kinds prints.
#[derive(Template)]
#[template(path = "kinds.rs.j2", escape = "none")]
struct KindsView {
    above: String,
    name: String,
    variants: Vec<KindView>,
    receiver: &'static str,
    /// The kinds of the variants.
    known: String,
}

/// One kind as it is printed.
struct KindView {
    above: String,
    name: &'static str,
    kind: &'static str,
    ty: String,
    read: String,
    /// Whether more is checked than the type says.
    has_check: bool,
}

/// The variant for a kind, the kind in the runtime, and a description.
fn variant(kind: JsonKind) -> (&'static str, &'static str, &'static str) {
    match kind {
        JsonKind::Boolean => ("Boolean", "Boolean", "`true` or `false`."),
        JsonKind::Number => ("Number", "Number", "A number."),
        JsonKind::String => ("Text", "String", "A string."),
        JsonKind::Array => ("List", "Array", "An array."),
        JsonKind::Object => ("Object", "Object", "An object."),
    }
}

/// All items of a definition with variants by JSON kind.
pub(crate) fn kinds(
    definition: &NamedDefinition,
    arms: &[KindArm],
    names: &Names,
) -> Result<Code, CodegenError> {
    let variants = arms.iter().map(|arm| lower(arm, names));
    let variants = variants.collect::<Result<Vec<_>, _>>()?;
    let known = variants
        .iter()
        .map(|variant| format!("Kind::{}", variant.kind));
    let laid_out = !variants.iter().any(|variant| variant.has_check);
    let view = KindsView {
        above: above(&definition.doc, definition.deprecated, ""),
        name: names.definition(&definition.name),
        known: known.collect::<Vec<_>>().join(", "),
        variants,
        receiver: "&self",
    };
    Ok(Code {
        text: printed(&view)?,
        laid_out,
    })
}

fn lower(arm: &KindArm, names: &Names) -> Result<KindView, CodegenError> {
    let (name, kind, sentence) = variant(arm.kind);
    let ty = rust_type(&arm.ty, names, None)?;
    let check = check(&arm.ty, names, false)?;
    let has_check = check.is_some();
    let checked = check.map(|check| {
        let code = check.code;
        format!(".and_then(|read| {{ let value = &read; {code}.map(|()| read) }})")
    });
    Ok(KindView {
        above: above(sentence, false, "    "),
        name,
        kind,
        read: format!("<{ty}>::read(raw){}", checked.unwrap_or_default()),
        ty,
        has_check,
    })
}
