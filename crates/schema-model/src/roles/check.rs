//! What is wrong with roles: names that lead nowhere, and roles that do not fit each other.

mod fit;
mod items;
mod parts;

use indexmap::IndexMap;

use super::read::Annotated;
use super::{EventRole, Roles};
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
        parts::check(event)?;
        items::check_use(event, roles)?;
    }
    for event in events {
        fit::check(event, roles)?;
        check_patches(event, roles, definitions)?;
    }
    items::check(items, roles)
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
