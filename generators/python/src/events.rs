//! What events do, as one dict.

use chatstate_codegen::{Cell, EventRow, KnownDefinition, event_rows, item_rows, known_members};
use chatstate_schema_model::{Ir, Roles};
use schemars::JsonSchema;
use serde::Serialize;

use crate::models::header;
use crate::view::HeaderView;

/// The file `events.py`.
#[derive(JsonSchema, Serialize)]
pub(crate) struct EventsView {
    header: HeaderView,
    /// The items that can be open.
    kinds: Vec<String>,
    events: Vec<RowView>,
    items: Vec<RowView>,
    known: Vec<KnownDefinition>,
}

#[derive(JsonSchema, Serialize)]
struct RowView {
    key: String,
    cells: Vec<ColumnView>,
}

#[derive(JsonSchema, Serialize)]
struct ColumnView {
    name: &'static str,
    value: CellView,
}

#[derive(JsonSchema, Serialize)]
#[serde(tag = "kind", content = "value", rename_all = "kebab-case")]
enum CellView {
    None,
    Text(String),
    Texts(Vec<String>),
    Names(Vec<NameView>),
}

#[derive(JsonSchema, Serialize)]
struct NameView {
    name: String,
    kind: &'static str,
}

/// What is in the module with the roles of events.
pub(crate) fn events(ir: &Ir, roles: &Roles) -> EventsView {
    let open = roles.items.iter().filter(|item| item.key.is_some());
    let rows = |rows: Vec<EventRow>| rows.into_iter().map(row).collect();
    EventsView {
        header: header(ir, "What events do, by their roles in the schema."),
        kinds: open.map(|item| item.name.clone()).collect(),
        events: rows(event_rows(roles)),
        items: rows(item_rows(roles)),
        known: known_members(ir, &roles.union),
    }
}

fn row(row: EventRow) -> RowView {
    let cells = row.cells.into_iter().map(|(name, cell)| ColumnView {
        name,
        value: value(cell),
    });
    RowView {
        key: row.key,
        cells: cells.collect(),
    }
}

fn value(cell: Cell) -> CellView {
    match cell {
        Cell::None => CellView::None,
        Cell::Text(text) => CellView::Text(text),
        Cell::Texts(texts) => CellView::Texts(texts),
        Cell::Names(names) => {
            let names = names.into_iter();
            CellView::Names(names.map(|(name, kind)| NameView { name, kind }).collect())
        }
    }
}
