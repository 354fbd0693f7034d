//! The reader of an object: members in, struct out.

use chatstate_schema_model::{Literal, NamedDefinition, ObjectDefinition, Type};

use crate::check::Check;
use crate::code::{list, literal, quoted, suffixed};
use crate::names::Names;
use crate::object::{Access, Extra, Field, fixed};

/// The functions that make the struct from the members of its object.
///
/// A recursive object reads the members that may hold another of its kind first, in a function of
/// its own: the temporaries of the other members are then not on the stack while the reader goes
/// deeper.
pub(crate) struct ReaderView {
    pub mutable: &'static str,
    /// The statements that check members which are always the same.
    pub constants: Vec<String>,
    /// What is read first of a recursive object.
    pub first: Vec<String>,
    /// The call of the function that reads the others, and its signature.
    pub call: String,
    pub others: Option<String>,
    /// The statement with the literal of the struct.
    pub literal: String,
    /// Whether more is checked than the types of the fields say.
    pub has_checks: bool,
    pub checks: Vec<FieldCheck>,
    /// Whether all of it is laid out as it would be printed.
    pub laid_out: bool,
}

/// A check of one field.
pub(crate) struct FieldCheck {
    /// What opens the block.
    pub head: String,
    /// The value, unless the head names it.
    pub value: Option<String>,
    pub statement: String,
}

/// The reader of an object.
pub(crate) fn reader(
    definition: &NamedDefinition,
    object: &ObjectDefinition,
    fields: &[Field<'_>],
    others: Option<&Extra>,
    names: &Names,
) -> ReaderView {
    let is_deep = |field: &&Field<'_>| definition.recursive && goes_deeper(&field.member.ty, names);
    let deep: Vec<&Field<'_>> = fields.iter().filter(is_deep).collect();
    let reads_others = deep.len() < fields.len();
    let fixed_members = object.members.iter().filter_map(fixed);
    let constants: Vec<String> = fixed_members.map(constant).collect();
    let is_mutable = reads_others || !deep.is_empty() || !constants.is_empty();
    let (checks, laid_out) = checks(fields, others);
    let has_checks = others.is_none() || !checks.is_empty();
    let first = deep.iter().copied();
    ReaderView {
        mutable: mutable(is_mutable),
        constants,
        first: first
            .map(|field| format!("{} = {}", field.name, read(field)))
            .collect(),
        call: call(&deep),
        others: (!deep.is_empty()).then(|| signature(&deep, reads_others)),
        literal: literal_of(fields, is_deep, others, has_checks),
        has_checks,
        checks,
        laid_out,
    }
}

fn mutable(is_mutable: bool) -> &'static str {
    if is_mutable { "mut " } else { "" }
}

/// The checks of all fields beyond their types, and whether they are laid out as they would be
/// printed.
fn checks(fields: &[Field<'_>], others: Option<&Extra>) -> (Vec<FieldCheck>, bool) {
    let of_others = others.and_then(|extra| extra.check.as_ref());
    let of_fields = fields.iter().filter_map(check);
    let all = of_fields.chain(of_others.map(check_of_others));
    let (checks, laid_out): (Vec<FieldCheck>, Vec<bool>) = all.unzip();
    (checks, laid_out.iter().all(|laid_out| *laid_out))
}

/// The statement with the literal of the struct; deep fields have been read before.
fn literal_of(
    fields: &[Field<'_>],
    is_deep: impl Fn(&&Field<'_>) -> bool,
    others: Option<&Extra>,
    has_checks: bool,
) -> String {
    let values = fields.iter().map(|field| {
        if is_deep(&field) {
            field.name.clone()
        } else {
            format!("{}: {}", field.name, read(field))
        }
    });
    let rest = others.map(|Extra { read, .. }| format!("extra: {read}"));
    let values: Vec<String> = values.chain(rest).collect();
    let (before, after) = if has_checks {
        ("let read = ", ";")
    } else {
        ("Ok(", ")")
    };
    literal("        ", before, &values, after)
}

/// The call of the function that reads the other members.
fn call(deep: &[&Field<'_>]) -> String {
    let names = deep.iter().map(|field| field.name.clone());
    let arguments: Vec<String> = ["members".to_owned()].into_iter().chain(names).collect();
    list("        ", "Self::from_others(", &arguments, ")")
}

/// The signature of the function that reads the other members.
fn signature(deep: &[&Field<'_>], reads_others: bool) -> String {
    let members = format!("{}members: Members<'_>", mutable(reads_others));
    let types = deep
        .iter()
        .map(|field| format!("{}: {}", field.name, field.full_type));
    let parameters: Vec<String> = [members].into_iter().chain(types).collect();
    list(
        "    ",
        "fn from_others(",
        &parameters,
        ") -> Result<Self, Rejection> {",
    )
}

fn constant((name, value): (&str, &Literal)) -> String {
    let value = match value {
        Literal::Text(text) => quoted(text),
        Literal::Boolean(value) => format!("&{value}"),
        Literal::Integer(value) => format!("&{}", suffixed(*value)),
    };
    format!("members.constant({}, {value})?;", quoted(name))
}

fn read(field: &Field<'_>) -> String {
    let method = match field.access {
        Access::Required | Access::RequiredOrNull => "required",
        Access::Optional => "optional",
        Access::Presence => "presence",
    };
    format!("members.{method}({})?", quoted(&field.member.name))
}

/// The check of a field beyond its type, and whether it is laid out as it would be printed.
fn check(field: &Field<'_>) -> Option<(FieldCheck, bool)> {
    let (check, name) = (field.check.as_ref()?, &field.name);
    let statement = check.statement(Some(&field.member.name), INDENT);
    let (head, value) = match field.access {
        Access::Required => ("{".to_owned(), Some(format!("&read.{name}"))),
        Access::RequiredOrNull | Access::Optional => {
            (format!("if let Some(value) = &read.{name} {{"), None)
        }
        Access::Presence => (
            format!("if let Presence::Value(value) = &read.{name} {{"),
            None,
        ),
    };
    let check = FieldCheck {
        head,
        value,
        statement: statement.code,
    };
    Some((check, statement.laid_out))
}

/// The check of the members that the schema does not name.
fn check_of_others(check: &Check) -> (FieldCheck, bool) {
    let statement = check.statement(None, INDENT);
    let check = FieldCheck {
        head: "{".to_owned(),
        value: Some("&read.extra".to_owned()),
        statement: statement.code,
    };
    (check, statement.laid_out)
}

/// How far the statement of a check is indented.
const INDENT: &str = "            ";

/// Whether a value of the type may hold one of a recursive definition.
pub(crate) fn goes_deeper(ty: &Type, names: &Names) -> bool {
    match ty {
        Type::Reference { to, .. } => names.is_recursive(to),
        Type::List { items: slot, .. } | Type::Map(slot) => goes_deeper(&slot.ty, names),
        Type::Tuple(slots) => slots.iter().any(|slot| goes_deeper(&slot.ty, names)),
        _ => false,
    }
}
