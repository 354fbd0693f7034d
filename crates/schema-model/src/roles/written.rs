//! What events write to, which follows from what they do.

use super::{Does, EventItem, EventRole, ReplayedPart, Roles, WrittenTargets};

/// What an event writes to, so that no text is merged across it (requirement `compact.barrier`).
///
/// A run begins and ends with everything in its place, and a snapshot without an id replaces all
/// messages. Other events write to the message that they are about; the beginning of an item also to
/// the message that it is put into. What goes on with an item inside of a message reaches nothing else.
pub(super) fn written(role: &EventRole, roles: &Roles) -> WrittenTargets {
    let members = |names: &[Option<&str>]| {
        let names = names.iter().flatten();
        WrittenTargets::Members(names.map(|name| (*name).to_owned()).collect())
    };
    let is_of_messages = role
        .item()
        .and_then(|name| roles.item(name))
        .is_some_and(|item| is_of_messages(item, roles));
    match role.does() {
        Does::StartRun | Does::EndRun => WrittenTargets::All,
        Does::Replace if is_of_messages && role.id().is_none() => WrittenTargets::All,
        Does::Annotate => members(&[role.id()]),
        Does::Begin | Does::Chunk if is_of_messages => {
            members(&[role.id(), role.parent.as_deref()])
        }
        Does::Append | Does::End if is_inside(role, roles) => members(&[]),
        Does::None => members(&[]),
        _ if is_of_messages => members(&[role.id()]),
        _ => members(&[]),
    }
}

/// Whether an item is a message or a part of one, or shares its ids with one that is.
fn is_of_messages(item: &EventItem, roles: &Roles) -> bool {
    let is_message = |item: &EventItem| item.changes == Some(ReplayedPart::Messages);
    let shares = |other: &EventItem| item.owners.is_some() && other.owners == item.owners;
    is_message(item) || roles.items.iter().any(|it| is_message(it) && shares(it))
}

/// Whether the item is part of another, such as a tool call of its message.
fn is_inside(role: &EventRole, roles: &Roles) -> bool {
    let begin = role.item().and_then(|item| roles.event(Does::Begin, item));
    begin.is_some_and(|begin| begin.parent.is_some())
}
