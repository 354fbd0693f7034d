//! The parts of a role that what its event does asks for, and no others.

use super::super::read::Annotated;
use super::super::{Closes, Does, EventRole, LANE};
use crate::IrError;
use crate::node::Node;

/// What an event does says which of the other parts its role has.
pub(super) fn check(event: &Annotated<'_>) -> Result<(), IrError> {
    let Annotated { node, role } = event;
    let does = role.does();
    // What a chunk closes follows from its id, and that a run begins and ends with nothing open is known.
    let may_close = !matches!(does, Does::StartRun | Does::EndRun | Does::Chunk);
    check_superfluous(node, "closes", does, may_close)?;
    check_superfluous(node, "text", does, role.text().is_some())?;
    check_superfluous(node, "patch", does, role.patch().is_some())?;
    check_superfluous(node, "opens", does, does.begins())?;
    let has_parent = does.begins() || does == Does::StartRun;
    check_superfluous(node, "parent", does, has_parent)?;
    check_predecessor(node, role)?;
    check_superfluous(node, "item", does, role.item().is_some())?;
    check_superfluous(node, "id", does, does != Does::None)?;
    let may_lack_id = matches!(
        does,
        Does::EndRun | Does::Replace | Does::Patch | Does::Chunk
    );
    if let Some(id) = role.id()
        && !may_lack_id
        && !role.required().any(|name| name == id)
    {
        let help = "name a required member, or make it required";
        let place = node.get("id").unwrap_or_else(|| node.clone());
        return Err(place.fail(format!("an event may lack its id `{id}`"), help));
    }
    check_lane(node, role)?;
    check_subagent(node, role)
}

/// The event that begins a run may name the run that it goes on from.
fn check_predecessor(node: &Node<'_>, role: &EventRole) -> Result<(), IrError> {
    if role.does() != Does::StartRun {
        return Ok(());
    }
    let Some(parent) = role.parent.as_deref() else {
        let message = "an event that does `start-run` needs `parent`";
        let help = "add `parent`, the member with the run that it goes on from";
        return Err(node.fail(message, help));
    };
    if role.required().any(|name| name == parent) {
        let message = format!("an event must have `{parent}`, but a run may go on from none");
        let place = node.get("parent").unwrap_or_else(|| node.clone());
        return Err(place.fail(message, "name a member that an event may lack"));
    }
    Ok(())
}

/// An event is in the lane of the subagent that it names, and one that has no lane closes none.
fn check_lane(node: &Node<'_>, role: &EventRole) -> Result<(), IrError> {
    let fail = |part: &str, message: String, help: &str| {
        let place = node.get(part).unwrap_or_else(|| node.clone());
        Err(place.fail(message, help))
    };
    let in_lane = role.members.iter().any(|member| member.name == LANE);
    if role.closes == Closes::Lane && !in_lane {
        let message = format!("the event has no lane, since it has no `{LANE}`");
        return fail("closes", message, "write `all`, or leave `closes` out");
    }
    if role.closes == Closes::All && in_lane {
        let message = "an event in a lane closes nothing in others".to_owned();
        return fail("closes", message, "write `lane`, or leave `closes` out");
    }
    if role.owner.is_some() && !in_lane {
        let message = format!("the event has no owner, since it has no `{LANE}`");
        return fail("owner", message, "remove it");
    }
    if in_lane && role.id() != Some(LANE) && role.owner.as_deref() != Some(LANE) {
        let message =
            format!("the event has a `{LANE}`, which is neither its `id` nor its `owner`");
        return fail("owner", message, &format!("write `{LANE}` as the `owner`"));
    }
    Ok(())
}

/// A subagent finds nothing open in its lane when it begins, and belongs to another from then on.
fn check_subagent(node: &Node<'_>, role: &EventRole) -> Result<(), IrError> {
    if role.id() != Some(LANE) {
        return Ok(());
    }
    if role.does() == Does::Begin && role.closes != Closes::Nothing {
        let message = "what begins a lane finds nothing open in it";
        let place = node.get("closes").unwrap_or_else(|| node.clone());
        return Err(place.fail(message, "leave `closes` out"));
    }
    let Some(place) = node.get("owner") else {
        return Ok(());
    };
    if role.does() != Does::Begin {
        let message = "the event that begins a subagent says whose it is";
        return Err(place.fail(message, "remove it"));
    }
    if role.owner.as_deref() == Some(LANE) {
        let message = "a subagent does not own itself";
        let help = "name the member with the subagent that it belongs to, or remove it";
        return Err(place.fail(message, help));
    }
    Ok(())
}

/// A role has no part that means nothing for what its event does.
fn check_superfluous(
    node: &Node<'_>,
    name: &str,
    does: Does,
    is_meant: bool,
) -> Result<(), IrError> {
    match node.get(name) {
        Some(place) if !is_meant => {
            let message = format!("an event that does `{}` has no `{name}`", does.as_str());
            Err(place.fail(message, "remove it, or say what else the event does"))
        }
        _ => Ok(()),
    }
}
