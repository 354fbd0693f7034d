//! The root types in one enumeration, for programs that learn the type at run time.

use askama::Template;
use chatstate_codegen::{CodegenError, printed};
use chatstate_schema_model::Ir;

use crate::code::{Code, list, quoted};
use crate::docs::above;
use crate::names::Names;

/// What the template of documents prints.
#[derive(Template)]
#[template(path = "document.rs.j2", escape = "none")]
struct DocumentsView {
    root_names: String,
    roots: Vec<RootView>,
}

/// A root type as it is printed.
struct RootView {
    above: String,
    ty: String,
    literal: String,
}

/// The enumeration `Document` and the names of the root types.
pub(crate) fn document(ir: &Ir, names: &Names) -> Result<Code, CodegenError> {
    let roots = ir.roots().map(|root| {
        let definition = ir.definitions.get(root);
        let text = definition.map_or("", |definition| definition.doc.as_str());
        RootView {
            above: above(text, false, "    "),
            ty: names.definition(root),
            literal: quoted(root),
        }
    });
    let roots: Vec<RootView> = roots.collect();
    let literals: Vec<String> = roots.iter().map(|root| root.literal.clone()).collect();
    let view = DocumentsView {
        root_names: list("", "pub const ROOT_NAMES: &[&str] = &[", &literals, "];"),
        roots,
    };
    Ok(Code {
        text: printed(&view)?,
        laid_out: true,
    })
}
