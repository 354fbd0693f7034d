//! The inverse of roles: the event that does something to an item.

use chatstate_codegen::CodegenError;
use chatstate_codegen::names::pascal_case;
use chatstate_schema_model::{Does, EventAction, EventRole, Roles};

use super::members::{Event, enumeration, head, inexpressible};
use super::view::{MadeEventView, SetHow, SetView, SourceView};
use crate::names::Names;

/// What members of the event are made of.
type MemberSources<'g> = Vec<(&'g str, SourceView)>;

/// The beginnings of items that chunks can begin.
pub(super) fn beginnings(
    roles: &Roles,
    events: &[Event<'_>],
    names: &Names<'_>,
) -> Result<Vec<MadeEventView>, CodegenError> {
    let begins = events.iter().filter_map(|event| match &event.role.action {
        EventAction::Begin { item, id, .. } if roles.event(Does::Chunk, item).is_some() => {
            Some(made(event, (item, id), heads(event.role), names))
        }
        _ => None,
    });
    begins.collect()
}

/// The chunks of items.
pub(super) fn chunks(
    events: &[Event<'_>],
    names: &Names<'_>,
) -> Result<Vec<MadeEventView>, CodegenError> {
    let chunks = events.iter().filter_map(|event| match &event.role.action {
        EventAction::Chunk { item, id, text, .. } => {
            let mut given = heads(event.role);
            given.push((text, argument("text")));
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
) -> Result<Vec<MadeEventView>, CodegenError> {
    let appends = events.iter().filter_map(|event| match &event.role.action {
        EventAction::Append { item, id, text } => {
            let given = vec![(text.as_str(), argument("text"))];
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
) -> Result<Vec<MadeEventView>, CodegenError> {
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

fn argument(name: &'static str) -> SourceView {
    SourceView::Argument { name }
}

fn heads(role: &EventRole) -> MemberSources<'_> {
    let heads = role.opens().iter();
    heads
        .map(|name| (name.as_str(), SourceView::Head { name: head(name) }))
        .collect()
}

/// The event about an item, with an id, an owner and what else is given.
fn made(
    event: &Event<'_>,
    (item, id): (&str, &str),
    given: MemberSources<'_>,
    names: &Names<'_>,
) -> Result<MadeEventView, CodegenError> {
    let role = event.role;
    let owner = role.owner.as_deref();
    let owner = owner.map(|member| (member, argument("owner")));
    let all: MemberSources<'_> = [(id, argument("id"))]
        .into_iter()
        .chain(owner)
        .chain(given)
        .collect();
    for field in &event.fields {
        let is_given = all.iter().any(|(name, _)| *name == field.member.name);
        if field.member.required && field.fixed().is_none() && !is_given {
            let message = format!("nothing says what its `{}` is", field.member.name);
            return Err(inexpressible(role, &message));
        }
    }
    let sets = all.into_iter();
    let sets = sets.filter_map(|(name, source)| set(event, name, source, names));
    Ok(MadeEventView {
        item: pascal_case(item),
        class: event.class.clone(),
        sets: sets.collect(),
    })
}

/// What a member is set to; nothing where the event does not have it.
fn set(event: &Event<'_>, name: &str, source: SourceView, names: &Names<'_>) -> Option<SetView> {
    let field = event.field(name)?;
    let how = match enumeration(field.member, names) {
        Some((to, open)) => SetHow::Value {
            ty: names.definition(to),
            open,
            known: format!("known{}", head(name)),
        },
        // Who makes an event without a text that it must have, makes it with an empty one.
        None if matches!(source, SourceView::Head { .. }) && field.member.required => {
            SetHow::TextOrEmpty
        }
        None => SetHow::Text,
    };
    Some(SetView {
        property: field.name.clone(),
        source,
        how,
    })
}
