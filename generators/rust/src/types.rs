//! The Rust type of a model type.

use chatstate_codegen::CodegenError;
use chatstate_schema_model::{Bounds, Literal, Slot, Type};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::names::Names;

/// The most items of a tuple: the runtime reads and writes tuples up to this length.
const MOST_ITEMS: usize = 12;

/// What the values are of that Rust has no type for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Values {
    /// Exact JSON, which packages read and write.
    Exact,
    /// What Rust has instead, and `serde_json` for any JSON value.
    Plain,
}

impl Values {
    /// The type of numbers.
    fn number(self) -> TokenStream {
        match self {
            Self::Exact => quote!(json::Number),
            Self::Plain => quote!(f64),
        }
    }

    /// The type of integers without bounds.
    pub fn integer(self) -> TokenStream {
        match self {
            Self::Exact => quote!(json::Number),
            Self::Plain => quote!(i64),
        }
    }

    /// The type of any JSON value.
    fn any(self) -> TokenStream {
        match self {
            Self::Exact => quote!(json::Value),
            Self::Plain => quote!(serde_json::Value),
        }
    }

    /// The type of any JSON object.
    pub fn object(self) -> TokenStream {
        match self {
            Self::Exact => quote!(json::Object),
            Self::Plain => quote!(serde_json::Map<String, serde_json::Value>),
        }
    }

    /// The type of texts that may end within a character.
    fn split_text(self) -> TokenStream {
        match self {
            Self::Exact => quote!(json::SplitText),
            Self::Plain => quote!(String),
        }
    }

    /// The type of objects whose members have one type.
    fn map(self, of: &TokenStream) -> TokenStream {
        match self {
            Self::Exact => quote!(indexmap::IndexMap<String, #of>),
            Self::Plain => quote!(std::collections::BTreeMap<String, #of>),
        }
    }

    /// The type of a member that is absent, null, or there.
    pub fn presence(self, of: &TokenStream) -> TokenStream {
        match self {
            Self::Exact => quote!(json::Presence<#of>),
            Self::Plain => quote!(Option<Option<#of>>),
        }
    }
}

/// The Rust type of `ty`, `null` aside. `constant` is the name of the type of a constant, where
/// there is one.
pub(crate) fn rust_type(
    ty: &Type,
    names: &Names,
    constant: Option<&Ident>,
) -> Result<TokenStream, CodegenError> {
    Ok(match ty {
        Type::Reference { to, cyclic } => {
            let name = names.definition(to);
            if *cyclic {
                quote!(Box<#name>)
            } else {
                quote!(#name)
            }
        }
        Type::List { items, .. } => {
            let items = slot_type(items, names, constant)?;
            quote!(Vec<#items>)
        }
        Type::Map(values) => {
            let values = slot_type(values, names, constant)?;
            names.values.map(&values)
        }
        Type::Constant(literal) => match constant {
            Some(name) => quote!(#name),
            None => literal_type(literal),
        },
        Type::UnknownTag(_) | Type::Text { .. } => quote!(String),
        Type::SplitText => names.values.split_text(),
        Type::Boolean => quote!(bool),
        Type::Integer(bounds) if range(bounds).is_some() => quote!(i64),
        Type::Integer(_) => names.values.integer(),
        Type::Number(_) => names.values.number(),
        Type::Tuple(slots) => tuple_type(slots, names)?,
        Type::OpenObject => names.values.object(),
        Type::Any { .. } => names.values.any(),
    })
}

/// A constant without a name of its own is a plain value, which the reader checks.
fn literal_type(literal: &Literal) -> TokenStream {
    match literal {
        Literal::Boolean(_) => quote!(bool),
        Literal::Integer(_) => quote!(i64),
        Literal::Text(_) => quote!(String),
    }
}

fn tuple_type(slots: &[Slot], names: &Names) -> Result<TokenStream, CodegenError> {
    // The reader of packages reads no empty array as one.
    let fewest = usize::from(names.values == Values::Exact);
    if !(fewest..=MOST_ITEMS).contains(&slots.len()) {
        return Err(inexpressible(&format!(
            "an array of exactly {} items",
            slots.len()
        )));
    }
    let types = slots.iter().map(|slot| slot_type(slot, names, None));
    let types = types.collect::<Result<Vec<_>, _>>()?;
    Ok(quote!((#(#types,)*)))
}

/// The Rust type of what a list or map holds. A JSON value includes null; nothing else does.
fn slot_type(
    slot: &Slot,
    names: &Names,
    constant: Option<&Ident>,
) -> Result<TokenStream, CodegenError> {
    let ty = rust_type(&slot.ty, names, constant)?;
    Ok(if slot.nullable && !holds_null(&slot.ty, names) {
        quote!(Option<#ty>)
    } else {
        ty
    })
}

/// Whether the Rust type has a value for null of its own.
pub(crate) fn holds_null(ty: &Type, names: &Names) -> bool {
    match ty {
        Type::Any { nullable } => *nullable,
        Type::Reference { to, .. } => names.takes_null(to),
        _ => false,
    }
}

/// The constant that a type holds at any depth.
pub(crate) fn constant_in(ty: &Type) -> Option<&str> {
    match ty {
        Type::Constant(value) => value.text(),
        Type::List { items: slot, .. } | Type::Map(slot) => constant_in(&slot.ty),
        _ => None,
    }
}

/// The least and the greatest value of an integer that has both, and nothing else.
pub(crate) fn range(bounds: &Bounds) -> Option<(i64, i64)> {
    let more = [
        &bounds.exclusive_minimum,
        &bounds.exclusive_maximum,
        &bounds.multiple_of,
    ];
    if more.iter().any(|bound| bound.is_some()) {
        return None;
    }
    Some((
        bounds.minimum.as_ref()?.as_i64()?,
        bounds.maximum.as_ref()?.as_i64()?,
    ))
}

/// What the generator has no Rust for.
pub(crate) fn inexpressible(what: &str) -> CodegenError {
    CodegenError::Inexpressible {
        message: format!("there is no Rust for {what}"),
        place: "the schema".to_owned(),
        help: "write it with objects, lists and unions that a tag tells apart".to_owned(),
    }
}
