//! What events do: a role for each type of event, and members by which events say what their roles
//! name.

mod constructors;
mod members;
mod view;

use chatstate_codegen::names::pascal_case;
use chatstate_codegen::{CodegenError, known_members};
use chatstate_schema_model::{
    Closes, Does, EventItem, EventRole, ItemIdentity, Roles, WrittenTargets,
};

use crate::docs::summary;
use crate::names::Names;
use crate::view::HeaderView;

pub(crate) use view::EventsView;
use view::{EventItemView, EventValueView, RoleView};

/// The roles of the events of a schema that says what they do.
pub(crate) fn events(roles: &Roles, names: &Names<'_>) -> Result<EventsView, CodegenError> {
    let open = |item: &&EventItem| item.key.is_some();
    let items = roles.items.iter();
    let (items, values): (Vec<_>, Vec<_>) = items.partition(open);
    let values = values.into_iter().filter(|item| !is_run(roles, item));
    let events = roles.events.iter();
    Ok(EventsView {
        header: HeaderView::of_all(names.ir, &names.namespace),
        does: Does::ALL.iter().map(|does| self::does(*does)).collect(),
        events: events.map(|event| role(roles, event)).collect(),
        items: items.into_iter().map(|item| view(roles, item)).collect(),
        values: values.map(value).collect(),
        members: members::members(roles, names)?,
        union: roles.union.clone(),
        known: known_members(names.ir, &roles.union),
    })
}

fn is_run(roles: &Roles, item: &EventItem) -> bool {
    roles.event(Does::StartRun, &item.name).is_some()
}

/// The name of a type of event in the tables.
fn kind(event: &EventRole) -> String {
    pascal_case(&event.tag)
}

fn does(does: Does) -> String {
    match does {
        Does::None => "Nothing".to_owned(),
        other => pascal_case(other.as_str()),
    }
}

fn role(roles: &Roles, event: &EventRole) -> RoleView {
    let item = event.item().and_then(|name| roles.item(name));
    let name = |item: &EventItem| pascal_case(&item.name);
    let is_open = |item: &&EventItem| item.key.is_some();
    let is_value = |item: &&EventItem| item.key.is_none() && !is_run(roles, item);
    let closes = match event.closes {
        Closes::Nothing => "Nothing",
        Closes::Lane => "Lane",
        Closes::All => "All",
    };
    let writes = |member: Option<&str>| match (&event.writes, member) {
        (WrittenTargets::Members(members), Some(member)) => {
            members.iter().any(|written| written == member)
        }
        _ => false,
    };
    RoleView {
        name: kind(event),
        does: does(event.does()),
        item: item.filter(is_open).map(name),
        value: item.filter(is_value).map(name),
        changes: changes(roles, event, item),
        closes,
        writes_item: writes(event.id()),
        writes_parent: writes(event.parent.as_deref()),
    }
}

/// Whether an event changes what a replay answers of the messages and the state.
fn changes(roles: &Roles, event: &EventRole, item: Option<&EventItem>) -> bool {
    match item {
        Some(item) => item.changes.is_some() || is_run(roles, item),
        None => event.does() == Does::Annotate,
    }
}

fn view(roles: &Roles, item: &EventItem) -> EventItemView {
    let event = |does: Does| roles.event(does, &item.name).map(kind);
    EventItemView {
        doc: vec![summary(&item.doc, &format!("The item `{}`.", item.name))],
        name: pascal_case(&item.name),
        word: item.name.clone(),
        begin: event(Does::Begin).unwrap_or_else(|| "Unknown".to_owned()),
        append: event(Does::Append),
        is_streamed: item.streams.is_some(),
        is_told_apart_by_owner: item.key == Some(ItemIdentity::IdAndOwner),
    }
}

fn value(item: &EventItem) -> EventValueView {
    EventValueView {
        doc: vec![summary(&item.doc, &format!("The value `{}`.", item.name))],
        name: pascal_case(&item.name),
    }
}
