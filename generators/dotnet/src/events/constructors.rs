//! The inverse of roles: the event that does something to an item.

use chatstate_codegen::CodegenError;
use chatstate_codegen::names::pascal_case;
use chatstate_schema_model::{Does, EventAction, EventRole, Roles};

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
    let begins = events.iter().filter_map(|event| match &event.role.action {
        EventAction::Begin { item, id, .. } if roles.event(Does::Chunk, item).is_some() => {
            Some(made(event, (item, id), heads(event.role), names))
        }
        _ => None,
    });
    begins.collect()
}

/// The chunks of items.
pub(super) fn chunks(events: &[Event<'_>], names: &Names<'_>) -> Result<ItemCode, CodegenError> {
    let chunks = events.iter().filter_map(|event| match &event.role.action {
        EventAction::Chunk { item, id, text, .. } => {
            let mut given = heads(event.role);
            given.push((text, "text".to_owned()));
            Some(made(event, (item, id), given, names))
        }
        _ => None,
    });
    chunks.collect()
}

/// The events that append text to items.
pub(super) fn appendings(
    events: &[Event<'_>],
    names: &Names<'_>,
) -> Result<ItemCode, CodegenError> {
    let appends = events.iter().filter_map(|event| match &event.role.action {
        EventAction::Append { item, id, text } => {
            let given = vec![(text.as_str(), "text".to_owned())];
            Some(made(event, (item, id), given, names))
        }
        _ => None,
    });
    appends.collect()
}

/// The ends of items that chunks can begin.
pub(super) fn endings(
    roles: &Roles,
    events: &[Event<'_>],
    names: &Names<'_>,
) -> Result<ItemCode, CodegenError> {
    let ends = events.iter().filter_map(|event| match &event.role.action {
        EventAction::End { item, id } => {
            let first = roles.event(Does::End, item);
            let is_first = first.is_some_and(|first| first.tag == event.role.tag);
            let has_chunks = roles.event(Does::Chunk, item).is_some();
            (is_first && has_chunks).then(|| made(event, (item, id), MemberSources::new(), names))
        }
        _ => None,
    });
    ends.collect()
}

fn heads(role: &EventRole) -> MemberSources<'_> {
    let heads = role.opens().iter();
    heads
        .map(|name| (name.as_str(), format!("heads.{}", head(name))))
        .collect()
}

/// The code that makes an event about an item, with an id, an owner and what else is given.
fn made(
    event: &Event<'_>,
    (item, id): (&str, &str),
    given: MemberSources<'_>,
    names: &Names<'_>,
) -> Result<(String, String), CodegenError> {
    let role = event.role;
    let owner = role.owner.iter();
    let owner = owner.map(|member| (member.clone(), "owner".to_owned()));
    let given = given
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value));
    let all: Vec<(String, String)> = [(id.to_owned(), "id".to_owned())]
        .into_iter()
        .chain(owner)
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
    Ok((
        pascal_case(item),
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
