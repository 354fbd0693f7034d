//! Enumerations of texts, closed and open, and constants that may be absent.

use chatstate_codegen::CodegenError;
use chatstate_codegen::names::{Scope, pascal_case};
use chatstate_ir::{Definition, Enumeration};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::docs::{deprecated, doc};
use crate::module::{document_methods, document_methods_by_value};
use crate::names::{Names, ident};
use crate::types::inexpressible;

/// All items of an enumeration definition.
pub(crate) fn enumeration(
    definition: &Definition,
    enumeration: &Enumeration,
    names: &Names,
) -> Result<TokenStream, CodegenError> {
    let name = names.definition(&definition.name);
    let variants = variants(definition, enumeration)?;
    let docs = doc(&definition.doc);
    let deprecated = deprecated(definition.deprecated);
    let values = enumeration
        .texts()
        .ok_or_else(|| inexpressible("an enumeration of integers"))?;
    let items = if enumeration.open {
        open(&name, &variants, &values)
    } else {
        closed(&name, &variants, &values, "enum")
    };
    Ok(quote!(#docs #deprecated #items))
}

/// A variant for each value. `Other` is the variant of unknown texts.
fn variants(
    definition: &Definition,
    enumeration: &Enumeration,
) -> Result<Vec<Ident>, CodegenError> {
    let mut scope = Scope::new(format!("definition `{}`", definition.name));
    let variants = enumeration
        .texts()
        .unwrap_or_default()
        .into_iter()
        .map(|value| {
            let name = pascal_case(value);
            let reserved = enumeration.open && name == "Other" || name == "Self";
            let name = if reserved {
                format!("{name}Value")
            } else {
                name
            };
            Ok(ident(&scope.take(name, value)?))
        });
    variants.collect()
}

/// The type of a constant that may be absent: an enumeration of one value.
pub(crate) fn constant_type(name: &Ident, value: &str, description: &str) -> TokenStream {
    let variant = ident(&pascal_case(value));
    let docs = doc(description);
    let items = closed(name, &[variant], &[value], "const");
    quote!(#docs #items)
}

fn closed(name: &Ident, variants: &[Ident], values: &[&str], keyword: &str) -> TokenStream {
    let docs = values.iter().map(|value| doc(&format!("`{value:?}`")));
    let methods = document_methods_by_value();
    let refusal = if keyword == "const" {
        let message = format!("must be the text `{}`", values.join(""));
        quote!(_ => Err(Rejection::schema("const", #message)))
    } else {
        quote!(other => Err(constraint::no_such_value(other, &[#(#values),*])))
    };
    quote! {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum #name {
            #(#docs #variants,)*
        }
        impl #name {
            /// The text of the value in JSON.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self {
                    #(Self::#variants => #values,)*
                }
            }
            #methods
        }
        impl ReadJson for #name {
            fn read(raw: Raw<'_>) -> Result<Self, Rejection> {
                match String::read(raw)?.as_str() {
                    #(#values => Ok(Self::#variants),)*
                    #refusal,
                }
            }
        }
        impl WriteJson for #name {
            fn write(&self, out: &mut String) {
                json::write_string(out, self.as_str());
            }
        }
    }
}

fn open(name: &Ident, variants: &[Ident], values: &[&str]) -> TokenStream {
    let docs = values.iter().map(|value| doc(&format!("`{value:?}`")));
    let methods = document_methods();
    quote! {
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum #name {
            #(#docs #variants,)*
            /// A text that the schema does not know; make it with `From`, which knows the others.
            Other(String),
        }
        impl #name {
            /// The text of the value in JSON.
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self {
                    #(Self::#variants => #values,)*
                    Self::Other(text) => text,
                }
            }
            #methods
        }
        impl From<String> for #name {
            fn from(text: String) -> Self {
                match text.as_str() {
                    #(#values => Self::#variants,)*
                    _ => Self::Other(text),
                }
            }
        }
        impl From<&str> for #name {
            fn from(text: &str) -> Self {
                Self::from(text.to_owned())
            }
        }
        impl ReadJson for #name {
            fn read(raw: Raw<'_>) -> Result<Self, Rejection> {
                String::read(raw).map(Self::from)
            }
        }
        impl WriteJson for #name {
            fn write(&self, out: &mut String) {
                json::write_string(out, self.as_str());
            }
        }
    }
}
