//! Whole files: head, imports, items.

use std::collections::BTreeSet;

use chatstate_codegen::CodegenError;
use chatstate_schema_model::{DefinitionKind, Ir, NamedDefinition, Roles, Schema};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote;

use crate::alias::alias;
use crate::alternatives::alternatives;
use crate::document::document;
use crate::enumeration::enumeration;
use crate::kinds::kinds;
use crate::names::{Names, ident};
use crate::object::object;
use crate::print::{parsed, printed};
use crate::roles::roles;
use crate::schemas::schemas;
use crate::tables::tables;
use crate::union::union;

/// The types of one schema file.
pub(crate) struct TypesFile {
    pub text: String,
    /// The names of the types that it declares.
    pub declared: Vec<Ident>,
}

/// The types of one schema file.
pub(crate) fn types_file(
    ir: &Ir,
    schema: &Schema,
    names: &Names,
) -> Result<TypesFile, CodegenError> {
    let items = ir.definitions_of(schema);
    let items = items.map(|definition| item(ir, definition, names));
    let items: TokenStream = items.collect::<Result<_, _>>()?;
    // Plain names for texts need nothing.
    let json = uses(&items, "json").then(|| {
        quote!(
            use chatstate_json as json;
        )
    });
    let others = others(ir, schema, names);
    let code = parsed(&schema.name, quote!(#json #others #items))?;
    let declared = code.items.iter().filter_map(|item| match item {
        syn::Item::Enum(item) => Some(item.ident.clone()),
        syn::Item::Struct(item) => Some(item.ident.clone()),
        _ => None,
    });
    Ok(TypesFile {
        declared: declared.collect(),
        text: printed(&[schema], &schema.doc, &code),
    })
}

/// Whether an identifier is somewhere in some code.
pub(crate) fn uses(code: &TokenStream, name: &str) -> bool {
    code.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == name,
        TokenTree::Group(group) => uses(&group.stream(), name),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// The import of the types of other schema files that those of this one use.
fn others(ir: &Ir, schema: &Schema, names: &Names) -> Option<TokenStream> {
    let used = ir.definitions_of(schema);
    let used = used.flat_map(|definition| definition.kind.references());
    let is_elsewhere = |name: &&str| {
        let definition = ir.definitions.get(*name);
        definition.is_some_and(|definition| definition.schema != schema.name)
    };
    let used: BTreeSet<Ident> = used
        .filter(is_elsewhere)
        .map(|name| names.definition(name))
        .collect();
    let used = used.iter();
    (used.len() > 0).then(|| quote!(use super::{#(#used),*};))
}

/// The schema as tables.
pub(crate) fn definitions_file(ir: &Ir, names: &Names) -> Result<String, CodegenError> {
    let docs = "The schema as tables, one for each definition.";
    file("definitions.rs", ir, docs, tables(ir, names)?)
}

/// The JSON Schemas of the types.
pub(crate) fn schemas_file(ir: &Ir, names: &Names) -> Result<String, CodegenError> {
    let docs = "The types as parts of JSON Schemas that hold them.";
    file("schemas.rs", ir, docs, schemas(ir, names)?)
}

/// What the events of the schema do.
pub(crate) fn roles_file(ir: &Ir, events: &Roles, names: &Names) -> Result<String, CodegenError> {
    let docs = "What events do, by their roles in the schema.";
    file("roles.rs", ir, docs, roles(ir, events, names)?)
}

/// The root types in one enumeration.
pub(crate) fn document_file(ir: &Ir, names: &Names) -> Result<String, CodegenError> {
    let docs = "A document of any root type.";
    file("document.rs", ir, docs, document(ir, names))
}

/// What the feature `serde` adds for some types.
pub(crate) fn with_serde_file(ir: &Ir, types: &[Ident]) -> Result<String, CodegenError> {
    let docs = "`Serialize` and `Deserialize` by the documents (feature `serde`).";
    let code = quote!(#(chatstate_json::impl_serde!(super::#types);)*);
    file("with_serde.rs", ir, docs, code)
}

/// The module that holds the others. The reference also has its tables there, and the schema files
/// themselves, which are in `schema_folder`.
pub(crate) fn root_file(
    ir: &Ir,
    names: &Names,
    schema_folder: Option<&str>,
) -> Result<String, CodegenError> {
    let modules: Vec<Ident> = names.modules.iter().map(|name| ident(name)).collect();
    let deprecated = has_deprecated(ir).then(
        || quote!(#![allow(deprecated, reason = "readers and writers use deprecated members")]),
    );
    let definitions = schema_folder.map(|_| {
        quote!(
            pub mod definitions;
        )
    });
    let roles = ir.roles.as_ref().map(|_| {
        quote!(
            pub mod roles;
        )
    });
    let schemas = schema_folder.map(|folder| schema_texts(ir, folder));
    let code = quote! {
        #deprecated
        #![allow(clippy::too_many_lines, reason = "a union has a few lines for each of its variants")]
        #![allow(clippy::unreadable_literal, reason = "numbers are spelled as in the schema")]
        #(mod #modules;)*
        #definitions
        mod document;
        #roles
        #[cfg(feature = "serde")]
        mod with_serde;
        #(pub use #modules::*;)*
        pub use document::{Document, ROOT_NAMES};
        #schemas
    };
    file("mod.rs", ir, "The types of the schema, generated.", code)
}

fn schema_texts(ir: &Ir, folder: &str) -> TokenStream {
    let names = ir.schemas.iter().map(|schema| &schema.name);
    let paths = names.clone().map(|name| format!("{folder}/{name}"));
    quote! {
        /// The schema files: name and text.
        pub const SCHEMAS: &[(&str, &str)] = &[#((#names, include_str!(#paths))),*];
    }
}

pub(crate) fn has_deprecated(ir: &Ir) -> bool {
    ir.definitions
        .values()
        .any(|definition| match &definition.kind {
            _ if definition.deprecated => true,
            DefinitionKind::Object(object) => object.members.iter().any(|member| member.deprecated),
            DefinitionKind::Enumeration(enumeration) => {
                enumeration.values.iter().any(|it| it.deprecated)
            }
            _ => false,
        })
}

/// The items of a definition.
fn item(ir: &Ir, definition: &NamedDefinition, names: &Names) -> Result<TokenStream, CodegenError> {
    match &definition.kind {
        DefinitionKind::Object(kind) => object(definition, kind, names),
        DefinitionKind::Union(kind) => union(ir, definition, kind, names),
        DefinitionKind::Kinds(arms) => kinds(definition, arms, names),
        DefinitionKind::Enumeration(kind) => enumeration(definition, kind, names),
        DefinitionKind::Alternatives(arms) => alternatives(ir, definition, arms, names),
        DefinitionKind::Alias(ty) => alias(definition, ty, names),
    }
}

/// A file that is made from all schema files.
pub(crate) fn file(
    path: &str,
    ir: &Ir,
    docs: &str,
    code: TokenStream,
) -> Result<String, CodegenError> {
    let schemas: Vec<&Schema> = ir.schemas.iter().collect();
    Ok(printed(&schemas, docs, &parsed(path, code)?))
}
