//! Events that do something to an item, made from what they need.

use chatstate_schema_model::{Does, EventAction, EventItem, EventRole, Type};
use proc_macro2::TokenStream;
use quote::quote;

use super::{Lowering, field, kind};
use crate::object::fixed;
use crate::size::is_large;

impl Lowering<'_> {
    pub fn constructors(&self) -> TokenStream {
        let beginnings = self.beginnings();
        let appendings = self.appendings();
        let endings = self.items().map(|item| self.ending(item));
        quote! {
            /// The event that begins an item. None of what chunks cannot begin.
            #[must_use]
            pub fn beginning(begin: &Begin<'_>) -> Option<Self> {
                match (begin.item, begin.opening) {
                    #(#beginnings)*
                    _ => None,
                }
            }
            /// The event that appends text to an item. None of what takes no text.
            #[must_use]
            pub fn appending(
                item: ItemKind,
                id: &str,
                owner: Option<&str>,
                text: json::SplitText,
            ) -> Option<Self> {
                match item {
                    #(#appendings)*
                    _ => None,
                }
            }
            /// The event that ends an item. None of what is not ended by its id alone.
            #[must_use]
            pub fn ending(item: ItemKind, id: &str, owner: Option<&str>) -> Option<Self> {
                match item {
                    #(#endings)*
                }
            }
        }
    }

    /// An event made of its required members `new`, of its owner, and then of the others.
    fn made(
        &self,
        event: &EventRole,
        new: &[TokenStream],
        owner: &TokenStream,
        sets: &[TokenStream],
    ) -> TokenStream {
        let ty = self.names.definition(&event.definition);
        let variant = self.variant(event);
        let value = if is_large(self.ir, &event.definition) {
            quote!(Box::new(e))
        } else {
            quote!(e)
        };
        let belongs = event.owner.as_ref().map(|name| {
            let field = field(name);
            quote!(e.#field = #owner.map(str::to_owned);)
        });
        let mutable = (belongs.is_some() || !sets.is_empty()).then(|| quote!(mut));
        quote! {
            let #mutable e = super::#ty::new(#(#new),*);
            #belongs
            #(#sets)*
            Some(Self::#variant(#value))
        }
    }

    /// The kinds of items whose beginning is described by an opening: those that chunks begin.
    fn beginnings(&self) -> Vec<TokenStream> {
        let chunks = self.roles.events.iter();
        let begins = chunks.filter_map(|chunk| match &chunk.action {
            EventAction::Chunk { item, .. } => self.roles.event(Does::Begin, item),
            _ => None,
        });
        let made = begins.filter_map(|event| match &event.action {
            EventAction::Begin { item, opens, .. } => Some(self.beginning(event, item, opens)),
            _ => None,
        });
        made.collect()
    }

    fn beginning(&self, event: &EventRole, item: &str, opens: &[String]) -> TokenStream {
        let item = kind(item);
        let required: Vec<&str> = event.required().collect();
        let (must, may): (Vec<&String>, Vec<&String>) = opens
            .iter()
            .partition(|name| required.contains(&name.as_str()));
        let must = must.into_iter().map(|name| field(name));
        let new: Vec<TokenStream> = [quote!(begin.id)]
            .into_iter()
            .chain(must.map(|field| quote!(#field)))
            .collect();
        let sets = may.into_iter().map(|name| {
            let member = self.member(event, name);
            let text = member.is_some_and(|member| self.enumeration(member).is_none());
            let owned = text.then(|| quote!(.map(str::to_owned)));
            let field = field(name);
            quote!(e.#field = #field #owned;)
        });
        let sets: Vec<TokenStream> = sets.collect();
        let code = self.made(event, &new, &quote!(begin.owner), &sets);
        let fields = opens.iter().map(|name| field(name));
        let pattern = if opens.is_empty() {
            quote!(Opening::Nothing)
        } else {
            quote!(Opening::#item { #(#fields),* })
        };
        quote!((ItemKind::#item, #pattern) => { #code })
    }

    fn appendings(&self) -> Vec<TokenStream> {
        let events = self.roles.events.iter();
        let made = events.filter_map(|event| match &event.action {
            EventAction::Append { item, id, .. } => {
                Some(self.of_item(event, item, id, Some(quote!(text))))
            }
            _ => None,
        });
        made.collect()
    }

    fn ending(&self, item: &EventItem) -> TokenStream {
        let mut events = self.roles.events.iter();
        let ends = events.find_map(|event| match &event.action {
            EventAction::End { item: ended, id }
                if *ended == item.name && self.is_told_by_id(event) =>
            {
                Some(self.of_item(event, ended, id, None))
            }
            _ => None,
        });
        ends.unwrap_or_else(|| {
            let item = kind(&item.name);
            quote!(ItemKind::#item => None,)
        })
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

    /// The arm for an event about an item, made of the id of the item and what follows it.
    fn of_item(
        &self,
        event: &EventRole,
        item: &str,
        id: &str,
        rest: Option<TokenStream>,
    ) -> TokenStream {
        let item = kind(item);
        let member = self.member(event, id);
        let takes_any_text = member.is_some_and(|it| matches!(it.ty, Type::Text { .. }));
        let id = if takes_any_text {
            quote!(id)
        } else {
            quote!(id.to_owned())
        };
        let new: Vec<TokenStream> = [id].into_iter().chain(rest).collect();
        let code = self.made(event, &new, &quote!(owner), &[]);
        quote!(ItemKind::#item => { #code })
    }
}
