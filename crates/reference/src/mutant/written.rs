//! Faults of writing: a change of the document that a round trip gives, along what the schema says of
//! each place.

use chatstate::definition::{ObjectShape, Shape, definition_of};
use chatstate::json::{Number, Surrogates, Value, parse, parse_with};
use chatstate_protocol::{Reply, RunRequest};

use super::super::operation;
use super::Defect;

/// A change of one value, which knows what the schema says of the place.
pub type ValueChange = fn(&mut Value, Option<&'static Shape>);

/// The faults of writing by the ids of the mutants.
pub(super) const DEFECTS: &[(&str, Defect)] = &[
    ("drop-unknown-member", Defect::Written(drop_unknown_members)),
    (
        "drop-unknown-variant",
        Defect::Written(drop_unknown_variants),
    ),
    ("null-for-absent", Defect::Written(null_for_absent)),
    ("absent-for-null", Defect::Written(absent_for_null)),
    ("inject-default", Defect::Written(inject_defaults)),
    ("round-integer", Defect::Written(round_integers)),
    (
        "round-trip-renames-members",
        Defect::Written(rename_members),
    ),
    ("round-trip-lowers-names", Defect::Written(lower_names)),
    ("round-trip-drops-empty", Defect::Written(drop_empty)),
    ("round-trip-reverses-lists", Defect::Written(reverse_lists)),
    ("round-trip-parses-text", Defect::Written(parse_texts)),
    (
        "round-trip-stringifies-data",
        Defect::Written(stringify_data),
    ),
    (
        "round-trip-lowers-identifiers",
        Defect::Written(lower_identifiers),
    ),
    ("round-trip-trims-text", Defect::Written(trim_texts)),
    ("round-trip-repairs-halves", Defect::Written(repair_halves)),
    (
        "round-trip-replaces-unknown-words",
        Defect::Written(replace_unknown_words),
    ),
    (
        "round-trip-drops-extensions",
        Defect::Written(drop_extensions),
    ),
    ("round-trip-tells-seconds", Defect::Written(tell_seconds)),
    ("round-trip-drops-lineage", Defect::Written(drop_lineage)),
    (
        "round-trip-drops-encrypted",
        Defect::Written(drop_encrypted),
    ),
];

/// Changes the document that a round trip writes.
pub(super) fn rewrite(request: &RunRequest, change: ValueChange) -> Reply {
    let reply = operation::run(request);
    let Reply::Ok(text) = &reply else {
        return reply;
    };
    let definition = request.document_type.as_deref().and_then(definition_of);
    match (
        request.op.as_str(),
        definition,
        parse_with(text, Surrogates::AllowUnpairedAtEnds),
    ) {
        ("round-trip", Some(definition), Ok(mut value)) => {
            let mut change = change;
            walk(&mut value, Some(&definition.shape), &mut change);
            Reply::Ok(value.to_json())
        }
        _ => reply,
    }
}

/// Changes a value and everything in it, outer values first.
pub(super) fn walk(
    value: &mut Value,
    shape: Option<&'static Shape>,
    change: &mut dyn FnMut(&mut Value, Option<&'static Shape>),
) {
    change(value, shape);
    match value {
        Value::Array(items) => {
            let item = shape.and_then(Shape::item);
            for value in items {
                walk(value, item, change);
            }
        }
        Value::Object(object) => {
            let known = ObjectShape::of(shape, object);
            for (name, value) in object.iter_mut() {
                let shape = known.member(name).map(|member| &member.shape);
                walk(value, shape, change);
            }
        }
        _ => {}
    }
}

fn drop_unknown_members(value: &mut Value, shape: Option<&'static Shape>) {
    if let Value::Object(object) = value {
        let known = ObjectShape::of(shape, object);
        object.retain(|name, _| known.unknown_variant || !known.is_unknown(name));
    }
}

fn drop_unknown_variants(value: &mut Value, shape: Option<&'static Shape>) {
    let is_unknown = |value: &Value, shape: Option<&'static Shape>| {
        let object = value.as_object();
        object.is_some_and(|object| ObjectShape::of(shape, object).unknown_variant)
    };
    match value {
        Value::Array(items) => {
            let item = shape.and_then(Shape::item);
            items.retain(|value| !is_unknown(value, item));
        }
        Value::Object(object) if is_unknown(&Value::Object(object.clone()), shape) => {
            *value = Value::Null;
        }
        Value::Object(object) => {
            let known = ObjectShape::of(shape, object);
            object.retain(|name, value| {
                !is_unknown(value, known.member(name).map(|member| &member.shape))
            });
        }
        _ => {}
    }
}

fn null_for_absent(value: &mut Value, shape: Option<&'static Shape>) {
    if let Value::Object(object) = value {
        for member in ObjectShape::of(shape, object).members.unwrap_or_default() {
            let is_text = matches!(member.shape, Shape::Text);
            if is_text && !object.contains_key(member.name) {
                object.insert(member.name, Value::Null);
            }
        }
    }
}

fn absent_for_null(value: &mut Value, _: Option<&'static Shape>) {
    if let Value::Object(object) = value {
        object.retain(|_, value| *value != Value::Null);
    }
}

fn inject_defaults(value: &mut Value, shape: Option<&'static Shape>) {
    if let Value::Object(object) = value {
        for member in ObjectShape::of(shape, object).members.unwrap_or_default() {
            if let Some(default) = member.default_value()
                && !object.contains_key(member.name)
            {
                object.insert(member.name, default);
            }
        }
    }
}

fn round_integers(value: &mut Value, _: Option<&'static Shape>) {
    if let Value::Number(number) = value
        && let Ok(rounded) = parse(&Number::canonical_of_nearest(number))
    {
        *value = rounded;
    }
}

/// Writes members that the schema names in the spelling of another language.
fn rename_members(value: &mut Value, shape: Option<&'static Shape>) {
    let Value::Object(object) = value else {
        return;
    };
    let known = ObjectShape::of(shape, object);
    let renamed = std::mem::take(object).into_iter().map(|(name, value)| {
        let known = known.member(&name).is_some();
        (
            if known {
                snake_case(&name).into()
            } else {
                name
            },
            value,
        )
    });
    *object = renamed.collect();
}

/// Writes names that the schema does not know in lower letters and without spaces.
fn lower_names(value: &mut Value, shape: Option<&'static Shape>) {
    let Value::Object(object) = value else {
        return;
    };
    let known = ObjectShape::of(shape, object);
    let renamed = std::mem::take(object).into_iter().map(|(name, value)| {
        let is_known = known.member(&name).is_some() || known.tag == Some(&name);
        let lowered = name.trim().to_lowercase();
        (if is_known { name } else { lowered.into() }, value)
    });
    *object = renamed.collect();
}

fn snake_case(name: &str) -> String {
    let mut out = String::new();
    for character in name.chars() {
        if character.is_ascii_uppercase() {
            out.push('_');
        }
        out.push(character.to_ascii_lowercase());
    }
    out
}

/// Takes empty texts, lists and objects for nothing.
fn drop_empty(value: &mut Value, _: Option<&'static Shape>) {
    let is_empty = |value: &Value| match value {
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(object) => object.is_empty(),
        _ => false,
    };
    if let Value::Object(object) = value {
        object.retain(|_, value| !is_empty(value));
    }
}

fn reverse_lists(value: &mut Value, _: Option<&'static Shape>) {
    if let Value::Array(items) = value {
        items.reverse();
    }
}

/// Takes text that is JSON for JSON.
fn parse_texts(value: &mut Value, _: Option<&'static Shape>) {
    if let Some(Ok(parsed @ (Value::Object(_) | Value::Array(_)))) = value.as_str().map(parse) {
        *value = parsed;
    }
}

/// Keeps data that may be anything as text.
fn stringify_data(value: &mut Value, shape: Option<&'static Shape>) {
    let is_data = matches!(
        shape,
        Some(
            Shape::Any
                | Shape::Constrained {
                    shape: Shape::Any,
                    ..
                }
        )
    );
    if is_data && matches!(value, Value::Object(_) | Value::Array(_)) {
        *value = Value::from(value.to_json());
    }
}

/// Reads what looks like a UUID as one, and writes it in the one spelling.
fn lower_identifiers(value: &mut Value, _: Option<&'static Shape>) {
    let is_uuid = |text: &str| {
        let parts: Vec<_> = text.split('-').map(str::len).collect();
        let digits = text
            .bytes()
            .all(|byte| byte == b'-' || byte.is_ascii_hexdigit());
        digits && parts == [8, 4, 4, 4, 12]
    };
    if let Value::String(text) = value
        && is_uuid(text)
    {
        text.make_ascii_lowercase();
    }
}

fn trim_texts(value: &mut Value, _: Option<&'static Shape>) {
    if let Value::String(text) = value {
        *text = text.trim().to_owned();
    }
}

/// Replaces unpaired surrogates by the replacement character.
fn repair_halves(value: &mut Value, _: Option<&'static Shape>) {
    if let Value::Split(split) = value {
        let half = |half: Option<u16>| if half.is_some() { "\u{fffd}" } else { "" };
        let text = [half(split.leading()), split.body(), half(split.trailing())];
        *value = Value::from(text.concat());
    }
}

/// Knows no other words of an open set than its own.
fn replace_unknown_words(value: &mut Value, shape: Option<&'static Shape>) {
    let mut shape = shape;
    while let Some(Shape::Reference(definition)) = shape {
        shape = Some(&definition.shape);
    }
    if let (Value::String(text), Some(Shape::Enumeration { values, .. })) = (value, shape)
        && !values.contains(&text.as_str())
    {
        (*values)
            .first()
            .copied()
            .unwrap_or_default()
            .clone_into(text);
    }
}

fn drop_extensions(value: &mut Value, _: Option<&'static Shape>) {
    drop_members(value, &["ext", "metadata"]);
}

/// Keeps times in seconds, as they came in milliseconds.
fn tell_seconds(value: &mut Value, _: Option<&'static Shape>) {
    if let Value::Object(object) = value
        && let Some(Value::Number(number)) = object.get("timestamp")
        && let Some(milliseconds) = number.as_i64()
    {
        object.insert("timestamp", milliseconds / 1000);
    }
}

fn drop_lineage(value: &mut Value, _: Option<&'static Shape>) {
    drop_members(value, &["parentRunId", "input"]);
}

fn drop_encrypted(value: &mut Value, _: Option<&'static Shape>) {
    drop_members(
        value,
        &["encryptedValue", "encryptedValueType", "protected"],
    );
}

fn drop_members(value: &mut Value, names: &[&str]) {
    if let Value::Object(object) = value {
        object.retain(|name, _| !names.contains(&name));
    }
}
