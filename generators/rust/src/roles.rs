//! What events do: tables, and actions with the values that an event names.

mod actions;
mod constructors;
mod declarations;
mod kinds;
mod methods;

use std::collections::HashMap;

use chatstate_codegen::CodegenError;
use chatstate_codegen::names::pascal_case;
use chatstate_schema_model::{
    DefinitionKind, Does, EventItem, EventRole, Ir, MemberDefinition, ObjectDefinition, Roles,
    Type, UnionDefinition, WrittenTargets,
};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::names::{Names, field_name, ident};
use crate::union::variant_names;

/// What is looked up again and again.
struct Lowering<'a> {
    ir: &'a Ir,
    names: &'a Names,
    roles: &'a Roles,
    /// The variants by the definitions of the variants.
    variants: HashMap<&'a str, Ident>,
    /// How many members describe an item at most, and how many name what an event writes to.
    most_opens: usize,
    most_writes: usize,
}

/// The tables and actions of the events of a schema that says what they do.
pub(crate) fn roles(ir: &Ir, roles: &Roles, names: &Names) -> Result<TokenStream, CodegenError> {
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
    lowering.file()
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
    fn file(&self) -> Result<TokenStream, CodegenError> {
        let event_kind = self.event_kind();
        let of_roles = declarations::of_roles();
        let item_kind = self.item_kind()?;
        let owned = self.owned();
        let value_kind = self.value_kind();
        let action = declarations::action(&self.patched());
        let opening = self.opening_type()?;
        let of_actions = declarations::of_actions(self.most_opens, self.most_writes);
        let methods = self.methods()?;
        let failing = self.failing();
        let table = self.table();
        Ok(quote! {
            #![allow(clippy::match_same_arms, reason = "each kind has a row of its own")]
            use chatstate_json as json;
            #event_kind
            #of_roles
            #item_kind
            #owned
            #value_kind
            #action
            #opening
            #of_actions
            #methods
            #failing
            #table
        })
    }

    /// The type of the patches that events carry.
    fn patched(&self) -> Ident {
        let patches = self.roles.events.iter();
        let patches = patches.filter_map(|event| self.member(event, event.patch()?));
        let mut types = patches.filter_map(|member| match &member.ty {
            Type::Reference { to, .. } => Some(to),
            _ => None,
        });
        self.names
            .definition(types.next().unwrap_or(&self.roles.union))
    }

    /// The items and values but those that are runs.
    fn whole_or_not(&self) -> impl Iterator<Item = &EventItem> {
        let is_run = |item: &EventItem| {
            let run = self.roles.event(Does::StartRun, &item.name);
            run.is_some()
        };
        self.roles.items.iter().filter(move |item| !is_run(item))
    }

    /// What is begun and ended.
    fn items(&self) -> impl Iterator<Item = &EventItem> {
        self.whole_or_not().filter(|item| item.key.is_some())
    }

    /// What comes whole.
    fn values(&self) -> impl Iterator<Item = &EventItem> {
        self.whole_or_not().filter(|item| item.key.is_none())
    }

    fn variant(&self, event: &EventRole) -> &Ident {
        &self.variants[event.definition.as_str()]
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

    /// The text of a member that the event must have.
    fn required(name: &str) -> TokenStream {
        let field = field(name);
        quote!(e.#field.as_str())
    }

    /// The text of a member that the event may lack, as an option.
    fn optional(&self, event: &EventRole, name: Option<&str>) -> TokenStream {
        let found = name.and_then(|name| self.member(event, name));
        let Some(member) = found else {
            return quote!(None);
        };
        let field = field(&member.name);
        match (member.required, self.enumeration(member)) {
            (true, _) => quote!(Some(e.#field.as_str())),
            (false, Some(ty)) => quote!(e.#field.map(super::#ty::as_str)),
            (false, None) => quote!(e.#field.as_deref()),
        }
    }

    /// The type of a member that is one of several texts.
    fn enumeration(&self, member: &MemberDefinition) -> Option<Ident> {
        let Type::Reference { to, .. } = &member.ty else {
            return None;
        };
        match self.ir.definitions.get(to)?.kind {
            DefinitionKind::Enumeration(_) => Some(self.names.definition(to)),
            _ => None,
        }
    }
}

/// The field of a member.
fn field(member: &str) -> Ident {
    ident(&field_name(member))
}

/// The variant of an item.
fn kind(item: &str) -> Ident {
    ident(&pascal_case(item))
}
