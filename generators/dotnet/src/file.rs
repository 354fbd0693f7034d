//! What is in the generated files.

use chatstate_codegen::names::{Scope, pascal_case};
use chatstate_codegen::{CodegenError, View};
use chatstate_schema_model::{DefinitionKind, NamedDefinition, Schema};

use crate::alias::alias;
use crate::enumeration::enumeration;
use crate::events::events;
use crate::holder::{alternatives, kinds};
use crate::names::{Names, identifier};
use crate::object::object;
use crate::types::is_inline;
use crate::union::union;
use crate::unknown::unknown;
use crate::view::{DefinitionView, FileView, HeaderView, ResolverView};

/// One file for each schema file, and the resolver of all types.
pub(crate) fn files(names: &Names<'_>) -> Result<Vec<View>, CodegenError> {
    let mut views = Vec::new();
    let mut scope = Scope::new("the generated files");
    scope.take("JsonTypes".to_owned(), "the list of all types")?;
    for schema in &names.ir.schemas {
        let stem = schema.name.split('.').next().unwrap_or_default();
        let stem = scope.take(identifier(&pascal_case(stem)), &schema.name)?;
        let path = format!("Generated/{stem}.cs");
        views.push(View::new(path, "file.cs", &file(schema, names)?)?);
    }
    if let Some(roles) = &names.ir.roles {
        let stem = scope.take("EventRoles".to_owned(), "the roles of events")?;
        let path = format!("Generated/{stem}.cs");
        views.push(View::new(path, "events.cs", &events(roles, names)?)?);
    }
    let resolver = resolver(names);
    let path = "Generated/JsonTypes.cs";
    views.push(View::new(path, "resolver.cs", &resolver)?);
    Ok(views)
}

/// The types of a schema file.
fn file(schema: &Schema, names: &Names<'_>) -> Result<FileView, CodegenError> {
    let definitions = names.ir.definitions_of(schema);
    let definitions = definitions.map(|definition| view(definition, names));
    Ok(FileView {
        header: HeaderView::of(schema, &names.namespace),
        definitions: definitions.collect::<Result<_, _>>()?,
    })
}

/// The types that the serializer may be asked for.
fn resolver(names: &Names<'_>) -> ResolverView {
    let definitions = names.ir.definitions.values();
    let classes = definitions.filter(|definition| match &definition.kind {
        DefinitionKind::Alias(ty) => !is_inline(ty),
        _ => true,
    });
    let generated = classes.map(|definition| names.definition(&definition.name));
    ResolverView {
        header: HeaderView::of_all(names.ir, &names.namespace),
        types: generated.chain(["JsonNumber".to_owned()]).collect(),
    }
}

fn view(definition: &NamedDefinition, names: &Names<'_>) -> Result<DefinitionView, CodegenError> {
    Ok(match &definition.kind {
        DefinitionKind::Object(kind) => match names.base(&definition.name) {
            Some((base, of)) if of.unknown.as_deref() == Some(&definition.name) => {
                DefinitionView::Unknown(unknown(definition, kind, base, of, names)?)
            }
            _ => DefinitionView::Object(object(definition, kind, names)?),
        },
        DefinitionKind::Union(kind) => union(definition, kind, names)?,
        DefinitionKind::Kinds(arms) => DefinitionView::Holder(kinds(definition, arms, names)?),
        DefinitionKind::Alternatives(arms) => {
            DefinitionView::Holder(alternatives(definition, arms, names)?)
        }
        DefinitionKind::Enumeration(kind) => {
            DefinitionView::Enumeration(enumeration(definition, kind, names)?)
        }
        DefinitionKind::Alias(ty) => alias(definition, ty, names),
    })
}
