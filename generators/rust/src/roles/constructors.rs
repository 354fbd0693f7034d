//! Events that do something to an item, made from what they need.

use chatstate_codegen::names::pascal_case;
use chatstate_schema_model::{Does, EventAction, EventRole, Type};

use super::{Lowering, Made, kind};
use crate::names::{field_name, ident};
use crate::object::fixed;
use crate::size::is_large;

impl Lowering<'_> {
    /// An event made of its required members, and then of the others.
    fn made(&self, event: &EventRole, new: &str, sets: &[String]) -> String {
        let ty = self.names.definition(&event.definition);
        let variant = self.variant(event);
        let value = if is_large(self.ir, &event.definition) {
            "Box::new(e)"
        } else {
            "e"
        };
        let owner = event
            .owner
            .iter()
            .map(|name| format!("e.{} = owner.map(str::to_owned);", ident(&field_name(name))));
        let sets: String = owner.chain(sets.iter().cloned()).collect();
        let mutable = if sets.is_empty() { "" } else { "mut " };
        format!("let {mutable}e = super::{ty}::new({new}); {sets} Some(Self::{variant}({value}))")
    }

    /// The kinds of items whose beginning is described by an opening: those that chunks begin.
    pub fn beginnings(&self) -> Vec<Made> {
        let chunks = self.roles.events.iter();
        let begins = chunks.filter_map(|chunk| match &chunk.action {
            EventAction::Chunk { item, .. } => self.roles.event(Does::Begin, item),
            _ => None,
        });
        let made = begins.filter_map(|event| {
            let EventAction::Begin { item, opens, .. } = &event.action else {
                return None;
            };
            let item = pascal_case(item);
            let required: Vec<&str> = event.required().collect();
            let fields = opens.iter().map(|name| ident(&field_name(name)));
            let fields: Vec<String> = fields.collect();
            let new = opens.iter().zip(&fields);
            let new = new.filter(|(name, _)| required.contains(&name.as_str()));
            let new = ["begin.id".to_owned()]
                .into_iter()
                .chain(new.map(|(_, field)| field.clone()));
            let sets = opens.iter().zip(&fields);
            let sets = sets.filter(|(name, _)| !required.contains(&name.as_str()));
            let sets = sets.map(|(name, field)| {
                let member = self.member(event, name);
                let text = member.is_some_and(|member| self.enumeration(member).is_none());
                let owned = if text { ".map(str::to_owned)" } else { "" };
                format!("e.{field} = {field}{owned};")
            });
            let sets: Vec<String> = sets.collect();
            let new: Vec<String> = new.collect();
            let code = self.made(event, &new.join(", "), &sets);
            Some(Made {
                pattern: if fields.is_empty() {
                    "Opening::Nothing".to_owned()
                } else {
                    format!("Opening::{item} {{ {} }}", fields.join(", "))
                },
                code: code.replace("owner.map", "begin.owner.map"),
                item,
            })
        });
        made.collect()
    }

    pub fn appendings(&self) -> Vec<Made> {
        let events = self.roles.events.iter();
        let made = events.filter_map(|event| match &event.action {
            EventAction::Append { item, id, .. } => Some(self.of_item(event, item, id, ", text")),
            _ => None,
        });
        made.collect()
    }

    pub fn endings(&self) -> Vec<Made> {
        let items = self.whole_or_not().filter(|item| item.key.is_some());
        let made = items.map(|item| {
            let ends = self
                .roles
                .events
                .iter()
                .find_map(|event| match &event.action {
                    EventAction::End { item: ended, id }
                        if *ended == item.name && self.is_told_by_id(event) =>
                    {
                        Some(self.of_item(event, ended, id, ""))
                    }
                    _ => None,
                });
            ends.unwrap_or_else(|| Made {
                item: kind(item),
                pattern: String::new(),
                code: "None".to_owned(),
            })
        });
        made.collect()
    }

    /// Whether its id is all that the event must say.
    fn is_told_by_id(&self, event: &EventRole) -> bool {
        let told = event.required().filter(|name| self.is_told(event, name));
        told.count() == 1
    }

    /// Whether a required member has more than one value.
    fn is_told(&self, event: &EventRole, name: &str) -> bool {
        let member = self.member(event, name);
        member.is_some_and(|member| fixed(member).is_none())
    }

    /// An event about an item, made of the id of the item and what follows it.
    fn of_item(&self, event: &EventRole, item: &str, id: &str, rest: &str) -> Made {
        let member = self.member(event, id);
        let takes_any_text = member.is_some_and(|it| matches!(it.ty, Type::Text { .. }));
        let id = if takes_any_text {
            "id"
        } else {
            "id.to_owned()"
        };
        Made {
            item: pascal_case(item),
            pattern: String::new(),
            code: self.made(event, &format!("{id}{rest}"), &[]),
        }
    }
}
