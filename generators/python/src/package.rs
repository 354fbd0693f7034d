//! The files of a package.

use chatstate_codegen::{
    CodegenError, Files, Package, PublicationView, View, ViewSchema, Written, body, double_quoted,
};
use chatstate_schema_model::Ir;
use schemars::JsonSchema;
use serde::Serialize;

use crate::declarations::declarations;
use crate::events::{EventsView, events};
use crate::layout::laid_out;
use crate::literal::text;
use crate::models::{header, models};
use crate::names::{TypeNames, module_name, type_name};
use crate::view::{
    AliasView, CircleView, DocumentView, HeaderView, ModuleView, ObjectView, TypedDictView,
    UnionView, VariantsView,
};
use crate::written;

/// The version of every package, until its owner changes the template.
const VERSION: &str = "0.1.0";

/// What a package is.
const DESCRIPTION: &str = "Types that read and write the documents of a JSON schema without loss";

/// The template of what is above the definitions of a module. Each of these is printed by itself, since
/// what a template calls gets a copy of its view.
const MODULE: &str = "module.py";

/// What the template of the manifest prints.
#[derive(JsonSchema, Serialize)]
struct Manifest<'a> {
    name: &'a str,
    module: &'a str,
    behaviour: bool,
    version: &'a str,
    #[serde(flatten)]
    publication: PublicationView<'a>,
}

/// What the template of the page about the package prints.
#[derive(JsonSchema, Serialize)]
struct Readme<'a> {
    name: &'a str,
    module: &'a str,
    roots: Vec<String>,
    root: String,
}

/// What the template of the package itself prints.
#[derive(JsonSchema, Serialize)]
struct Init {
    header: HeaderView,
    behaviour: bool,
    version: &'static str,
    /// Whether the schema has no type of that name.
    rejection: bool,
    types: Vec<String>,
}

/// What people wrote for the language.
pub(crate) const WRITTEN: Written = Written {
    templates: &written::TEMPLATES,
    spellings: &[
        ("string", text),
        ("laid_out", laid_out),
        ("body", body),
        ("double_quoted", double_quoted),
    ],
    skeleton: &written::SKELETON,
};

/// The files that people wrote.
pub(crate) fn runtime(package: &Package) -> Result<Files, CodegenError> {
    let source = format!("src/{}", module_name(&package.name));
    let mut files = written::runtime(&source)?;
    if package.behaviour {
        files.add_all("", written::behaviour(&source)?)?;
    }
    if written::has_page(package) {
        files.add("README.md", written::README)?;
    }
    Ok(files)
}

/// What the templates print.
pub(crate) fn views(ir: &Ir, package: &Package) -> Result<Vec<View>, CodegenError> {
    let (name, module) = (package.name.as_str(), module_name(&package.name));
    let source = |file: &str| format!("src/{module}/{file}");
    let manifest = manifest(package, &module);
    let mut views = vec![View::new("pyproject.toml", "pyproject.toml", &manifest)?];
    if !written::has_page(package) {
        let readme = readme(ir, name, &module);
        views.push(View::new("README.md", "README.md", &readme)?);
    }
    let init = init(ir, package.behaviour);
    views.push(View::new(source("__init__.py"), "package.py", &init)?);
    let header = header(ir, "What is made from the schema.");
    let path = source("generated/__init__.py");
    views.push(View::new(path, "header.py", &header)?);
    let path = source("generated/models.py");
    let (module, definitions) = models(ir)?;
    views.push(View::new(path.as_str(), MODULE, &module)?);
    for it in definitions {
        views.push(it.part(&path)?);
    }
    if let Some(roles) = &ir.roles {
        let path = source("generated/events.py");
        views.push(View::new(path, "events.py", &events(ir, roles))?);
    }
    Ok(views)
}

/// What the templates print of plain declarations: one module. It is called as the package is, since
/// `types` is a module of Python.
pub(crate) fn declaration_views(ir: &Ir, package: &Package) -> Result<Vec<View>, CodegenError> {
    let path = format!("{}.py", module_name(&package.name));
    let (module, declarations) = declarations(ir);
    let mut views = vec![View::new(path.as_str(), MODULE, &module)?];
    for it in declarations {
        views.push(it.part(&path)?);
    }
    Ok(views)
}

/// The schema of that.
pub(crate) fn view_schema() -> ViewSchema {
    ViewSchema::new("python")
        .with::<Manifest<'_>>("pyproject.toml")
        .with::<Readme<'_>>("README.md")
        .with::<Init>("package.py")
        .with::<HeaderView>("header.py")
        .with::<ModuleView>(MODULE)
        .with::<ObjectView>("object.py")
        .with::<UnionView>("union.py")
        .with::<DocumentView>("document.py")
        .with::<VariantsView>("variants.py")
        .with::<CircleView>("circle.py")
        .with::<AliasView>("alias.py")
        .with::<AliasView>("late-alias.py")
        .with::<TypedDictView>("typed-dict.py")
        .with::<TypedDictView>("typed-dict-call.py")
        .with::<EventsView>("events.py")
}

fn manifest<'a>(package: &'a Package, module: &'a str) -> Manifest<'a> {
    Manifest {
        name: &package.name,
        module,
        behaviour: package.behaviour,
        version: VERSION,
        publication: package.publication.view(DESCRIPTION),
    }
}

fn readme<'a>(ir: &Ir, name: &'a str, module: &'a str) -> Readme<'a> {
    let roots: Vec<String> = ir.roots().map(type_name).collect();
    Readme {
        name,
        module,
        root: roots.first().cloned().unwrap_or_default(),
        roots,
    }
}

fn init(ir: &Ir, behaviour: bool) -> Init {
    let types = TypeNames::new(ir).all();
    Init {
        header: header(
            ir,
            "Types that read and write the documents of a JSON schema without loss.",
        ),
        behaviour,
        version: VERSION,
        rejection: !types.iter().any(|name| name == "Rejection"),
        types,
    }
}
