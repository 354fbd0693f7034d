//! What events do: a role for each type of event, and members by which events say what their roles
//! name.

mod constructors;
mod members;

use askama::Template;
use chatstate_codegen::names::pascal_case;
use chatstate_codegen::{CodegenError, printed};
use chatstate_schema_model::{
    Closes, Does, EventItem, EventRole, ItemIdentity, Roles, WrittenTargets,
};

use crate::docs::summary;
use crate::literal::string;
use crate::names::Names;

use members::{ClassView, Note, OpeningMember};

/// What the template of the roles prints.
#[derive(Template)]
#[template(path = "events.j2", escape = "none")]
struct EventsView {
    does: Vec<String>,
    events: Vec<RoleView>,
    items: Vec<ItemView>,
    values: Vec<ValueView>,
    /// The members by which events say what their roles name.
    members: Option<MembersView>,
}

struct RoleView {
    name: String,
    arguments: String,
}

/// Something that can be open.
struct ItemView {
    docs: Vec<String>,
    name: String,
    word: String,
    begin: String,
    append: Option<String>,
    is_streamed: bool,
    is_told_apart_by_owner: bool,
}

/// Something that comes whole.
struct ValueView {
    docs: Vec<String>,
    name: String,
}

/// What all events have for members, each class in its own way.
struct MembersView {
    union: String,
    unknown: Option<String>,
    classes: Vec<ClassView>,
    heads: Vec<OpeningMember>,
    notes: Vec<Note>,
    /// The property of the members that the schema does not name, if all events keep such.
    others: bool,
    beginnings: Vec<(String, String)>,
    appendings: Vec<(String, String)>,
    endings: Vec<(String, String)>,
    chunks: Vec<(String, String)>,
}

/// The roles of the events of a schema that says what they do.
pub(crate) fn events(roles: &Roles, names: &Names<'_>) -> Result<String, CodegenError> {
    let open = |item: &&EventItem| item.key.is_some();
    let items = roles.items.iter();
    let (items, values): (Vec<_>, Vec<_>) = items.partition(open);
    let values = values.into_iter().filter(|item| !is_run(roles, item));
    printed(&EventsView {
        does: Does::ALL.iter().map(|does| self::does(*does)).collect(),
        events: roles
            .events
            .iter()
            .map(|event| role(roles, event))
            .collect(),
        items: items.into_iter().map(|item| view(roles, item)).collect(),
        values: values.map(value).collect(),
        members: members::members(roles, names)?,
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
    let of = |ty: &str, item: Option<&EventItem>| match item {
        Some(item) => format!("{ty}.{}", pascal_case(&item.name)),
        None => "null".to_owned(),
    };
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
    let arguments = [
        format!("EventKind.{}", kind(event)),
        format!("EventDoes.{}", does(event.does())),
        of("ItemKind", item.filter(is_open)),
        of("ValueKind", item.filter(is_value)),
        changes(roles, event, item).to_string(),
        format!("ClosedChunks.{closes}"),
        writes(event.id()).to_string(),
        writes(event.parent.as_deref()).to_string(),
    ];
    RoleView {
        name: kind(event),
        arguments: arguments.join(", "),
    }
}

/// Whether an event changes what a replay answers of the messages and the state.
fn changes(roles: &Roles, event: &EventRole, item: Option<&EventItem>) -> bool {
    match item {
        Some(item) => item.changes.is_some() || is_run(roles, item),
        None => event.does() == Does::Annotate,
    }
}

fn view(roles: &Roles, item: &EventItem) -> ItemView {
    let event = |does: Does| roles.event(does, &item.name).map(kind);
    ItemView {
        docs: summary(&item.doc, &format!("The item `{}`.", item.name)),
        name: pascal_case(&item.name),
        word: string(&item.name),
        begin: event(Does::Begin).unwrap_or_else(|| "Unknown".to_owned()),
        append: event(Does::Append),
        is_streamed: item.streams.is_some(),
        is_told_apart_by_owner: item.key == Some(ItemIdentity::IdAndOwner),
    }
}

fn value(item: &EventItem) -> ValueView {
    ValueView {
        docs: summary(&item.doc, &format!("The value `{}`.", item.name)),
        name: pascal_case(&item.name),
    }
}
