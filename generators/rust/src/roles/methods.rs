//! The methods of events by which one learns what they do, and makes others.

use chatstate_codegen::CodegenError;
use chatstate_schema_model::{EventRole, LANE, MemberDefinition, Type, WrittenTargets};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::{Lowering, field};
use crate::docs::above;
use crate::module::uses;
use crate::object::fixed;
use crate::types::rust_type;

impl Lowering<'_> {
    /// The methods of the union of events.
    pub fn methods(&self) -> Result<TokenStream, CodegenError> {
        let union = self.names.definition(&self.roles.union);
        let variants = self.roles.events.iter().map(|event| self.variant(event));
        let variants: Vec<&Ident> = variants.collect();
        let action = self.action_method();
        let written = self.written_method();
        let lane = self.lane_method();
        let shared = self.shared()?;
        let constructors = self.constructors();
        Ok(quote! {
            impl super::#union {
                /// The type of the event.
                #[must_use]
                pub fn kind(&self) -> EventKind {
                    match self {
                        #(Self::#variants(_) => EventKind::#variants,)*
                        Self::Unknown(_) => EventKind::Unknown,
                    }
                }
                #action
                #written
                /// The streamed text that the event carries.
                #[must_use]
                pub fn text(&self) -> Option<&json::SplitText> {
                    match self.action() {
                        Action::Append { text, .. } => Some(text),
                        Action::Chunk(chunk) => chunk.text,
                        _ => None,
                    }
                }
                #lane
                #(#shared)*
                /// The members that the schema does not name.
                #[must_use]
                pub fn extra(&self) -> &json::Object {
                    match self {
                        #(Self::#variants(e) => &e.extra,)*
                        Self::Unknown(e) => &e.extra,
                    }
                }
                #constructors
            }
        })
    }

    fn action_method(&self) -> TokenStream {
        let arms = self.roles.events.iter().map(|event| {
            let (variant, action) = (self.variant(event), self.action(event));
            let bound = if uses(&action, "e") {
                quote!(e)
            } else {
                quote!(_)
            };
            quote!(Self::#variant(#bound) => #action)
        });
        quote! {
            /// What the event does.
            #[must_use]
            pub fn action(&self) -> Action<'_> {
                match self {
                    #(#arms,)*
                    Self::Unknown(_) => Action::Nothing { owner: None },
                }
            }
        }
    }

    fn written_method(&self) -> TokenStream {
        let most = Literal::usize_unsuffixed(self.most_writes);
        let arms = self.roles.events.iter().filter_map(|event| {
            let (variant, ids) = (self.variant(event), self.written(event)?);
            Some(quote!(Self::#variant(e) => Written::Ids([#(#ids),*])))
        });
        quote! {
            /// What the event writes to, so that no text is joined across it.
            #[must_use]
            pub fn written(&self) -> Written<'_> {
                match self {
                    #(#arms,)*
                    other => match other.kind().role().writes {
                        Writes::All => Written::All,
                        Writes::Members(_) => Written::Ids([None; #most]),
                    },
                }
            }
        }
    }

    /// The ids that an event writes to, if it names some.
    fn written(&self, event: &EventRole) -> Option<Vec<TokenStream>> {
        match &event.writes {
            WrittenTargets::Members(members) if !members.is_empty() => {
                let ids = members.iter().map(|name| self.optional(event, Some(name)));
                let none = std::iter::repeat_with(|| quote!(None));
                Some(ids.chain(none).take(self.most_writes).collect())
            }
            _ => None,
        }
    }

    fn lane_method(&self) -> TokenStream {
        let name = field(LANE);
        let events = self.roles.events.iter();
        let arms = events
            .filter(|event| self.member(event, LANE).is_some())
            .map(|event| {
                let (variant, lane) = (self.variant(event), self.optional(event, Some(LANE)));
                quote!(Self::#variant(e) => #lane)
            });
        quote! {
            /// The subagent in whose lane the event stands.
            #[must_use]
            pub fn #name(&self) -> Option<&str> {
                match self {
                    #(#arms,)*
                    _ => None,
                }
            }
        }
    }

    /// The methods for members that all events may have, and none must have.
    fn shared(&self) -> Result<Vec<TokenStream>, CodegenError> {
        let first = self.roles.events.first();
        let first = first.and_then(|event| self.object(event));
        let members = first.map_or(&[][..], |object| &object.members);
        let shared = members.iter().filter(|member| self.is_shared(member));
        shared.map(|member| self.shared_method(member)).collect()
    }

    fn is_shared(&self, member: &MemberDefinition) -> bool {
        let same = |event: &EventRole| {
            let other = self.member(event, &member.name);
            other.is_some_and(|other| other.ty == member.ty && !other.required)
        };
        fixed(member).is_none() && self.roles.events.iter().all(same)
    }

    fn shared_method(&self, member: &MemberDefinition) -> Result<TokenStream, CodegenError> {
        let above = above(&format!("The member `{}`.", member.name), false);
        let name = field(&member.name);
        let ty = rust_type(&member.ty, self.names, None)?;
        let ty = match &member.ty {
            Type::Reference { .. } => quote!(super::#ty),
            _ => ty,
        };
        let variants = self.roles.events.iter().map(|event| self.variant(event));
        Ok(quote! {
            #above
            #[must_use]
            pub fn #name(&self) -> Option<&#ty> {
                match self {
                    #(Self::#variants(e) => e.#name.as_ref(),)*
                    Self::Unknown(_) => None,
                }
            }
        })
    }
}
