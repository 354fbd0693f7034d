//! Which members of events the schema knows, as a table of texts.

use askama::Template;
use chatstate_codegen::{CodegenError, known_members, printed};
use chatstate_schema_model::{Ir, Roles};

use crate::literal::string;

/// What the template of the table prints.
#[derive(Template)]
#[template(path = "known.j2", escape = "none")]
struct KnownTableView {
    first: String,
    rows: Vec<(String, String)>,
}

/// The table of the members that the schema knows of the definitions in events.
pub(crate) fn known(ir: &Ir, roles: &Roles) -> Result<String, CodegenError> {
    let rows = known_members(ir, &roles.union);
    let rows = rows
        .iter()
        .map(|(definition, words)| (string(definition), string(words)));
    let view = KnownTableView {
        first: string(&roles.union),
        rows: rows.collect(),
    };
    printed(&view)
}
