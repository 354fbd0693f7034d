//! Enumerations of integers, closed and open.

use chatstate_schema_model::{Enumeration, Literal};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::doubt::Doubt;
use crate::enumeration::{ValueVariant, declared};
use crate::implementations::{
    display, document_methods, document_methods_by_value, reader, writer,
};

/// The values, if they are integers.
pub(crate) fn integers(enumeration: &Enumeration) -> Option<Vec<i64>> {
    let values = enumeration.values.iter();
    let values = values.map(|known| match known.value {
        Literal::Integer(value) => Some(value),
        Literal::Boolean(_) | Literal::Text(_) => None,
    });
    values.collect()
}

/// The name of the variant of an integer: `N1`, `Minus1`.
pub(crate) fn variant_name(value: i64) -> String {
    let sign = if value < 0 { "Minus" } else { "N" };
    format!("{sign}{}", value.unsigned_abs())
}

/// The items of an enumeration of integers, without what is above it.
pub(crate) fn integer_enumeration(
    name: &Ident,
    variants: &[ValueVariant],
    values: &[i64],
    is_open: bool,
) -> TokenStream {
    if is_open {
        open(name, variants, values)
    } else {
        closed(name, variants, values)
    }
}

/// Integers and no others.
fn closed(name: &Ident, variants: &[ValueVariant], values: &[i64]) -> TokenStream {
    let declared = declared(variants);
    let names: Vec<&Ident> = variants.iter().map(|variant| &variant.name).collect();
    let texts = values.iter().map(ToString::to_string);
    let methods = document_methods_by_value();
    let reader = reader(
        name,
        &quote!(Self::try_from(&<json::Number as json::ReadJson>::read(
            raw
        )?)),
        &Doubt::never(),
    );
    let display = display(name, &quote!(&self.as_i64().to_string()));
    let writer = writer(name, &quote!(json::WriteJson::write(&self.as_i64(), out);));
    quote! {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum #name {
            #declared
        }
        impl #name {
            /// The value in JSON.
            #[must_use]
            pub fn as_i64(self) -> i64 {
                match self {
                    #(Self::#names => #values,)*
                }
            }
            #methods
        }
        impl TryFrom<&json::Number> for #name {
            type Error = json::Rejection;
            fn try_from(number: &json::Number) -> Result<Self, json::Rejection> {
                match number.as_i64() {
                    #(Some(#values) => Ok(Self::#names),)*
                    _ => Err(json::constraint::no_such_value(number.as_str(), &[#(#texts),*])),
                }
            }
        }
        impl TryFrom<i64> for #name {
            type Error = json::Rejection;
            fn try_from(value: i64) -> Result<Self, json::Rejection> {
                Self::try_from(&json::Number::from(value))
            }
        }
        #display
        #reader
        #writer
    }
}

/// Integers, and any other.
fn open(name: &Ident, variants: &[ValueVariant], values: &[i64]) -> TokenStream {
    let declared = declared(variants);
    let names: Vec<&Ident> = variants.iter().map(|variant| &variant.name).collect();
    let methods = document_methods();
    let reader = reader(
        name,
        &quote! {
            let number = <json::Number as json::ReadJson>::read(raw)?;
            json::constraint::integer(&number)?;
            Ok(Self::from(number))
        },
        &Doubt::by(quote!(
            matches!(self, Self::Other(number) if !number.is_integer())
        )),
    );
    let writer = writer(
        name,
        &quote! {
            match self {
                #(Self::#names => json::WriteJson::write(&#values, out),)*
                Self::Other(number) => json::WriteJson::write(number, out),
            }
        },
    );
    let display = display(name, &quote!(&json::to_text(self)));
    quote! {
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum #name {
            #declared
            /// An integer that the schema does not know; make it with `From`, which knows the others.
            Other(json::Number),
        }
        impl #name {
            #methods
        }
        impl From<json::Number> for #name {
            fn from(number: json::Number) -> Self {
                match number.as_i64() {
                    #(Some(#values) => Self::#names,)*
                    _ => Self::Other(number),
                }
            }
        }
        impl From<i64> for #name {
            fn from(value: i64) -> Self {
                Self::from(json::Number::from(value))
            }
        }
        #display
        #reader
        #writer
    }
}
