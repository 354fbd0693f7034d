//! Objects: a struct, its constructor, its reader and its writer.

use askama::Template;
use chatstate_codegen::names::Scope;
use chatstate_codegen::{CodegenError, printed};
use chatstate_schema_model::{
    Literal, MemberDefinition, NamedDefinition, ObjectDefinition, Others, PatternMembers, Type,
};

use crate::check::{Check, check};
use crate::code::{Code, list, literal, quoted, suffixed};
use crate::docs::{above, with_sentence};
use crate::enumeration::constant_type;
use crate::names::{Names, field_name, ident};
use crate::reader::{ReaderView, reader};
use crate::types::{constant_in, holds_null, rust_type};

/// The most arguments a function has before clippy asks for fewer.
const MOST_ARGUMENTS: usize = 7;

/// How a member is kept in its struct.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// Always there.
    Required,
    /// Always there, and possibly null.
    RequiredOrNull,
    /// There or not.
    Optional,
    /// Absent, null, or a value.
    Presence,
}

/// A member with everything that is printed of it.
pub(crate) struct Field<'a> {
    pub member: &'a MemberDefinition,
    pub name: String,
    /// What is above the field.
    above: String,
    ty: String,
    /// The type of the field itself, which also says whether the member is absent or null.
    pub full_type: String,
    pub access: Access,
    pub check: Option<Check>,
}

/// The field of the members that the schema does not name.
pub(crate) struct Extra {
    ty: String,
    empty: &'static str,
    pub read: String,
    /// The method of the writer of objects that takes it.
    write: &'static str,
    pub check: Option<Check>,
}

/// What the template of an object prints.
#[derive(Template)]
#[template(path = "object.rs.j2", escape = "none")]
struct ObjectView<'a> {
    above: String,
    /// Whether nothing must be there.
    default: bool,
    name: String,
    fields: &'a [Field<'a>],
    others: Option<&'a Extra>,
    constructor: Option<Constructor>,
    receiver: &'static str,
    reader: &'a ReaderView,
    writes: Vec<String>,
}

/// A constructor from what must be there.
struct Constructor {
    /// Whether clippy would ask for fewer arguments.
    many: bool,
    signature: String,
    /// What it gives.
    literal: String,
}

/// All items of an object definition.
pub(crate) fn object(
    definition: &NamedDefinition,
    object: &ObjectDefinition,
    names: &Names,
) -> Result<Code, CodegenError> {
    let fields = lower(definition, object, names)?;
    let others = others(object, names)?;
    let reader = reader(definition, object, &fields, others.as_ref(), names);
    let is_optional =
        |field: &Field<'_>| matches!(field.access, Access::Optional | Access::Presence);
    let view = ObjectView {
        above: above(&definition.doc, definition.deprecated, ""),
        default: fields.iter().all(is_optional),
        name: names.definition(&definition.name),
        fields: &fields,
        others: others.as_ref(),
        constructor: constructor(&fields, others.as_ref()),
        receiver: "&self",
        reader: &reader,
        writes: writes(object, &fields),
    };
    let mut text = printed(&view)?;
    let mut laid_out =
        reader.laid_out && object.names.is_none() && (others.is_some() || !fields.is_empty());
    for constant in constant_types(definition, object, names)? {
        text += &constant.text;
        laid_out &= constant.laid_out;
    }
    Ok(Code { text, laid_out })
}

/// The name and the value of a member that needs no field: it is always there and always the same.
pub(crate) fn fixed(member: &MemberDefinition) -> Option<(&str, &Literal)> {
    match member {
        MemberDefinition {
            name,
            required: true,
            nullable: false,
            ty: Type::Constant(value),
            ..
        } => Some((name, value)),
        _ => None,
    }
}

fn lower<'a>(
    definition: &NamedDefinition,
    object: &'a ObjectDefinition,
    names: &Names,
) -> Result<Vec<Field<'a>>, CodegenError> {
    let mut scope = Scope::new(format!("definition `{}`", definition.name));
    scope.take(
        "extra".to_owned(),
        "the members that the schema does not name",
    )?;
    let members = object
        .members
        .iter()
        .filter(|member| fixed(member).is_none());
    let fields = members.map(|member| field(definition, member, &mut scope, names));
    fields.collect()
}

fn field<'a>(
    definition: &NamedDefinition,
    member: &'a MemberDefinition,
    scope: &mut Scope,
    names: &Names,
) -> Result<Field<'a>, CodegenError> {
    let constant = constant_in(&member.ty)
        .map(|_| names.constant(definition, &member.name))
        .transpose()?;
    let sentence = member.default.as_ref().map(|value| {
        format!("A reader takes an absent member as `{value}`; it is never written in its place.")
    });
    let description = with_sentence(&member.doc, sentence.as_deref());
    let ty = rust_type(&member.ty, names, constant.as_deref())?;
    let access = access(member, names);
    Ok(Field {
        member,
        name: ident(&scope.take(field_name(&member.name), &member.name)?),
        above: above(&description, member.deprecated, "    "),
        full_type: match access {
            Access::Required => ty.clone(),
            Access::RequiredOrNull | Access::Optional => format!("Option<{ty}>"),
            Access::Presence => format!("Presence<{ty}>"),
        },
        ty,
        access,
        check: check(&member.ty, names, constant.is_some())?,
    })
}

/// The field of the members that the schema does not name, unless it rejects them.
fn others(object: &ObjectDefinition, names: &Names) -> Result<Option<Extra>, CodegenError> {
    Ok(match &object.others {
        Others::Kept => Some(Extra {
            ty: "json::Object".to_owned(),
            empty: "json::Object::new()",
            read: format!("{}.rest()?", by_name(object, names)?),
            write: "rest",
            check: None,
        }),
        Others::Rejected => None,
        Others::Typed(slot) => {
            let map = Type::Map(slot.clone());
            Some(Extra {
                ty: rust_type(&map, names, None)?,
                empty: "IndexMap::new()",
                read: format!("{}.rest_of()?", by_name(object, names)?),
                write: "each",
                check: check(&map, names, false)?,
            })
        }
    })
}

/// The members of an object, after calls that judge the other ones by their names.
fn by_name(object: &ObjectDefinition, names: &Names) -> Result<String, CodegenError> {
    let mut members = "members".to_owned();
    let Some(by_name) = &object.names else {
        return Ok(members);
    };
    // Where all are of one type, they are read by it.
    if object.others == Others::Kept {
        let any = Type::Any { nullable: true };
        let asking = by_name.patterns.iter();
        for PatternMembers { pattern, slot } in asking.filter(|members| members.slot.ty != any) {
            let map = Type::Map(Box::new(slot.clone()));
            let check = check(&map, names, false)?;
            let check = check.map_or_else(|| "Ok(())".to_owned(), |check| check.code);
            let value = if check == "Ok(())" { "_" } else { "value" };
            let ty = rust_type(&map, names, None)?;
            let pattern = crate::check::pattern(pattern)?;
            members += &format!(".matching({pattern}, |{value}: &{ty}| {check})?");
        }
    }
    if by_name.closed {
        let patterns = by_name.patterns.iter();
        let patterns = patterns.map(|members| crate::check::pattern(&members.pattern));
        let patterns: Vec<String> = patterns.collect::<Result<_, _>>()?;
        members += &format!(".only_matching(&[{}])?", patterns.join(", "));
    }
    Ok(members)
}

fn access(member: &MemberDefinition, names: &Names) -> Access {
    let null = member.nullable && !holds_null(&member.ty, names);
    match (member.required, null) {
        (true, false) => Access::Required,
        (true, true) => Access::RequiredOrNull,
        (false, false) => Access::Optional,
        (false, true) => Access::Presence,
    }
}

/// The types of the constants that are not fixed.
fn constant_types(
    definition: &NamedDefinition,
    object: &ObjectDefinition,
    names: &Names,
) -> Result<Vec<Code>, CodegenError> {
    let members = object
        .members
        .iter()
        .filter(|member| fixed(member).is_none());
    let constants = members.filter_map(|member| Some((member, constant_in(&member.ty)?)));
    constants
        .map(|(member, value)| {
            let name = names.constant(definition, &member.name)?;
            constant_type(&name, value, &member.doc)
        })
        .collect()
}

/// Where nothing must be there, `Default` does what a constructor would do.
fn constructor(fields: &[Field<'_>], others: Option<&Extra>) -> Option<Constructor> {
    let required = fields
        .iter()
        .filter(|field| matches!(field.access, Access::Required | Access::RequiredOrNull));
    let parameters: Vec<String> = required.map(parameter).collect();
    if parameters.is_empty() {
        return None;
    }
    let extra = others.map(|Extra { empty, .. }| format!("extra: {empty}"));
    let values: Vec<String> = fields.iter().map(initial).chain(extra).collect();
    Some(Constructor {
        many: parameters.len() > MOST_ARGUMENTS,
        signature: list("    ", "pub fn new(", &parameters, ") -> Self {"),
        literal: literal("        ", "", &values, ""),
    })
}

fn is_text(field: &Field<'_>) -> bool {
    matches!(field.member.ty, Type::Text { .. } | Type::UnknownTag(_))
}

fn parameter(field: &Field<'_>) -> String {
    let Field { name, ty, .. } = field;
    match field.access {
        Access::RequiredOrNull => format!("{name}: Option<{ty}>"),
        _ if is_text(field) => format!("{name}: impl Into<String>"),
        _ => format!("{name}: {ty}"),
    }
}

fn initial(field: &Field<'_>) -> String {
    let name = &field.name;
    match field.access {
        Access::Required if is_text(field) => format!("{name}: {name}.into()"),
        Access::Required | Access::RequiredOrNull => name.clone(),
        Access::Optional => format!("{name}: None"),
        Access::Presence => format!("{name}: Presence::Absent"),
    }
}

/// The calls that write members, in the order of the schema.
fn writes(object: &ObjectDefinition, fields: &[Field<'_>]) -> Vec<String> {
    let mut fields = fields.iter();
    let writes = object.members.iter().filter_map(|member| {
        let wire = quoted(&spelled(&member.name));
        match fixed(member) {
            Some((_, value)) => Some(write_fixed(&wire, value)),
            None => fields.next().map(|field| write(&wire, field)),
        }
    });
    writes.collect()
}

/// A name as JSON spells it between quotes, so that it need not be looked through when it is written.
fn spelled(wire: &str) -> String {
    let quoted = serde_json::Value::from(wire).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

fn write_fixed(wire: &str, value: &Literal) -> String {
    match value {
        Literal::Text(text) => format!("text({wire}, {})", quoted(text)),
        Literal::Boolean(value) => format!("member({wire}, &{value})"),
        Literal::Integer(value) => format!("member({wire}, &{})", suffixed(*value)),
    }
}

fn write(wire: &str, field: &Field<'_>) -> String {
    let name = &field.name;
    match field.access {
        Access::Required | Access::RequiredOrNull => format!("member({wire}, &self.{name})"),
        Access::Optional => format!("optional({wire}, &self.{name})"),
        Access::Presence => format!("presence({wire}, &self.{name})"),
    }
}
