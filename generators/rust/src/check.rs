//! Constraints: the expression that checks a value beyond its Rust type.

use chatstate_codegen::CodegenError;
use chatstate_ir::{Bounds, Slot, Type};
use proc_macro2::TokenStream;
use quote::quote;
use regex::Regex;
use serde_json::Number;

use crate::names::Names;
use crate::types::{holds_null, range};

/// An expression of type `Result<(), Rejection>` over `value`, a reference to the type's value; or
/// nothing where the Rust type says it all.
pub(crate) fn check(ty: &Type, names: &Names) -> Result<Option<TokenStream>, CodegenError> {
    Ok(match ty {
        Type::Text { pattern, minimum_length, .. } => {
            let pattern = pattern.as_deref().map(check_pattern).transpose()?;
            let length = minimum_length.map(|least| {
                let least = proc_macro2::Literal::u64_unsuffixed(least);
                quote!(constraint::min_length(value, #least))
            });
            all([pattern, length])
        }
        Type::Integer(bounds) => match range(bounds) {
            Some((minimum, maximum)) => {
                let (minimum, maximum) = (integer(minimum), integer(maximum));
                Some(quote!(constraint::range(*value, #minimum, #maximum)))
            }
            None => all([Some(quote!(constraint::integer(value))), check_bounds(bounds)]),
        },
        Type::Number(bounds) => check_bounds(bounds),
        Type::List { items, minimum_items, .. } => {
            let length = minimum_items.map(|least| {
                let least = proc_macro2::Literal::u64_unsuffixed(least);
                quote!(constraint::min_items(value.len(), #least))
            });
            let items = check_slot(items, names)?.map(|check| {
                quote!(value.iter().enumerate().try_for_each(|(index, value)| #check.map_err(|rejection| rejection.within(index))))
            });
            all([length, items])
        }
        Type::Map(values) => check_slot(values, names)?.map(|check| {
            quote!(value.iter().try_for_each(|(name, value)| #check.map_err(|rejection| rejection.within(name))))
        }),
        Type::Any { nullable: false } => Some(quote!(constraint::not_null(value))),
        Type::UnknownTag(known) => Some(quote!(constraint::unknown_tag(value, &[#(#known),*]))),
        _ => None,
    })
}

/// The check of what a list or map holds, past a null.
fn check_slot(slot: &Slot, names: &Names) -> Result<Option<TokenStream>, CodegenError> {
    let check = check(&slot.ty, names)?;
    Ok(match check {
        Some(check) if slot.nullable && !holds_null(&slot.ty, names) => {
            Some(quote!(value.as_ref().map_or(Ok(()), |value| #check)))
        }
        check => check,
    })
}

/// The checks one after the other.
fn all<const N: usize>(checks: [Option<TokenStream>; N]) -> Option<TokenStream> {
    checks
        .into_iter()
        .flatten()
        .reduce(|first, second| quote!(#first.and_then(|()| #second)))
}

fn check_bounds(bounds: &Bounds) -> Option<TokenStream> {
    let least = whole(bounds.minimum.as_ref()).map(|bound| {
        let bound = integer(bound);
        quote!(constraint::minimum(value, #bound))
    });
    let greatest = whole(bounds.maximum.as_ref()).map(|bound| {
        let bound = integer(bound);
        quote!(constraint::maximum(value, #bound))
    });
    all([least, greatest])
}

/// A bound as an integer of 64 bits.
pub(crate) fn whole(bound: Option<&Number>) -> Option<i64> {
    bound.and_then(Number::as_i64)
}

fn check_pattern(text: &str) -> Result<TokenStream, CodegenError> {
    let pattern = pattern(text)?;
    Ok(quote!(constraint::pattern(value, #pattern)))
}

/// A reference to a compiled pattern. It is compiled here once, so that the generated code cannot
/// hold one that fails.
pub(crate) fn pattern(pattern: &str) -> Result<TokenStream, CodegenError> {
    if let Err(error) = Regex::new(pattern) {
        return Err(CodegenError::Inexpressible {
            message: format!("the pattern `{pattern}` is not known in Rust: {error}"),
            place: "a `pattern`".to_owned(),
            help: "write it without look-around and back references".to_owned(),
        });
    }
    Ok(quote!({
        static PATTERN: LazyLock<Regex> =
            LazyLock::new(|| Regex::new(#pattern).expect("the generator has compiled this pattern"));
        &PATTERN
    }))
}

/// An integer literal with its digits in groups.
pub(crate) fn integer(value: i64) -> TokenStream {
    let digits = value.unsigned_abs().to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push('_');
        }
        grouped.push(digit);
    }
    let sign = if value < 0 { "-" } else { "" };
    format!("{sign}{grouped}").parse().unwrap_or_default()
}
