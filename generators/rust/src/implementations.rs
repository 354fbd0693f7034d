//! What most types have in common: the methods of documents, the reader and the writer.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The methods by which a type is a document of its own.
pub(crate) fn document_methods() -> TokenStream {
    methods(&quote!(&self), &quote!(self))
}

/// The same methods for a type that is copied.
pub(crate) fn document_methods_by_value() -> TokenStream {
    methods(&quote!(self), &quote!(&self))
}

fn methods(receiver: &TokenStream, reference: &TokenStream) -> TokenStream {
    quote! {
        /// Reads JSON text as this type. A rejection says where, as a JSON pointer, and which rule is
        /// broken.
        pub fn from_json(text: &str) -> Result<Self, json::Rejection> {
            json::from_text(text)
        }
        /// Writes compact JSON text.
        #[must_use]
        pub fn to_json(#receiver) -> String {
            json::to_text(#reference)
        }
        /// Checks a value that a program made or changed: what a reader would reject of the document
        /// that it writes.
        pub fn validate(#receiver) -> Result<(), json::Rejection> {
            json::validate(#reference)
        }
    }
}

/// The reader of a type, whose `body` has the value `raw`.
pub(crate) fn reader(name: &Ident, body: &TokenStream) -> TokenStream {
    quote! {
        impl json::ReadJson for #name {
            fn read(raw: json::Raw<'_>) -> Result<Self, json::Rejection> {
                #body
            }
        }
    }
}

/// The reader of a type that is read from the members of an object.
pub(crate) fn reader_of_members(name: &Ident) -> TokenStream {
    reader(name, &quote!(Self::from_members(json::Members::read(raw)?)))
}

/// The writer of a type, whose `body` writes to `out`.
pub(crate) fn writer(name: &Ident, body: &TokenStream) -> TokenStream {
    quote! {
        impl json::WriteJson for #name {
            fn write(&self, out: &mut String) {
                #body
            }
        }
    }
}

/// The writer of an enumeration whose variants hold values that are written as they are.
pub(crate) fn writer_of_variants<'n>(
    name: &Ident,
    variants: impl Iterator<Item = &'n Ident>,
) -> TokenStream {
    let arms =
        variants.map(|variant| quote!(Self::#variant(value) => json::WriteJson::write(value, out)));
    writer(name, &quote!(match self { #(#arms,)* }))
}

/// `Display` of a type, by a text.
pub(crate) fn display(name: &Ident, text: &TokenStream) -> TokenStream {
    quote! {
        impl std::fmt::Display for #name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.pad(#text)
            }
        }
    }
}
