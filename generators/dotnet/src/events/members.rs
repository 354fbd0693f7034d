//! The members by which an event says what its role names: its item, its owner, its text.

use chatstate_codegen::CodegenError;
use chatstate_schema_model::{
    DefinitionKind, EventRole, LANE, Literal, MemberDefinition, NamedDefinition, ObjectDefinition,
    Others, Roles, Type,
};

use super::{MembersView, constructors, kind};
use crate::literal::string;
use crate::names::{Names, property};
use crate::object::{Field, fields, fixed, full_type};
use crate::union::tag_property;

/// The members of one class of events.
pub(super) struct ClassView {
    pub class: String,
    pub kind: String,
    pub overrides: Vec<String>,
    /// The properties for what all events may say beside, each with that of the notes.
    pub notes: Vec<(String, String)>,
}

/// A member that describes an item where it begins.
pub(super) struct OpeningMember {
    pub wire: String,
    pub name: String,
}

/// A member that all events may have.
pub(super) struct Note {
    pub docs: Vec<String>,
    pub ty: String,
    pub name: String,
}

/// An event with the properties of its class.
pub(super) struct Event<'a> {
    pub role: &'a EventRole,
    pub class: String,
    pub object: &'a ObjectDefinition,
    pub fields: Vec<Field<'a>>,
}

impl<'a> Event<'a> {
    fn new(role: &'a EventRole, names: &Names<'a>) -> Result<Self, CodegenError> {
        let (definition, object) = object(role, names)?;
        let base = names.base(&role.definition);
        let tag = base.map(|(base, union)| (union.tag.as_str(), tag_property(base, union, names)));
        let tag = tag.as_ref().map(|(wire, name)| (*wire, name.as_str()));
        let (fields, _) = fields(definition, object.members.iter(), tag, names)?;
        let class = names.definition(&role.definition);
        Ok(Self {
            role,
            class,
            object,
            fields,
        })
    }

    pub fn field(&self, member: &str) -> Option<&Field<'a>> {
        self.fields.iter().find(|field| field.member.name == member)
    }

    /// The text of a member, or null where the event has none.
    pub fn text(&self, member: &str, names: &Names<'_>) -> Option<String> {
        let field = self.field(member)?;
        Some(match enumeration(field.member, names) {
            Some(_) if field.member.required => format!("{}.Value", field.name),
            Some(_) => format!("{}?.Value", field.name),
            None => field.name.clone(),
        })
    }
}

/// The set of values that a member is of, if it is of one, and whether that is open.
pub(super) fn enumeration<'a>(
    member: &MemberDefinition,
    names: &Names<'a>,
) -> Option<(&'a str, bool)> {
    let Type::Reference { to, .. } = &member.ty else {
        return None;
    };
    let (name, definition) = names.ir.definitions.get_key_value(to)?;
    match &definition.kind {
        DefinitionKind::Enumeration(values) => Some((name, values.open)),
        _ => None,
    }
}

pub(super) fn inexpressible(role: &EventRole, message: &str) -> CodegenError {
    CodegenError::Inexpressible {
        message: message.to_owned(),
        place: format!("definition `{}`", role.definition),
        help: "correct its `x-event`".to_owned(),
    }
}

fn object<'a>(
    role: &EventRole,
    names: &Names<'a>,
) -> Result<(&'a NamedDefinition, &'a ObjectDefinition), CodegenError> {
    let definition = names.ir.definitions.get(&role.definition);
    match definition.map(|definition| (definition, &definition.kind)) {
        Some((definition, DefinitionKind::Object(object))) => Ok((definition, object)),
        _ => Err(inexpressible(role, "the event is no object")),
    }
}

/// The members of all classes; `None` where the events have no class of their own to derive from.
pub(super) fn members<'a>(
    roles: &'a Roles,
    names: &Names<'a>,
) -> Result<Option<MembersView>, CodegenError> {
    let Some(DefinitionKind::Union(union)) = names.kind(&roles.union) else {
        return Ok(None);
    };
    if !names.is_hierarchy(&roles.union, union) {
        return Ok(None);
    }
    let events = roles.events.iter().map(|role| Event::new(role, names));
    let events: Vec<Event<'a>> = events.collect::<Result<_, _>>()?;
    let heads = heads(&events);
    let shared = shared(&events);
    let kept = |event: &Event<'_>| event.object.others == Others::Kept;
    let classes = events
        .iter()
        .map(|event| class(event, roles, &heads, &shared, names));
    Ok(Some(MembersView {
        union: names.definition(&roles.union),
        unknown: union.unknown.as_deref().map(|name| names.definition(name)),
        classes: classes.collect(),
        notes: shared.iter().map(|field| note(field)).collect(),
        others: events.iter().all(kept),
        beginnings: constructors::beginnings(roles, &events, names)?,
        appendings: constructors::appendings(&events, names)?,
        endings: constructors::endings(roles, &events, names)?,
        chunks: constructors::chunks(&events, names)?,
        heads,
    }))
}

/// The members that describe items, over all events.
fn heads(events: &[Event<'_>]) -> Vec<OpeningMember> {
    let mut heads: Vec<OpeningMember> = Vec::new();
    for event in events {
        for name in event.role.opens() {
            let wire = string(name);
            if !heads.iter().any(|head| head.wire == wire) {
                heads.push(OpeningMember {
                    wire,
                    name: head(name),
                });
            }
        }
    }
    heads
}

/// The property for a member that describes an item.
pub(super) fn head(member: &str) -> String {
    property(member, "ItemHeads")
}

/// The members that all events may have, and none must have.
fn shared<'e, 'a>(events: &'e [Event<'a>]) -> Vec<&'e Field<'a>> {
    let is_shared = |field: &&Field<'_>| {
        let same = |event: &Event<'_>| {
            let other = event.object.member(&field.member.name);
            other.is_some_and(|other| other.ty == field.member.ty && !other.required)
        };
        fixed(field).is_none() && events.iter().all(same)
    };
    let first = events.first().into_iter().flat_map(|event| &event.fields);
    first.filter(is_shared).collect()
}

fn note(field: &Field<'_>) -> Note {
    Note {
        docs: crate::object::docs(field.member),
        ty: full_type(field),
        name: property(&field.member.name, "EventNotes"),
    }
}

fn class(
    event: &Event<'_>,
    roles: &Roles,
    heads: &[OpeningMember],
    shared: &[&Field<'_>],
    names: &Names<'_>,
) -> ClassView {
    let role = event.role;
    let text = |member: Option<&str>| event.text(member?, names);
    let said = [
        ("ItemId", text(role.id())),
        ("Owner", text(role.owner.as_deref())),
        ("Lane", text(Some(LANE))),
        ("Parent", text(role.parent.as_deref())),
        ("Streamed", text(role.text())),
        ("MissingHead", missing(event, roles, names)),
    ];
    let said = said.into_iter().filter_map(|(name, value)| {
        let value = value?;
        Some(format!("string? {name} => {value};"))
    });
    let described = (!role.opens().is_empty()).then(|| {
        let values = heads.iter().map(|head| described(event, head, names));
        let values: Vec<String> = values.collect();
        format!("ItemHeads Heads => new({});", values.join(", "))
    });
    let notes = shared.iter().filter_map(|field| {
        let own = event.field(&field.member.name)?;
        let note = property(&field.member.name, "EventNotes");
        Some((own.name.clone(), note))
    });
    ClassView {
        class: event.class.clone(),
        kind: kind(role),
        overrides: said.chain(described).collect(),
        notes: notes.collect(),
    }
}

fn described(event: &Event<'_>, head: &OpeningMember, names: &Names<'_>) -> String {
    let mut opens = event.role.opens().iter();
    let member = opens.find(|member| string(member) == head.wire);
    let text = member.and_then(|member| event.text(member, names));
    text.unwrap_or_else(|| "null".to_owned())
}

/// The first member that a chunk lacks and that an opening one needs. A chunk alone may lack such.
fn missing(event: &Event<'_>, roles: &Roles, names: &Names<'_>) -> Option<String> {
    let needed = roles.needed_at_first(event.role);
    let optional = needed.into_iter().filter(|member| {
        let known = event.object.member(member);
        known.is_some_and(|known| !known.required && !is_constant(known))
    });
    let tests = optional.filter_map(|member| {
        let text = event.text(member, names)?;
        Some(format!("{text} is null ? {} : ", string(member)))
    });
    let tests: String = tests.collect();
    (!tests.is_empty()).then(|| format!("{tests}null"))
}

fn is_constant(member: &MemberDefinition) -> bool {
    matches!(member.ty, Type::Constant(Literal::Text(_)))
}
