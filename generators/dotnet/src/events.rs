//! What events do, as static tables.

use askama::Template;
use chatstate_codegen::names::pascal_case;
use chatstate_codegen::{Cell, CodegenError, Row, event_rows, item_rows, printed};
use chatstate_schema_model::Roles;

use crate::literal::string;

/// What the template of the roles prints.
#[derive(Template)]
#[template(path = "events.j2", escape = "none")]
struct View {
    events: Vec<RowView>,
    items: Vec<RowView>,
}

struct RowView {
    key: String,
    name: String,
    cells: Vec<String>,
}

/// The tables of the roles.
pub(crate) fn events(roles: &Roles) -> Result<String, CodegenError> {
    let rows = |rows: Vec<Row>| rows.into_iter().map(|row| view(&row)).collect();
    printed(&View {
        events: rows(event_rows(roles)),
        items: rows(item_rows(roles)),
    })
}

fn view(row: &Row) -> RowView {
    let cells = row.cells.iter();
    RowView {
        key: string(&row.key),
        name: pascal_case(&row.key),
        cells: cells.flat_map(|(name, cell)| values(name, cell)).collect(),
    }
}

/// The arguments for a cell. What an event writes to takes two: a list, and whether it is everything.
fn values(name: &str, cell: &Cell) -> Vec<String> {
    match (name, cell) {
        ("writes", Cell::Texts(texts)) => vec![list(texts.iter()), "false".to_owned()],
        ("writes", _) => vec!["[]".to_owned(), "true".to_owned()],
        (_, Cell::None) => vec!["null".to_owned()],
        (_, Cell::Text(text)) => vec![string(text)],
        (_, Cell::Texts(texts)) => vec![list(texts.iter())],
        (_, Cell::Names(names)) => vec![list(names.iter().map(|(name, _)| name))],
    }
}

fn list<'t>(texts: impl Iterator<Item = &'t String>) -> String {
    let texts: Vec<String> = texts.map(|text| string(text)).collect();
    format!("[{}]", texts.join(", "))
}
