//! What most types have in common: the methods of documents, the reader and the writer.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::doubt::Doubt;

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
        /// Writes compact JSON text. A value that a program made or changed is rejected where a reader
        /// would reject its text.
        pub fn to_json(#receiver) -> Result<String, json::Rejection> {
            json::to_valid_text(#reference)
        }
        /// Checks a value that a program made or changed: what a reader would reject of its text.
        pub fn validate(#receiver) -> Result<(), json::Rejection> {
            json::validate(#reference)
        }
    }
}

/// The method that checks what the schema asks beyond the Rust type: of a value that was just read, and
/// of one that is written.
pub(crate) fn check_method(body: &TokenStream) -> TokenStream {
    check_with(&quote!(&self), body)
}

/// The same method of a type that is copied.
pub(crate) fn check_method_by_value(body: &TokenStream) -> TokenStream {
    check_with(&quote!(self), body)
}

fn check_with(receiver: &TokenStream, body: &TokenStream) -> TokenStream {
    quote! {
        /// Checks what the schema asks beyond the types.
        fn check(#receiver) -> Result<(), json::Rejection> {
            #body
        }
    }
}

/// The reader of a type, whose `body` has the value `raw`, and whether a value is in `doubt`.
pub(crate) fn reader(name: &Ident, body: &TokenStream, doubt: &Doubt) -> TokenStream {
    let is_in_doubt = doubt.method();
    quote! {
        impl json::ReadJson for #name {
            fn read(raw: json::Raw<'_>) -> Result<Self, json::Rejection> {
                #body
            }
            #is_in_doubt
        }
    }
}

/// The reader of a type that is read from the members of an object.
pub(crate) fn reader_of_members(name: &Ident, doubt: &Doubt) -> TokenStream {
    let body = quote!(Self::from_members(json::Members::read(raw)?));
    reader(name, &body, doubt)
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
