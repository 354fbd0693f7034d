//! What events do: a role for each type of event, and members by which events say what their roles
//! name.

mod constructors;
mod members;
mod view;

use std::collections::HashSet;

use chatstate_codegen::names::pascal_case;
use chatstate_codegen::{CodegenError, View, known_members};
use chatstate_schema_model::{
    Closes, Does, EventItem, EventRole, ItemIdentity, Roles, WrittenTargets,
};

use crate::docs::summary;
use crate::file::file_name;
use crate::names::Names;
use crate::view::HeaderView;

pub(crate) use view::{EventClassFileView, EventMembersView, EventsView, KnownMembersView};
use view::{EventItemView, EventValueView, OwnedView, RoleView};

/// The files of the roles of a schema that says what events do: the tables, and a file for each class of events in a folder
/// beside them.
pub(crate) fn files(
    roles: &Roles,
    names: &Names<'_>,
    stem: &str,
) -> Result<Vec<View>, CodegenError> {
    let (members, classes) = members::members(roles, names)?.unzip();
    let known = KnownMembersView {
        header: HeaderView::of_all(names.ir, &names.namespace),
        union: roles.union.clone(),
        known: known_members(names.ir, &roles.union),
    };
    let path = format!("Generated/{stem}.cs");
    let mut files = vec![View::new(
        path.as_str(),
        "events.cs",
        &events(roles, names),
    )?];
    if let Some(members) = members {
        files.push(View::new(path, "event-members.cs", &members)?);
    }
    let path = format!("Generated/{stem}/KnownMembers.cs");
    files.push(View::new(path, "known-members.cs", &known)?);
    let mut taken = HashSet::from(["knownmembers".to_owned()]);
    for file in classes.into_iter().flatten() {
        let name = file_name(file.class.class.clone(), &mut taken);
        let path = format!("Generated/{stem}/{name}.cs");
        files.push(View::new(path, "event-class.cs", &file)?);
    }
    Ok(files)
}

/// The roles of all events.
fn events(roles: &Roles, names: &Names<'_>) -> EventsView {
    let open = |item: &&EventItem| item.key.is_some();
    let items = roles.items.iter();
    let (items, values): (Vec<_>, Vec<_>) = items.partition(open);
    let values = values.into_iter().filter(|item| !is_run(roles, item));
    let events = roles.events.iter();
    EventsView {
        header: HeaderView::of_all(names.ir, &names.namespace),
        does: Does::ALL.iter().map(|does| self::does(*does)).collect(),
        events: events.map(|event| role(roles, event)).collect(),
        items: items.into_iter().map(|item| view(roles, item)).collect(),
        values: values.map(value).collect(),
        owned: owned(roles),
    }
}

/// What ids with owners name, each once.
fn owned(roles: &Roles) -> Vec<OwnedView> {
    let owned = roles.owned().into_iter().map(|word| OwnedView {
        name: pascal_case(word),
        word: word.to_owned(),
        says: word.replace('-', " "),
    });
    owned.collect()
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
        changes: roles
            .changed_by(event)
            .map(|part| pascal_case(part.as_str())),
        closes,
        writes_item: writes(event.id()),
        writes_parent: writes(event.parent.as_deref()),
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
        is_streamed: roles.is_streamed(item),
        is_told_apart_by_owner: item.key == Some(ItemIdentity::IdAndOwner),
        owners: item.owners.as_deref().map(pascal_case),
    }
}

fn value(item: &EventItem) -> EventValueView {
    EventValueView {
        doc: vec![summary(&item.doc, &format!("The value `{}`.", item.name))],
        name: pascal_case(&item.name),
        owners: item.owners.as_deref().map(pascal_case),
    }
}
