//! Whole files: head, imports, items.

use std::collections::BTreeSet;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::thread;

use chatstate_codegen::CodegenError;
use chatstate_ir::{Definition, Ir, Kind, Schema};
use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

use crate::alias::alias;
use crate::alternatives::alternatives;
use crate::docs::doc_lines;
use crate::document::document;
use crate::enumeration::enumeration;
use crate::kinds::kinds;
use crate::names::{Names, ident};
use crate::object::object;
use crate::schemas::schemas;
use crate::tables::tables;
use crate::union::union;

/// What the generated items take from `crate::json`, where they use it.
const JSON_NAMES: &[&str] = &[
    "Kind",
    "Members",
    "ObjectWriter",
    "Presence",
    "Raw",
    "ReadJson",
    "WriteJson",
    "constraint",
];

/// What they take from elsewhere, where they use it.
const IMPORTED: &[&str] = &[
    "Constraint",
    "IndexMap",
    "LazyLock",
    "Regex",
    "Rejection",
    "json",
];

/// The types of one schema file.
pub(crate) fn types_file(ir: &Ir, schema: &Schema, names: &Names) -> Result<String, CodegenError> {
    let definitions: Vec<&Definition> = ir.definitions_of(schema).collect();
    let items = in_parallel(&definitions, |definition| {
        let tokens = item(ir, definition, names)?;
        let used = used_names(tokens.clone());
        Ok((printed(&schema.name, tokens)?, used))
    })?;
    let used: BTreeSet<&str> = items.iter().flat_map(|(_, used)| used).copied().collect();
    let mut code = printed(&schema.name, imports(&used))?;
    code.extend(items.iter().map(|(text, _)| text.as_str()));
    Ok(file(&[schema], &schema.doc, &code))
}

/// The results of some work on each of many things, in their order. The things are shared out among
/// as many threads as there are processors.
fn in_parallel<T: Sync, R: Send>(
    things: &[T],
    work: impl Fn(&T) -> Result<R, CodegenError> + Sync,
) -> Result<Vec<R>, CodegenError> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let share = things.len().div_ceil(threads).max(1);
    let work = &work;
    thread::scope(|scope| {
        let shares = things.chunks(share);
        let running: Vec<_> = shares
            .map(|share| scope.spawn(move || share.iter().map(work).collect::<Result<Vec<_>, _>>()))
            .collect();
        let mut results = Vec::with_capacity(things.len());
        for thread in running {
            results.extend(thread.join().unwrap_or_else(|panic| resume_unwind(panic))?);
        }
        Ok(results)
    })
}

/// The schema as tables.
pub(crate) fn definitions_file(ir: &Ir, names: &Names) -> Result<String, CodegenError> {
    let tables = tables(ir, names)?;
    let used = used_names(tables.clone());
    let (lock, regex) = (lock_import(&used), regex_import(&used));
    let constraint = used.contains("Constraint").then(|| quote!(Constraint,));
    let imports = quote!(use crate::definition::{#constraint Definition, Member, Shape};);
    let code = quote!(#lock #regex #imports #tables);
    let docs = "The schema as tables, one for each definition.";
    print("definitions.rs", &all(ir), docs, code)
}

/// The JSON Schemas of the types.
pub(crate) fn schemas_file(ir: &Ir, names: &Names) -> Result<String, CodegenError> {
    let items = schemas(ir, names)?;
    let docs = "The types as parts of JSON Schemas that hold them.";
    let imports = quote!(
        #![allow(clippy::too_many_lines, reason = "one of them has a line for each type")]
        use std::borrow::Cow;
        use schemars::{JsonSchema, Schema, SchemaGenerator};
        use super::definition;
    );
    print("schemas.rs", &all(ir), docs, quote!(#imports #items))
}

/// The root types in one enumeration.
pub(crate) fn document_file(ir: &Ir, names: &Names) -> Result<String, CodegenError> {
    let items = document(ir, names);
    let docs = "A document of any root type.";
    let imports = quote!(
        use crate::Rejection;
        use crate::json::{self, WriteJson};
    );
    print("document.rs", &all(ir), docs, quote!(#imports #items))
}

/// The module that holds the others. The reference also has its tables there, and the schema files
/// themselves, which are in `schema_folder`.
pub(crate) fn root_file(
    ir: &Ir,
    names: &Names,
    schema_folder: Option<&str>,
) -> Result<String, CodegenError> {
    let modules: Vec<_> = names.modules.iter().map(|name| ident(name)).collect();
    let deprecated = has_deprecated(ir).then(
        || quote!(#![allow(deprecated, reason = "readers and writers use deprecated members")]),
    );
    let tables = schema_folder.map(|_| {
        quote!(
            pub mod definitions;
        )
    });
    let texts = schema_folder.map(|folder| schema_texts(ir, folder));
    let code = quote! {
        #deprecated
        #![allow(clippy::too_many_lines, reason = "a union has a few lines for each of its arms")]
        #(mod #modules;)*
        #tables
        mod document;
        #(pub use #modules::*;)*
        pub use document::{Document, ROOT_NAMES};
        #texts
    };
    let docs = "The types of the schema, generated.";
    print("mod.rs", &all(ir), docs, code)
}

fn schema_texts(ir: &Ir, folder: &str) -> TokenStream {
    let files = ir.schemas.iter().map(|schema| &schema.name);
    let paths = ir
        .schemas
        .iter()
        .map(|schema| format!("{folder}/{}", schema.name));
    quote! {
        /// The schema files: name and text.
        pub const SCHEMAS: &[(&str, &str)] = &[#((#files, include_str!(#paths))),*];
    }
}

fn has_deprecated(ir: &Ir) -> bool {
    ir.definitions
        .values()
        .any(|definition| match &definition.kind {
            _ if definition.deprecated => true,
            Kind::Object(object) => object.members.iter().any(|member| member.deprecated),
            Kind::Enumeration(enumeration) => enumeration.values.iter().any(|it| it.deprecated),
            _ => false,
        })
}

/// The methods by which a type is a document of its own.
pub(crate) fn document_methods() -> TokenStream {
    methods(&quote!(&self))
}

/// The same methods for a type that is copied.
pub(crate) fn document_methods_by_value() -> TokenStream {
    methods(&quote!(self))
}

fn methods(receiver: &TokenStream) -> TokenStream {
    quote! {
        /// Reads JSON text as this type. A refusal says where, as a JSON pointer, and which rule is
        /// broken.
        pub fn from_json(text: &str) -> Result<Self, Rejection> {
            json::from_text(text)
        }
        /// Writes compact JSON text.
        #[must_use]
        pub fn to_json(#receiver) -> String {
            let mut out = String::with_capacity(256);
            self.write(&mut out);
            out
        }
    }
}

fn all(ir: &Ir) -> Vec<&Schema> {
    ir.schemas.iter().collect()
}

fn item(ir: &Ir, definition: &Definition, names: &Names) -> Result<TokenStream, CodegenError> {
    match &definition.kind {
        Kind::Object(kind) => object(definition, kind, names),
        Kind::Union(kind) => union(ir, definition, kind, names),
        Kind::Kinds(arms) => kinds(definition, arms, names),
        Kind::Enumeration(kind) => enumeration(definition, kind, names),
        Kind::Alternatives(arms) => alternatives(ir, definition, arms, names),
        Kind::Alias(ty) => alias(definition, ty, names),
    }
}

/// The imports of what the items use, and no others.
fn imports(used: &BTreeSet<&str>) -> TokenStream {
    let import = |name: &str, code: TokenStream| used.contains(name).then_some(code);
    let map = import(
        "IndexMap",
        quote!(
            use indexmap::IndexMap;
        ),
    );
    let rejection = import(
        "Rejection",
        quote!(
            use crate::Rejection;
        ),
    );
    let (lock, regex) = (lock_import(used), regex_import(used));
    let own = import("json", quote!(self,));
    let names = JSON_NAMES
        .iter()
        .filter(|name| used.contains(**name))
        .map(|name| ident(name));
    quote!(#lock #map #regex #rejection use crate::json::{#own #(#names),*};)
}

/// The names among those that may be imported that the code uses.
fn used_names(code: TokenStream) -> BTreeSet<&'static str> {
    let mut used = BTreeSet::new();
    collect(code, &mut used);
    used
}

fn collect(code: TokenStream, used: &mut BTreeSet<&'static str>) {
    for token in code {
        match token {
            TokenTree::Ident(name) => {
                let name = name.to_string();
                let mut known = IMPORTED.iter().chain(JSON_NAMES);
                used.extend(known.find(|known| name == **known));
            }
            TokenTree::Group(group) => collect(group.stream(), used),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

fn lock_import(used: &BTreeSet<&str>) -> Option<TokenStream> {
    let import = quote!(
        use std::sync::LazyLock;
    );
    used.contains("LazyLock").then_some(import)
}

fn regex_import(used: &BTreeSet<&str>) -> Option<TokenStream> {
    let import = quote!(
        use regex::Regex;
    );
    used.contains("Regex").then_some(import)
}

/// One file: the head, then the code as `prettyplease` prints it, items apart.
fn print(
    path: &str,
    schemas: &[&Schema],
    docs: &str,
    code: TokenStream,
) -> Result<String, CodegenError> {
    Ok(file(schemas, docs, &printed(path, code)?))
}

/// Code as `prettyplease` prints it.
fn printed(path: &str, code: TokenStream) -> Result<String, CodegenError> {
    let file = syn::parse2(code).map_err(|error| CodegenError::Invalid {
        path: path.to_owned(),
        fault: error.to_string(),
    })?;
    Ok(prettyplease::unparse(&file))
}

/// The text of a file: the head, and the printed code with items apart.
fn file(schemas: &[&Schema], docs: &str, code: &str) -> String {
    let mut text = String::from("// Generated by chatstate from its schema; do not edit.\n");
    for schema in schemas {
        text += "// `";
        text += &schema.name;
        text += "`, SHA-256 ";
        text += &schema.digest;
        text += "\n";
    }
    text += "\n";
    for line in doc_lines(docs) {
        text += format!("//! {line}").trim_end();
        text += "\n";
    }
    text += "\n";
    text += &spaced(code);
    text
}

/// The code with empty lines where people put them: after imports and items, between methods.
fn spaced(code: &str) -> String {
    let mut text = String::with_capacity(code.len() + code.len() / 32);
    let mut lines = code.lines().peekable();
    while let Some(line) = lines.next() {
        text += line;
        text.push('\n');
        if lines.peek().is_some_and(|next| apart(line, next)) {
            text.push('\n');
        }
    }
    text
}

/// Whether an empty line belongs between two lines.
fn apart(line: &str, next: &str) -> bool {
    let leaves = |prefix: &str| {
        line.starts_with(prefix) && line.ends_with([';', ']']) && !next.starts_with(prefix)
    };
    let block = matches!(line, "}" | "};" | "];" | ")]") && !next.starts_with("#![");
    let item = !line.starts_with([' ', '/']) && line.ends_with(';');
    let apart_item = item && (next.starts_with("///") || next.starts_with("impl"));
    let method = line == "    }"
        && ["    ///", "    #[", "    fn "]
            .iter()
            .any(|start| next.starts_with(start));
    block
        || leaves("#![")
        || apart_item
        || method
        || leaves("use ")
        || leaves("mod ")
        || leaves("pub use ")
}
