//! What an event does, with the values that it names.

use chatstate_codegen::CodegenError;
use chatstate_codegen::names::{pascal_case, snake_case};
use chatstate_schema_model::{Does, EventRole};

use super::{Failing, Lowering, OpeningView, RoleField, inexpressible, kind};
use crate::code::quoted;
use crate::docs::above;
use crate::names::{field_name, ident};

impl Lowering<'_> {
    pub fn action(&self, event: &EventRole) -> String {
        let item = event.item.as_deref().and_then(|name| self.roles.item(name));
        let about = item.map(kind).unwrap_or_default();
        let id = || Self::required(event.id.as_ref());
        let optional_id = || self.optional(event, event.id.as_ref());
        let owner = self.optional(event, event.owner.as_ref());
        let parent = self.optional(event, event.parent.as_ref());
        let field = |name: &Option<String>| {
            let name = name.as_deref().unwrap_or_default();
            ident(&field_name(name))
        };
        match event.does {
            Does::StartRun => format!("Action::StartRun {{ id: {}, parent: {parent} }}", id()),
            Does::EndRun => format!("Action::EndRun {{ id: {} }}", optional_id()),
            Does::Begin => format!(
                "Action::Begin(Begin {{ item: ItemKind::{about}, id: {}, owner: {owner}, opening: {} }})",
                id(),
                self.opening(event, about.as_str())
            ),
            Does::Append => format!(
                "Action::Append {{ item: ItemKind::{about}, id: {}, owner: {owner}, text: &e.{} }}",
                id(),
                field(&event.text)
            ),
            Does::End => format!(
                "Action::End {{ item: ItemKind::{about}, id: {}, owner: {owner} }}",
                id()
            ),
            Does::Chunk => self.chunk(event, &about, &optional_id(), &owner),
            Does::Add => format!(
                "Action::Add {{ value: ValueKind::{about}, id: {}, owner: {owner}, parent: {parent} }}",
                id()
            ),
            Does::Replace => format!(
                "Action::Replace {{ value: ValueKind::{about}, id: {}, owner: {owner} }}",
                optional_id()
            ),
            Does::Patch => format!(
                "Action::Patch {{ value: ValueKind::{about}, id: {}, owner: {owner}, patch: &e.{} }}",
                optional_id(),
                field(&event.patch)
            ),
            Does::Annotate => format!("Action::Annotate {{ id: {}, owner: {owner} }}", id()),
            Does::None => format!("Action::Nothing {{ owner: {owner} }}"),
        }
    }

    pub fn chunk(&self, event: &EventRole, about: &str, id: &str, owner: &str) -> String {
        let opens = event.opens.iter().map(|name| {
            let text = self.optional(event, Some(name));
            format!("({}, {text})", quoted(name))
        });
        let empty = || "(\"\", None)".to_owned();
        let opens = opens
            .chain(std::iter::repeat_with(empty))
            .take(self.most_opens);
        let opens: Vec<String> = opens.collect();
        let opening = if self.may_fail(event) {
            format!("{}(e)", function(event))
        } else {
            format!("Ok({})", self.opening(event, about))
        };
        let text = event.text.as_deref().unwrap_or_default();
        format!(
            "Action::Chunk(Chunk {{ item: ItemKind::{about}, id: {id}, owner: {owner}, \
             text: e.{}.as_ref(), opens: [{}], opening: {opening} }})",
            ident(&field_name(text)),
            opens.join(", ")
        )
    }

    /// Whether a chunk may lack a member of the opening that a first chunk needs.
    fn may_fail(&self, event: &EventRole) -> bool {
        let needed = self.roles.needed_at_first(event);
        event
            .opens
            .iter()
            .any(|name| needed.contains(&name.as_str()))
    }

    /// The opening that an event says.
    fn opening(&self, event: &EventRole, about: &str) -> String {
        if event.opens.is_empty() {
            return "Opening::Nothing".to_owned();
        }
        let needed = self.roles.needed_at_first(event);
        let fields = event.opens.iter().map(|name| {
            let field = ident(&field_name(name));
            let member = self.member(event, name);
            let value = match member {
                Some(member) if self.enumeration(member).is_some() => format!("e.{field}"),
                Some(member) if member.required => format!("e.{field}.as_str()"),
                _ if event.does == Does::Chunk && needed.contains(&name.as_str()) => {
                    format!("e.{field}.as_deref().ok_or({})?", quoted(name))
                }
                _ => format!("e.{field}.as_deref()"),
            };
            format!("{field}: {value}")
        });
        let fields: Vec<String> = fields.collect();
        format!("Opening::{about} {{ {} }}", fields.join(", "))
    }

    pub fn failing(&self) -> Vec<Failing> {
        let chunks = self.roles.events.iter();
        let chunks = chunks.filter(|event| event.does == Does::Chunk && self.may_fail(event));
        let failing = chunks.map(|event| Failing {
            function: function(event),
            ty: self.names.definition(&event.definition),
            literal: self.opening(
                event,
                &pascal_case(event.item.as_deref().unwrap_or_default()),
            ),
        });
        failing.collect()
    }

    pub fn openings(&self) -> Result<Vec<OpeningView>, CodegenError> {
        let begins = self.roles.events.iter();
        let begins = begins.filter(|event| event.does == Does::Begin && !event.opens.is_empty());
        let openings = begins.map(|event| {
            let fields = event.opens.iter().map(|name| self.field(event, name));
            let item = event.item.as_deref().and_then(|name| self.roles.item(name));
            Ok(OpeningView {
                above: above(item.map_or("", |item| &item.doc), false, "    "),
                variant: item.map(kind).unwrap_or_default(),
                fields: fields.collect::<Result<_, _>>()?,
            })
        });
        openings.collect()
    }

    fn field(&self, event: &EventRole, name: &str) -> Result<RoleField, CodegenError> {
        let member = self.member(event, name);
        let member = member.ok_or_else(|| {
            inexpressible(&event.definition, "a role names a member that is not there")
        })?;
        let ty = match self.enumeration(member) {
            Some(ty) => format!("super::{ty}"),
            None => "&'e str".to_owned(),
        };
        Ok(RoleField {
            wire: name.to_owned(),
            name: ident(&field_name(name)),
            ty: if member.required {
                ty
            } else {
                format!("Option<{ty}>")
            },
        })
    }
}

/// The function that says what a chunk begins.
fn function(event: &EventRole) -> String {
    format!("opening_of_{}", snake_case(&event.tag))
}
