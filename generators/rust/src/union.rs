//! Tagged unions: an enumeration with one variant for each variant.

use askama::Template;
use chatstate_codegen::names::{Scope, pascal_case};
use chatstate_codegen::{CodegenError, printed};
use chatstate_schema_model::{
    DefinitionKind, Ir, NamedDefinition, ObjectDefinition, Type, UnionDefinition,
};

use crate::code::{Code, fits, quoted, texts};
use crate::docs::above;
use crate::names::{Names, field_name, ident};
use crate::size::is_large;

/// What the template of a union prints.
#[derive(Template)]
#[template(path = "union.rs.j2", escape = "none")]
struct UnionView {
    above: String,
    name: String,
    variants: Vec<VariantView>,
    unknown: Option<Unknown>,
    tag: Tag,
    receiver: &'static str,
    /// The variant of the reader for tags that the schema does not name.
    otherwise: String,
}

/// One variant as it is printed.
struct VariantView {
    above: String,
    name: String,
    /// The type of the variant, in a box where it is large.
    full_type: String,
    tag: String,
    /// The variant of the reader.
    read: String,
}

/// The variant for unknown tags.
struct Unknown {
    above: String,
    ty: String,
    /// The field that keeps the tag.
    field: String,
}

/// The discriminator.
struct Tag {
    /// What is above the method that gives it.
    above: String,
    /// How the reader begins to look at it.
    matched: String,
}

/// All items of a union definition.
pub(crate) fn union(
    ir: &Ir,
    definition: &NamedDefinition,
    union: &UnionDefinition,
    names: &Names,
) -> Result<Code, CodegenError> {
    let unknown = union.unknown.as_ref().map(|name| Unknown {
        above: above(description(ir, name), false, "    "),
        ty: names.definition(name),
        field: unknown_field(ir, name, &union.tag),
    });
    let text = format!("The discriminator, the member `{}`.", union.tag);
    let view = UnionView {
        above: above(&definition.doc, definition.deprecated, ""),
        name: names.definition(&definition.name),
        variants: variants(ir, definition, union, names)?,
        otherwise: otherwise(union, unknown.as_ref()),
        unknown,
        tag: Tag {
            above: above(&text, false, "    "),
            matched: matched(&union.tag),
        },
        receiver: "&self",
    };
    Ok(Code {
        text: printed(&view)?,
        laid_out: true,
    })
}

fn description<'i>(ir: &'i Ir, definition: &str) -> &'i str {
    let definition = ir.definitions.get(definition);
    definition.map_or("", |definition| definition.doc.as_str())
}

fn variants(
    ir: &Ir,
    definition: &NamedDefinition,
    union: &UnionDefinition,
    names: &Names,
) -> Result<Vec<VariantView>, CodegenError> {
    let arms = union.arms.iter().zip(variant_names(definition, union)?);
    let variants = arms.map(|(arm, name)| {
        let ty = names.definition(&arm.definition);
        let (tag, boxed) = (quoted(&arm.tag), is_large(ir, &arm.definition));
        Ok(VariantView {
            above: above(description(ir, &arm.definition), false, "    "),
            read: read(&tag, &ty, boxed, &name),
            full_type: if boxed { format!("Box<{ty}>") } else { ty },
            name,
            tag,
        })
    });
    variants.collect()
}

/// The variants of the known variants.
pub(crate) fn variant_names(
    definition: &NamedDefinition,
    union: &UnionDefinition,
) -> Result<Vec<String>, CodegenError> {
    let mut scope = Scope::new(format!("definition `{}`", definition.name));
    scope.take("Unknown".to_owned(), "the unknown arm")?;
    let names = union.arms.iter().map(|arm| {
        let short = pascal_case(&arm.tag);
        let name = if scope.has(&short) || short == "Self" {
            arm.definition.clone()
        } else {
            short
        };
        Ok(ident(&scope.take(name, &arm.tag)?))
    });
    names.collect()
}

/// The field of the unknown variant that keeps the tag.
fn unknown_field(ir: &Ir, unknown: &str, tag: &str) -> String {
    let kind = ir
        .definitions
        .get(unknown)
        .map(|definition| &definition.kind);
    let member = match kind {
        Some(DefinitionKind::Object(ObjectDefinition { members, .. })) => members
            .iter()
            .find(|member| matches!(member.ty, Type::UnknownTag(_))),
        _ => None,
    };
    ident(&field_name(member.map_or(tag, |member| &member.name)))
}

/// The reader looks at the tag and chooses the reader of the variant.
fn matched(tag: &str) -> String {
    let start = "        let read: fn(Members<'_>) -> Result<Self, Rejection> = match members";
    let tag = quoted(tag);
    let line = format!("{start}.tag({tag})?.as_ref() {{");
    if fits(&line) {
        return line;
    }
    format!("{start}\n            .tag({tag})?\n            .as_ref()\n        {{")
}

/// The variant of the reader for one tag. Each variant has a function of its own, so that the
/// temporaries of all variants are not on the stack while one of them goes deeper.
fn read(tag: &str, ty: &str, boxed: bool, variant: &str) -> String {
    let read = format!("{ty}::from_members(members)");
    let variant = format!(".map(Self::{variant})");
    let steps: &[&str] = if boxed {
        &[".map(Box::new)", &variant]
    } else {
        &[&variant]
    };
    arm(tag, &read, steps)
}

/// A variant whose pattern is before a closure: on one line, or on as many as it needs.
fn arm(pattern: &str, read: &str, steps: &[&str]) -> String {
    let body = format!("{read}{}", steps.concat());
    // The printer does not count the comma.
    let line = format!("            {pattern} => |members| {body}");
    if fits(&line) {
        return line + ",";
    }
    let line = format!("                |members| {body}");
    if fits(&line) {
        return format!("            {pattern} => {{\n{line}\n            }}");
    }
    let line = format!("                    {body}");
    let body = if fits(&line) {
        line
    } else {
        let step = "\n                        ";
        format!("                    {read}{step}{}", steps.join(step))
    };
    format!(
        "            {pattern} => {{\n                |members| {{\n{body}\n                }}\n            }}"
    )
}

/// The variant of the reader for all other tags.
fn otherwise(union: &UnionDefinition, unknown: Option<&Unknown>) -> String {
    let Some(Unknown { ty, .. }) = unknown else {
        let tags = texts(union.arms.iter().map(|arm| arm.tag.as_str()));
        let tag = quoted(&union.tag);
        return format!(
            "            other => return Err(constraint::no_such_tag(other, {tags}).within({tag})),"
        );
    };
    let read = format!("{ty}::from_members(members)");
    arm("_", &read, &[".map(Self::Unknown)"])
}
