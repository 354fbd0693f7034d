//! Names for types that are no classes: enumerations, unions by kind, alternatives, aliases, and the
//! variants of unions.

use std::collections::BTreeSet;

use chatstate_codegen::CodegenError;
use chatstate_schema_model::{
    DefinitionKind, Enumeration, Literal, NamedDefinition, UnionDefinition,
};

use crate::annotation::Annotations;
use crate::docs::{deprecation, docstring};
use crate::names::type_name;
use crate::view::{AliasView, Annotation, CircleView, DocView, LiteralView, VariantsView};

/// A name for a type.
pub(crate) fn alias(
    definition: &NamedDefinition,
    annotations: &Annotations<'_>,
) -> Result<AliasView, CodegenError> {
    Ok(AliasView {
        name: type_name(&definition.name),
        alias: annotations.imports.name("TypeAlias"),
        value: annotation_of(definition, annotations)?,
        doc: doc_of_alias(definition),
    })
}

/// The variants of a union with a discriminator. Its class has subclasses that no type checker knows
/// to be all, so that only a union of types can be matched exhaustively.
pub(crate) fn variants(
    definition: &NamedDefinition,
    union: &UnionDefinition,
    annotations: &Annotations<'_>,
) -> VariantsView {
    let class = type_name(&definition.name);
    let doc = format!(
        "Any variant of `{class}`: to type checkers the union of them, over which a `match` can be \
         exhaustive; when a program runs, `{class}` itself."
    );
    let known = union.arms.iter().map(|arm| &arm.definition);
    let mut seen = BTreeSet::new();
    let arms = known.chain(&union.unknown).filter(|arm| seen.insert(*arm));
    let arms = arms.map(|arm| Annotation::named(type_name(arm)));
    VariantsView {
        name: annotations.types.annotated(&definition.name),
        checking: annotations.imports.name("TYPE_CHECKING"),
        alias: annotations.imports.name("TypeAlias"),
        value: annotations.union(arms.collect()),
        class,
        doc: docstring(&[&doc, deprecation(definition.deprecated)]),
    }
}

/// A type that goes round in circles.
pub(crate) fn circle(
    definition: &NamedDefinition,
    annotations: &Annotations<'_>,
) -> Result<CircleView, CodegenError> {
    Ok(CircleView {
        name: type_name(&definition.name),
        checking: annotations.imports.name("TYPE_CHECKING"),
        alias: annotations.imports.name("TypeAlias"),
        late: annotations.imports.name("TypeAliasType"),
        value: annotation_of(definition, annotations)?,
        doc: doc_of_alias(definition),
    })
}

/// What is said of a definition that is no class.
pub(crate) fn doc_of_alias(definition: &NamedDefinition) -> DocView {
    docstring(&[
        &definition.doc,
        &value_docs(&definition.kind),
        deprecation(definition.deprecated),
    ])
}

/// The annotation of a definition that is no class.
pub(crate) fn annotation_of(
    definition: &NamedDefinition,
    annotations: &Annotations<'_>,
) -> Result<Annotation, CodegenError> {
    Ok(match &definition.kind {
        DefinitionKind::Alias(ty) => annotations.of(ty)?,
        DefinitionKind::Kinds(arms) => {
            let of = arms.iter().map(|arm| annotations.of(&arm.ty));
            let of = of.collect::<Result<_, _>>()?;
            let kinds = arms.iter().map(|arm| arm.kind.as_str().to_owned());
            let marker = annotations.marker("ByKind", kinds.map(LiteralView::Text));
            annotations.annotated(Annotation::Either { of }, vec![marker])
        }
        DefinitionKind::Alternatives(arms) => {
            let of = arms
                .iter()
                .map(|arm| Annotation::named(annotations.types.annotated(arm)));
            let of = of.collect();
            let marker = annotations.marker("FirstOf", []);
            annotations.annotated(Annotation::Either { of }, vec![marker])
        }
        DefinitionKind::Enumeration(enumeration) => enumerated(enumeration, annotations),
        DefinitionKind::Object(_) | DefinitionKind::Union(_) => {
            Annotation::named(type_name(&definition.name))
        }
    })
}

fn enumerated(enumeration: &Enumeration, annotations: &Annotations<'_>) -> Annotation {
    let literals = annotations.literals(enumeration.values.iter().map(|known| &known.value));
    let is_text = enumeration.texts().is_some();
    let or = |other: &str, literals| Annotation::Either {
        of: vec![literals, Annotation::named(other)],
    };
    let (annotation, marker) = match (is_text, enumeration.open) {
        (true, false) => return literals,
        (true, true) => (or("str", literals), "OpenText"),
        (false, false) => (literals, "ExactLiteral"),
        (false, true) => (or("int", literals), "WholeNumber"),
    };
    let marker = annotations.marker(marker, []);
    annotations.annotated(annotation, vec![marker])
}

/// A line for each value of an enumeration that has a description.
fn value_docs(kind: &DefinitionKind) -> String {
    let DefinitionKind::Enumeration(enumeration) = kind else {
        return String::new();
    };
    let documented = enumeration
        .values
        .iter()
        .filter(|known| !known.doc.trim().is_empty() || known.deprecated);
    let lines = documented.map(|known| {
        let value = match &known.value {
            Literal::Text(text) => format!("{text:?}"),
            Literal::Integer(value) => value.to_string(),
            Literal::Boolean(true) => "True".to_owned(),
            Literal::Boolean(false) => "False".to_owned(),
        };
        let doc = format!("{} {}", known.doc.trim(), deprecation(known.deprecated));
        format!("- `{value}`: {}", doc.trim())
    });
    lines.collect::<Vec<String>>().join("\n")
}
