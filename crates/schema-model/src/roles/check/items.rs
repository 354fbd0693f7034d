//! Items: that events are about each, and that what is said of it can be.

use super::super::read::Annotated;
use super::super::{Does, EventItem, ItemIdentity, ReplayedPart, Roles};
use super::Definitions;
use crate::node::{Node, listed};
use crate::{DefinitionKind, IrError, Type};

/// Checks what is said of each item.
pub(super) fn check(
    items: &Node<'_>,
    roles: &Roles,
    definitions: &Definitions,
) -> Result<(), IrError> {
    for (item, (_, node)) in roles.items.iter().zip(items.members()?) {
        check_subject(item, &node, roles)?;
        check_streams(item, &node, roles)?;
        check_path(item, &node, definitions)?;
        check_changes(item, &node, roles)?;
        check_owners(item, &node, roles)?;
    }
    Ok(())
}

/// Some event is about the item.
fn check_subject(item: &EventItem, node: &Node<'_>, roles: &Roles) -> Result<(), IrError> {
    let name = &item.name;
    if !roles.events.iter().any(|event| event.item() == Some(name)) {
        let help = "remove it, or name it as the `item` of an event";
        return Err(node.fail(format!("no event is about `{name}`"), help));
    }
    Ok(())
}

/// Text that is appended goes into a message: to a part of one if the item has a parent.
fn check_streams(item: &EventItem, node: &Node<'_>, roles: &Roles) -> Result<(), IrError> {
    let Some(place) = node.get("streams") else {
        return Ok(());
    };
    let name = &item.name;
    if roles.event(Does::Append, name).is_none() {
        let help = "remove it, or name the item in an event that does `append`";
        return Err(place.fail(format!("no event appends text to `{name}`"), help));
    }
    if item.changes != Some(ReplayedPart::Messages) {
        let message = format!("text goes into messages, and `{name}` does not change them");
        return Err(node.fail(message, "write `changes` and `messages`"));
    }
    let begin = roles.event(Does::Begin, name);
    let has_parent = begin.is_some_and(|begin| begin.parent.is_some());
    let is_part = item.streams.as_ref().is_some_and(|path| path.contains('.'));
    if has_parent != is_part {
        let message = format!(
            "text goes to a part of a message if `{name}` has a `parent`, and else to a member of one"
        );
        let help = "name a member of a message, or one of a part with `.` between";
        return Err(place.fail(message, help));
    }
    Ok(())
}

/// The members to which text goes are those of some definition.
fn check_path(item: &EventItem, node: &Node<'_>, definitions: &Definitions) -> Result<(), IrError> {
    let (Some(place), Some(path)) = (node.get("streams"), item.streams.as_deref()) else {
        return Ok(());
    };
    let path: Vec<&str> = path.split('.').collect();
    let mut objects = definitions.values().map(|definition| &definition.kind);
    if objects.any(|kind| has_path(kind, &path, definitions)) {
        return Ok(());
    }
    let message = "no definition has these members";
    let help = "name a member, and with `.` between one in it";
    Err(place.fail(message, help))
}

fn has_path(kind: &DefinitionKind, path: &[&str], definitions: &Definitions) -> bool {
    let Some((name, rest)) = path.split_first() else {
        return true;
    };
    let DefinitionKind::Object(object) = kind else {
        return false;
    };
    let definition = |to: &String| definitions.get(to);
    match object.member(name).map(|member| &member.ty) {
        Some(_) if rest.is_empty() => true,
        Some(Type::Reference { to, .. }) => {
            definition(to).is_some_and(|inside| has_path(&inside.kind, rest, definitions))
        }
        _ => false,
    }
}

/// A run frames what changes something, and there is one state.
fn check_changes(item: &EventItem, node: &Node<'_>, roles: &Roles) -> Result<(), IrError> {
    let Some(place) = node.get("changes") else {
        return Ok(());
    };
    let name = &item.name;
    if roles.event(Does::StartRun, name).is_some() {
        return Err(place.fail("a run itself changes nothing", "remove it"));
    }
    let mut events = roles.events.iter();
    let has_ids = events.any(|event| event.item() == Some(name) && event.id().is_some());
    if item.changes == Some(ReplayedPart::State) && has_ids {
        let message = format!("there is one state, but `{name}` has ids");
        return Err(place.fail(message, "write `messages`, or remove it"));
    }
    Ok(())
}

/// What has an owner has an id, which names one of all and not one of each owner.
fn check_owners(item: &EventItem, node: &Node<'_>, roles: &Roles) -> Result<(), IrError> {
    let Some(place) = node.get("owners") else {
        return Ok(());
    };
    let name = &item.name;
    let mut events = roles
        .events
        .iter()
        .filter(|event| event.item() == Some(name));
    if !events.any(|event| event.id().is_some() && event.owner.is_some()) {
        let message = format!("no event names both an id and an owner of `{name}`");
        return Err(place.fail(message, "remove it"));
    }
    if item.key == Some(ItemIdentity::IdAndOwner) {
        let message = format!("each owner has ids of `{name}` of its own");
        return Err(place.fail(message, "remove it, or write `id` as the `key`"));
    }
    Ok(())
}

/// The item is listed, and can be what the event does with it.
pub(super) fn check_use(event: &Annotated<'_>, roles: &Roles) -> Result<(), IrError> {
    let (Some(place), Some(name)) = (event.node.get("item"), event.role.item()) else {
        return Ok(());
    };
    let Some(item) = roles.item(name) else {
        let known: Vec<&str> = roles.items.iter().map(|item| item.name.as_str()).collect();
        let help = format!("name one of {}", listed(&known));
        return Err(place.fail(format!("there is no item `{name}` in `x-items`"), help));
    };
    let opens = matches!(
        event.role.does(),
        Does::Begin | Does::Append | Does::End | Does::Chunk
    );
    if opens != item.key.is_some() {
        let message = format!(
            "an event that does `{}` is not about `{name}`",
            event.role.does().as_str()
        );
        let help = "items with a `key` are begun and ended, and others are not";
        return Err(place.fail(message, help));
    }
    let sets = matches!(event.role.does(), Does::Add | Does::Replace | Does::Patch);
    if sets && item.changes.is_none() {
        let does = event.role.does().as_str();
        let help = "say in `x-items` what it is a change of: `changes`";
        return Err(place.fail(
            format!("an event that does `{does}` is not about `{name}`"),
            help,
        ));
    }
    if event.role.does() == Does::Append && item.streams.is_none() {
        let help = "say in `x-items` where the text goes: `streams`";
        return Err(place.fail(format!("no text is appended to `{name}`"), help));
    }
    if let Some(place) = event.node.get("opens")
        && item.streams.is_none()
    {
        let message = format!("nothing describes `{name}`, to which no text is appended");
        return Err(place.fail(message, "remove it"));
    }
    Ok(())
}
