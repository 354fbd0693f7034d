//! The whole package: the generated files, the runtime, and what npm asks for.

use std::collections::BTreeSet;

use askama::Template;
use chatstate_codegen::{CodegenError, Files, Package, printed};
use chatstate_schema_model::{DefinitionKind, Ir, NamedDefinition, Schema, Type};

use crate::checks::check;
use crate::documents::{document, rule};
use crate::events::events;
use crate::expressions::Expressions;
use crate::names::check_name;
use crate::types::declaration;
use crate::written;

/// The files that no schema changes.
pub(crate) fn runtime(package: &Package) -> Result<Files, CodegenError> {
    let chat_state = package.chat_state;
    let mut files = written::runtime()?;
    if chat_state {
        files.add_all("", written::behaviour()?)?;
    }
    files.add("src/index.ts", printed(&IndexView { chat_state })?)?;
    Ok(files)
}

/// The files that the schema decides about.
pub(crate) fn generated(ir: &Ir, package: &Package) -> Result<Files, CodegenError> {
    let chat_state = package.chat_state;
    let name = package.name.as_str();
    let title = title(ir);
    let mut files = Files::new();
    if !chat_state {
        files.add("README.md", readme(ir, name, &title)?)?;
    }
    let manifest = ManifestView {
        name,
        chat_state,
        description: serde_json::Value::from(title.as_str()).to_string(),
    };
    files.add("package.json", printed(&manifest)?)?;
    files.add("src/generated/types.ts", types_file(ir)?)?;
    files.add("src/generated/check.ts", check_file(ir)?)?;
    if let Some(roles) = &ir.roles {
        files.add("src/generated/events.ts", file(ir, &[], &[events(roles)?])?)?;
    }
    let documents = documents_file(ir, chat_state)?;
    files.add("src/generated/index.ts", documents)?;
    Ok(files)
}

/// What the template of the manifest prints.
#[derive(Template)]
#[template(path = "manifest.j2", escape = "none")]
struct ManifestView<'a> {
    name: &'a str,
    chat_state: bool,
    /// What the package is, as a text of JSON.
    description: String,
}

/// What the template of the entry of the package prints.
#[derive(Template)]
#[template(path = "index.j2", escape = "none")]
struct IndexView {
    chat_state: bool,
}

/// What the template of the page about the package prints.
#[derive(Template)]
#[template(path = "readme.j2", escape = "none")]
struct ReadmeView<'a> {
    name: &'a str,
    title: &'a str,
    /// A type that documents are of, for the example of the page.
    example: &'a str,
}

/// What the package is, in words.
fn title(ir: &Ir) -> String {
    let titles = ir.schemas.iter().map(|schema| schema.title.as_str());
    let titles: Vec<&str> = titles.collect();
    format!("Types, readers and validators for {}.", titles.join(", "))
}

fn readme(ir: &Ir, name: &str, title: &str) -> Result<String, CodegenError> {
    let mut definitions = ir.definitions.keys().map(String::as_str);
    let first = ir.roots().next().or_else(|| definitions.next());
    let example = first.unwrap_or("Document");
    let view = ReadmeView {
        name,
        title,
        example,
    };
    printed(&view)
}

/// What a file was generated from.
#[derive(Template)]
#[template(path = "head.j2", escape = "none")]
struct HeadView<'a> {
    schemas: &'a [Schema],
}

/// An import of several names, one a line; nothing without any.
#[derive(Template)]
#[template(path = "import.j2", escape = "none")]
struct ImportView<'a> {
    /// `import`, or `import type` where nothing of it is there at run time.
    keyword: &'a str,
    names: &'a [&'a str],
    from: &'a str,
}

fn import<'a>(names: &'a [&'a str], from: &'a str) -> ImportView<'a> {
    ImportView {
        keyword: "import",
        names,
        from,
    }
}

fn types_file(ir: &Ir) -> Result<String, CodegenError> {
    let mut items = Vec::new();
    for definition in ir.definitions.values() {
        items.push(declaration(definition)?);
    }
    let tag = ir.definitions.values().any(has_unknown_tag);
    let import = ImportView {
        keyword: "import type",
        names: if tag { &["UnknownTag"] } else { &[] },
        from: "../runtime/document.js",
    };
    file(ir, &[import], &items)
}

fn has_unknown_tag(definition: &NamedDefinition) -> bool {
    let DefinitionKind::Object(object) = &definition.kind else {
        return false;
    };
    let mut members = object.members.iter();
    members.any(|member| matches!(member.ty, Type::UnknownTag(_)))
}

fn check_file(ir: &Ir) -> Result<String, CodegenError> {
    let mut expressions = Expressions::new(ir);
    let mut items = Vec::new();
    for definition in ir.definitions.values() {
        items.push(check(definition, &mut expressions)?);
    }
    let mut used: Vec<&str> = expressions.used().collect();
    used.push("type Found");
    file(ir, &[import(&used, "../runtime/check.js")], &items)
}

/// All types under one name, so that none of them hides what a file takes from elsewhere.
const TYPES: &str = "import type * as types from \"./types.js\";\n";

fn documents_file(ir: &Ir, chat_state: bool) -> Result<String, CodegenError> {
    let names = || ir.definitions.keys().map(String::as_str);
    let mut items = Vec::new();
    for definition in ir.definitions.values() {
        items.push(document(definition, chat_state)?);
    }
    let runtime = [
        "parser",
        "validator",
        "writer",
        "type Parser",
        "type Validator",
        "type Writer",
    ];
    let checks: Vec<String> = names().map(check_name).collect();
    let checks: Vec<&str> = checks.iter().map(String::as_str).collect();
    let rules: BTreeSet<&str> = names().filter_map(rule).filter(|_| chat_state).collect();
    let rules: Vec<&str> = rules.into_iter().collect();
    let imports = [
        import(&runtime, "../runtime/document.js"),
        import(&rules, "../chats/rules.js"),
        import(&checks, "./check.js"),
    ];
    items.insert(0, TYPES.to_owned());
    file(ir, &imports, &items)
}

/// A generated file: its head, its imports, its items. No time and no path: equal schemas give
/// equal files.
fn file(ir: &Ir, imports: &[ImportView<'_>], items: &[String]) -> Result<String, CodegenError> {
    let schemas = &ir.schemas;
    let mut text = printed(&HeadView { schemas })?;
    for import in imports {
        text += &printed(import)?;
    }
    text.push('\n');
    text += &items.join("\n");
    Ok(text)
}
