//! What events do, as one dict.

use askama::Template;
use chatstate_codegen::{Cell, CodegenError, EventRow, event_rows, item_rows, printed};
use chatstate_schema_model::{Ir, Roles};

use crate::literal::text;
use crate::models::header;

/// What the template of the roles prints.
#[derive(Template)]
#[template(path = "events.py.j2", escape = "none")]
struct EventsView {
    header: String,
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

/// The module with the roles of events.
pub(crate) fn events(ir: &Ir, roles: &Roles) -> Result<String, CodegenError> {
    let rows = |rows: Vec<EventRow>| rows.into_iter().map(row).collect();
    printed(&EventsView {
        header: header(ir, "What events do, by their roles in the schema."),
        events: rows(event_rows(roles)),
        items: rows(item_rows(roles)),
    })
}

fn row(row: EventRow) -> RowView {
    let cells = row.cells.into_iter().map(|(name, cell)| CellView {
        name,
        value: value(&cell),
    });
    RowView {
        key: text(&row.key),
        cells: cells.collect(),
    }
}

fn value(cell: &Cell) -> String {
    match cell {
        Cell::None => "None".to_owned(),
        Cell::Text(known) => text(known),
        Cell::Texts(texts) => {
            let texts: Vec<String> = texts.iter().map(|known| text(known)).collect();
            let comma = if texts.len() == 1 { "," } else { "" };
            format!("({}{comma})", texts.join(", "))
        }
        Cell::Names(names) => {
            let names = names.iter();
            let lines =
                names.map(|(name, kind)| format!("            {}: {},\n", text(name), text(kind)));
            format!("{{\n{}        }}", lines.collect::<String>())
        }
    }
}
