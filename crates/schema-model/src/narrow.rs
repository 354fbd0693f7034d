//! One member that several composed schemas describe: the narrower description holds.

use crate::form::{Form, Forms};
use crate::node::Node;
use crate::types::nothing;
use crate::{Bounds, Enumeration, IrError, JsonKind, Literal, Slot, Type};

/// A description of a member: where it is, and what was read there.
pub(crate) struct Described<'n, 'a> {
    pub place: &'n Node<'a>,
    pub slot: Slot,
}

/// The slot that says all that both say, if one of the two does.
pub(crate) fn narrower<'a>(
    forms: &Forms<'a>,
    first: Described<'_, 'a>,
    second: Described<'_, 'a>,
) -> Result<Option<Slot>, IrError> {
    let nullable = first.slot.nullable && second.slot.nullable;
    let with = |ty: Type| Some(Slot { ty, nullable });
    if first.place.value == second.place.value || implies(forms, &first, &second)? {
        return Ok(with(first.slot.ty));
    }
    if implies(forms, &second, &first)? {
        return Ok(with(second.slot.ty));
    }
    Ok(None)
}

/// Whether no value fits two descriptions, as far as is easily seen.
pub(crate) fn are_apart<'a>(
    forms: &Forms<'a>,
    first: &Described<'_, 'a>,
    second: &Described<'_, 'a>,
) -> Result<bool, IrError> {
    if first.slot.nullable && second.slot.nullable {
        return Ok(false);
    }
    let form =
        |described: &Described<'_, 'a>| forms.resolved(&forms.of_schema(described.place).form);
    let (first, second) = (form(first)?, form(second)?);
    if let (Form::Constant(first), Form::Constant(second)) = (&first, &second) {
        return Ok(first != second);
    }
    let kinds = forms.kind(&first)?.zip(forms.kind(&second)?);
    Ok(kinds.is_some_and(|(first, second)| first != second))
}

/// Whether every value of `narrow` is one of `wide` too, as far as is easily seen.
fn implies<'a>(
    forms: &Forms<'a>,
    narrow: &Described<'_, 'a>,
    wide: &Described<'_, 'a>,
) -> Result<bool, IrError> {
    let form =
        |described: &Described<'_, 'a>| forms.resolved(&forms.of_schema(described.place).form);
    let kind = match &narrow.slot.ty {
        Type::Any { .. } => None,
        _ => forms.kind(&form(narrow)?)?,
    };
    Ok(match &wide.slot.ty {
        ty if *ty == narrow.slot.ty || narrow.slot.ty == nothing() => true,
        Type::Any { .. } => true,
        Type::Text {
            pattern: None,
            minimum_length: None,
            maximum_length: None,
            conditions,
            ..
        } if conditions.is_empty() => kind == Some(JsonKind::String),
        Type::Number(limits) if *limits == Bounds::default() => kind == Some(JsonKind::Number),
        Type::Integer(limits) if *limits == Bounds::default() => match form(narrow)? {
            Form::Constant(value) => matches!(value, Literal::Integer(_)),
            Form::Typed(_, name) => name == "integer",
            _ => kind == Some(JsonKind::Number),
        },
        Type::OpenObject => kind == Some(JsonKind::Object),
        Type::List {
            items,
            minimum_items: None,
            maximum_items: None,
            unique: false,
            conditions,
        } if items.ty == (Type::Any { nullable: true }) && conditions.is_empty() => {
            kind == Some(JsonKind::Array)
        }
        Type::Reference { .. } => match form(wide)? {
            Form::Enumeration(known) => is_part(&form(narrow)?, &known),
            _ => false,
        },
        _ => false,
    })
}

fn is_part(form: &Form<'_>, known: &Enumeration) -> bool {
    let has = |value: &Literal| known.open || known.values.iter().any(|each| each.value == *value);
    match form {
        Form::Constant(value) => has(value),
        Form::Enumeration(narrow) => {
            narrow.values.iter().all(|each| has(&each.value)) && (known.open || !narrow.open)
        }
        _ => false,
    }
}
