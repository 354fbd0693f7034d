//! What is in the generated files.

use std::collections::HashSet;

use chatstate_codegen::names::{Scope, pascal_case};
use chatstate_codegen::{CodegenError, View};
use chatstate_schema_model::{DefinitionKind, NamedDefinition, Schema};
use schemars::JsonSchema;
use serde::Serialize;

use crate::alias::alias;
use crate::enumeration::enumeration;
use crate::events;
use crate::holder::{alternatives, kinds};
use crate::names::{Names, identifier};
use crate::object::object;
use crate::types::is_inline;
use crate::union::union;
use crate::unknown::unknown;
use crate::view::{DefinitionView, HeaderView};

/// One type.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "FileOf{D}")]
pub(crate) struct FileView<D> {
    pub header: HeaderView,
    #[serde(flatten)]
    pub definition: D,
}

impl<D> FileView<D> {
    fn of(header: HeaderView, definition: D) -> Self {
        Self { header, definition }
    }
}

/// Plain declarations of all types.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct DeclarationsView {
    pub header: HeaderView,
    pub definitions: Vec<DefinitionView>,
}

/// The list of all types.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct ResolverView {
    pub header: HeaderView,
    pub types: Vec<String>,
}

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
        views.extend(events::files(roles, names, &stem)?);
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
        let header = HeaderView::of_types(&schema.name, &names.namespace);
        let path = format!("Generated/{folder}/{name}.cs");
        file(path, header, view(definition, names)?)
    });
    definitions.collect()
}

/// The file of one type, by the template of its kind. One template for all kinds would call that of
/// each, and what a template calls gets a copy of its view.
fn file(
    path: String,
    header: HeaderView,
    definition: DefinitionView,
) -> Result<View, CodegenError> {
    match definition {
        DefinitionView::Object(it) => View::new(path, "object.cs", &FileView::of(header, it)),
        DefinitionView::Unknown(it) => View::new(path, "unknown.cs", &FileView::of(header, it)),
        DefinitionView::Union(it) => View::new(path, "union.cs", &FileView::of(header, it)),
        DefinitionView::Holder(it) => View::new(path, "holder.cs", &FileView::of(header, it)),
        DefinitionView::Enumeration(it) => {
            View::new(path, "enumeration.cs", &FileView::of(header, it))
        }
        DefinitionView::Scalar(it) => View::new(path, "scalar.cs", &FileView::of(header, it)),
        DefinitionView::Collection(it) => {
            View::new(path, "collection.cs", &FileView::of(header, it))
        }
    }
}

/// A name that no other file of the folder has, also where cases of letters are not told apart.
pub(crate) fn file_name(type_name: String, taken: &mut HashSet<String>) -> String {
    let mut name = type_name;
    while !taken.insert(name.to_lowercase()) {
        name.push('_');
    }
    name
}

/// Plain declarations of all types, but for names of types that C# has: their places have these types.
pub(crate) fn declarations(names: &Names<'_>) -> Result<DeclarationsView, CodegenError> {
    let definitions = names.ir.definitions.values();
    let declared = definitions.filter(|definition| is_declared(definition));
    let declared = declared.map(|definition| view(definition, names));
    Ok(DeclarationsView {
        header: HeaderView::of_all(names.ir, &names.namespace),
        definitions: declared.collect::<Result<_, _>>()?,
    })
}

/// Whether a definition has a type of its own in C#.
fn is_declared(definition: &NamedDefinition) -> bool {
    match &definition.kind {
        DefinitionKind::Alias(ty) => !is_inline(ty),
        _ => true,
    }
}

/// The types that the serializer may be asked for.
fn resolver(names: &Names<'_>) -> ResolverView {
    let definitions = names.ir.definitions.values();
    let classes = definitions.filter(|definition| is_declared(definition));
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

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::file_name;

    #[test]
    fn names_that_differ_by_case_alone_have_files_of_their_own() {
        let mut taken = HashSet::new();
        let names = ["Item", "ITEM", "item", "Other"];
        let files = names.map(|name| file_name(name.to_owned(), &mut taken));
        assert_eq!(files, ["Item", "ITEM_", "item__", "Other"]);
    }
}
