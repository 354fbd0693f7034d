//! The whole package: the generated files, the runtime, and what npm asks for.

use std::collections::BTreeSet;

use chatstate_codegen::{
    CodegenError, Files, Package, PublicationView, View, ViewSchema, Written, double_quoted,
};
use chatstate_schema_model::{DefinitionKind, Ir, NamedDefinition, Type};
use schemars::JsonSchema;
use serde::Serialize;

use crate::checks::{CheckView, check};
use crate::documents::{DocumentView, document};
use crate::events::{EventsView, events};
use crate::expressions::{Expressions, FITTING};
use crate::names::{check_name, quoted};
use crate::types::{Declaration, declaration};
use crate::view::{HeaderView, ImportView};
use crate::written;

/// What people wrote for the language.
pub(crate) const WRITTEN: Written = Written {
    templates: &written::TEMPLATES,
    spellings: &[("string", quoted), ("double_quoted", double_quoted)],
    skeleton: &written::SKELETON,
};

/// The files that people wrote.
pub(crate) fn runtime(package: &Package) -> Result<Files, CodegenError> {
    let mut files = written::runtime()?;
    if package.behaviour {
        files.add_all("", written::behaviour()?)?;
    }
    if written::has_page(package) {
        files.add("README.md", written::README)?;
    }
    Ok(files)
}

/// What the templates print.
pub(crate) fn views(ir: &Ir, package: &Package) -> Result<Vec<View>, CodegenError> {
    let behaviour = package.behaviour;
    let name = package.name.as_str();
    let title = title(ir);
    let entry = EntryView { behaviour };
    let mut views = vec![View::new("src/index.ts", "index.ts", &entry)?];
    if !written::has_page(package) {
        let readme = readme(ir, name, &title);
        views.push(View::new("README.md", "README.md", &readme)?);
    }
    let manifest = ManifestView {
        name,
        behaviour,
        publication: package.publication.view(&title),
    };
    views.push(View::new("package.json", "package.json", &manifest)?);
    views.extend(types_file(ir)?);
    views.extend(check_file(ir)?);
    if let Some(roles) = &ir.roles {
        let events = events(ir, roles);
        views.push(View::new("src/generated/events.ts", "events.ts", &events)?);
    }
    let documents = documents_file(ir, behaviour);
    let path = "src/generated/index.ts";
    views.push(View::new(path, "documents.ts", &documents)?);
    Ok(views)
}

/// What the templates print of plain declarations: one file.
pub(crate) fn declaration_views(ir: &Ir) -> Result<Vec<View>, CodegenError> {
    let above = DeclarationsView {
        header: HeaderView::new(ir, []),
        unknown_tag: ir.definitions.values().any(has_unknown_tag),
    };
    let path = "types.ts";
    let mut views = vec![View::new(path, "declarations.ts", &above)?];
    for definition in ir.definitions.values() {
        let it = declaration(definition);
        views.push(View::new(path, it.template(), &it)?);
    }
    Ok(views)
}

/// The schema of that.
pub(crate) fn view_schema() -> ViewSchema {
    ViewSchema::new("typescript")
        .with::<EntryView>("index.ts")
        .with::<ReadmeView<'_>>("README.md")
        .with::<ManifestView<'_>>("package.json")
        .with::<HeaderView>("header.ts")
        .with::<Declaration>("interface.ts")
        .with::<Declaration>("sum.ts")
        .with::<Declaration>("alias.ts")
        .with::<CheckView>("check-object.ts")
        .with::<CheckView>("check-union.ts")
        .with::<CheckView>("check-kinds.ts")
        .with::<CheckView>("check-alternatives.ts")
        .with::<CheckView>("check-values.ts")
        .with::<CheckView>("check-expression.ts")
        .with::<EventsView>("events.ts")
        .with::<DocumentsView>("documents.ts")
        .with::<DeclarationsView>("declarations.ts")
}

/// What is above plain declarations.
#[derive(JsonSchema, Serialize)]
struct DeclarationsView {
    header: HeaderView,
    /// Whether a type is needed for the tags of unknown variants.
    unknown_tag: bool,
}

/// What the template of readers, writers and validators prints.
#[derive(JsonSchema, Serialize)]
struct DocumentsView {
    header: HeaderView,
    definitions: Vec<DocumentView>,
}

/// What the template of the manifest prints.
#[derive(JsonSchema, Serialize)]
struct ManifestView<'a> {
    name: &'a str,
    behaviour: bool,
    #[serde(flatten)]
    publication: PublicationView<'a>,
}

/// What the template of the entry of the package prints.
#[derive(JsonSchema, Serialize)]
struct EntryView {
    behaviour: bool,
}

/// What the template of the page about the package prints.
#[derive(JsonSchema, Serialize)]
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

fn readme<'a>(ir: &'a Ir, name: &'a str, title: &'a str) -> ReadmeView<'a> {
    let mut definitions = ir.definitions.keys().map(String::as_str);
    let first = ir.roots().next().or_else(|| definitions.next());
    ReadmeView {
        name,
        title,
        example: first.unwrap_or("Document"),
    }
}

fn import<'n>(names: impl IntoIterator<Item = &'n str>, from: &'static str) -> ImportView {
    ImportView {
        keyword: "import",
        names: names.into_iter().map(str::to_owned).collect(),
        from,
    }
}

/// The header, and each definition by itself: what a template calls gets a copy of its view.
fn types_file(ir: &Ir) -> Result<Vec<View>, CodegenError> {
    let tag = ir.definitions.values().any(has_unknown_tag);
    let tag = tag.then_some("UnknownTag");
    let import = ImportView {
        keyword: "import type",
        ..import(tag, "../runtime/document.js")
    };
    let path = "src/generated/types.ts";
    let mut views = vec![View::new(
        path,
        "header.ts",
        &HeaderView::new(ir, [import]),
    )?];
    for definition in ir.definitions.values() {
        let it = declaration(definition);
        views.push(View::new(path, it.template(), &it)?);
    }
    Ok(views)
}

fn has_unknown_tag(definition: &NamedDefinition) -> bool {
    let DefinitionKind::Object(object) = &definition.kind else {
        return false;
    };
    let mut members = object.members.iter();
    members.any(|member| matches!(member.ty, Type::UnknownTag(_)))
}

fn has_conditions(definition: &NamedDefinition) -> bool {
    matches!(&definition.kind, DefinitionKind::Object(object) if !object.conditions.is_empty())
}

fn check_file(ir: &Ir) -> Result<Vec<View>, CodegenError> {
    let mut expressions = Expressions::new(ir);
    let definitions = ir.definitions.values();
    let definitions = definitions.map(|definition| check(definition, &mut expressions));
    let definitions: Vec<CheckView> = definitions.collect();
    let (asked, used): (Vec<_>, Vec<_>) = expressions.used().partition(|name| *name == FITTING);
    let used = used.into_iter().chain(["type Found"]);
    let conditions = ir.definitions.values().any(has_conditions);
    let conditions = conditions.then_some("conditions");
    let imports = [
        import(used, "../runtime/check.js"),
        import(
            conditions.into_iter().chain(asked),
            "../runtime/condition.js",
        ),
    ];
    let path = "src/generated/check.ts";
    let mut views = vec![View::new(path, "header.ts", &HeaderView::new(ir, imports))?];
    for it in definitions {
        views.push(View::new(path, it.template(), &it)?);
    }
    Ok(views)
}

/// What the readers, writers and validators take from the runtime.
const OF_DOCUMENTS: [&str; 6] = [
    "parser",
    "validator",
    "writer",
    "type Parser",
    "type Validator",
    "type Writer",
];

fn documents_file(ir: &Ir, behaviour: bool) -> DocumentsView {
    let names = || ir.definitions.keys().map(String::as_str);
    let checks: Vec<String> = names().map(check_name).collect();
    let rules: BTreeSet<String> = names()
        .filter_map(written::rule)
        .filter(|_| behaviour)
        .collect();
    let imports = [
        import(OF_DOCUMENTS, "../runtime/document.js"),
        import(rules.iter().map(String::as_str), "../chats/rules.js"),
        import(checks.iter().map(String::as_str), "./check.js"),
    ];
    let definitions = ir.definitions.values();
    DocumentsView {
        header: HeaderView::new(ir, imports),
        definitions: definitions.map(|it| document(it, behaviour)).collect(),
    }
}
