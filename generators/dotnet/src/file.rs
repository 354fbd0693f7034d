//! Whole files: head, usings, types.

use askama::Template;
use chatstate_codegen::names::{Scope, pascal_case};
use chatstate_codegen::{CodegenError, Files, printed};
use chatstate_schema_model::{DefinitionKind, NamedDefinition, Schema};

use crate::alias::alias;
use crate::enumeration::enumeration;
use crate::events::events;
use crate::holder::{alternatives, kinds};
use crate::known::known;
use crate::names::{Names, identifier};
use crate::object::object;
use crate::union::union;
use crate::unknown::unknown;

/// What the template prints of a file.
#[derive(Template)]
#[template(path = "file.j2", escape = "none")]
struct FileView<'a> {
    schemas: Vec<SourceView<'a>>,
    namespace: &'a str,
    types: Vec<String>,
}

struct SourceView<'a> {
    name: &'a str,
    digest: &'a str,
}

/// What the template prints of the resolver.
#[derive(Template)]
#[template(path = "resolver.j2", escape = "none")]
struct Resolver {
    types: Vec<String>,
}

/// One file for each schema file, and the resolver of all types.
pub(crate) fn files(names: &Names<'_>) -> Result<Files, CodegenError> {
    let mut files = Files::new();
    let mut scope = Scope::new("the generated files");
    scope.take("JsonTypes".to_owned(), "the list of all types")?;
    for schema in &names.ir.schemas {
        let definitions = names.ir.definitions_of(schema);
        let types = definitions.map(|definition| type_text(definition, names));
        let types = types.collect::<Result<Vec<_>, _>>()?;
        let stem = schema.name.split('.').next().unwrap_or_default();
        let stem = scope.take(identifier(&pascal_case(stem)), &schema.name)?;
        let text = file(&[schema], types, names)?;
        files.add(format!("Generated/{stem}.cs"), text)?;
    }
    let all: Vec<&Schema> = names.ir.schemas.iter().collect();
    if let Some(roles) = &names.ir.roles {
        let stem = scope.take("EventRoles".to_owned(), "the roles of events")?;
        let texts = vec![events(roles, names)?, known(names.ir, roles)?];
        let text = file(&all, texts, names)?;
        files.add(format!("Generated/{stem}.cs"), text)?;
    }
    let resolver = printed(&resolver(names))?;
    files.add("Generated/JsonTypes.cs", file(&all, vec![resolver], names)?)?;
    Ok(files)
}

/// The types that the serializer may be asked for.
fn resolver(names: &Names<'_>) -> Resolver {
    let classes = names
        .ir
        .definitions
        .values()
        .filter(|definition| match &definition.kind {
            DefinitionKind::Alias(ty) => !crate::types::is_inline(ty),
            _ => true,
        });
    let generated = classes.map(|definition| names.definition(&definition.name));
    Resolver {
        types: generated.chain(["JsonNumber".to_owned()]).collect(),
    }
}

fn file(
    schemas: &[&Schema],
    types: Vec<String>,
    names: &Names<'_>,
) -> Result<String, CodegenError> {
    let sources = schemas.iter().map(|schema| SourceView {
        name: &schema.name,
        digest: &schema.digest,
    });
    let view = FileView {
        schemas: sources.collect(),
        namespace: &names.namespace,
        types,
    };
    printed(&view)
}

fn type_text(definition: &NamedDefinition, names: &Names<'_>) -> Result<String, CodegenError> {
    match &definition.kind {
        DefinitionKind::Object(kind) => match names.base(&definition.name) {
            Some((base, of)) if of.unknown.as_deref() == Some(&definition.name) => {
                unknown(definition, kind, base, of, names)
            }
            _ => object(definition, kind, names),
        },
        DefinitionKind::Union(kind) => union(definition, kind, names),
        DefinitionKind::Kinds(arms) => kinds(definition, arms, names),
        DefinitionKind::Alternatives(arms) => alternatives(definition, arms, names),
        DefinitionKind::Enumeration(kind) => enumeration(definition, kind, names),
        DefinitionKind::Alias(ty) => alias(definition, ty, names),
    }
}
