//! What an event does, with the values that it names.

use chatstate_codegen::CodegenError;
use chatstate_codegen::names::{pascal_case, snake_case};
use chatstate_schema_model::{EventAction, EventRole};

use super::{Failing, Lowering, OpeningView, RoleField, inexpressible};
use crate::code::quoted;
use crate::docs::above;
use crate::names::{field_name, ident};

impl Lowering<'_> {
    pub fn action(&self, event: &EventRole) -> String {
        let owner = self.optional(event, event.owner.as_deref());
        let parent = self.optional(event, event.parent.as_deref());
        let required = |id: &str| Self::required(id);
        let optional = |id: &Option<String>| self.optional(event, id.as_deref());
        let field = |name: &str| ident(&field_name(name));
        let variant = |item: &str| pascal_case(item);
        match &event.action {
            EventAction::StartRun { id, .. } => format!(
                "Action::StartRun {{ id: {}, parent: {parent} }}",
                required(id)
            ),
            EventAction::EndRun { id, .. } => {
                format!("Action::EndRun {{ id: {} }}", optional(id))
            }
            EventAction::Begin { item, id, .. } => format!(
                "Action::Begin(Begin {{ item: ItemKind::{}, id: {}, owner: {owner}, opening: {} }})",
                variant(item),
                required(id),
                self.opening(event, item)
            ),
            EventAction::Append { item, id, text } => format!(
                "Action::Append {{ item: ItemKind::{}, id: {}, owner: {owner}, text: &e.{} }}",
                variant(item),
                required(id),
                field(text)
            ),
            EventAction::End { item, id } => format!(
                "Action::End {{ item: ItemKind::{}, id: {}, owner: {owner} }}",
                variant(item),
                required(id)
            ),
            EventAction::Chunk { item, id, text, .. } => self.chunk(event, item, id, text),
            EventAction::Add { item, id } => format!(
                "Action::Add {{ value: ValueKind::{}, id: {}, owner: {owner}, parent: {parent} }}",
                variant(item),
                required(id)
            ),
            EventAction::Replace { item, id } => format!(
                "Action::Replace {{ value: ValueKind::{}, id: {}, owner: {owner} }}",
                variant(item),
                optional(id)
            ),
            EventAction::Patch { item, id, patch } => format!(
                "Action::Patch {{ value: ValueKind::{}, id: {}, owner: {owner}, patch: &e.{} }}",
                variant(item),
                optional(id),
                field(patch)
            ),
            EventAction::Annotate { id } => format!(
                "Action::Annotate {{ id: {}, owner: {owner} }}",
                required(id)
            ),
            EventAction::None => format!("Action::Nothing {{ owner: {owner} }}"),
        }
    }

    fn chunk(&self, event: &EventRole, item: &str, id: &str, text: &str) -> String {
        let opens = event.opens().iter().map(|name| {
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
            format!("Ok({})", self.opening(event, item))
        };
        format!(
            "Action::Chunk(Chunk {{ item: ItemKind::{}, id: {}, owner: {}, \
             text: e.{}.as_ref(), opens: [{}], opening: {opening} }})",
            pascal_case(item),
            self.optional(event, Some(id)),
            self.optional(event, event.owner.as_deref()),
            ident(&field_name(text)),
            opens.join(", ")
        )
    }

    /// Whether a chunk may lack a member of the opening that a first chunk needs.
    fn may_fail(&self, event: &EventRole) -> bool {
        let needed = self.roles.needed_at_first(event);
        event
            .opens()
            .iter()
            .any(|name| needed.contains(&name.as_str()))
    }

    /// The opening that an event describes.
    fn opening(&self, event: &EventRole, item: &str) -> String {
        if event.opens().is_empty() {
            return "Opening::Nothing".to_owned();
        }
        let needed = self.roles.needed_at_first(event);
        let fields = event.opens().iter().map(|name| {
            let field = ident(&field_name(name));
            let member = self.member(event, name);
            let value = match member {
                Some(member) if self.enumeration(member).is_some() => format!("e.{field}"),
                Some(member) if member.required => format!("e.{field}.as_str()"),
                _ if needed.contains(&name.as_str()) => {
                    format!("e.{field}.as_deref().ok_or({})?", quoted(name))
                }
                _ => format!("e.{field}.as_deref()"),
            };
            format!("{field}: {value}")
        });
        let fields: Vec<String> = fields.collect();
        format!("Opening::{} {{ {} }}", pascal_case(item), fields.join(", "))
    }

    pub fn failing(&self) -> Vec<Failing> {
        let chunks = self.roles.events.iter();
        let failing = chunks.filter_map(|event| match &event.action {
            EventAction::Chunk { item, .. } if self.may_fail(event) => Some(Failing {
                function: function(event),
                ty: self.names.definition(&event.definition),
                literal: self.opening(event, item),
            }),
            _ => None,
        });
        failing.collect()
    }

    pub fn openings(&self) -> Result<Vec<OpeningView>, CodegenError> {
        let begins = self.roles.events.iter();
        let begins = begins.filter_map(|event| match &event.action {
            EventAction::Begin { item, opens, .. } if !opens.is_empty() => {
                Some((event, item, opens))
            }
            _ => None,
        });
        let openings = begins.map(|(event, item, opens)| {
            let fields = opens.iter().map(|name| self.field(event, name));
            let doc = self.roles.item(item).map_or("", |item| &item.doc);
            Ok(OpeningView {
                above: above(doc, false, "    "),
                variant: pascal_case(item),
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
