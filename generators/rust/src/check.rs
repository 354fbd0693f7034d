//! Constraints: the expression that checks a value beyond its Rust type.

use chatstate_codegen::CodegenError;
use chatstate_ir::{Bounds, Literal, Slot, Type};
use proc_macro2::TokenStream;
use quote::quote;
use regex::Regex;
use serde_json::Number;

use crate::names::Names;
use crate::types::{holds_null, inexpressible, range};

/// An expression of type `Result<(), Rejection>` over `value`, a reference to the type's value; or
/// nothing where the Rust type says it all. `typed` says that a constant in it has a Rust type of
/// its own.
pub(crate) fn check(
    ty: &Type,
    names: &Names,
    typed: bool,
) -> Result<Option<TokenStream>, CodegenError> {
    Ok(match ty {
        Type::Text { pattern, minimum_length, maximum_length, .. } => {
            let pattern = pattern.as_deref().map(check_pattern).transpose()?;
            let least = minimum_length.map(count).map(|least| quote!(constraint::min_length(value, #least)));
            let most = maximum_length.map(count).map(|most| quote!(constraint::max_length(value, #most)));
            all([pattern, least, most])
        }
        Type::Integer(bounds) => match range(bounds) {
            Some((minimum, maximum)) => {
                let (minimum, maximum) = (integer(minimum), integer(maximum));
                Some(quote!(constraint::range(*value, #minimum, #maximum)))
            }
            None => all([Some(quote!(constraint::integer(value))), check_bounds(bounds)?]),
        },
        Type::Number(bounds) => check_bounds(bounds)?,
        Type::List { items, minimum_items, maximum_items, unique } => {
            let least = minimum_items.map(count).map(|least| quote!(constraint::min_items(value.len(), #least)));
            let most = maximum_items.map(count).map(|most| quote!(constraint::max_items(value.len(), #most)));
            let unique = unique.then(|| quote!(constraint::unique_items(value)));
            let items = check_slot(items, names, typed)?.map(|check| {
                quote!(value.iter().enumerate().try_for_each(|(index, value)| #check.map_err(|rejection| rejection.within(index))))
            });
            all([least, most, unique, items])
        }
        Type::Map(values) => check_slot(values, names, typed)?.map(|check| {
            quote!(value.iter().try_for_each(|(name, value)| #check.map_err(|rejection| rejection.within(name))))
        }),
        Type::Tuple(slots) => check_tuple(slots, names)?,
        Type::Constant(literal) => (!typed).then(|| check_constant(literal)),
        Type::Any { nullable: false } => Some(quote!(constraint::not_null(value))),
        Type::UnknownTag(known) => Some(quote!(constraint::unknown_tag(value, &[#(#known),*]))),
        _ => None,
    })
}

/// The check of what a list or map holds, past a null.
fn check_slot(
    slot: &Slot,
    names: &Names,
    typed: bool,
) -> Result<Option<TokenStream>, CodegenError> {
    let check = check(&slot.ty, names, typed)?;
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

/// The checks of the items of a tuple that have one.
fn check_tuple(slots: &[Slot], names: &Names) -> Result<Option<TokenStream>, CodegenError> {
    let mut checks = Vec::new();
    for (index, slot) in slots.iter().enumerate() {
        if let Some(check) = check_slot(slot, names, false)? {
            let index = count(index as u64);
            checks.push(quote!({
                let value = &value.#index;
                #check.map_err(|rejection| rejection.within(#index))
            }));
        }
    }
    let both = |first, second| quote!(#first.and_then(|()| #second));
    Ok(checks.into_iter().reduce(both))
}

/// The check of a constant that is read as a plain value.
fn check_constant(literal: &Literal) -> TokenStream {
    match literal {
        Literal::Boolean(expected) => {
            quote!(constraint::constant(*value == #expected, &#expected))
        }
        Literal::Integer(expected) => {
            let expected = integer(*expected);
            quote!(constraint::constant(*value == #expected, &#expected))
        }
        Literal::Text(expected) => {
            quote!(constraint::constant(*value == #expected, #expected))
        }
    }
}

fn check_bounds(bounds: &Bounds) -> Result<Option<TokenStream>, CodegenError> {
    let least = bounds.minimum.as_ref().map(|bound| match bound.as_i64() {
        Some(bound) => {
            let bound = integer(bound);
            quote!(constraint::minimum(value, #bound))
        }
        None => spelled(&quote!(Minimum), bound),
    });
    let greatest = bounds.maximum.as_ref().map(|bound| match bound.as_i64() {
        Some(bound) => {
            let bound = integer(bound);
            quote!(constraint::maximum(value, #bound))
        }
        None => spelled(&quote!(Maximum), bound),
    });
    let above = bounds.exclusive_minimum.as_ref();
    let below = bounds.exclusive_maximum.as_ref();
    let step = bounds.multiple_of.as_ref();
    if let Some(step) = step.filter(|step| !has_few_digits(step)) {
        return Err(inexpressible(&format!("a multiple of `{step}`")));
    }
    Ok(all([
        least,
        greatest,
        above.map(|bound| spelled(&quote!(ExclusiveMinimum), bound)),
        below.map(|bound| spelled(&quote!(ExclusiveMaximum), bound)),
        step.map(|bound| spelled(&quote!(MultipleOf), bound)),
    ]))
}

/// The check of a bound that is not an integer of 64 bits, or is none that a number may have.
fn spelled(kind: &TokenStream, bound: &Number) -> TokenStream {
    let text = bound.to_string();
    quote!(constraint::bound(value, constraint::Bound::#kind, #text))
}

/// Whether the digits of a number are an integer of 64 bits.
fn has_few_digits(number: &Number) -> bool {
    let text = number.to_string();
    let digits = text.split(['e', 'E']).next().unwrap_or_default();
    digits.replace(['.', '-'], "").parse::<u64>().is_ok()
}

/// A length as it is printed.
pub(crate) fn count(value: u64) -> proc_macro2::Literal {
    proc_macro2::Literal::u64_unsuffixed(value)
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
