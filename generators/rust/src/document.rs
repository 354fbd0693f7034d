//! The root types in one enumeration, for programs that learn the type at run time.

use chatstate_schema_model::Ir;
use proc_macro2::TokenStream;
use quote::quote;

use crate::docs::above;
use crate::names::Names;

/// The enumeration `Document` and the names of the root types.
pub(crate) fn document(ir: &Ir, names: &Names) -> TokenStream {
    let roots: Vec<&str> = ir.roots().collect();
    let types: Vec<_> = roots.iter().map(|root| names.definition(root)).collect();
    let docs = roots.iter().map(|root| {
        let definition = ir.definitions.get(*root);
        above(
            definition.map_or("", |definition| definition.doc.as_str()),
            false,
        )
    });
    quote! {
        use chatstate_json as json;
        /// The names of the root types, in the order of the schema files.
        pub const ROOT_NAMES: &[&str] = &[#(#roots),*];
        /// A document of any root type.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Document {
            #(#docs #types(Box<super::#types>),)*
        }
        impl Document {
            /// Reads JSON text as the root type called `type_name`; `None` if there is no such root
            /// type.
            #[must_use]
            pub fn read(type_name: &str, text: &str) -> Option<Result<Self, json::Rejection>> {
                Some(match type_name {
                    #(#roots => json::from_text(text).map(Self::#types),)*
                    _ => return None,
                })
            }
            /// The name of the root type.
            #[must_use]
            pub fn type_name(&self) -> &'static str {
                match self {
                    #(Self::#types(_) => #roots,)*
                }
            }
            /// Writes compact JSON text. A value that a program made or changed is rejected where a
            /// reader would reject its text.
            pub fn to_json(&self) -> Result<String, json::Rejection> {
                match self {
                    #(Self::#types(value) => json::to_valid_text(value),)*
                }
            }
        }
    }
}
