//! Which documents say the same in a dialect.
//!
//! This is computed from the rows alone, not by reading and writing, so that it can judge both.

use super::table::{self, Absent, Dialect, ObjectTable, Rule, Union, ValueShape};
use chatstate_json::{Object, Value, parse};

/// Whether two documents say the same in a dialect: the order of members never matters, and an
/// absent member is the same as null, as what the dialect writes for nothing, and as what follows
/// from the others, where the table says so (requirement `dialect.equality`).
///
/// ```
/// use chatstate_dialects::dialect;
/// use chatstate_dialects::same;
/// use chatstate_json::parse;
///
/// let written = parse(r#"{"messages":[],"system_message":null}"#)?;
/// let absent = parse(r#"{"messages":[]}"#)?;
/// assert!(!same(dialect("semantic-kernel-python").unwrap(), &written, &parse("{}")?));
/// assert!(same(dialect("semantic-kernel-python").unwrap(), &written, &absent));
/// # Ok::<(), chatstate_json::Rejection>(())
/// ```
#[must_use]
pub fn same(dialect: &Dialect, left: &Value, right: &Value) -> bool {
    let kind = |document: &Value| {
        let mut kinds = dialect.documents.iter();
        kinds.find(|kind| (kind.matches)(document))
    };
    match (kind(left), kind(right)) {
        (Some(kind), Some(other)) if std::ptr::eq(kind, other) => {
            said(dialect, &kind.shape, left.clone()) == said(dialect, &kind.shape, right.clone())
        }
        _ => left == right,
    }
}

/// What a value says, without the members that say nothing.
fn said(dialect: &Dialect, shape: &ValueShape, value: Value) -> Value {
    match (shape, value) {
        (ValueShape::Wrapped(member, shape), Value::Object(mut object)) => {
            if dialect.reads_camel_case {
                table::capitalise(&[member], &mut object);
            }
            if let Some(inner) = object.get_mut(member) {
                *inner = said(dialect, shape, std::mem::take(inner));
            }
            Value::Object(object)
        }
        (ValueShape::Each(shape), Value::Array(items)) => {
            let items = items.into_iter().map(|item| said(dialect, shape, item));
            Value::Array(items.collect())
        }
        (ValueShape::Single(shape), value) => said(dialect, shape, value),
        (ValueShape::Of(table), Value::Object(object)) => {
            Value::Object(members(dialect, table, object))
        }
        (ValueShape::Whole(table), value) => {
            let object = [("@", value)].into_iter().collect();
            Value::Object(members(dialect, table, object))
        }
        (ValueShape::OneOf(union), Value::Object(object)) => {
            Value::Object(tagged(dialect, union, object))
        }
        (ValueShape::Name(names), Value::String(name)) => match names.pair(&name) {
            Some((foreign, _)) => (*foreign).into(),
            None => name.into(),
        },
        (_, value) => value,
    }
}

fn tagged(dialect: &Dialect, union: &Union, mut object: Object) -> Object {
    let Some(variant) = union.variant_of(&object) else {
        return object;
    };
    let tag = object.remove(union.tag);
    let mut said = members(dialect, variant.table, object);
    said.extend(tag.map(|(_, tag)| (union.tag, tag)));
    said
}

fn members(dialect: &Dialect, table: &ObjectTable, mut object: Object) -> Object {
    if dialect.reads_camel_case {
        table::capitalise(&table.names(), &mut object);
    }
    if let Some(rewrite) = table.rewrite {
        // What cannot be read is compared as it is.
        let as_it_is = object.clone();
        if (rewrite.read)(&mut object).is_err() {
            return as_it_is;
        }
    }
    for row in table.rows {
        let (name, is_nothing) = match &row.rule {
            Rule::Value { foreign, .. } => (*foreign, says_nothing(&row.rule, &object, foreign)),
            Rule::Constant(name, json) => (*name, object.get(name) == parse(json).ok().as_ref()),
            Rule::Derived(name, from) => (*name, object.get(name) == from(&object).as_ref()),
            Rule::Implied(..) | Rule::Lost(_) | Rule::Dropped(_) => continue,
        };
        if is_nothing {
            object.remove(name);
        }
    }
    for row in table.rows {
        if let Rule::Value { foreign, shape, .. } = &row.rule
            && let Some(inner) = object.get(foreign)
        {
            let shape = match shape {
                ValueShape::Chosen(choice) => choice.of(object.get(choice.foreign), inner),
                shape => shape,
            };
            let Some(inner) = object.get_mut(foreign) else {
                continue;
            };
            *inner = said(dialect, shape, std::mem::take(inner));
        }
    }
    object
}

/// Whether a member says no more than if it were absent.
fn says_nothing(rule: &Rule, object: &Object, name: &str) -> bool {
    let Rule::Value {
        absent, nullable, ..
    } = rule
    else {
        return false;
    };
    let value = object.get(name);
    let standing = match absent {
        Absent::Written(json)
        | Absent::Default(json)
        | Absent::Means(json)
        | Absent::Reads(json) => Some(*json),
        Absent::Nothing | Absent::Rejected | Absent::Unset(_) => None,
    };
    let is_standing = standing.is_some_and(|json| value == parse(json).ok().as_ref());
    is_standing || (!nullable && value == Some(&Value::Null))
}
