//! What events do: tables, and actions with the values that an event names.

mod actions;
mod constructors;

use std::collections::HashMap;

use askama::Template;
use chatstate_codegen::names::pascal_case;
use chatstate_codegen::{CodegenError, printed};
use chatstate_schema_model::{
    Closes, DefinitionKind, Does, EventItem, EventRole, Ir, ItemIdentity, LANE, MemberDefinition,
    ObjectDefinition, ReplayedPart, Roles, Type, UnionDefinition, WrittenTargets,
};

use crate::code::{quoted, texts};
use crate::docs::above;
use crate::names::{Names, field_name, ident};
use crate::object::fixed;
use crate::types::rust_type;
use crate::union::variant_names;

/// What the template of roles prints.
#[derive(Template)]
#[template(path = "roles.rs.j2", escape = "none")]
struct RolesView {
    union: String,
    /// How many events the schema knows, and how many roles there are with that of all others.
    known: usize,
    all: usize,
    /// How many kinds of items there are.
    kinds: usize,
    events: Vec<EventView>,
    items: Vec<ItemView>,
    values: Vec<ValueView>,
    openings: Vec<OpeningView>,
    failing: Vec<Failing>,
    most_opens: usize,
    most_writes: usize,
    patch: String,
    lane: String,
    shared: Vec<SharedMember>,
    beginnings: Vec<Made>,
    appendings: Vec<Made>,
    endings: Vec<Made>,
}

struct EventView {
    above: String,
    variant: String,
    /// The name of the event where its action is made; `_` if that needs nothing of it.
    bound: &'static str,
    tag: String,
    role: String,
    action: String,
    /// The ids that it writes to, if it names some.
    written: Option<String>,
    lane: Option<String>,
}

struct ItemView {
    above: String,
    variant: String,
    name: String,
    begins: String,
    appends: String,
    ends: String,
    chunk: String,
    id: String,
    by_owner: bool,
    streams: String,
    changes: &'static str,
}

struct ValueView {
    above: String,
    variant: String,
    changes: &'static str,
}

/// What the beginning of an item says of it.
struct OpeningView {
    above: String,
    variant: String,
    fields: Vec<RoleField>,
}

struct RoleField {
    wire: String,
    name: String,
    ty: String,
}

/// A function for a chunk that may lack what a first chunk needs.
struct Failing {
    function: String,
    ty: String,
    literal: String,
}

/// A member that all events may have.
struct SharedMember {
    wire: String,
    name: String,
    ty: String,
}

/// Code that makes an event about an item.
struct Made {
    item: String,
    pattern: String,
    code: String,
}

/// What is looked up again and again.
struct Lowering<'a> {
    ir: &'a Ir,
    names: &'a Names,
    roles: &'a Roles,
    /// The variants by the definitions of the variants.
    variants: HashMap<&'a str, String>,
    most_opens: usize,
    most_writes: usize,
}

/// The tables and actions of the events of a schema that says what they do.
pub(crate) fn roles(ir: &Ir, roles: &Roles, names: &Names) -> Result<String, CodegenError> {
    let union = union_of(ir, roles)?;
    let definition = &ir.definitions[&roles.union];
    let arms = union.arms.iter().map(|arm| arm.definition.as_str());
    let count =
        |counted: fn(&EventRole) -> usize| roles.events.iter().map(counted).max().unwrap_or(0);
    let lowering = Lowering {
        ir,
        names,
        roles,
        variants: arms.zip(variant_names(definition, union)?).collect(),
        most_opens: count(|event| event.opens().len()),
        most_writes: count(|event| match &event.writes {
            WrittenTargets::Members(members) => members.len(),
            WrittenTargets::All => 0,
        }),
    };
    printed(&lowering.view()?)
}

fn union_of<'i>(ir: &'i Ir, roles: &Roles) -> Result<&'i UnionDefinition, CodegenError> {
    match ir.definitions.get(&roles.union).map(|found| &found.kind) {
        Some(DefinitionKind::Union(union)) => Ok(union),
        _ => Err(inexpressible(
            &roles.union,
            "the roles are those of no union",
        )),
    }
}

fn inexpressible(definition: &str, message: &str) -> CodegenError {
    CodegenError::Inexpressible {
        message: message.to_owned(),
        place: format!("definition `{definition}`"),
        help: "correct its `x-event`".to_owned(),
    }
}

impl Lowering<'_> {
    fn view(&self) -> Result<RolesView, CodegenError> {
        let events = self.roles.events.iter();
        let events = events.map(|event| self.event(event));
        let (items, values): (Vec<&EventItem>, Vec<&EventItem>) =
            self.whole_or_not().partition(|item| item.key.is_some());
        let patched = self.roles.events.iter().find_map(|event| {
            let member = self.member(event, event.patch()?)?;
            match &member.ty {
                Type::Reference { to, .. } => Some(self.names.definition(to)),
                _ => None,
            }
        });
        Ok(RolesView {
            union: self.names.definition(&self.roles.union),
            known: self.roles.events.len(),
            all: self.roles.events.len() + 1,
            kinds: items.len(),
            events: events.collect(),
            items: items
                .iter()
                .map(|item| self.item(item))
                .collect::<Result<_, _>>()?,
            values: values.iter().map(|item| value(item)).collect(),
            openings: self.openings()?,
            failing: self.failing(),
            most_opens: self.most_opens,
            most_writes: self.most_writes,
            patch: patched.unwrap_or_else(|| "Event".to_owned()),
            lane: field_name(LANE),
            shared: self.shared()?,
            beginnings: self.beginnings(),
            appendings: self.appendings(),
            endings: self.endings(),
        })
    }

    /// The items but those that are runs.
    fn whole_or_not(&self) -> impl Iterator<Item = &EventItem> {
        let is_run = |item: &EventItem| {
            let run = self.roles.event(Does::StartRun, &item.name);
            run.is_some()
        };
        self.roles.items.iter().filter(move |item| !is_run(item))
    }

    fn variant(&self, event: &EventRole) -> &str {
        self.variants[event.definition.as_str()].as_str()
    }

    fn object(&self, event: &EventRole) -> Option<&ObjectDefinition> {
        match &self.ir.definitions.get(&event.definition)?.kind {
            DefinitionKind::Object(object) => Some(object),
            _ => None,
        }
    }

    fn member(&self, event: &EventRole, name: &str) -> Option<&MemberDefinition> {
        self.object(event)?.member(name)
    }

    fn event(&self, event: &EventRole) -> EventView {
        let doc = &self.ir.definitions[&event.definition].doc;
        let lane = self.member(event, LANE).is_some();
        let written = match &event.writes {
            WrittenTargets::Members(members) if !members.is_empty() => {
                let none = || "None".to_owned();
                let ids = members.iter().map(|name| self.optional(event, Some(name)));
                let ids = ids
                    .chain(std::iter::repeat_with(none))
                    .take(self.most_writes);
                Some(format!("[{}]", ids.collect::<Vec<_>>().join(", ")))
            }
            _ => None,
        };
        let action = self.action(event);
        EventView {
            bound: bound(action.contains("e.") || action.contains("(e)")),
            above: above(doc, false, "    "),
            variant: self.variant(event).to_owned(),
            tag: quoted(&event.tag),
            role: self.role(event),
            action,
            written,
            lane: lane.then(|| self.optional(event, Some(LANE))),
        }
    }

    fn role(&self, event: &EventRole) -> String {
        let option = |name: Option<&str>| match name {
            Some(name) => format!("Some({})", quoted(name)),
            None => "None".to_owned(),
        };
        let writes = match &event.writes {
            WrittenTargets::All => "All".to_owned(),
            WrittenTargets::Members(members) => {
                format!("Members({})", texts(members.iter().map(String::as_str)))
            }
        };
        format!(
            "EventRole {{ tag: {}, does: Does::{}, subject: {}, id: {}, owner: {}, parent: {}, \
             closes: Closes::{}, writes: Writes::{writes}, text: {}, patch: {}, opens: {}, \
             required: {}, members: {} }}",
            quoted(&event.tag),
            does(event.does()),
            self.subject(event),
            option(event.id()),
            option(event.owner.as_deref()),
            option(event.parent.as_deref()),
            closes(event.closes),
            option(event.text()),
            option(event.patch()),
            texts(event.opens().iter().map(String::as_str)),
            texts(event.required()),
            texts(event.members.iter().map(|member| member.name.as_str())),
        )
    }

    fn subject(&self, event: &EventRole) -> String {
        let Some(item) = event.item().and_then(|name| self.roles.item(name)) else {
            return "Subject::Nothing".to_owned();
        };
        let name = kind(item);
        match event.does() {
            Does::StartRun | Does::EndRun => "Subject::Run".to_owned(),
            _ if item.key.is_some() => format!("Subject::Item(ItemKind::{name})"),
            _ => format!("Subject::Value(ValueKind::{name})"),
        }
    }

    /// The text of a member that the event must have.
    fn required(name: &str) -> String {
        format!("e.{}.as_str()", ident(&field_name(name)))
    }

    /// The text of a member that the event may lack, as an option.
    fn optional(&self, event: &EventRole, name: Option<&str>) -> String {
        let found = name.and_then(|name| self.member(event, name));
        let Some(member) = found else {
            return "None".to_owned();
        };
        let field = ident(&field_name(&member.name));
        match (member.required, self.enumeration(member)) {
            (true, _) => format!("Some(e.{field}.as_str())"),
            (false, Some(ty)) => format!("e.{field}.map(super::{ty}::as_str)"),
            (false, None) => format!("e.{field}.as_deref()"),
        }
    }

    /// The type of a member that is one of several texts.
    fn enumeration(&self, member: &MemberDefinition) -> Option<String> {
        let Type::Reference { to, .. } = &member.ty else {
            return None;
        };
        match self.ir.definitions.get(to)?.kind {
            DefinitionKind::Enumeration(_) => Some(self.names.definition(to)),
            _ => None,
        }
    }

    fn item(&self, item: &EventItem) -> Result<ItemView, CodegenError> {
        let event = |does: Does| self.roles.event(does, &item.name);
        let missing = |does: Does| {
            let message = format!("no event does `{}` with `{}`", does.as_str(), item.name);
            inexpressible(&self.roles.union, &message)
        };
        let begin = event(Does::Begin).ok_or_else(|| missing(Does::Begin))?;
        let end = event(Does::End).ok_or_else(|| missing(Does::End))?;
        let id = begin.id().ok_or_else(|| missing(Does::Begin))?;
        let option = |does: Does| match event(does) {
            Some(event) => format!("Some(EventKind::{})", self.variant(event)),
            None => "None".to_owned(),
        };
        Ok(ItemView {
            above: above(&item.doc, false, "    "),
            variant: kind(item),
            name: quoted(&item.name),
            begins: self.variant(begin).to_owned(),
            appends: option(Does::Append),
            ends: self.variant(end).to_owned(),
            chunk: option(Does::Chunk),
            id: quoted(id),
            by_owner: item.key == Some(ItemIdentity::IdAndOwner),
            streams: match &item.streams {
                Some(streams) => format!("Some({})", quoted(streams)),
                None => "None".to_owned(),
            },
            changes: changes(item),
        })
    }

    /// The members that all events may have, and none must have.
    fn shared(&self) -> Result<Vec<SharedMember>, CodegenError> {
        let Some(first) = self.roles.events.first() else {
            return Ok(Vec::new());
        };
        let members = self.object(first).map_or(&[][..], |object| &object.members);
        let is_shared = |member: &&MemberDefinition| {
            let same = |event: &EventRole| {
                let other = self.member(event, &member.name);
                other.is_some_and(|other| other.ty == member.ty && !other.required)
            };
            fixed(member).is_none() && self.roles.events.iter().all(same)
        };
        let shared = members.iter().filter(is_shared).map(|member| {
            let ty = rust_type(&member.ty, self.names, None)?;
            let ty = match (&member.ty, ty.strip_prefix("json::")) {
                (Type::Reference { .. }, _) => format!("super::{ty}"),
                (_, Some(ty)) => format!("chatstate_json::{ty}"),
                (_, None) => ty,
            };
            Ok(SharedMember {
                wire: member.name.clone(),
                name: ident(&field_name(&member.name)),
                ty,
            })
        });
        shared.collect()
    }
}

/// What a pattern calls an event: nothing where nothing of it is used.
fn bound(is_used: bool) -> &'static str {
    if is_used { "e" } else { "_" }
}

/// The variant of an item.
fn kind(item: &EventItem) -> String {
    pascal_case(&item.name)
}

fn value(item: &EventItem) -> ValueView {
    ValueView {
        above: above(&item.doc, false, "    "),
        variant: kind(item),
        changes: changes(item),
    }
}

fn changes(item: &EventItem) -> &'static str {
    match item.changes {
        None => "Nothing",
        Some(ReplayedPart::Messages) => "Messages",
        Some(ReplayedPart::State) => "State",
    }
}

fn closes(closes: Closes) -> &'static str {
    match closes {
        Closes::Nothing => "Nothing",
        Closes::Lane => "Lane",
        Closes::All => "All",
    }
}

fn does(does: Does) -> String {
    match does {
        Does::None => "Nothing".to_owned(),
        other => pascal_case(other.as_str()),
    }
}
