//! What events do, as constants.

use chatstate_codegen::{Cell, EventRow, KnownDefinition, event_rows, item_rows, known_members};
use chatstate_schema_model::{Does, EventItem, Ir, ItemIdentity, Roles};
use schemars::JsonSchema;
use serde::Serialize;

use crate::names::is_bare;
use crate::view::HeaderView;

/// What no part of the package reads of the rows of events and items, or has from a table of its own, so that a bundle
/// which reads that alone has nothing else.
const LEFT_OUT: [&str; 5] = ["changes", "required", "members", "key", "owners"];

/// The file with the roles of events.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct EventsView {
    header: HeaderView,
    words: Vec<&'static str>,
    kinds: Vec<String>,
    streamed: Vec<String>,
    told_apart_by_owner: Vec<String>,
    names: Vec<String>,
    /// What ids with owners name.
    owned: Vec<String>,
    events: Vec<EventView>,
    /// The events that change something of that which a replay answers.
    changes: Vec<ChangesView>,
    common: CellView,
    items: Vec<ItemView>,
    /// What the ids of items name that have owners.
    owners: Vec<OwnersView>,
    known: Vec<KnownDefinition>,
}

#[derive(Debug, JsonSchema, Serialize)]
struct EventView {
    tag: String,
    /// The columns that say something.
    role: Vec<ColumnView>,
    members: CellView,
}

#[derive(Debug, JsonSchema, Serialize)]
struct ChangesView {
    tag: String,
    part: &'static str,
}

#[derive(Debug, JsonSchema, Serialize)]
struct OwnersView {
    item: String,
    /// Whether the item needs no quotes.
    bare: bool,
    owned: String,
}

#[derive(Debug, JsonSchema, Serialize)]
struct ItemView {
    key: String,
    /// Whether the key needs no quotes.
    bare: bool,
    cells: Vec<ColumnView>,
}

#[derive(Debug, JsonSchema, Serialize)]
struct ColumnView {
    name: &'static str,
    value: CellView,
}

#[derive(Debug, JsonSchema, Serialize)]
#[serde(tag = "kind", content = "value", rename_all = "kebab-case")]
enum CellView {
    Text(String),
    Texts(Vec<String>),
}

/// The roles of events.
pub(crate) fn events(ir: &Ir, roles: &Roles) -> EventsView {
    let common = common_members(roles);
    EventsView {
        header: HeaderView::new(ir, []),
        words: Does::ALL.map(Does::as_str).to_vec(),
        kinds: names(roles, |item| item.key.is_some()),
        streamed: names(roles, |item| roles.is_streamed(item)),
        told_apart_by_owner: names(roles, |item| item.key == Some(ItemIdentity::IdAndOwner)),
        names: names(roles, |_| true),
        owned: roles.owned().into_iter().map(str::to_owned).collect(),
        events: event_views(roles, &common),
        changes: changes(roles),
        common: texts(common),
        items: item_rows(roles).into_iter().map(item_view).collect(),
        owners: roles.items.iter().filter_map(owners).collect(),
        known: known_members(ir, &roles.union),
    }
}

/// The items of which something holds.
fn names(roles: &Roles, holds: impl Fn(&EventItem) -> bool) -> Vec<String> {
    let items = roles.items.iter().filter(|item| holds(item));
    items.map(|item| item.name.clone()).collect()
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
    let events = rows.into_iter().zip(&roles.events);
    let view = events.map(|(row, event)| {
        let names = event.members.iter().map(|member| member.name.as_str());
        EventView {
            members: texts(names.filter(|name| !common.contains(name))),
            tag: row.key,
            role: role(row.cells),
        }
    });
    view.collect()
}

fn changes(roles: &Roles) -> Vec<ChangesView> {
    let events = roles.events.iter();
    let view = events.filter_map(|event| {
        Some(ChangesView {
            tag: event.tag.clone(),
            part: roles.changed_by(event)?.as_str(),
        })
    });
    view.collect()
}

/// The columns that say something.
fn role(cells: Vec<(&'static str, Cell)>) -> Vec<ColumnView> {
    let cells = cells.into_iter();
    let read = cells.filter(|(name, cell)| !LEFT_OUT.contains(name) && !is_empty(cell));
    read.filter_map(column).collect()
}

fn is_empty(cell: &Cell) -> bool {
    matches!(cell, Cell::Texts(texts) if texts.is_empty())
}

fn item_view(row: EventRow) -> ItemView {
    let cells = row.cells.into_iter();
    let read = cells.filter(|(name, _)| !LEFT_OUT.contains(name));
    ItemView {
        bare: is_bare(&row.key),
        key: row.key,
        cells: read.filter_map(column).collect(),
    }
}

fn owners(item: &EventItem) -> Option<OwnersView> {
    Some(OwnersView {
        item: item.name.clone(),
        bare: is_bare(&item.name),
        owned: item.owners.clone()?,
    })
}

/// A column, if there is something in it.
fn column((name, cell): (&'static str, Cell)) -> Option<ColumnView> {
    let value = match cell {
        Cell::None => return None,
        Cell::Text(text) => CellView::Text(text),
        Cell::Texts(texts) => CellView::Texts(texts),
        Cell::Names(names) => texts(names.iter().map(|(name, _)| name.as_str())),
    };
    Some(ColumnView { name, value })
}

fn texts<'t>(texts: impl IntoIterator<Item = &'t str>) -> CellView {
    CellView::Texts(texts.into_iter().map(str::to_owned).collect())
}
