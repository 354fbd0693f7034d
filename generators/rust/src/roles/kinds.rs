//! The kinds of events, items and values, with what the schema says of each.

use chatstate_codegen::CodegenError;
use chatstate_schema_model::{
    Closes, Does, EventItem, EventRole, ItemIdentity, Roles, WrittenTargets,
};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::{Lowering, inexpressible, kind};
use crate::docs::above;
use crate::names::ident;
use crate::tables::option;

impl Lowering<'_> {
    /// The types of events.
    pub fn event_kind(&self) -> TokenStream {
        let events = &self.roles.events;
        let known = Literal::usize_unsuffixed(events.len());
        let docs = events
            .iter()
            .map(|event| above(&self.ir.definitions[&event.definition].doc, false));
        let variants: Vec<&Ident> = events.iter().map(|event| self.variant(event)).collect();
        let tags = events.iter().map(|event| &event.tag);
        quote! {
            /// The type of an event.
            #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
            pub enum EventKind {
                #(#docs #variants,)*
                /// A type that this version of the schema does not know.
                Unknown,
            }
            impl EventKind {
                /// The types that the schema knows, in its order.
                pub const ALL: [Self; #known] = [#(Self::#variants),*];
                /// The type that a discriminator names.
                #[must_use]
                pub fn of(tag: &str) -> Self {
                    match tag {
                        #(#tags => Self::#variants,)*
                        _ => Self::Unknown,
                    }
                }
                /// The discriminator; none of an unknown type.
                #[must_use]
                pub fn tag(self) -> Option<&'static str> {
                    match self {
                        Self::Unknown => None,
                        known => Some(known.role().tag),
                    }
                }
                /// What events of this type do. Those of an unknown type do nothing.
                #[must_use]
                pub fn role(self) -> &'static EventRole {
                    &ROLES[self as usize]
                }
            }
        }
    }

    /// The roles of the types of events, in their order.
    pub fn table(&self) -> TokenStream {
        let roles = self.roles.events.iter().map(|event| self.role(event));
        let all = Literal::usize_unsuffixed(self.roles.events.len() + 1);
        quote! {
            static ROLES: [EventRole; #all] = [
                #(#roles,)*
                EventRole {
                    tag: "",
                    does: Does::Nothing,
                    subject: Subject::Nothing,
                    changes: None,
                    id: None,
                    owner: None,
                    parent: None,
                    closes: Closes::Nothing,
                    writes: Writes::Members(&[]),
                    text: None,
                    patch: None,
                    opens: &[],
                    required: &[],
                    members: &[],
                },
            ];
        }
    }

    fn role(&self, event: &EventRole) -> TokenStream {
        let named = |name: Option<&str>| option(name.map(|name| quote!(#name)));
        let tag = &event.tag;
        let (does, subject, closes) = (
            does(event.does()),
            self.subject(event),
            closes(event.closes),
        );
        let changes = changes(self.roles, event);
        let (id, owner, parent) = (
            named(event.id()),
            named(event.owner.as_deref()),
            named(event.parent.as_deref()),
        );
        let writes = match &event.writes {
            WrittenTargets::All => quote!(All),
            WrittenTargets::Members(members) => quote!(Members(&[#(#members),*])),
        };
        let (text, patch) = (named(event.text()), named(event.patch()));
        let (opens, required) = (event.opens(), event.required());
        let members = event.members.iter().map(|member| &member.name);
        quote! {
            EventRole {
                tag: #tag,
                does: Does::#does,
                subject: Subject::#subject,
                changes: #changes,
                id: #id,
                owner: #owner,
                parent: #parent,
                closes: Closes::#closes,
                writes: Writes::#writes,
                text: #text,
                patch: #patch,
                opens: &[#(#opens),*],
                required: &[#(#required),*],
                members: &[#(#members),*],
            }
        }
    }

    fn subject(&self, event: &EventRole) -> TokenStream {
        let Some(item) = event.item().and_then(|name| self.roles.item(name)) else {
            return quote!(Nothing);
        };
        let name = kind(&item.name);
        match event.does() {
            Does::StartRun | Does::EndRun => quote!(Run),
            _ if item.key.is_some() => quote!(Item(ItemKind::#name)),
            _ => quote!(Value(ValueKind::#name)),
        }
    }

    /// What is begun and ended.
    pub fn item_kind(&self) -> Result<TokenStream, CodegenError> {
        let docs = self.items().map(|item| above(&item.doc, false));
        let variants: Vec<Ident> = self.items().map(|item| kind(&item.name)).collect();
        let count = Literal::usize_unsuffixed(variants.len());
        let names = self.items().map(|item| &item.name);
        let events = self.events_of_items()?;
        let by_owner = self
            .items()
            .map(|item| item.key == Some(ItemIdentity::IdAndOwner));
        let owners = self.items().map(owners);
        Ok(quote! {
            /// What is begun and ended.
            #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub enum ItemKind {
                #(#docs #variants,)*
            }
            impl ItemKind {
                /// All kinds.
                pub const ALL: [Self; #count] = [#(Self::#variants),*];
                /// The kind as rules and results spell it.
                #[must_use]
                pub fn as_str(self) -> &'static str {
                    match self {
                        #(Self::#variants => #names,)*
                    }
                }
                #events
                /// Whether open items of one id are distinguished by their owners.
                #[must_use]
                pub fn is_told_apart_by_owner(self) -> bool {
                    match self {
                        #(Self::#variants => #by_owner,)*
                    }
                }
                /// What their ids name that have owners.
                #[must_use]
                pub fn owners(self) -> Option<OwnedKind> {
                    match self {
                        #(Self::#variants => #owners,)*
                    }
                }
            }
        })
    }

    /// The methods that give the events about an item, and the member that names it.
    fn events_of_items(&self) -> Result<TokenStream, CodegenError> {
        let variants: Vec<Ident> = self.items().map(|item| kind(&item.name)).collect();
        let begins = self.events(Does::Begin)?;
        let ends = self.events(Does::End)?;
        let ids = begins.iter().map(|event| {
            let id = event.id();
            id.ok_or_else(|| inexpressible(&event.definition, "it begins an item without an id"))
        });
        let ids = ids.collect::<Result<Vec<_>, _>>()?;
        let begins = begins.iter().map(|event| self.variant(event));
        let ends = ends.iter().map(|event| self.variant(event));
        let appends = self
            .items()
            .map(|item| self.optional_event(Does::Append, item));
        let chunks = self
            .items()
            .map(|item| self.optional_event(Does::Chunk, item));
        Ok(quote! {
            /// The event that begins an item.
            #[must_use]
            pub fn begins(self) -> EventKind {
                match self {
                    #(Self::#variants => EventKind::#begins,)*
                }
            }
            /// The event that appends text to an item, if one does.
            #[must_use]
            pub fn appends(self) -> Option<EventKind> {
                match self {
                    #(Self::#variants => #appends,)*
                }
            }
            /// The first event of those that end an item.
            #[must_use]
            pub fn ends(self) -> EventKind {
                match self {
                    #(Self::#variants => EventKind::#ends,)*
                }
            }
            /// The chunk of an item, if there is one.
            #[must_use]
            pub fn chunk(self) -> Option<EventKind> {
                match self {
                    #(Self::#variants => #chunks,)*
                }
            }
            /// The member that names an item.
            #[must_use]
            pub fn id_member(self) -> &'static str {
                match self {
                    #(Self::#variants => #ids,)*
                }
            }
        })
    }

    /// The events that do something with items, one for each item.
    fn events(&self, does: Does) -> Result<Vec<&EventRole>, CodegenError> {
        let events = self.items().map(|item| {
            let event = self.roles.event(does, &item.name);
            event.ok_or_else(|| {
                let message = format!("no event does `{}` with `{}`", does.as_str(), item.name);
                inexpressible(&self.roles.union, &message)
            })
        });
        events.collect()
    }

    fn optional_event(&self, does: Does, item: &EventItem) -> TokenStream {
        let event = self.roles.event(does, &item.name);
        let variant = event.map(|event| self.variant(event));
        option(variant.map(|variant| quote!(EventKind::#variant)))
    }

    /// What ids with owners name.
    pub fn owned(&self) -> TokenStream {
        let words = self.roles.owned();
        let variants: Vec<Ident> = words.iter().map(|word| kind(word)).collect();
        let count = Literal::usize_unsuffixed(variants.len());
        let docs = words
            .iter()
            .map(|word| format!(" Items whose `owners` are `{word}`."));
        let names = words.iter().map(|word| word.replace('-', " "));
        quote! {
            /// What an id names that has an owner. Ids of items that share it name the same things.
            #[derive(Debug, Clone, Copy, PartialEq, Eq)]
            pub enum OwnedKind {
                #(#[doc = #docs] #variants,)*
            }
            impl OwnedKind {
                /// All of them.
                pub const ALL: [Self; #count] = [#(Self::#variants),*];
                /// Its name in sentences.
                #[must_use]
                pub fn as_str(self) -> &'static str {
                    match self {
                        #(Self::#variants => #names,)*
                    }
                }
            }
        }
    }

    /// What comes whole.
    pub fn value_kind(&self) -> TokenStream {
        let docs = self.values().map(|value| above(&value.doc, false));
        let variants: Vec<Ident> = self.values().map(|value| kind(&value.name)).collect();
        let owners = self.values().map(owners);
        quote! {
            /// What comes whole.
            #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub enum ValueKind {
                #(#docs #variants,)*
            }
            impl ValueKind {
                /// What their ids name that have owners.
                #[must_use]
                pub fn owners(self) -> Option<OwnedKind> {
                    match self {
                        #(Self::#variants => #owners,)*
                    }
                }
            }
        }
    }
}

fn owners(item: &EventItem) -> TokenStream {
    let owned = item.owners.as_deref().map(kind);
    option(owned.map(|owned| quote!(OwnedKind::#owned)))
}

fn changes(roles: &Roles, event: &EventRole) -> TokenStream {
    let part = roles.changed_by(event).map(|part| kind(part.as_str()));
    option(part.map(|part| quote!(ReplayedPart::#part)))
}

fn closes(closes: Closes) -> Ident {
    ident(match closes {
        Closes::Nothing => "Nothing",
        Closes::Lane => "Lane",
        Closes::All => "All",
    })
}

fn does(does: Does) -> Ident {
    match does {
        Does::None => ident("Nothing"),
        other => kind(other.as_str()),
    }
}
