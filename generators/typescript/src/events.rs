//! What events do, as constants.

use askama::Template;
use chatstate_codegen::{Cell, CodegenError, EventRow, event_rows, item_rows, printed};
use chatstate_schema_model::{Does, EventItem, Roles};

use crate::names::{property, quoted};

/// What no part of the package reads of the rows of events, or has from a table of its own.
const LEFT_OUT: [&str; 2] = ["required", "members"];

/// What the template of the roles prints.
#[derive(Template)]
#[template(path = "events.j2", escape = "none")]
struct EventsView {
    words: Vec<String>,
    kinds: Vec<String>,
    streamed: Vec<String>,
    names: Vec<String>,
    events: Vec<EventView>,
    common: String,
    items: Vec<ItemView>,
}

struct EventView {
    tag: String,
    role: String,
    members: String,
}

struct ItemView {
    key: String,
    cells: Vec<CellView>,
}

struct CellView {
    name: &'static str,
    value: String,
}

/// The roles of events, without the head of the file.
pub(crate) fn events(roles: &Roles) -> Result<String, CodegenError> {
    let common = common_members(roles);
    printed(&EventsView {
        words: Does::ALL.map(|does| quoted(does.as_str())).to_vec(),
        kinds: names(roles, |item| item.key.is_some()),
        streamed: names(roles, |item| item.streams.is_some()),
        names: names(roles, |_| true),
        events: event_views(roles, &common),
        common: list(common),
        items: item_rows(roles).into_iter().map(item_view).collect(),
    })
}

/// The items of which something holds.
fn names(roles: &Roles, holds: impl Fn(&EventItem) -> bool) -> Vec<String> {
    let items = roles.items.iter().filter(|item| holds(item));
    items.map(|item| quoted(&item.name)).collect()
}

/// The members that the events of all types have.
fn common_members(roles: &Roles) -> Vec<&str> {
    let Some((first, others)) = roles.events.split_first() else {
        return Vec::new();
    };
    let names = first.members.iter().map(|member| member.name.as_str());
    let is_common = |name: &&str| {
        others
            .iter()
            .all(|event| event.members.iter().any(|member| member.name == *name))
    };
    names.filter(is_common).collect()
}

fn event_views(roles: &Roles, common: &[&str]) -> Vec<EventView> {
    let rows = event_rows(roles);
    let events = rows.iter().zip(&roles.events);
    let view = events.map(|(row, event)| {
        let names = event.members.iter().map(|member| member.name.as_str());
        EventView {
            tag: quoted(&row.key),
            role: role(row),
            members: list(names.filter(|name| !common.contains(name))),
        }
    });
    view.collect()
}

/// The columns that say something, as an object on one line.
fn role(row: &EventRow) -> String {
    let cells = row
        .cells
        .iter()
        .filter(|(name, cell)| !LEFT_OUT.contains(name) && !is_empty(cell));
    let columns: Vec<String> = cells
        .map(|(name, cell)| format!("{name}: {}", value(cell)))
        .collect();
    format!("{{ {} }}", columns.join(", "))
}

fn is_empty(cell: &Cell) -> bool {
    match cell {
        Cell::None => true,
        Cell::Texts(texts) => texts.is_empty(),
        Cell::Text(_) | Cell::Names(_) => false,
    }
}

fn item_view(row: EventRow) -> ItemView {
    let cells = row
        .cells
        .into_iter()
        .filter(|(_, cell)| *cell != Cell::None);
    let cells = cells.map(|(name, cell)| CellView {
        name,
        value: value(&cell),
    });
    ItemView {
        key: property(&row.key),
        cells: cells.collect(),
    }
}

fn value(cell: &Cell) -> String {
    match cell {
        Cell::None => "undefined".to_owned(),
        Cell::Text(text) => quoted(text),
        Cell::Texts(texts) => list(texts.iter().map(String::as_str)),
        Cell::Names(names) => list(names.iter().map(|(name, _)| name.as_str())),
    }
}

fn list<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    let texts: Vec<String> = texts.into_iter().map(quoted).collect();
    format!("[{}]", texts.join(", "))
}
