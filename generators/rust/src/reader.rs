//! The reader of an object: members in, struct out.

use chatstate_ir::{Definition, Literal, Object, Type};

use crate::check::Check;
use crate::code::{list, literal, quoted, suffixed};
use crate::names::Names;
use crate::object::{Access, Extra, Field, fixed};

/// The functions that make the struct from the members of its object.
///
/// A recursive object reads the members that may hold another of its kind first, in a function of
/// its own: the temporaries of the other members are then not on the stack while the reader goes
/// deeper.
pub(crate) struct Reader {
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
    /// Whether all of it stands as it would be printed.
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
    definition: &Definition,
    object: &Object,
    fields: &[Field<'_>],
    others: Option<&Extra>,
    names: &Names,
) -> Reader {
    let is_deep = |field: &&Field<'_>| definition.recursive && goes_deeper(&field.member.ty, names);
    let deep: Vec<&Field<'_>> = fields.iter().filter(is_deep).collect();
    let reads_others = deep.len() < fields.len();
    let constants: Vec<String> = object
        .members
        .iter()
        .filter_map(fixed)
        .map(constant)
        .collect();
    let mut laid_out = true;
    let mut checks = Vec::new();
    let of_others = others.and_then(|extra| extra.check.as_ref());
    let all = fields.iter().filter_map(check);
    for (check, is_laid_out) in all.chain(of_others.map(check_of_others)) {
        laid_out &= is_laid_out;
        checks.push(check);
    }
    let values = fields.iter().map(|field| match is_deep(&field) {
        true => field.name.clone(),
        false => format!("{}: {}", field.name, read(field)),
    });
    let rest = others.map(|Extra { read, .. }| format!("extra: {read}"));
    let values: Vec<String> = values.chain(rest).collect();
    let has_checks = others.is_none() || !checks.is_empty();
    let (before, after) = if has_checks {
        ("let read = ", ";")
    } else {
        ("Ok(", ")")
    };
    let mutable = if reads_others || !deep.is_empty() || !constants.is_empty() {
        "mut "
    } else {
        ""
    };
    Reader {
        mutable,
        constants,
        first: deep
            .iter()
            .map(|field| format!("{} = {}", field.name, read(field)))
            .collect(),
        call: call(&deep),
        others: (!deep.is_empty()).then(|| signature(&deep, reads_others)),
        literal: literal("        ", before, &values, after),
        has_checks,
        checks,
        laid_out,
    }
}

/// The call of the function that reads the other members.
fn call(deep: &[&Field<'_>]) -> String {
    let names = deep.iter().map(|field| field.name.clone());
    let arguments: Vec<String> = ["members".to_owned()].into_iter().chain(names).collect();
    list("        ", "Self::from_others(", &arguments, ")")
}

/// The signature of the function that reads the other members.
fn signature(deep: &[&Field<'_>], reads_others: bool) -> String {
    let mutable = if reads_others { "mut " } else { "" };
    let members = format!("{mutable}members: Members<'_>");
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

/// The check of a field beyond its type, and whether it stands as it would be printed.
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
