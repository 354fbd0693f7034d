//! The root types in one enumeration, for programs that learn the type at run time.

use chatstate_ir::Ir;
use proc_macro2::TokenStream;
use quote::quote;

use crate::docs::doc;
use crate::names::Names;

/// The enumeration `Document` and the names of the root types.
pub(crate) fn document(ir: &Ir, names: &Names) -> TokenStream {
    let roots: Vec<&str> = ir.roots().collect();
    let types: Vec<_> = roots.iter().map(|root| names.definition(root)).collect();
    let docs = roots.iter().map(|root| {
        doc(ir
            .definitions
            .get(*root)
            .map_or("", |definition| definition.doc.as_str()))
    });
    quote! {
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
            pub fn read(type_name: &str, text: &str) -> Option<Result<Self, Rejection>> {
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
            /// Writes compact JSON text.
            #[must_use]
            pub fn to_json(&self) -> String {
                let mut out = String::new();
                match self {
                    #(Self::#types(value) => value.write(&mut out),)*
                }
                out
            }
        }
    }
}
