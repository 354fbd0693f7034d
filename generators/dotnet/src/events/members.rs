//! The members by which an event says what its role names: its item, its owner, its text.

use chatstate_codegen::CodegenError;
use chatstate_schema_model::{
    DefinitionKind, EventRole, LANE, Literal, MemberDefinition, NamedDefinition, ObjectDefinition,
    Others, Roles, Type,
};

use super::view::{
    ClassNotesView, DescribedView, EventClassFileView, EventClassView, EventMembersView,
    NeededView, NotedView, OpeningMemberView, SaidView, TextOf,
};
use super::{constructors, kind};
use crate::names::{Names, property};
use crate::object::{Field, fields};
use crate::union::tag_property;
use crate::view::{HeaderView, MemberView};

/// An event with the properties of its class.
pub(super) struct Event<'a> {
    pub role: &'a EventRole,
    /// The schema file of its definition.
    pub schema: &'a str,
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
            schema: &definition.schema,
            class,
            object,
            fields,
        })
    }

    pub fn field(&self, member: &str) -> Option<&Field<'a>> {
        self.fields.iter().find(|field| field.member.name == member)
    }

    /// The text of a member, or null where the event has none.
    pub fn text(&self, member: &str, names: &Names<'_>) -> Option<TextOf> {
        let field = self.field(member)?;
        let property = field.name.clone();
        Some(match enumeration(field.member, names) {
            Some(_) if field.member.required => TextOf::Value { property },
            Some(_) => TextOf::OptionalValue { property },
            None => TextOf::Text { property },
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

/// What all events have for members, and what each class says; `None` where the events have no class of their own to
/// derive from.
pub(super) fn members<'a>(
    roles: &'a Roles,
    names: &Names<'a>,
) -> Result<Option<(EventMembersView, Vec<EventClassFileView>)>, CodegenError> {
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
    let others = events.iter().all(kept);
    let known = events.iter().map(|event| EventClassFileView {
        header: HeaderView::of_types(event.schema, &names.namespace),
        class: EventClassView {
            notes: Some(ClassNotesView {
                set: notes(event, &shared),
                others,
            }),
            ..class(event, roles, &heads, names)
        },
    });
    let unknown = union.unknown.iter().filter_map(|name| unknown(name, names));
    let classes = known.chain(unknown).collect();
    let members = EventMembersView {
        union: names.definition(&roles.union),
        notes: shared.iter().map(|field| note(field)).collect(),
        others,
        beginnings: constructors::beginnings(roles, &events, names)?,
        appendings: constructors::appendings(&events, names)?,
        endings: constructors::endings(roles, &events, names)?,
        chunks: constructors::chunks(&events, names)?,
        heads,
    };
    Ok(Some((members, classes)))
}

/// An event of an unknown type says nothing, and stays as it is.
fn unknown(definition: &str, names: &Names<'_>) -> Option<EventClassFileView> {
    let schema = &names.ir.definitions.get(definition)?.schema;
    Some(EventClassFileView {
        header: HeaderView::of_types(schema, &names.namespace),
        class: EventClassView {
            class: names.definition(definition),
            kind: "Unknown".to_owned(),
            said: Vec::new(),
            missing: Vec::new(),
            described: Vec::new(),
            notes: None,
        },
    })
}

/// The members that describe items, over all events.
fn heads(events: &[Event<'_>]) -> Vec<OpeningMemberView> {
    let mut heads: Vec<OpeningMemberView> = Vec::new();
    for name in events.iter().flat_map(|event| event.role.opens()) {
        if !heads.iter().any(|head| head.wire == *name) {
            heads.push(OpeningMemberView {
                wire: name.clone(),
                name: head(name),
            });
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
        field.fixed().is_none() && events.iter().all(same)
    };
    let first = events.first().into_iter().flat_map(|event| &event.fields);
    first.filter(is_shared).collect()
}

fn note(field: &Field<'_>) -> MemberView {
    MemberView {
        name: property(&field.member.name, "EventNotes"),
        ..field.view(None)
    }
}

fn class(
    event: &Event<'_>,
    roles: &Roles,
    heads: &[OpeningMemberView],
    names: &Names<'_>,
) -> EventClassView {
    let role = event.role;
    let text = |member: Option<&str>| event.text(member?, names);
    let said = [
        ("ItemId", text(role.id())),
        ("Owner", text(role.owner.as_deref())),
        ("Lane", text(Some(LANE))),
        ("Parent", text(role.parent.as_deref())),
        ("Streamed", text(role.text())),
    ];
    let said = said.into_iter();
    let said = said.filter_map(|(name, text)| text.map(|text| SaidView { name, text }));
    let described = heads.iter().filter(|_| !role.opens().is_empty());
    EventClassView {
        class: event.class.clone(),
        kind: kind(role),
        said: said.collect(),
        missing: missing(event, roles, names),
        described: described
            .map(|head| described_by(event, head, names))
            .collect(),
        notes: None,
    }
}

/// The properties for what all events may say beside.
fn notes(event: &Event<'_>, shared: &[&Field<'_>]) -> Vec<NotedView> {
    let noted = shared.iter().filter_map(|field| {
        let own = event.field(&field.member.name)?;
        Some(NotedView {
            own: own.name.clone(),
            note: property(&field.member.name, "EventNotes"),
        })
    });
    noted.collect()
}

fn described_by(event: &Event<'_>, head: &OpeningMemberView, names: &Names<'_>) -> DescribedView {
    let mut opens = event.role.opens().iter();
    let member = opens.find(|member| **member == head.wire);
    let text = member.and_then(|member| event.text(member, names));
    DescribedView { text }
}

/// The members that a chunk lacks and that an opening one needs. A chunk alone may lack such.
fn missing(event: &Event<'_>, roles: &Roles, names: &Names<'_>) -> Vec<NeededView> {
    let needed = roles.needed_at_first(event.role);
    let optional = needed.into_iter().filter(|member| {
        let known = event.object.member(member);
        known.is_some_and(|known| !known.required && !is_constant(known))
    });
    let needed = optional.filter_map(|member| {
        Some(NeededView {
            text: event.text(member, names)?,
            wire: member.to_owned(),
        })
    });
    needed.collect()
}

fn is_constant(member: &MemberDefinition) -> bool {
    matches!(member.ty, Type::Constant(Literal::Text(_)))
}
