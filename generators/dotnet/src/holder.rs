//! Unions without a hierarchy: a class that holds the value of one variant.

use askama::Template;
use chatstate_codegen::names::Scope;
use chatstate_codegen::{CodegenError, printed};
use chatstate_schema_model::{JsonKind, KindArm, NamedDefinition, Type};

use crate::docs::summary;
use crate::literal::string;
use crate::names::Names;
use crate::types::{CSharpTypes, CsType};

/// One variant: its name and its type.
pub(crate) struct HolderVariant {
    pub name: String,
    pub ty: CsType,
}

/// What the template prints.
#[derive(Template)]
#[template(path = "holder.j2", escape = "none")]
struct HolderView {
    docs: Vec<String>,
    obsolete: bool,
    name: String,
    arms: Vec<VariantView>,
    /// What chooses the variant, and the cases of the choice.
    chosen_by: String,
    cases: Vec<String>,
}

struct VariantView {
    index: usize,
    name: String,
    /// The name of a variant's type, as XML text.
    shown: String,
    ty: String,
    write: String,
    /// Whether a value of the type may be where one of the union is asked for.
    converts: bool,
}

/// The text that a union is printed from.
pub(crate) fn holder(
    definition: &NamedDefinition,
    arms: Vec<HolderVariant>,
    chosen_by: &str,
    cases: Vec<String>,
    names: &Names<'_>,
) -> Result<String, CodegenError> {
    let name = names.definition(&definition.name);
    let mut scope = Scope::new(format!("definition `{}`", definition.name));
    for arm in &arms {
        scope.take(arm.name.clone(), &arm.name)?;
    }
    let texts: Vec<String> = arms.iter().map(|arm| arm.ty.text.clone()).collect();
    let views = arms.into_iter().enumerate().map(|(index, arm)| {
        let once = texts.iter().filter(|text| **text == arm.ty.text).count() == 1;
        VariantView {
            index,
            converts: once && !is_interface(&arm.ty.text) && arm.ty.text != name,
            shown: arm.ty.text.replace('<', "&lt;").replace('>', "&gt;"),
            name: arm.name,
            ty: arm.ty.text,
            write: arm.ty.write,
        }
    });
    let view = HolderView {
        docs: summary(
            &definition.doc,
            &format!("`{name}`, which the schema does not describe."),
        ),
        obsolete: definition.deprecated,
        arms: views.collect(),
        chosen_by: chosen_by.to_owned(),
        cases,
        name,
    };
    printed(&view)
}

/// C# has no conversions from interfaces.
fn is_interface(text: &str) -> bool {
    text.starts_with("IList<") || text.starts_with("IDictionary<")
}

/// A union of variants by JSON kind.
pub(crate) fn kinds(
    definition: &NamedDefinition,
    arms: &[KindArm],
    names: &Names<'_>,
) -> Result<String, CodegenError> {
    let types = CSharpTypes::new(names);
    let all: Vec<HolderVariant> = arms
        .iter()
        .map(|arm| HolderVariant {
            name: arm_name(arm.kind).to_owned(),
            ty: types.of(&arm.ty),
        })
        .collect();
    let mut cases: Vec<String> = arms
        .iter()
        .zip(&all)
        .map(|(kind, arm)| {
            let kind = value_kind(kind.kind);
            format!("{kind} => Of{}({}),", arm.name, arm.ty.read_call())
        })
        .collect();
    let kinds: Vec<String> = arms.iter().map(|arm| string(arm.kind.as_str())).collect();
    cases.push(format!(
        "_ => throw JsonRead.NoSuchKind(element, {}),",
        kinds.join(", ")
    ));
    holder(definition, all, "element.ValueKind", cases, names)
}

fn arm_name(kind: JsonKind) -> &'static str {
    match kind {
        JsonKind::Boolean => "Boolean",
        JsonKind::Number => "Number",
        JsonKind::String => "Text",
        JsonKind::Array => "List",
        JsonKind::Object => "Object",
    }
}

fn value_kind(kind: JsonKind) -> &'static str {
    match kind {
        JsonKind::Boolean => "JsonValueKind.True or JsonValueKind.False",
        JsonKind::Number => "JsonValueKind.Number",
        JsonKind::String => "JsonValueKind.String",
        JsonKind::Array => "JsonValueKind.Array",
        JsonKind::Object => "JsonValueKind.Object",
    }
}

/// A union of variants that nothing distinguishes: the first that takes the value.
pub(crate) fn alternatives(
    definition: &NamedDefinition,
    arms: &[String],
    names: &Names<'_>,
) -> Result<String, CodegenError> {
    let types = CSharpTypes::new(names);
    let of = |arm: &String| HolderVariant {
        name: names.definition(arm),
        ty: types.of(&Type::Reference {
            to: arm.clone(),
            cyclic: false,
        }),
    };
    let all: Vec<HolderVariant> = arms.iter().map(of).collect();
    let tries: Vec<String> = all
        .iter()
        .map(|arm| format!("static element => Of{}({})", arm.name, arm.ty.read_call()))
        .collect();
    let name = names.definition(&definition.name);
    let case = format!(
        "_ => JsonRead.First<{name}>(element, {}),",
        tries.join(", ")
    );
    holder(definition, all, "element.ValueKind", vec![case], names)
}
