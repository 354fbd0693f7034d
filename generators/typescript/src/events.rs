//! What events do, as constants.

use askama::Template;
use chatstate_codegen::{Cell, CodegenError, Row, event_rows, item_rows, printed};
use chatstate_schema_model::{Does, Roles};

use crate::names::{property, quoted};

/// What the template of the roles prints.
#[derive(Template)]
#[template(path = "events.j2", escape = "none")]
struct View {
    words: Vec<String>,
    names: Vec<String>,
    events: Vec<RowView>,
    items: Vec<RowView>,
}

struct RowView {
    key: String,
    cells: Vec<CellView>,
}

struct CellView {
    name: &'static str,
    value: String,
}

/// The roles of events, without the head of the file.
pub(crate) fn events(roles: &Roles) -> Result<String, CodegenError> {
    let rows = |rows: Vec<Row>| rows.into_iter().map(row).collect();
    printed(&View {
        words: Does::ALL.map(|does| quoted(does.as_str())).to_vec(),
        names: roles.items.iter().map(|item| quoted(&item.name)).collect(),
        events: rows(event_rows(roles)),
        items: rows(item_rows(roles)),
    })
}

fn row(row: Row) -> RowView {
    let cells = row
        .cells
        .into_iter()
        .filter(|(_, cell)| *cell != Cell::None);
    let cells = cells.map(|(name, cell)| CellView {
        name,
        value: value(&cell),
    });
    RowView {
        key: property(&row.key),
        cells: cells.collect(),
    }
}

fn value(cell: &Cell) -> String {
    match cell {
        Cell::None => "undefined".to_owned(),
        Cell::Text(text) => quoted(text),
        Cell::Texts(texts) => {
            let texts: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
            format!("[{}]", texts.join(", "))
        }
        Cell::Names(names) => {
            let lines = names
                .iter()
                .map(|(name, kind)| format!("      {}: {},\n", property(name), quoted(kind)));
            format!("{{\n{}    }}", lines.collect::<String>())
        }
    }
}
