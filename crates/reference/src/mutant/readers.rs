//! Faults of readers: a document with a defect is taken, and what is written back is another document,
//! or nothing is; or what is valid is taken by `validate` alone.

use chatstate::definition::{ObjectShape, Shape};
use chatstate::generated::definitions::DEFINITIONS;
use chatstate::json::{Surrogates, Value, parse_with};
use chatstate_protocol::{Rejected, Reply, RunRequest};

use super::super::operation;
use super::Defect;
use super::written::{ValueChange, walk};

/// The faults of readers by the ids of the mutants.
pub(super) const DEFECTS: &[(&str, Defect)] = &[
    (
        "reader-fills-in-required",
        Defect::Answered(|it| mended(it, fill_in_required)),
    ),
    (
        "reader-takes-null-for-absent",
        Defect::Answered(|it| mended(it, leave_out_null)),
    ),
    (
        "reader-takes-words-for-unknown",
        Defect::Answered(take_words_for_unknown),
    ),
    (
        "reader-cannot-write-incomplete",
        Defect::Answered(cannot_write_incomplete),
    ),
    (
        "reader-refuses-zero-fraction",
        Defect::Answered(refuse_zero_fraction),
    ),
    (
        "reader-takes-other-variant",
        Defect::Answered(take_other_variant),
    ),
];

/// Does what it is asked with a document that has been mended, and says nothing of it.
fn mended(request: &RunRequest, mut mend: ValueChange) -> Reply {
    match operation::run(request) {
        Reply::Rejected(rejected) => changed(request, &mut mend).map_or_else(
            || Reply::Rejected(rejected),
            |document| operation::run(&with_document(request, &document)),
        ),
        reply => reply,
    }
}

/// The document of a request after a change along the schema, if it is JSON.
fn changed(
    request: &RunRequest,
    change: &mut dyn FnMut(&mut Value, Option<&'static Shape>),
) -> Option<Value> {
    let name = request.document_type.as_deref()?;
    let definition = chatstate::definition::definition_of(name)?;
    let text = request.input.as_deref()?;
    let mut document = parse_with(text, Surrogates::AllowUnpairedAtEnds).ok()?;
    walk(&mut document, Some(&definition.shape), change);
    Some(document)
}

fn with_document(request: &RunRequest, document: &Value) -> RunRequest {
    RunRequest {
        input: Some(document.to_json()),
        ..request.clone()
    }
}

/// Gives a required member that is absent the emptiest value of its kind.
fn fill_in_required(value: &mut Value, shape: Option<&'static Shape>) {
    let Value::Object(object) = value else {
        return;
    };
    for member in ObjectShape::of(shape, object).members.unwrap_or_default() {
        if member.required
            && !object.contains_key(member.name)
            && let Some(empty) = empty(&member.shape)
        {
            object.insert(member.name, empty);
        }
    }
}

/// The emptiest value of a shape, where a language has one.
fn empty(shape: &Shape) -> Option<Value> {
    match shape {
        Shape::Text | Shape::SplitText => Some(Value::from("")),
        Shape::List(_) => Some(Value::Array(Vec::new())),
        Shape::Reference(definition) => empty(&definition.shape),
        Shape::Constrained { shape, .. } => empty(shape),
        _ => None,
    }
}

/// Leaves out members that are null and may not be.
fn leave_out_null(value: &mut Value, shape: Option<&'static Shape>) {
    if let Value::Object(object) = value {
        let known = ObjectShape::of(shape, object);
        let may_be_null = |name: &str| {
            let member = known.member(name);
            member.is_none_or(|it| it.nullable || matches!(it.shape, Shape::Any))
        };
        object.retain(|name, value| *value != Value::Null || may_be_null(name));
    }
}

/// Reads a word that a closed set lacks as its value `unknown`, and writes that.
fn take_words_for_unknown(request: &RunRequest) -> Reply {
    let reply = mended(request, |value, shape| set_unknown_word(value, shape, None));
    let mut unknown = |value: &mut Value, shape| set_unknown_word(value, shape, Some("unknown"));
    match (&reply, changed(request, &mut unknown)) {
        (Reply::Ok(_), Some(document)) if request.op == "round-trip" => {
            Reply::Ok(document.to_json())
        }
        _ => reply,
    }
}

/// Replaces a word that a closed set lacks by another one, or by the first of the set.
fn set_unknown_word(value: &mut Value, shape: Option<&'static Shape>, word: Option<&str>) {
    let Some(values) = shape.and_then(closed_words) else {
        return;
    };
    if let Value::String(text) = value
        && !values.contains(&text.as_str())
    {
        word.unwrap_or(values[0]).clone_into(text);
    }
}

fn closed_words(shape: &Shape) -> Option<&'static [&'static str]> {
    match shape {
        Shape::Enumeration {
            values,
            open: false,
        } => Some(values),
        Shape::Reference(definition) => closed_words(&definition.shape),
        _ => None,
    }
}

/// Misses a required member only when it has to write it.
fn cannot_write_incomplete(request: &RunRequest) -> Reply {
    match operation::run(request) {
        Reply::Rejected(rejected) if rejected.rule.as_deref() == Some("required") => {
            match request.op.as_str() {
                "validate" => Reply::Ok("true".to_owned()),
                _ => Reply::Fault(format!("a value is missing: {}", said(&rejected))),
            }
        }
        reply => reply,
    }
}

fn said(rejected: &Rejected) -> &str {
    rejected.at.as_deref().unwrap_or_default()
}

/// Reads only digits where an integer stands, although `validate` knows better.
fn refuse_zero_fraction(request: &RunRequest) -> Reply {
    let mut found = false;
    changed(request, &mut |value, shape| {
        found |= has_fraction(value, shape);
    });
    if request.op == "round-trip" && found {
        return Reply::Rejected(Rejected {
            class: Some("schema".to_owned()),
            rule: Some("type".to_owned()),
            message: Some("digits are expected".to_owned()),
            ..Rejected::default()
        });
    }
    operation::run(request)
}

/// Reads a document of one variant as one of the union that the variant is in.
fn take_other_variant(request: &RunRequest) -> Reply {
    let union = DEFINITIONS
        .iter()
        .find(|definition| match definition.shape {
            Shape::Union { arms, .. } => {
                let mut names = arms.iter().map(|(_, variant)| variant.name);
                names.any(|name| Some(name) == request.document_type.as_deref())
            }
            _ => false,
        });
    operation::run(&RunRequest {
        document_type: union.map_or_else(
            || request.document_type.clone(),
            |union| Some(union.name.to_owned()),
        ),
        ..request.clone()
    })
}

fn has_fraction(value: &Value, shape: Option<&Shape>) -> bool {
    match (value, shape) {
        (Value::Number(number), Some(Shape::Integer)) => number.as_str().contains('.'),
        (value, Some(Shape::Constrained { shape, .. })) => has_fraction(value, Some(shape)),
        (value, Some(Shape::Reference(definition))) => has_fraction(value, Some(&definition.shape)),
        _ => false,
    }
}
