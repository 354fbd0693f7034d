//! Items: that events are about each, and that what is said of it can be.

use super::super::read::Annotated;
use super::super::{Does, EventItem, ItemIdentity, ReplayedPart, Roles};
use crate::IrError;
use crate::node::{Node, listed};

/// Checks what is said of each item.
pub(super) fn check(items: &Node<'_>, roles: &Roles) -> Result<(), IrError> {
    for (item, (_, node)) in roles.items.iter().zip(items.members()?) {
        check_subject(item, &node, roles)?;
        check_text(item, &node, roles)?;
        check_run(item, &node, roles)?;
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

/// Text is appended to messages.
fn check_text(item: &EventItem, node: &Node<'_>, roles: &Roles) -> Result<(), IrError> {
    if !roles.is_streamed(item) || item.changes == Some(ReplayedPart::Messages) {
        return Ok(());
    }
    let place = node.get("changes").unwrap_or_else(|| node.clone());
    let message = format!(
        "text is appended to messages, which `{}` does not change",
        item.name
    );
    Err(place.fail(message, "write `messages` as what it `changes`"))
}

/// A run frames what changes something, and is nobody's.
fn check_run(item: &EventItem, node: &Node<'_>, roles: &Roles) -> Result<(), IrError> {
    if roles.event(Does::StartRun, &item.name).is_none() {
        return Ok(());
    }
    for (part, message) in [
        ("changes", "a run itself changes nothing"),
        ("owners", "a run has no owner"),
    ] {
        if let Some(place) = node.get(part) {
            return Err(place.fail(message, "remove it"));
        }
    }
    Ok(())
}

/// What has an owner has an id, which names one of all and not one of each owner.
fn check_owners(item: &EventItem, node: &Node<'_>, roles: &Roles) -> Result<(), IrError> {
    let Some(place) = node.get("owners") else {
        return Ok(());
    };
    let name = &item.name;
    let mut events = roles.events.iter();
    if !events.any(|event| event.item() == Some(name) && event.id().is_some()) {
        let message = format!("no event names an id of `{name}`");
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
    Ok(())
}
