//! What is in the generated files.

use std::collections::HashSet;

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

/// A folder of types for each schema file, and the resolver of all types.
pub(crate) fn files(names: &Names<'_>) -> Result<Vec<View>, CodegenError> {
    let mut views = Vec::new();
    let mut scope = Scope::new("the generated files");
    scope.take("JsonTypes".to_owned(), "the list of all types")?;
    for schema in &names.ir.schemas {
        let stem = schema.name.split('.').next().unwrap_or_default();
        let stem = scope.take(identifier(&pascal_case(stem)), &schema.name)?;
        views.extend(types(schema, &stem, names)?);
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

/// A file for each type of a schema file.
fn types(schema: &Schema, folder: &str, names: &Names<'_>) -> Result<Vec<View>, CodegenError> {
    let mut taken = HashSet::new();
    let definitions = names.ir.definitions_of(schema).map(|definition| {
        let name = file_name(names.definition(&definition.name), &mut taken);
        let file = FileView {
            header: HeaderView::of_types(schema, &names.namespace),
            definition: view(definition, names)?,
        };
        View::new(format!("Generated/{folder}/{name}.cs"), "file.cs", &file)
    });
    definitions.collect()
}

/// A name that no other file of the folder has, also where names differ by more than their case.
fn file_name(type_name: String, taken: &mut HashSet<String>) -> String {
    let mut name = type_name;
    while !taken.insert(name.to_lowercase()) {
        name.push('_');
    }
    name
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
