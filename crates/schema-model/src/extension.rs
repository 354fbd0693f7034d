//! Whether a model has all that another one has, so that what is written about the documents of the
//! other holds for its documents too.

use crate::{
    DefinitionKind, Does, EventItem, EventRole, Ir, MemberDefinition, NamedDefinition,
    ObjectDefinition, Roles, Type,
};

impl Ir {
    /// The first thing of `base` that this model does not have as it is there, as a sentence; nothing
    /// if this model extends `base`. More definitions, variants, values and events, and more members
    /// that may be absent, depart from nothing.
    #[must_use]
    pub fn departure_from(&self, base: &Self) -> Option<String> {
        let mut definitions = base.definitions.values();
        let departure = definitions.find_map(|definition| self.departure_of(definition));
        departure.or_else(|| match (&base.roles, &self.roles) {
            (Some(base), Some(extended)) => departure_of_roles(base, extended),
            (Some(_), None) => Some("no event has a role".to_owned()),
            (None, _) => None,
        })
    }

    fn departure_of(&self, base: &NamedDefinition) -> Option<String> {
        let name = &base.name;
        let Some(extended) = self.definitions.get(name) else {
            return Some(format!("there is no `{name}`"));
        };
        match (&base.kind, &extended.kind) {
            (DefinitionKind::Object(base), DefinitionKind::Object(extended)) => {
                departure_of_object(name, base, extended)
            }
            (DefinitionKind::Union(base), DefinitionKind::Union(extended)) => {
                let is_same = base.tag == extended.tag && base.unknown == extended.unknown;
                if !is_same {
                    return Some(changed(name));
                }
                let mut arms = base.arms.iter();
                let missing = arms.find(|arm| !extended.arms.contains(arm))?;
                Some(format!("`{name}` has no variant `{}`", missing.tag))
            }
            (DefinitionKind::Enumeration(base), DefinitionKind::Enumeration(extended)) => {
                let has = |value| extended.values.iter().any(|other| other.value == value);
                let is_same = base.open == extended.open
                    && base.values.iter().all(|known| has(known.value.clone()));
                (!is_same).then(|| changed(name))
            }
            (base, extended) => (base != extended).then(|| changed(name)),
        }
    }
}

fn changed(name: &str) -> String {
    format!("`{name}` is another type")
}

fn departure_of_object(
    name: &str,
    base: &ObjectDefinition,
    extended: &ObjectDefinition,
) -> Option<String> {
    let same = |object: &ObjectDefinition| {
        let ObjectDefinition {
            others,
            names,
            present,
            ..
        } = object.clone();
        (others, names, present)
    };
    if same(base) != same(extended) {
        return Some(format!("`{name}` takes other members"));
    }
    let departure = base.members.iter().find_map(|member| {
        let wanted = &member.name;
        match extended.member(wanted) {
            None => Some(format!("`{name}` has no member `{wanted}`")),
            Some(found) if is_same(member, found) => None,
            Some(_) => Some(format!("the member `{wanted}` of `{name}` is another")),
        }
    });
    departure.or_else(|| {
        let mut members = extended.members.iter();
        let more = members.find(|member| member.required && base.member(&member.name).is_none())?;
        Some(format!("`{name}` must have a member `{}`", more.name))
    })
}

fn is_same(base: &MemberDefinition, extended: &MemberDefinition) -> bool {
    let types = match (&base.ty, &extended.ty) {
        (Type::UnknownTag(base), Type::UnknownTag(extended)) => {
            base.iter().all(|tag| extended.contains(tag))
        }
        (base, extended) => base == extended,
    };
    let presence = |member: &MemberDefinition| (member.required, member.nullable);
    types && presence(base) == presence(extended) && base.code_name() == extended.code_name()
}

fn departure_of_roles(base: &Roles, extended: &Roles) -> Option<String> {
    if base.union != extended.union {
        return Some(format!("`{}` is not the union of all events", base.union));
    }
    let mut items = base.items.iter();
    if let Some(missing) = items.find(|item| extended.item(&item.name) != Some(item)) {
        return Some(format!("events are about another `{}`", missing.name));
    }
    let mut events = base.events.iter();
    events
        .find_map(|event| {
            let mut found = extended
                .events
                .iter()
                .filter(|other| other.tag == event.tag);
            let is_same = found.next().is_some_and(|other| has_role(event, other));
            (!is_same).then(|| format!("the event `{}` does something else", event.tag))
        })
        .or_else(|| unlearned(base, extended))
}

/// What is more in `extended` and cannot be learned from a role: people have written for each event or
/// item what a replay makes of it, or who owns its ids.
fn unlearned(base: &Roles, extended: &Roles) -> Option<String> {
    let known = |event: &EventRole| base.events.iter().any(|other| other.tag == event.tag);
    let mut items = extended.items.iter();
    let item = items.find(|item| base.item(&item.name).is_none() && has_more_than_key(item));
    let mut events = extended.events.iter();
    let event = events.find(|event| !known(event) && !is_learned(event.does()));
    let written = "which somebody has to write for it";
    item.map(|item| format!("the item `{}` has more than a `key`, {written}", item.name))
        .or_else(|| {
            let (tag, does) = event.map(|event| (&event.tag, event.does().as_str()))?;
            Some(format!("the event `{tag}` does `{does}`, {written}"))
        })
}

/// Whether a replay makes something of an item, or its ids have owners.
fn has_more_than_key(item: &EventItem) -> bool {
    item.changes.is_some() || item.owners.is_some()
}

/// Whether all that an event does follows from the item that it is about. Where its text goes does not.
fn is_learned(does: Does) -> bool {
    matches!(does, Does::Begin | Does::End | Does::None)
}

/// Whether an event has the role of another; it may have more members.
fn has_role(base: &EventRole, extended: &EventRole) -> bool {
    let members = extended.members.clone();
    let base = EventRole {
        members,
        ..base.clone()
    };
    base == *extended
}
