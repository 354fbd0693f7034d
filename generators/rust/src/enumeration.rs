//! Enumerations, closed and open, and constants that may be absent.

use chatstate_codegen::CodegenError;
use chatstate_codegen::names::{Scope, pascal_case};
use chatstate_ir::{Definition, Enumeration, Literal};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::docs::{deprecated, doc, doc_with};
use crate::integers::{integer_enumeration, integers, variant_name};
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
    let open_values = enumeration.open;
    let items = match (enumeration.texts(), integers(enumeration)) {
        (Some(values), _) if open_values => open(&name, &variants, &values),
        (Some(values), _) => closed(&name, &variants, &values, "enum"),
        (None, Some(values)) => integer_enumeration(&name, &variants, &values, open_values),
        (None, None) => return Err(inexpressible("an enumeration of both texts and integers")),
    };
    Ok(quote!(#docs #deprecated #items))
}

/// A variant for each value, and what stands above it. `Other` is the variant of unknown values.
fn variants(
    definition: &Definition,
    enumeration: &Enumeration,
) -> Result<Vec<(Ident, TokenStream)>, CodegenError> {
    let mut scope = Scope::new(format!("definition `{}`", definition.name));
    let variants = enumeration.values.iter().map(|known| {
        let (name, text) = match &known.value {
            Literal::Text(text) => (pascal_case(text), text.clone()),
            Literal::Integer(value) => (variant_name(*value), value.to_string()),
            Literal::Boolean(value) => (pascal_case(&value.to_string()), value.to_string()),
        };
        let reserved = enumeration.open && name == "Other" || name == "Self";
        let name = if reserved {
            format!("{name}Value")
        } else {
            name
        };
        let name = ident(&scope.take(name, &text)?);
        let text = known.value.text().map_or(text, |text| format!("{text:?}"));
        Ok((name, above(&text, &known.doc, known.deprecated)))
    });
    variants.collect()
}

/// What stands above a variant: the value, what it means, and whether it is deprecated.
fn above(text: &str, description: &str, is_deprecated: bool) -> TokenStream {
    let sentence = Some(description).filter(|text| !text.is_empty());
    let docs = doc_with(&format!("`{text}`"), sentence);
    let deprecated = deprecated(is_deprecated);
    quote!(#docs #deprecated)
}

/// The type of a constant that may be absent: an enumeration of one value.
pub(crate) fn constant_type(name: &Ident, value: &str, description: &str) -> TokenStream {
    let name_of_value = pascal_case(value);
    let is_self = name_of_value == "Self";
    let variant = ident(if is_self { "SelfValue" } else { &name_of_value });
    let variant = (variant, above(&format!("{value:?}"), "", false));
    let docs = doc(description);
    let items = closed(name, &[variant], &[value], "const");
    quote!(#docs #items)
}

fn closed(
    name: &Ident,
    variants: &[(Ident, TokenStream)],
    values: &[&str],
    keyword: &str,
) -> TokenStream {
    let docs = variants.iter().map(|(_, docs)| docs);
    let variants: Vec<_> = variants.iter().map(|(name, _)| name).collect();
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

fn open(name: &Ident, variants: &[(Ident, TokenStream)], values: &[&str]) -> TokenStream {
    let docs = variants.iter().map(|(_, docs)| docs);
    let variants: Vec<_> = variants.iter().map(|(name, _)| name).collect();
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
