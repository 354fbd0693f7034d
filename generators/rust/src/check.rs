//! Constraints: the expression that checks a value beyond its Rust type.

use chatstate_codegen::{CodegenError, ConditionView};
use chatstate_schema_model::{Bounds, Condition, Literal, Slot, Type};
use proc_macro2::{Literal as Token, TokenStream};
use quote::quote;
use regex::Regex;
use serde_json::Number;

use crate::names::{Names, ident};
use crate::reader::asked_condition;
use crate::types::{Values, holds_null, inexpressible, range};

/// An expression of type `Result<(), Rejection>` over `value`, a reference to the type's value; or
/// nothing where the Rust type says it all. `typed` says that a constant in it has a Rust type of
/// its own.
pub(crate) fn check(
    ty: &Type,
    names: &Names,
    typed: bool,
) -> Result<Option<TokenStream>, CodegenError> {
    // Plain declarations check nothing.
    if names.values == Values::Plain {
        return Ok(None);
    }
    Ok(match ty {
        Type::Text {
            pattern,
            minimum_length,
            maximum_length,
            conditions,
            ..
        } => {
            let pattern = pattern.as_deref().map(check_pattern).transpose()?;
            let least = minimum_length.map(|least| limit("min_length", &quote!(value), least));
            let most = maximum_length.map(|most| limit("max_length", &quote!(value), most));
            all([pattern, least, most].into_iter().chain(asked(conditions)))
        }
        Type::Integer(bounds) => match range(bounds) {
            Some((minimum, maximum)) => {
                let (minimum, maximum) = (integer(minimum), integer(maximum));
                Some(quote!(json::constraint::range(*value, #minimum, #maximum)))
            }
            None => all([
                Some(quote!(json::constraint::integer(value))),
                check_bounds(bounds)?,
            ]),
        },
        Type::Number(bounds) => check_bounds(bounds)?,
        Type::List {
            items,
            minimum_items,
            maximum_items,
            unique,
            conditions,
        } => {
            let length = quote!(value.len());
            let least = minimum_items.map(|least| limit("min_items", &length, least));
            let most = maximum_items.map(|most| limit("max_items", &length, most));
            let unique = unique.then(|| quote!(json::constraint::unique_items(value)));
            let items = check_slot(items, names, typed)?;
            let items = items.map(|check| each(&quote!(.enumerate()), &check));
            all([least, most, unique, items]
                .into_iter()
                .chain(asked(conditions)))
        }
        Type::Map(values) => {
            let values = check_slot(values, names, typed)?;
            values.map(|check| each(&TokenStream::new(), &check))
        }
        Type::Tuple(slots) => check_tuple(slots, names)?,
        Type::Constant(literal) => (!typed).then(|| check_constant(literal)),
        Type::Any { nullable: false } => Some(quote!(json::constraint::not_null(value))),
        Type::UnknownTag(known) => {
            Some(quote!(json::constraint::unknown_tag(value, &[#(#known),*])))
        }
        _ => None,
    })
}

/// The checks of conditions.
fn asked(conditions: &[Condition]) -> Vec<Option<TokenStream>> {
    let conditions = ConditionView::all(conditions, str::to_owned).into_iter();
    let checks = conditions.map(|condition| {
        let asked = asked_condition(&condition);
        Some(quote!(json::constraint::condition(value, #asked)))
    });
    checks.collect()
}

/// A limit of a length.
fn limit(function: &str, value: &TokenStream, limit: u64) -> TokenStream {
    let (function, limit) = (ident(function), count(limit));
    quote!(json::constraint::#function(#value, #limit))
}

/// The check of each of many, which have a place.
fn each(steps: &TokenStream, check: &TokenStream) -> TokenStream {
    quote! {
        value.iter()#steps.try_for_each(|(place, value)| {
            #check.map_err(|rejection| rejection.within(place))
        })
    }
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
fn all(checks: impl IntoIterator<Item = Option<TokenStream>>) -> Option<TokenStream> {
    let checks = checks.into_iter().flatten();
    checks.reduce(|first, second| quote!(#first.and_then(|()| #second)))
}

/// The checks of the items of a tuple that have one.
fn check_tuple(slots: &[Slot], names: &Names) -> Result<Option<TokenStream>, CodegenError> {
    let checks = slots.iter().enumerate().map(|(index, slot)| {
        let check = check_slot(slot, names, false)?;
        Ok(check.map(|check| {
            let index = Token::usize_unsuffixed(index);
            quote!({
                let value = &value.#index;
                #check.map_err(|rejection| rejection.within(#index))
            })
        }))
    });
    Ok(all(checks.collect::<Result<Vec<_>, CodegenError>>()?))
}

/// The check of a constant that is read as a plain value.
fn check_constant(literal: &Literal) -> TokenStream {
    match literal {
        Literal::Boolean(expected) => {
            quote!(json::constraint::constant(*value == #expected, &#expected))
        }
        Literal::Integer(expected) => {
            let expected = integer(*expected);
            quote!(json::constraint::constant(*value == #expected, &#expected))
        }
        Literal::Text(expected) => {
            quote!(json::constraint::constant(*value == #expected, #expected))
        }
    }
}

fn check_bounds(bounds: &Bounds) -> Result<Option<TokenStream>, CodegenError> {
    let step = bounds.multiple_of.as_ref();
    if let Some(step) = step.filter(|step| !has_few_digits(step)) {
        return Err(inexpressible(&format!("a multiple of `{step}`")));
    }
    let spelled = |kind: &str, bound: &Option<Number>| Some(spelled(kind, bound.as_ref()?));
    let bound = |function: &str, kind: &str, bound: &Option<Number>| {
        let Some(integer) = whole(bound.as_ref()).map(integer) else {
            return spelled(kind, bound);
        };
        let function = ident(function);
        Some(quote!(json::constraint::#function(value, #integer)))
    };
    Ok(all([
        bound("minimum", "Minimum", &bounds.minimum),
        bound("maximum", "Maximum", &bounds.maximum),
        spelled("ExclusiveMinimum", &bounds.exclusive_minimum),
        spelled("ExclusiveMaximum", &bounds.exclusive_maximum),
        spelled("MultipleOf", &bounds.multiple_of),
    ]))
}

/// The check of a bound that is not an integer of 64 bits, or is none that a number may have.
fn spelled(kind: &str, bound: &Number) -> TokenStream {
    let (kind, text) = (ident(kind), bound.to_string());
    quote!(json::constraint::bound(value, json::constraint::Bound::#kind, #text))
}

/// Whether the digits of a number are an integer of 64 bits.
fn has_few_digits(number: &Number) -> bool {
    let text = number.to_string();
    let digits = text.split(['e', 'E']).next().unwrap_or_default();
    digits.replace(['.', '-'], "").parse::<u64>().is_ok()
}

/// A bound as an integer of 64 bits.
pub(crate) fn whole(bound: Option<&Number>) -> Option<i64> {
    bound.and_then(Number::as_i64)
}

/// An integer without its type.
pub(crate) fn integer(value: i64) -> Token {
    Token::i64_unsuffixed(value)
}

/// A length without its type.
pub(crate) fn count(value: u64) -> Token {
    Token::u64_unsuffixed(value)
}

fn check_pattern(text: &str) -> Result<TokenStream, CodegenError> {
    let pattern = pattern(text)?;
    Ok(quote!(json::constraint::pattern(value, #pattern)))
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
        static PATTERN: json::constraint::Pattern = json::constraint::Pattern::new(|| {
            regex::Regex::new(#pattern).expect("the generator has compiled this pattern")
        });
        &PATTERN
    }))
}
