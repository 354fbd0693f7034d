//! Enumerations, closed and open, and constants that may be absent.

use chatstate_codegen::CodegenError;
use chatstate_codegen::names::{Scope, pascal_case};
use chatstate_schema_model::{Enumeration, Literal, NamedDefinition};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::docs::{above, with_sentence};
use crate::doubt::Doubt;
use crate::implementations::{
    display, document_methods, document_methods_by_value, reader, writer,
};
use crate::integers::{integer_enumeration, integers, variant_name};
use crate::names::{Names, ident};
use crate::types::inexpressible;

/// The variant of a known value.
pub(crate) struct ValueVariant {
    /// The value, what it means, and whether it is deprecated.
    pub above: TokenStream,
    pub name: Ident,
}

/// All items of an enumeration definition.
pub(crate) fn enumeration(
    definition: &NamedDefinition,
    enumeration: &Enumeration,
    names: &Names,
) -> Result<TokenStream, CodegenError> {
    let name = names.definition(&definition.name);
    let variants = variants(definition, enumeration)?;
    let above = above(&definition.doc, definition.deprecated);
    let items = match (enumeration.texts(), integers(enumeration)) {
        (Some(texts), _) if enumeration.open => open(&name, &variants, &texts),
        (Some(texts), _) => closed(
            &name,
            &variants,
            &texts,
            &quote!(other => Err(json::constraint::no_such_value(other, &[#(#texts),*]))),
        ),
        (None, Some(values)) => integer_enumeration(&name, &variants, &values, enumeration.open),
        (None, None) => {
            return Err(inexpressible("an enumeration of both texts and integers"));
        }
    };
    Ok(quote!(#above #items))
}

/// The declaration of an enumeration definition.
pub(crate) fn enumeration_declaration(
    definition: &NamedDefinition,
    enumeration: &Enumeration,
    names: &Names,
) -> Result<TokenStream, CodegenError> {
    let name = names.definition(&definition.name);
    let declared = declared(&variants(definition, enumeration)?);
    let other = match (enumeration.open, integers(enumeration)) {
        (false, _) => None,
        (true, None) => Some(other(
            "A text that the schema does not know.",
            &quote!(String),
        )),
        (true, Some(_)) => Some(other(
            "An integer that the schema does not know.",
            &names.values.integer(),
        )),
    };
    let copy = (!enumeration.open).then(|| quote!(Copy,));
    let above = above(&definition.doc, definition.deprecated);
    Ok(quote! {
        #above
        #[derive(Debug, Clone, #copy PartialEq, Eq, Hash)]
        pub enum #name {
            #declared
            #other
        }
    })
}

/// The variant of values that the schema does not know.
fn other(description: &str, ty: &TokenStream) -> TokenStream {
    let above = above(description, false);
    quote!(#above Other(#ty),)
}

/// A variant for each value. `Other` is the variant of unknown values.
fn variants(
    definition: &NamedDefinition,
    enumeration: &Enumeration,
) -> Result<Vec<ValueVariant>, CodegenError> {
    let mut scope = Scope::new(format!("definition `{}`", definition.name));
    let variants = enumeration.values.iter().map(|known| {
        let (name, text) = match &known.value {
            Literal::Text(text) => (pascal_case(text), text.clone()),
            Literal::Integer(value) => (variant_name(*value), value.to_string()),
            Literal::Boolean(value) => (pascal_case(&value.to_string()), value.to_string()),
        };
        let given = known.code_name.as_deref();
        let name = given.map_or(name, pascal_case);
        let reserved = enumeration.open && name == "Other" || name == "Self";
        let name = if reserved {
            format!("{name}Value")
        } else {
            name
        };
        let name = ident(&scope.take(name, &text)?);
        let text = known.value.text().map_or(text, |text| format!("{text:?}"));
        Ok(ValueVariant {
            above: above_value(&text, &known.doc, known.deprecated),
            name,
        })
    });
    variants.collect()
}

/// What is above a variant: the value, what it means, and whether it is deprecated.
fn above_value(text: &str, description: &str, deprecated: bool) -> TokenStream {
    let sentence = Some(description).filter(|text| !text.is_empty());
    above(&with_sentence(&format!("`{text}`"), sentence), deprecated)
}

/// The type of a constant that may be absent: an enumeration of one value.
pub(crate) fn constant_type(name: &Ident, value: &str, description: &str) -> TokenStream {
    let variant = constant_variant(value);
    let message = format!("must be the text `{value}`");
    let rejection = quote!(_ => Err(json::Rejection::schema("const", #message)));
    let above = above(description, false);
    let items = closed(name, &[variant], &[value], &rejection);
    quote!(#above #items)
}

/// The declaration of such a type.
pub(crate) fn constant_declaration(name: &Ident, value: &str, description: &str) -> TokenStream {
    let above = above(description, false);
    let declared = declared(&[constant_variant(value)]);
    quote! {
        #above
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum #name {
            #declared
        }
    }
}

fn constant_variant(value: &str) -> ValueVariant {
    let name = pascal_case(value);
    let is_self = name == "Self";
    ValueVariant {
        above: above_value(&format!("{value:?}"), "", false),
        name: ident(if is_self { "SelfValue" } else { &name }),
    }
}

/// The variants as they are declared.
pub(crate) fn declared(variants: &[ValueVariant]) -> TokenStream {
    let variants = variants
        .iter()
        .map(|ValueVariant { above, name }| quote!(#above #name));
    quote!(#(#variants,)*)
}

/// Texts and no others: `rejection` is the arm of the reader for those.
fn closed(
    name: &Ident,
    variants: &[ValueVariant],
    texts: &[&str],
    rejection: &TokenStream,
) -> TokenStream {
    let declared = declared(variants);
    let names: Vec<&Ident> = variants.iter().map(|variant| &variant.name).collect();
    let methods = document_methods_by_value();
    let reader = reader(
        name,
        &quote!(<String as json::ReadJson>::read(raw)?.parse()),
        &Doubt::never(),
    );
    let display = display(name, &quote!(self.as_str()));
    let writer = writer(name, &quote!(json::write_string(out, self.as_str());));
    quote! {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum #name {
            #declared
        }
        impl #name {
            /// The text of the value in JSON.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self {
                    #(Self::#names => #texts,)*
                }
            }
            #methods
        }
        impl std::str::FromStr for #name {
            type Err = json::Rejection;
            fn from_str(text: &str) -> Result<Self, json::Rejection> {
                match text {
                    #(#texts => Ok(Self::#names),)*
                    #rejection,
                }
            }
        }
        impl TryFrom<&str> for #name {
            type Error = json::Rejection;
            fn try_from(text: &str) -> Result<Self, json::Rejection> {
                text.parse()
            }
        }
        #display
        #reader
        #writer
    }
}

/// Texts, and any other.
fn open(name: &Ident, variants: &[ValueVariant], texts: &[&str]) -> TokenStream {
    let declared = declared(variants);
    let names: Vec<&Ident> = variants.iter().map(|variant| &variant.name).collect();
    let methods = document_methods();
    let reader = reader(
        name,
        &quote!(<String as json::ReadJson>::read(raw).map(Self::from)),
        &Doubt::never(),
    );
    let writer = writer(name, &quote!(json::write_string(out, self.as_str());));
    let display = display(name, &quote!(self.as_str()));
    quote! {
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub enum #name {
            #declared
            /// A text that the schema does not know; make it with `From`, which knows the others.
            Other(String),
        }
        impl #name {
            /// The text of the value in JSON.
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self {
                    #(Self::#names => #texts,)*
                    Self::Other(text) => text,
                }
            }
            #methods
        }
        impl From<String> for #name {
            fn from(text: String) -> Self {
                match text.as_str() {
                    #(#texts => Self::#names,)*
                    _ => Self::Other(text),
                }
            }
        }
        impl From<&str> for #name {
            fn from(text: &str) -> Self {
                Self::from(text.to_owned())
            }
        }
        impl std::str::FromStr for #name {
            type Err = std::convert::Infallible;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Ok(Self::from(text))
            }
        }
        #display
        #reader
        #writer
    }
}
