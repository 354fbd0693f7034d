//! The inverse of roles: the event that does something to an item.

use chatstate_codegen::CodegenError;
use chatstate_codegen::names::pascal_case;
use chatstate_schema_model::{Does, EventRole, Roles};

use super::members::{Event, enumeration, head, inexpressible};
use crate::names::Names;
use crate::object::fixed;

/// Items, each with the code that makes an event about one.
type ItemCode = Vec<(String, String)>;

/// What a member of the event is made of: a name of what is at hand.
type MemberSources<'g> = Vec<(&'g str, String)>;

/// The beginnings of items that chunks can begin.
pub(super) fn beginnings(
    roles: &Roles,
    events: &[Event<'_>],
    names: &Names<'_>,
) -> Result<ItemCode, CodegenError> {
    let begins = of(events, Does::Begin).filter(|event| {
        let item = event.role.item.as_deref().unwrap_or_default();
        roles.event(Does::Chunk, item).is_some()
    });
    begins
        .map(|event| made(event, heads(event.role), names))
        .collect()
}

/// The chunks of items.
pub(super) fn chunks(events: &[Event<'_>], names: &Names<'_>) -> Result<ItemCode, CodegenError> {
    let chunks = of(events, Does::Chunk);
    chunks
        .map(|event| {
            let mut given = heads(event.role);
            given.extend(text(event.role));
            made(event, given, names)
        })
        .collect()
}

/// The events that append text to items.
pub(super) fn appendings(
    events: &[Event<'_>],
    names: &Names<'_>,
) -> Result<ItemCode, CodegenError> {
    let appends = of(events, Does::Append);
    appends
        .map(|event| made(event, text(event.role).into_iter().collect(), names))
        .collect()
}

/// The ends of items that chunks can begin.
pub(super) fn endings(
    roles: &Roles,
    events: &[Event<'_>],
    names: &Names<'_>,
) -> Result<ItemCode, CodegenError> {
    let ends = of(events, Does::End).filter(|event| {
        let item = event.role.item.as_deref().unwrap_or_default();
        let first = roles.event(Does::End, item);
        let is_first = first.is_some_and(|first| first.tag == event.role.tag);
        is_first && roles.event(Does::Chunk, item).is_some()
    });
    ends.map(|event| made(event, MemberSources::new(), names))
        .collect()
}

fn of<'e, 'a>(events: &'e [Event<'a>], does: Does) -> impl Iterator<Item = &'e Event<'a>> {
    events.iter().filter(move |event| event.role.does == does)
}

fn heads(role: &EventRole) -> MemberSources<'_> {
    let heads = role.opens.iter();
    heads
        .map(|name| (name.as_str(), format!("heads.{}", head(name))))
        .collect()
}

fn text(role: &EventRole) -> Option<(&str, String)> {
    Some((role.text.as_deref()?, "text".to_owned()))
}

/// The code that makes an event with an id, an owner and what else is given.
fn made(
    event: &Event<'_>,
    given: MemberSources<'_>,
    names: &Names<'_>,
) -> Result<(String, String), CodegenError> {
    let role = event.role;
    let by_name = |member: &Option<String>, value: &str| {
        let member = member.clone()?;
        Some((member, value.to_owned()))
    };
    let given = given
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value));
    let all: Vec<(String, String)> = [by_name(&role.id, "id"), by_name(&role.owner, "owner")]
        .into_iter()
        .flatten()
        .chain(given)
        .collect();
    for field in &event.fields {
        let is_given = all.iter().any(|(name, _)| *name == field.member.name);
        if field.member.required && fixed(field).is_none() && !is_given {
            let message = format!("nothing says what its `{}` is", field.member.name);
            return Err(inexpressible(role, &message));
        }
    }
    let sets = all.iter().filter_map(|(name, value)| {
        let field = event.field(name)?;
        Some(format!(
            "{} = {}",
            field.name,
            set(event, name, value, names)
        ))
    });
    let sets: Vec<String> = sets.collect();
    let item = pascal_case(role.item.as_deref().unwrap_or_default());
    Ok((
        item,
        format!("new {} {{ {} }}", event.class, sets.join(", ")),
    ))
}

/// A text as the value of a member.
fn set(event: &Event<'_>, name: &str, value: &str, names: &Names<'_>) -> String {
    let Some(field) = event.field(name) else {
        return value.to_owned();
    };
    let Some((to, open)) = enumeration(field.member, names) else {
        // Who makes an event without a text that it must have, makes it with an empty one.
        let is_optional = value.starts_with("heads.") && field.member.required;
        return format!("{value}{}", if is_optional { " ?? \"\"" } else { "" });
    };
    let ty = names.definition(to);
    let known = format!("known{}", head(name));
    let made = if open {
        format!("new {ty}({known})")
    } else {
        format!("{ty}.Of({known})")
    };
    format!("{value} is {{ }} {known} ? {made} : null")
}
