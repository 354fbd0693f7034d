//! Names for types that are no classes: enumerations, unions by kind, alternatives and aliases.

use askama::Template;
use chatstate_codegen::CodegenError;
use chatstate_schema_model::{DefinitionKind, Enumeration, Literal, NamedDefinition};

use crate::annotation::Annotations;
use crate::docs::{deprecation, docstring};
use crate::layout::laid_out;
use crate::literal::{literal, text};
use crate::names::type_name;

/// An alias as it is printed.
#[derive(Debug, Template)]
#[template(path = "alias.py.j2", escape = "none")]
pub(crate) struct AliasView {
    name: String,
    /// The type of the alias itself.
    alias: String,
    value: String,
    doc: String,
}

/// A type that goes round in circles, as it is printed: its value names it, and is read late.
#[derive(Debug, Template)]
#[template(path = "circle.py.j2", escape = "none")]
pub(crate) struct CircleView {
    name: String,
    /// What is true for type checkers alone.
    checking: String,
    /// The type of the alias itself, for type checkers.
    alias: String,
    /// The function that makes the type when a program runs.
    late: String,
    value: String,
    doc: String,
}

/// A name for a type.
pub(crate) fn alias(
    definition: &NamedDefinition,
    annotations: &Annotations<'_>,
) -> Result<AliasView, CodegenError> {
    let value = annotation_of(definition, annotations)?;
    let name = type_name(&definition.name);
    let alias = annotations.imports.name("TypeAlias");
    let before = name.len() + alias.len() + ":  = ".len();
    Ok(AliasView {
        value: laid_out(&value, 0, before, 0),
        name,
        alias,
        doc: doc(definition),
    })
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
        value: text(&annotation_of(definition, annotations)?),
        doc: doc(definition),
    })
}

fn doc(definition: &NamedDefinition) -> String {
    let paragraphs = [
        definition.doc.as_str(),
        &value_docs(&definition.kind),
        deprecation(definition.deprecated),
    ];
    docstring(&paragraphs, "")
}

/// The annotation of a definition that is no class.
pub(crate) fn annotation_of(
    definition: &NamedDefinition,
    annotations: &Annotations<'_>,
) -> Result<String, CodegenError> {
    Ok(match &definition.kind {
        DefinitionKind::Alias(ty) => annotations.of(ty)?,
        DefinitionKind::Kinds(arms) => {
            let types: Result<Vec<String>, CodegenError> =
                arms.iter().map(|arm| annotations.of(&arm.ty)).collect();
            let kinds: Vec<String> = arms.iter().map(|arm| text(arm.kind.as_str())).collect();
            let marker = annotations.call("ByKind", &kinds);
            annotations.union(&types?, marker)
        }
        DefinitionKind::Alternatives(arms) => {
            let arms: Vec<String> = arms.iter().map(|arm| type_name(arm)).collect();
            let marker = annotations.call("FirstOf", &[]);
            annotations.union(&arms, marker)
        }
        DefinitionKind::Enumeration(enumeration) => enumerated(enumeration, annotations),
        DefinitionKind::Object(_) | DefinitionKind::Union(_) => type_name(&definition.name),
    })
}

fn enumerated(enumeration: &Enumeration, annotations: &Annotations<'_>) -> String {
    let values = enumeration.values.iter();
    let values: Vec<String> = values.map(|known| literal(&known.value)).collect();
    let literals = annotations.literals(&values);
    let is_text = enumeration.texts().is_some();
    let (annotation, marker) = match (is_text, enumeration.open) {
        (true, false) => return literals,
        (true, true) => (format!("{literals} | str"), "OpenText"),
        (false, false) => (literals, "ExactLiteral"),
        (false, true) => (format!("{literals} | int"), "WholeNumber"),
    };
    let marker = annotations.call(marker, &[]);
    annotations.annotated(&annotation, &[marker])
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
            other => literal(other),
        };
        let doc = format!("{} {}", known.doc.trim(), deprecation(known.deprecated));
        format!("- `{value}`: {}", doc.trim())
    });
    lines.collect::<Vec<String>>().join("\n")
}
