//! What the events of one item say of it, which has to agree.

use super::super::read::Annotated;
use super::super::{Does, EventRole, Roles};
use crate::IrError;
use crate::node::Node;

/// The events of one item fit each other.
pub(super) fn check(event: &Annotated<'_>, roles: &Roles) -> Result<(), IrError> {
    let Annotated { node, role } = event;
    let Some(item) = role.item() else {
        return Ok(());
    };
    let needs: &[Does] = match role.does() {
        Does::Begin => &[Does::End],
        Does::End => &[Does::Begin],
        Does::Append => &[Does::Begin, Does::End],
        Does::Chunk => &[Does::Begin, Does::Append, Does::End],
        Does::StartRun => &[Does::EndRun],
        Does::EndRun => &[Does::StartRun],
        Does::Patch => &[Does::Replace],
        _ => &[],
    };
    for does in needs {
        if roles.event(*does, item).is_none() {
            let does = does.as_str();
            let message = format!("no event does `{does}` with `{item}`");
            return Err(node.fail(message, "give the event that does it this item"));
        }
    }
    let alone = matches!(
        role.does(),
        Does::StartRun | Does::Begin | Does::Append | Does::Chunk | Does::Replace | Does::Patch
    );
    if let Some(first) = roles.event(role.does(), item)
        && alone
        && first.tag != role.tag
    {
        let does = role.does().as_str();
        let message = format!("`{}` does `{does}` with `{item}` too", first.tag);
        return Err(node.fail(message, "give one of the two another item"));
    }
    match role.does() {
        Does::EndRun => check_end_of_run(event, roles, item)?,
        Does::Replace => check_own_ids(event, roles, item)?,
        _ => check_same_members(event, roles, item)?,
    }
    check_opens(event, roles, item)?;
    check_described(node, role)
}

/// Events of one item name it by the same members, as far as they name it.
fn check_same_members(event: &Annotated<'_>, roles: &Roles, item: &str) -> Result<(), IrError> {
    let role = &event.role;
    let does = role.does();
    let first = match does {
        Does::Append | Does::End | Does::Chunk => Does::Begin,
        Does::Patch => Does::Replace,
        _ => return Ok(()),
    };
    let Some(first) = roles.event(first, item) else {
        return Ok(());
    };
    // What is begun keeps its owner and its parent, so that only a chunk says them again.
    let says_owner = matches!(does, Does::Chunk | Does::Patch);
    let says_parent = does == Does::Chunk;
    for (name, agrees) in [
        ("id", role.id() == first.id()),
        ("owner", !says_owner || role.owner == first.owner),
        ("parent", !says_parent || role.parent == first.parent),
    ] {
        if !agrees {
            let place = event.node.get(name).unwrap_or_else(|| event.node.clone());
            let message = format!("the `{name}` is not that of `{}`", first.tag);
            return Err(place.fail(message, "name the same member in both"));
        }
    }
    Ok(())
}

/// An event that ends a run says which one, if it has a member for that.
fn check_end_of_run(event: &Annotated<'_>, roles: &Roles, item: &str) -> Result<(), IrError> {
    let Annotated { node, role } = event;
    let start = roles.event(Does::StartRun, item);
    let id = start.and_then(EventRole::id);
    let id = id.filter(|id| role.members.iter().any(|member| member.name == *id));
    if role.id() == id {
        return Ok(());
    }
    let (message, help) = match id {
        Some(id) => (
            format!("the event has a `{id}`, which is not its `id`"),
            format!("write `{id}` as the `id`"),
        ),
        None => (
            "the event has no member that names the run".to_owned(),
            "remove it".to_owned(),
        ),
    };
    let place = node.get("id").unwrap_or_else(|| node.clone());
    Err(place.fail(message, help))
}

/// An event that replaces one of several says whose it is from then on. Of ids that two kinds of items
/// share, it is the first event with the id that says so.
fn check_own_ids(event: &Annotated<'_>, roles: &Roles, item: &str) -> Result<(), IrError> {
    let Annotated { node, role } = event;
    let owners = roles.item(item).and_then(|item| item.owners.as_ref());
    let mut others = roles.items.iter().filter(|other| other.name != item);
    let other = others.find(|other| owners.is_some() && other.owners.as_ref() == owners);
    match other.filter(|_| role.id().is_some()) {
        Some(other) => {
            let message = format!(
                "`{item}` has no ids of its own: `{}` shares them",
                other.name
            );
            let place = node.get("does").unwrap_or_else(|| node.clone());
            Err(place.fail(message, "write `add`, or give the item `owners` of its own"))
        }
        None => Ok(()),
    }
}

/// A chunk says of its item what the beginning says.
fn check_opens(event: &Annotated<'_>, roles: &Roles, item: &str) -> Result<(), IrError> {
    let Annotated { node, role } = event;
    if let Some(parent) = role.parent.as_ref().filter(|_| role.does().begins())
        && !role.opens().contains(parent)
    {
        let place = node.get("parent").unwrap_or_else(|| node.clone());
        let message = format!("`{parent}` does not describe the item that is begun");
        return Err(place.fail(message, "list it under `opens` too, or remove it"));
    }
    let begin = roles.event(Does::Begin, item);
    let Some(begin) = begin.filter(|_| role.does() == Does::Chunk) else {
        return Ok(());
    };
    if role.opens() != begin.opens() {
        let message = format!("`opens` is not that of `{}`", begin.tag);
        let place = node.get("opens").unwrap_or_else(|| node.clone());
        return Err(place.fail(message, "list the same members in both"));
    }
    Ok(())
}

/// What describes an item is neither its id nor its owner, which are there for all events of it.
fn check_described(node: &Node<'_>, role: &EventRole) -> Result<(), IrError> {
    let places = node.get("opens").map(|list| list.items()).transpose()?;
    for place in places.into_iter().flatten() {
        let name = place.text()?;
        for (part, named) in [("id", role.id()), ("owner", role.owner.as_deref())] {
            if named == Some(name) {
                let message = format!("`{name}` is the `{part}` of the item already");
                return Err(place.fail(message, "remove it"));
            }
        }
    }
    Ok(())
}
