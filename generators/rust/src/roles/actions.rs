//! What an event does, with the values that it names.

use chatstate_codegen::CodegenError;
use chatstate_codegen::names::snake_case;
use chatstate_schema_model::{EventAction, EventRole};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::{Lowering, field, inexpressible, kind};
use crate::docs::above;

impl Lowering<'_> {
    pub fn action(&self, event: &EventRole) -> TokenStream {
        let owner = self.optional(event, event.owner.as_deref());
        let parent = self.optional(event, event.parent.as_deref());
        let optional = |id: &Option<String>| self.optional(event, id.as_deref());
        match &event.action {
            EventAction::StartRun { id, .. } => {
                let id = Self::required(id);
                quote!(Action::StartRun { id: #id, parent: #parent })
            }
            EventAction::EndRun { id, .. } => {
                let id = optional(id);
                quote!(Action::EndRun { id: #id })
            }
            EventAction::Begin { item, id, .. } => {
                let (name, id, opening) =
                    (kind(item), Self::required(id), self.opening(event, item));
                quote! {
                    Action::Begin(Begin { item: ItemKind::#name, id: #id, owner: #owner, opening: #opening })
                }
            }
            EventAction::Append { item, id, text } => {
                let (item, id, text) = (kind(item), Self::required(id), field(text));
                quote!(Action::Append { item: ItemKind::#item, id: #id, owner: #owner, text: &e.#text })
            }
            EventAction::End { item, id } => {
                let (item, id) = (kind(item), Self::required(id));
                quote!(Action::End { item: ItemKind::#item, id: #id, owner: #owner })
            }
            EventAction::Chunk { item, id, text, .. } => self.chunk(event, item, id, text),
            EventAction::Add { item, id } => {
                let (item, id) = (kind(item), Self::required(id));
                quote!(Action::Add { value: ValueKind::#item, id: #id, owner: #owner, parent: #parent })
            }
            EventAction::Replace { item, id } => {
                let (item, id) = (kind(item), optional(id));
                quote!(Action::Replace { value: ValueKind::#item, id: #id, owner: #owner })
            }
            EventAction::Patch { item, id, patch } => {
                let (item, id, patch) = (kind(item), optional(id), field(patch));
                quote! {
                    Action::Patch { value: ValueKind::#item, id: #id, owner: #owner, patch: &e.#patch }
                }
            }
            EventAction::Annotate { id } => {
                let id = Self::required(id);
                quote!(Action::Annotate { id: #id, owner: #owner })
            }
            EventAction::None => quote!(Action::Nothing { owner: #owner }),
        }
    }

    fn chunk(&self, event: &EventRole, item: &str, id: &str, text: &str) -> TokenStream {
        let opens = event.opens().iter().map(|name| {
            let text = self.optional(event, Some(name));
            quote!((#name, #text))
        });
        let opens = opens
            .chain(std::iter::repeat_with(|| quote!(("", None))))
            .take(self.most_opens);
        let opening = self.opening(event, item);
        let opening = if self.may_fail(event) {
            let function = function(event);
            quote!(#function(e))
        } else {
            quote!(Ok(#opening))
        };
        let (item, text) = (kind(item), field(text));
        let id = self.optional(event, Some(id));
        let owner = self.optional(event, event.owner.as_deref());
        quote! {
            Action::Chunk(Chunk {
                item: ItemKind::#item,
                id: #id,
                owner: #owner,
                text: e.#text.as_ref(),
                opens: [#(#opens),*],
                opening: #opening,
            })
        }
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
    fn opening(&self, event: &EventRole, item: &str) -> TokenStream {
        if event.opens().is_empty() {
            return quote!(Opening::Nothing);
        }
        let needed = self.roles.needed_at_first(event);
        let fields = event.opens().iter().map(|name| {
            let field = field(name);
            let value = match self.member(event, name) {
                Some(member) if self.enumeration(member).is_some() => quote!(e.#field),
                Some(member) if member.required => quote!(e.#field.as_str()),
                _ if needed.contains(&name.as_str()) => {
                    quote!(e.#field.as_deref().ok_or(#name)?)
                }
                _ => quote!(e.#field.as_deref()),
            };
            quote!(#field: #value)
        });
        let item = kind(item);
        quote!(Opening::#item { #(#fields),* })
    }

    /// The functions for chunks that may lack what a first chunk needs.
    pub fn failing(&self) -> TokenStream {
        let chunks = self.roles.events.iter();
        let failing = chunks.filter_map(|event| match &event.action {
            EventAction::Chunk { item, .. } if self.may_fail(event) => {
                let (function, opening) = (function(event), self.opening(event, item));
                let ty = self.names.definition(&event.definition);
                Some(quote! {
                    fn #function(e: &super::#ty) -> Result<Opening<'_>, &'static str> {
                        Ok(#opening)
                    }
                })
            }
            _ => None,
        });
        failing.collect()
    }

    /// What the beginnings of items say of them.
    pub fn opening_type(&self) -> Result<TokenStream, CodegenError> {
        let begins = self.roles.events.iter();
        let begins = begins.filter_map(|event| match &event.action {
            EventAction::Begin { item, opens, .. } if !opens.is_empty() => {
                Some((event, item, opens))
            }
            _ => None,
        });
        let openings = begins.map(|(event, item, opens)| {
            let fields = opens.iter().map(|name| self.field(event, name));
            let fields = fields.collect::<Result<Vec<_>, _>>()?;
            let above = above(self.roles.item(item).map_or("", |item| &item.doc), false);
            let item = kind(item);
            Ok(quote!(#above #item { #(#fields,)* }))
        });
        let openings = openings.collect::<Result<Vec<_>, CodegenError>>()?;
        Ok(quote! {
            /// What the beginning of an item says of it.
            #[derive(Debug, Clone, Copy, PartialEq)]
            pub enum Opening<'e> {
                #(#openings,)*
                /// Nothing beside its id.
                Nothing,
            }
        })
    }

    fn field(&self, event: &EventRole, name: &str) -> Result<TokenStream, CodegenError> {
        let member = self.member(event, name);
        let member = member.ok_or_else(|| {
            inexpressible(&event.definition, "a role names a member that is not there")
        })?;
        let ty = self.enumeration(member);
        let ty = ty.map_or(quote!(&'e str), |ty| quote!(super::#ty));
        let ty = if member.required {
            ty
        } else {
            quote!(Option<#ty>)
        };
        let above = above(&format!("The member `{name}`."), false);
        let name = field(name);
        Ok(quote!(#above #name: #ty))
    }
}

/// The function that says what a chunk begins.
fn function(event: &EventRole) -> Ident {
    format_ident!("opening_of_{}", snake_case(&event.tag))
}
