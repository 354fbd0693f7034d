//! What is wrong with roles: names that lead nowhere, and roles that do not fit each other.

use indexmap::IndexMap;

use super::read::Annotated;
use super::{Closes, Does, EventRole, LANE, Roles};
use crate::node::{Node, listed};
use crate::{DefinitionKind, IrError, MemberDefinition, NamedDefinition, Type};

type Definitions = IndexMap<String, NamedDefinition>;

/// Checks each role for itself and then against the others.
pub(super) fn check(
    roles: &Roles,
    items: &Node<'_>,
    events: &[Annotated<'_>],
    definitions: &Definitions,
) -> Result<(), IrError> {
    for event in events {
        check_members(event, definitions)?;
        check_word(event)?;
        check_item(event, roles)?;
    }
    for event in events {
        check_fit(event, roles)?;
        check_patches(event, roles, definitions)?;
    }
    for (name, place) in items.members()? {
        check_subject(name, &place, roles)?;
    }
    Ok(())
}

/// What holds a patch in one event holds one in all, and an event with a patch does it.
fn check_patches(
    event: &Annotated<'_>,
    roles: &Roles,
    definitions: &Definitions,
) -> Result<(), IrError> {
    let Annotated { node, role } = event;
    let patch_of = |role: &EventRole| Some(&member(role, role.patch()?, definitions)?.ty);
    let patches: Vec<_> = roles.events.iter().filter_map(patch_of).collect();
    for name in role.members.iter().map(|known| &known.name) {
        let held = member(role, name, definitions);
        if role.patch() != Some(name) && held.is_some_and(|held| patches.contains(&&held.ty)) {
            let message = format!("`{name}` is a patch, which the event does not do");
            return Err(node.fail(message, format!("write `patch` and `{name}`")));
        }
    }
    Ok(())
}

/// Some event is about the item.
fn check_subject(name: &str, place: &Node<'_>, roles: &Roles) -> Result<(), IrError> {
    if !roles.events.iter().any(|event| event.item() == Some(name)) {
        let help = "remove it, or name it as the `item` of an event";
        return Err(place.fail(format!("no event is about `{name}`"), help));
    }
    Ok(())
}

/// Every member that a role names is there and holds what the role needs.
fn check_members(event: &Annotated<'_>, definitions: &Definitions) -> Result<(), IrError> {
    let Annotated { node, role } = event;
    for name in ["id", "owner", "parent"] {
        if let Some(place) = node.get(name) {
            let member = named(&place, place.text()?, role, definitions)?;
            require(&place, holds_text(&member.ty, definitions), "a text")?;
        }
    }
    let opens = node.get("opens");
    for place in opens
        .map(|list| list.items())
        .transpose()?
        .unwrap_or_default()
    {
        let member = named(&place, place.text()?, role, definitions)?;
        require(&place, holds_text(&member.ty, definitions), "a text")?;
    }
    if let Some(place) = node.get("text") {
        let member = named(&place, place.text()?, role, definitions)?;
        let ty = resolved(&member.ty, definitions);
        require(&place, ty == Some(&Type::SplitText), "text that may be cut")?;
    }
    if let Some(place) = node.get("patch") {
        let member = named(&place, place.text()?, role, definitions)?;
        let ty = resolved(&member.ty, definitions);
        require(
            &place,
            matches!(ty, Some(Type::List { .. })),
            "a list of operations",
        )?;
    }
    Ok(())
}

fn member<'d>(
    role: &EventRole,
    name: &str,
    definitions: &'d Definitions,
) -> Option<&'d MemberDefinition> {
    match &definitions.get(&role.definition)?.kind {
        DefinitionKind::Object(object) => object.member(name),
        _ => None,
    }
}

fn named<'d>(
    place: &Node<'_>,
    name: &str,
    role: &EventRole,
    definitions: &'d Definitions,
) -> Result<&'d MemberDefinition, IrError> {
    member(role, name, definitions).ok_or_else(|| {
        let known: Vec<&str> = role
            .members
            .iter()
            .map(|known| known.name.as_str())
            .collect();
        let help = format!("name one of {}", listed(&known));
        place.fail(
            format!("`{}` has no member `{name}`", role.definition),
            help,
        )
    })
}

fn require(place: &Node<'_>, holds: bool, what: &str) -> Result<(), IrError> {
    if holds {
        return Ok(());
    }
    let message = format!("the member does not hold {what}");
    Err(place.fail(message, format!("name a member that holds {what}")))
}

/// The type that names lead to.
pub(super) fn resolved<'d>(ty: &'d Type, definitions: &'d Definitions) -> Option<&'d Type> {
    let Type::Reference { to, .. } = ty else {
        return Some(ty);
    };
    match &definitions.get(to)?.kind {
        DefinitionKind::Alias(ty) => resolved(ty, definitions),
        _ => None,
    }
}

fn holds_text(ty: &Type, definitions: &Definitions) -> bool {
    if let Type::Reference { to, .. } = ty
        && let Some(DefinitionKind::Enumeration(values)) = definitions.get(to).map(|it| &it.kind)
    {
        return values.texts().is_some();
    }
    matches!(resolved(ty, definitions), Some(Type::Text { .. }))
}

/// What an event does says which of the other parts its role has.
fn check_word(event: &Annotated<'_>) -> Result<(), IrError> {
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
    if does == Does::StartRun && role.parent.is_none() {
        let message = "an event that does `start-run` needs `parent`";
        return Err(node.fail(
            message,
            "add `parent`, the member with the run that it goes on from",
        ));
    }
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
    check_lane(node, role)
}

/// An event is in the lane of the subagent that it names, and one that has no lane closes none.
fn check_lane(node: &Node<'_>, role: &EventRole) -> Result<(), IrError> {
    let place = |name: &str| node.get(name).unwrap_or_else(|| node.clone());
    let in_lane = role.members.iter().any(|member| member.name == LANE);
    if role.closes == Closes::Lane && !in_lane {
        let message = format!("the event has no lane, since it has no `{LANE}`");
        return Err(place("closes").fail(message, "write `all`, or leave `closes` out"));
    }
    if role.closes == Closes::All && in_lane {
        let message = "an event in a lane closes nothing in others";
        return Err(place("closes").fail(message, "write `lane`, or leave `closes` out"));
    }
    if in_lane && ![role.id(), role.owner.as_deref()].contains(&Some(LANE)) {
        let message =
            format!("the event has a `{LANE}`, which is neither its `id` nor its `owner`");
        return Err(place("owner").fail(message, format!("write `{LANE}` as the `owner`")));
    }
    if role.does() == Does::Begin && role.id() == Some(LANE) && role.closes != Closes::Nothing {
        let message = "what begins a lane finds nothing open in it";
        return Err(place("closes").fail(message, "leave `closes` out"));
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

/// The item is listed, and can be what the event does with it.
fn check_item(event: &Annotated<'_>, roles: &Roles) -> Result<(), IrError> {
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
    Ok(())
}

/// The events of one item fit each other.
fn check_fit(event: &Annotated<'_>, roles: &Roles) -> Result<(), IrError> {
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
    check_same_members(event, roles, item)?;
    check_opens(event, roles, item)
}

/// Events of one item name it by the same members.
fn check_same_members(event: &Annotated<'_>, roles: &Roles, item: &str) -> Result<(), IrError> {
    let role = &event.role;
    let (first, names): (_, &[&str]) = match role.does() {
        Does::Append | Does::End => (Does::Begin, &["id"]),
        Does::Chunk => (Does::Begin, &["id", "owner", "parent"]),
        Does::Patch => (Does::Replace, &["id", "owner"]),
        Does::EndRun => return check_end_of_run(event, roles, item),
        Does::Replace => return check_own_ids(event, roles, item),
        _ => return Ok(()),
    };
    let Some(first) = roles.event(first, item) else {
        return Ok(());
    };
    for name in names {
        if named_member(role, name) != named_member(first, name) {
            let place = event.node.get(name).unwrap_or_else(|| event.node.clone());
            let message = format!("the `{name}` is not that of `{}`", first.tag);
            return Err(place.fail(message, "name the same member in both"));
        }
    }
    Ok(())
}

/// The member that a role names for this part.
fn named_member<'r>(role: &'r EventRole, part: &str) -> Option<&'r str> {
    match part {
        "id" => role.id(),
        "owner" => role.owner.as_deref(),
        _ => role.parent.as_deref(),
    }
}

/// An event that ends a run says which one, if it has a member for that.
fn check_end_of_run(event: &Annotated<'_>, roles: &Roles, item: &str) -> Result<(), IrError> {
    let Annotated { node, role } = event;
    let start = roles.event(Does::StartRun, item);
    let id = start.and_then(EventRole::id);
    match id.filter(|id| role.members.iter().any(|member| member.name == *id)) {
        Some(id) if role.id() != Some(id) => {
            let message = format!("the event has a `{id}`, which is not its `id`");
            Err(node.fail(message, format!("write `{id}` as the `id`")))
        }
        _ => Ok(()),
    }
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
