//! The schema as tables of `chatstate::definition`.

use chatstate_codegen::CodegenError;
use chatstate_schema_model::{
    Bounds, DefinitionKind, Ir, MemberDefinition, NamedDefinition, Others, Slot, Type,
};

use crate::check::{integer, pattern, whole};
use crate::code::{quoted, texts};
use crate::docs::above;
use crate::names::Names;
use crate::reader::goes_deeper;
use crate::types::{holds_null, range};

/// The static table of every definition, the list of all, and the list of the roots.
pub(crate) fn tables(ir: &Ir, names: &Names) -> Result<String, CodegenError> {
    let definitions = ir
        .definitions
        .values()
        .map(|definition| table(definition, names));
    let definitions = definitions.collect::<Result<Vec<_>, _>>()?;
    let all = references(ir.definitions.keys().map(String::as_str), names);
    let roots = references(ir.roots(), names);
    let arms: String = ir.definitions.keys().map(|name| arm(name, names)).collect();
    Ok(format!(
        "/// The definitions that documents are made of, in the order of the schema files.\n\
         pub static ROOTS: &[&Definition] = &[{roots}];\n\
         /// All definitions, in the order of the schema files.\n\
         pub static DEFINITIONS: &[&Definition] = &[{all}];\n\
         /// Reads JSON text as the definition called `name` and writes what was read; `None` if there\n\
         /// is no such definition.\n\
         #[must_use]\n\
         pub fn read_and_write(name: &str, text: &str) -> Option<Result<String, Rejection>> {{\n\
             Some(match name {{ {arms} _ => return None }})\n\
         }}\n{}",
        definitions.concat()
    ))
}

fn references<'n>(definitions: impl Iterator<Item = &'n str>, names: &Names) -> String {
    let tables = definitions.map(|name| format!("&{}", names.table(name)));
    tables.collect::<Vec<_>>().join(", ")
}

/// The arm that reads and writes one definition as its type.
fn arm(name: &str, names: &Names) -> String {
    let ty = names.definition(name);
    format!(
        "{} => json::read_and_write::<super::{ty}>(text),",
        quoted(name)
    )
}

fn table(definition: &NamedDefinition, names: &Names) -> Result<String, CodegenError> {
    let name = &definition.name;
    let table = names.table(name);
    let docs = above(&format!("`{name}`: {}", definition.doc), false, "");
    let (literal, file) = (quoted(name), quoted(&definition.schema));
    let shape = definition_shape(definition, names)?;
    Ok(format!(
        "{docs}pub static {table}: Definition = Definition {{ name: {literal}, file: {file}, shape: {shape} }};\n"
    ))
}

fn definition_shape(definition: &NamedDefinition, names: &Names) -> Result<String, CodegenError> {
    Ok(match &definition.kind {
        DefinitionKind::Object(object) => {
            if object.others != Others::Kept {
                return Err(no_words(
                    "an object whose further members are not kept as they are",
                ));
            }
            let members = object.members.iter();
            let members = members.map(|member| member_table(definition, member, names));
            let members = members.collect::<Result<Vec<_>, _>>()?;
            format!("Shape::Object(&[{}])", members.join(", "))
        }
        DefinitionKind::Union(union) => {
            let tag = quoted(&union.tag);
            let arms = union
                .arms
                .iter()
                .map(|arm| format!("({}, &{})", quoted(&arm.tag), names.table(&arm.definition)));
            let arms = arms.collect::<Vec<_>>().join(", ");
            let unknown = union.unknown.as_ref().map(|name| names.table(name));
            let unknown = option(unknown.map(|table| format!("&{table}")));
            format!("Shape::Union {{ tag: {tag}, arms: &[{arms}], unknown: {unknown} }}")
        }
        DefinitionKind::Kinds(arms) => {
            let arms = arms.iter().map(|arm| shape(&arm.ty, names));
            let arms = arms.collect::<Result<Vec<_>, _>>()?;
            format!("Shape::Kinds(&[{}])", arms.join(", "))
        }
        DefinitionKind::Enumeration(enumeration) => {
            let values = enumeration
                .texts()
                .ok_or_else(|| no_words("an enumeration of integers"))?;
            let open = enumeration.open;
            let values = texts(values);
            format!("Shape::Enumeration {{ values: {values}, open: {open} }}")
        }
        DefinitionKind::Alternatives(_) => {
            return Err(no_words("a union that nothing tells apart"));
        }
        DefinitionKind::Alias(ty) => shape(ty, names)?,
    })
}

fn member_table(
    definition: &NamedDefinition,
    member: &MemberDefinition,
    names: &Names,
) -> Result<String, CodegenError> {
    let MemberDefinition {
        name,
        required,
        nullable,
        ..
    } = member;
    let shape = shape(&member.ty, names)?;
    let recursive = definition.recursive && goes_deeper(&member.ty, names);
    let default = member.default.as_ref().map(ToString::to_string);
    let default = option(default.map(|text| quoted(&text)));
    let name = quoted(name);
    Ok(format!(
        "Member {{ name: {name}, shape: {shape}, required: {required}, nullable: {nullable}, \
         recursive: {recursive}, default: {default} }}"
    ))
}

fn shape(ty: &Type, names: &Names) -> Result<String, CodegenError> {
    let shape = match ty {
        Type::Reference { to, .. } => {
            let table = names.table(to);
            format!("Shape::Reference(&{table})")
        }
        Type::List { items, .. } => {
            let items = slot(items, names)?;
            format!("Shape::List(&{items})")
        }
        Type::Map(values) => {
            let values = slot(values, names)?;
            format!("Shape::Map(&{values})")
        }
        Type::Tuple(_) => return Err(no_words("an array of exactly these items")),
        Type::Constant(value) => {
            let text = value.text();
            let text = text.ok_or_else(|| no_words("a constant that is not a text"))?;
            format!("Shape::Constant({})", quoted(text))
        }
        Type::UnknownTag(_) | Type::Text { .. } => "Shape::Text".to_owned(),
        Type::SplitText => "Shape::SplitText".to_owned(),
        Type::Boolean => "Shape::Boolean".to_owned(),
        Type::Integer(_) => "Shape::Integer".to_owned(),
        Type::Number(_) => "Shape::Number".to_owned(),
        Type::OpenObject => "Shape::Object(&[])".to_owned(),
        Type::Any { .. } => "Shape::Any".to_owned(),
    };
    let constraints = constraints(ty)?;
    if constraints.is_empty() {
        return Ok(shape);
    }
    let constraints = constraints.join(", ");
    Ok(format!(
        "Shape::Constrained {{ shape: &{shape}, by: &[{constraints}] }}"
    ))
}

/// What a list or a map holds.
fn slot(slot: &Slot, names: &Names) -> Result<String, CodegenError> {
    let shape = shape(&slot.ty, names)?;
    let null = slot.nullable && !holds_null(&slot.ty, names);
    Ok(if null {
        format!("Shape::Nullable(&{shape})")
    } else {
        shape
    })
}

/// What is asked beyond the shape, in the order of the readers.
fn constraints(ty: &Type) -> Result<Vec<String>, CodegenError> {
    reject_further_constraints(ty)?;
    let constraints = match ty {
        Type::Text {
            pattern: matched,
            minimum_length,
            ..
        } => {
            let matched = matched.as_deref().map(pattern).transpose()?;
            [
                matched.map(|matched| format!("Constraint::Pattern({matched})")),
                minimum_length.map(|least| format!("Constraint::MinLength({least})")),
            ]
        }
        Type::Integer(bounds) if range(bounds).is_some() => {
            let range = range(bounds).map(|(minimum, maximum)| {
                let (minimum, maximum) = (integer(minimum), integer(maximum));
                format!("Constraint::Range({minimum}, {maximum})")
            });
            [range, None]
        }
        Type::Integer(bounds) | Type::Number(bounds) => [
            whole(bounds.minimum.as_ref()).map(|bound| {
                let bound = integer(bound);
                format!("Constraint::Minimum({bound})")
            }),
            whole(bounds.maximum.as_ref()).map(|bound| {
                let bound = integer(bound);
                format!("Constraint::Maximum({bound})")
            }),
        ],
        Type::List { minimum_items, .. } => [
            minimum_items.map(|least| format!("Constraint::MinItems({least})")),
            None,
        ],
        Type::UnknownTag(known) => [
            Some(format!(
                "Constraint::NoneOf({})",
                texts(known.iter().map(String::as_str))
            )),
            None,
        ],
        Type::Any { nullable: false } => [Some("Constraint::NotNull".to_owned()), None],
        _ => [None, None],
    };
    Ok(constraints.into_iter().flatten().collect())
}

/// The tables know the constraints of the canonical schema; another one must not be lost.
fn reject_further_constraints(ty: &Type) -> Result<(), CodegenError> {
    let further = match ty {
        Type::Text { maximum_length, .. } => maximum_length.is_some(),
        Type::List {
            maximum_items,
            unique,
            ..
        } => maximum_items.is_some() || *unique,
        Type::Integer(bounds) | Type::Number(bounds) => !has_whole_bounds(bounds),
        _ => false,
    };
    if further {
        return Err(no_words(
            "a constraint that the canonical schema has not used yet",
        ));
    }
    Ok(())
}

fn has_whole_bounds(bounds: &Bounds) -> bool {
    let Bounds {
        minimum,
        maximum,
        exclusive_minimum,
        exclusive_maximum,
        multiple_of,
    } = bounds;
    let whole = |bound: &Option<_>| bound.is_none() || whole(bound.as_ref()).is_some();
    let further = [exclusive_minimum, exclusive_maximum, multiple_of];
    whole(minimum) && whole(maximum) && further.iter().all(|bound| bound.is_none())
}

/// What the tables of the reference do not hold, for its own schema does not have it.
fn no_words(what: &str) -> CodegenError {
    CodegenError::Inexpressible {
        message: format!("the tables of the reference have no words for {what}"),
        place: "the schema".to_owned(),
        help: "teach `chatstate::definition` and `chatstate::validate` first".to_owned(),
    }
}

fn option(value: Option<String>) -> String {
    value.map_or_else(|| "None".to_owned(), |value| format!("Some({value})"))
}
