//! Enumerations of integers, closed and open.

use chatstate_ir::{Enumeration, Literal};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::module::{document_methods, document_methods_by_value};
use crate::object::suffixed;

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

/// The items of an enumeration, whose variants are already printed.
pub(crate) fn integer_enumeration(
    name: &Ident,
    variants: &[(Ident, TokenStream)],
    values: &[i64],
    open: bool,
) -> TokenStream {
    let names: Vec<_> = variants.iter().map(|(name, _)| name).collect();
    let docs = variants.iter().map(|(_, docs)| docs);
    let texts = values.iter().map(ToString::to_string);
    let values: Vec<_> = values.iter().map(|value| suffixed(*value)).collect();
    if open {
        return open_enumeration(name, variants, &values);
    }
    let methods = document_methods_by_value();
    quote! {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum #name {
            #(#docs #names,)*
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
        impl ReadJson for #name {
            fn read(raw: Raw<'_>) -> Result<Self, Rejection> {
                let number = json::Number::read(raw)?;
                match number.as_i64() {
                    #(Some(#values) => Ok(Self::#names),)*
                    _ => Err(constraint::no_such_value(number.as_str(), &[#(#texts),*])),
                }
            }
        }
        impl WriteJson for #name {
            fn write(&self, out: &mut String) {
                self.as_i64().write(out);
            }
        }
    }
}

fn open_enumeration(
    name: &Ident,
    variants: &[(Ident, TokenStream)],
    values: &[proc_macro2::Literal],
) -> TokenStream {
    let names: Vec<_> = variants.iter().map(|(name, _)| name).collect();
    let docs = variants.iter().map(|(_, docs)| docs);
    let methods = document_methods();
    quote! {
        #[derive(Debug, Clone, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum #name {
            #(#docs #names,)*
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
        impl ReadJson for #name {
            fn read(raw: Raw<'_>) -> Result<Self, Rejection> {
                let number = json::Number::read(raw)?;
                constraint::integer(&number)?;
                Ok(Self::from(number))
            }
        }
        impl WriteJson for #name {
            fn write(&self, out: &mut String) {
                match self {
                    #(Self::#names => WriteJson::write(&#values, out),)*
                    Self::Other(number) => number.write(out),
                }
            }
        }
    }
}
