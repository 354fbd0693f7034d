//! Whole files: head, usings, types.

use chatstate_codegen::names::{Scope, pascal_case};
use chatstate_codegen::{CodegenError, Files, Templates};
use chatstate_ir::{Definition, Kind, Schema};
use serde::Serialize;

use crate::alias::alias;
use crate::enumeration::enumeration;
use crate::holder::{alternatives, kinds};
use crate::names::{Names, identifier};
use crate::object::object;
use crate::union::union;
use crate::unknown::unknown;

/// What the template prints of a file.
#[derive(Serialize)]
struct View<'a> {
    schemas: Vec<Source<'a>>,
    namespace: &'a str,
    types: Vec<String>,
}

#[derive(Serialize)]
struct Source<'a> {
    name: &'a str,
    digest: &'a str,
}

/// What the template prints of the resolver.
#[derive(Serialize)]
struct Resolver {
    types: Vec<String>,
}

/// The values of a template.
pub(crate) fn value(view: &impl Serialize) -> Result<serde_json::Value, CodegenError> {
    serde_json::to_value(view).map_err(|error| CodegenError::Template {
        name: "values".to_owned(),
        fault: error.to_string(),
    })
}

/// One file for each schema file, and the resolver of all types.
pub(crate) fn files(names: &Names<'_>, templates: &Templates) -> Result<Files, CodegenError> {
    let mut files = Files::new();
    let mut scope = Scope::new("the generated files");
    scope.take("JsonTypes".to_owned(), "the list of all types")?;
    for schema in &names.ir.schemas {
        let definitions = names.ir.definitions_of(schema);
        let types = definitions.map(|definition| printed(definition, names, templates));
        let types = types.collect::<Result<Vec<_>, _>>()?;
        let stem = schema.name.split('.').next().unwrap_or_default();
        let stem = scope.take(identifier(&pascal_case(stem)), &schema.name)?;
        let text = file(&[schema], types, names, templates)?;
        files.add(format!("generated/{stem}.cs"), text)?;
    }
    let all: Vec<&Schema> = names.ir.schemas.iter().collect();
    let resolver = templates.print("resolver", &resolver(names))?;
    files.add(
        "generated/JsonTypes.cs",
        file(&all, vec![resolver], names, templates)?,
    )?;
    Ok(files)
}

/// The types that the serializer may be asked for.
fn resolver(names: &Names<'_>) -> Resolver {
    let classes = names
        .ir
        .definitions
        .values()
        .filter(|definition| match &definition.kind {
            Kind::Alias(ty) => !crate::types::is_inline(ty),
            _ => true,
        });
    Resolver {
        types: classes
            .map(|definition| names.definition(&definition.name))
            .collect(),
    }
}

fn file(
    schemas: &[&Schema],
    types: Vec<String>,
    names: &Names<'_>,
    templates: &Templates,
) -> Result<String, CodegenError> {
    let sources = schemas.iter().map(|schema| Source {
        name: &schema.name,
        digest: &schema.digest,
    });
    let view = View {
        schemas: sources.collect(),
        namespace: &names.namespace,
        types,
    };
    templates.print("file", &view)
}

fn printed(
    definition: &Definition,
    names: &Names<'_>,
    templates: &Templates,
) -> Result<String, CodegenError> {
    let (template, values) = match &definition.kind {
        Kind::Object(kind) => match names.base(&definition.name) {
            Some((base, of)) if of.unknown.as_deref() == Some(&definition.name) => {
                unknown(definition, kind, base, of, names)
            }
            _ => object(definition, kind, names),
        },
        Kind::Union(kind) => union(definition, kind, names),
        Kind::Kinds(arms) => kinds(definition, arms, names),
        Kind::Alternatives(arms) => alternatives(definition, arms, names),
        Kind::Enumeration(kind) => enumeration(definition, kind, names),
        Kind::Alias(ty) => alias(definition, ty, names),
    }?;
    templates.print(template, &values)
}
