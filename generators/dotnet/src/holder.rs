//! Unions without a hierarchy: a class that holds the value of one variant.

use chatstate_codegen::CodegenError;
use chatstate_codegen::names::Scope;
use chatstate_schema_model::{KindArm, NamedDefinition, Type};

use crate::names::{Names, arm_name};
use crate::types::CSharpTypes;
use crate::view::{
    ChoiceView, Declared, FirstCase, HeldView, HolderView, KindCase, TypeView, ValueView,
};

/// One variant: its name and its type.
pub(crate) type HolderVariant = (String, ValueView);

/// A class that holds one of some variants.
pub(crate) fn holder(
    definition: &NamedDefinition,
    arms: Vec<HolderVariant>,
    choice: ChoiceView,
    names: &Names<'_>,
) -> Result<HolderView, CodegenError> {
    let declared = Declared::new(definition, names);
    let mut scope = Scope::new(format!("definition `{}`", definition.name));
    for (name, _) in &arms {
        scope.take(name.clone(), name)?;
    }
    let types: Vec<TypeView> = arms.iter().map(|(_, value)| value.ty.clone()).collect();
    let own = TypeView::named(&*declared.name);
    let arms = arms.into_iter().enumerate().map(|(index, (name, value))| {
        let once = types.iter().filter(|ty| **ty == value.ty).count() == 1;
        HeldView {
            index,
            converts: once && !is_interface(&value.ty) && value.ty != own,
            name,
            value,
        }
    });
    Ok(HolderView {
        arms: arms.collect(),
        declared,
        choice,
    })
}

/// C# has no conversions from interfaces.
fn is_interface(ty: &TypeView) -> bool {
    matches!(ty, TypeView::List { .. } | TypeView::Map { .. })
}

/// A union of variants by JSON kind.
pub(crate) fn kinds(
    definition: &NamedDefinition,
    arms: &[KindArm],
    names: &Names<'_>,
) -> Result<HolderView, CodegenError> {
    let types = CSharpTypes::new(names);
    let all: Vec<HolderVariant> = arms
        .iter()
        .map(|arm| (arm_name(arm.kind).to_owned(), types.of(&arm.ty)))
        .collect();
    let cases = arms.iter().zip(&all).map(|(arm, (name, value))| KindCase {
        json_kind: arm.kind.as_str(),
        name: name.clone(),
        read: value.read.clone(),
    });
    let cases = cases.collect();
    holder(definition, all, ChoiceView::Kind { cases }, names)
}

/// A union of variants that nothing distinguishes: the first that takes the value.
pub(crate) fn alternatives(
    definition: &NamedDefinition,
    arms: &[String],
    names: &Names<'_>,
) -> Result<HolderView, CodegenError> {
    let types = CSharpTypes::new(names);
    let all: Vec<HolderVariant> = arms.iter().map(|arm| referenced(arm, &types)).collect();
    let cases = all.iter().map(|(name, value)| FirstCase {
        name: name.clone(),
        read: value.read.clone(),
    });
    let cases = cases.collect();
    holder(definition, all, ChoiceView::First { cases }, names)
}

/// A variant that is a definition.
pub(crate) fn referenced(definition: &str, types: &CSharpTypes<'_>) -> HolderVariant {
    let ty = Type::Reference {
        to: definition.to_owned(),
        cyclic: false,
    };
    (types.names.definition(definition), types.of(&ty))
}
