//! Whole files: head, imports, items.

use std::collections::BTreeSet;

use askama::Template;
use chatstate_codegen::{CodegenError, printed};
use chatstate_schema_model::{DefinitionKind, Ir, NamedDefinition, Roles, Schema};

use crate::alias::alias;
use crate::alternatives::alternatives;
use crate::code::{Code, quoted};
use crate::document::document;
use crate::enumeration::enumeration;
use crate::kinds::kinds;
use crate::names::Names;
use crate::object::object;
use crate::print::{file, laid_out};
use crate::schemas::schemas;
use crate::tables::tables;
use crate::union::union;
use crate::with_serde::implementations;

/// What generated items import where they use it: from `chatstate_json`, and from elsewhere.
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
const IMPORTS: &[(&str, &str)] = &[
    ("LazyLock", "std::sync::LazyLock"),
    ("IndexMap", "indexmap::IndexMap"),
    ("Regex", "regex::Regex"),
    ("Rejection", "chatstate_json::Rejection"),
];

/// What the template of the module that holds the others prints.
#[derive(Template)]
#[template(path = "mod.rs.j2", escape = "none")]
struct ModuleView<'n> {
    /// Whether something in the schema is deprecated.
    deprecated: bool,
    modules: &'n [String],
    /// Whether the schema says what events do.
    roles: bool,
    /// The schema files themselves, as literals, if they are part of it.
    schemas: Option<Vec<SchemaFile>>,
}

struct SchemaFile {
    name: String,
    path: String,
}

/// The types of one schema file.
pub(crate) fn types_file(ir: &Ir, schema: &Schema, names: &Names) -> Result<String, CodegenError> {
    let items = ir.definitions_of(schema);
    let items = items.map(|definition| laid_out(&schema.name, item(ir, definition, names)?));
    let items = items.collect::<Result<Vec<_>, _>>()?;
    let mut used = BTreeSet::new();
    for item in &items {
        collect_words(item, &mut used);
    }
    let mut code = laid_out(&schema.name, imports(&used))?;
    code.extend(items);
    Ok(file(&[schema], &schema.doc, &code))
}

/// The schema as tables.
pub(crate) fn definitions_file(ir: &Ir, names: &Names) -> Result<String, CodegenError> {
    let tables = tables(ir, names)?;
    let mut used = BTreeSet::new();
    collect_words(&tables, &mut used);
    let mut text = String::new();
    for name in ["LazyLock", "Regex"] {
        text += &import(name, &used);
    }
    let constraint = if used.contains("Constraint") {
        "Constraint, "
    } else {
        ""
    };
    text += "use chatstate_json::{self as json, Rejection};\n";
    text += "use crate::definition::{";
    text += constraint;
    text += "Definition, Member, Shape};\n";
    text += &tables;
    let docs = "The schema as tables, one for each definition.";
    print("definitions.rs", &all(ir), docs, not_laid_out(text))
}

/// The JSON Schemas of the types.
pub(crate) fn schemas_file(ir: &Ir, names: &Names) -> Result<String, CodegenError> {
    let text = schemas(ir, names)?;
    let docs = "The types as parts of JSON Schemas that hold them.";
    print("schemas.rs", &all(ir), docs, not_laid_out(text))
}

/// What the events of the schema do.
pub(crate) fn roles_file(ir: &Ir, roles: &Roles, names: &Names) -> Result<String, CodegenError> {
    let mut text = String::from(
        "#![allow(clippy::match_same_arms, reason = \"each kind has a row of its own\")]\n\
         use chatstate_json::{Object, SplitText};\n",
    );
    text += &crate::roles::roles(ir, roles, names)?;
    let docs = "What events do, by their roles in the schema.";
    print("roles.rs", &all(ir), docs, not_laid_out(text))
}

/// Code whose layout is left to the printer.
fn not_laid_out(text: String) -> Code {
    let laid_out = false;
    Code { text, laid_out }
}

/// The root types in one enumeration.
pub(crate) fn document_file(ir: &Ir, names: &Names) -> Result<String, CodegenError> {
    let docs = "A document of any root type.";
    print("document.rs", &all(ir), docs, document(ir, names)?)
}

/// What the feature `serde` adds.
pub(crate) fn with_serde_file(ir: &Ir, types: &[&str]) -> Result<String, CodegenError> {
    let code = Code {
        text: implementations(types)?,
        laid_out: true,
    };
    let docs = "`Serialize` and `Deserialize` by the documents (feature `serde`).";
    print("with_serde.rs", &all(ir), docs, code)
}

/// The module that holds the others. The reference also has its tables there, and the schema files
/// themselves, which are in `schema_folder`.
pub(crate) fn root_file(
    ir: &Ir,
    names: &Names,
    schema_folder: Option<&str>,
) -> Result<String, CodegenError> {
    let view = ModuleView {
        deprecated: has_deprecated(ir),
        modules: &names.modules,
        roles: ir.roles.is_some(),
        schemas: schema_folder.map(|folder| schema_files(ir, folder)),
    };
    let docs = "The types of the schema, generated.";
    let code = Code {
        text: printed(&view)?,
        laid_out: schema_folder.is_none(),
    };
    print("mod.rs", &all(ir), docs, code)
}

fn schema_files(ir: &Ir, folder: &str) -> Vec<SchemaFile> {
    let files = ir.schemas.iter().map(|schema| SchemaFile {
        name: quoted(&schema.name),
        path: quoted(&format!("{folder}/{}", schema.name)),
    });
    files.collect()
}

fn has_deprecated(ir: &Ir) -> bool {
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

fn all(ir: &Ir) -> Vec<&Schema> {
    ir.schemas.iter().collect()
}

/// The items of a definition.
pub(crate) fn item(
    ir: &Ir,
    definition: &NamedDefinition,
    names: &Names,
) -> Result<Code, CodegenError> {
    match &definition.kind {
        DefinitionKind::Object(kind) => object(definition, kind, names),
        DefinitionKind::Union(kind) => union(ir, definition, kind, names),
        DefinitionKind::Kinds(arms) => kinds(definition, arms, names),
        DefinitionKind::Enumeration(kind) => enumeration(definition, kind, names),
        DefinitionKind::Alternatives(arms) => alternatives(ir, definition, arms, names),
        DefinitionKind::Alias(ty) => alias(definition, ty, names),
    }
}

/// The imports of what the items use, and no others.
fn imports(used: &BTreeSet<&str>) -> Code {
    let mut text = String::new();
    for (name, _) in IMPORTS {
        text += &import(name, used);
    }
    let own = used.contains("json").then_some("self as json");
    let names = JSON_NAMES.iter().filter(|name| used.contains(**name));
    let names: Vec<&str> = own.into_iter().chain(names.copied()).collect();
    text += "use chatstate_json::{";
    text += &names.join(", ");
    text += "};\n";
    Code {
        text,
        laid_out: names.len() > 1,
    }
}

/// The import of a name that is used.
fn import(name: &str, used: &BTreeSet<&str>) -> String {
    let known = IMPORTS.iter().find(|(known, _)| *known == name);
    match known {
        Some((_, path)) if used.contains(name) => format!("use {path};\n"),
        _ => String::new(),
    }
}

/// Adds the words of code that may be imported, without those of descriptions and literals.
fn collect_words<'c>(code: &'c str, words: &mut BTreeSet<&'c str>) {
    let mut missing = imported().filter(|name| !words.contains(name));
    if !missing.any(|name| code.contains(name)) {
        return;
    }
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let lines = code
        .lines()
        .filter(|line| !line.trim_start().starts_with("///"));
    for line in lines {
        let mut rest = line;
        while let Some(start) = rest.bytes().position(|byte| is_word(byte) || byte == b'"') {
            rest = &rest[start..];
            let literal = rest.starts_with('"');
            let end = if literal {
                end_of_literal(rest)
            } else {
                rest.bytes()
                    .position(|byte| !is_word(byte))
                    .unwrap_or(rest.len())
            };
            let (word, after) = rest.split_at(end);
            if !literal && is_imported(word) {
                words.insert(word);
            }
            rest = after;
        }
    }
}

/// Whether a word is one of those that are imported where they are used.
fn is_imported(word: &str) -> bool {
    imported().any(|name| name == word)
}

fn imported() -> impl Iterator<Item = &'static str> {
    let elsewhere = IMPORTS.iter().map(|(name, _)| *name);
    let names = JSON_NAMES.iter().copied().chain(elsewhere);
    names.chain(["Constraint", "json"])
}

/// Where a literal at the start of a text ends.
fn end_of_literal(text: &str) -> usize {
    let mut escaped = false;
    let end = text.bytes().skip(1).position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |end| end + 2)
}

/// One file: the head, then the code as it is printed, items apart.
fn print(path: &str, schemas: &[&Schema], docs: &str, code: Code) -> Result<String, CodegenError> {
    Ok(file(schemas, docs, &laid_out(path, code)?))
}
