//! All files of a package.

use chatstate_codegen::{CodegenError, Files, Package, Templates};
use chatstate_ir::Ir;
use serde::Serialize;

use crate::models::{header, models};
use crate::names::{module_name, type_name};
use crate::runtime::{CHAT_STATE, RUNTIME};

/// The templates by name.
const TEMPLATES: &[(&str, &str)] = &[
    ("alias", include_str!("../templates/alias.py.hbs")),
    ("circle", include_str!("../templates/circle.py.hbs")),
    ("document", include_str!("../templates/document.py.hbs")),
    ("header", include_str!("../templates/header.py.hbs")),
    ("manifest", include_str!("../templates/pyproject.toml.hbs")),
    ("object", include_str!("../templates/object.py.hbs")),
    ("package", include_str!("../templates/package.py.hbs")),
    ("readme", include_str!("../templates/README.md.hbs")),
    ("union", include_str!("../templates/union.py.hbs")),
];

/// The page about chatstate's own package; other packages have one from a template.
const README: &str = include_str!("../package/README.md");

/// What the templates about the whole package print.
#[derive(Debug, Serialize)]
struct PackageView {
    name: String,
    module: String,
    doc: String,
    chat_state: bool,
    /// Whether the schema has no type of that name.
    rejection: bool,
    types: Vec<String>,
    roots: Vec<String>,
    root: String,
}

/// All files of a package.
pub(crate) fn package(ir: &Ir, package: &Package) -> Result<Files, CodegenError> {
    let templates = Templates::new(TEMPLATES)?;
    let view = lower(ir, package);
    let mut files = Files::new();
    files.add("pyproject.toml", templates.print("manifest", &view)?)?;
    let readme = if package.chat_state {
        README.to_owned()
    } else {
        templates.print("readme", &view)?
    };
    files.add("README.md", readme)?;
    let source = format!("src/{}", view.module);
    files.add(
        format!("{source}/__init__.py"),
        templates.print("package", &view)?,
    )?;
    let generated = header(ir, "What is made from the schema.");
    files.add(format!("{source}/generated/__init__.py"), generated)?;
    files.add(
        format!("{source}/generated/models.py"),
        models(ir, &templates)?,
    )?;
    let chat_state = if package.chat_state { CHAT_STATE } else { &[] };
    for (path, text) in RUNTIME.iter().chain(chat_state) {
        files.add(format!("{source}/{path}"), *text)?;
    }
    Ok(files)
}

fn lower(ir: &Ir, package: &Package) -> PackageView {
    let mut types: Vec<String> = ir.definitions.keys().map(|name| type_name(name)).collect();
    types.sort();
    let roots: Vec<String> = ir.roots().map(type_name).collect();
    PackageView {
        name: package.name.clone(),
        module: module_name(&package.name),
        doc: header(
            ir,
            "Types that read and write the documents of a JSON schema without loss.",
        ),
        chat_state: package.chat_state,
        rejection: !types.iter().any(|name| name == "Rejection"),
        types,
        root: roots.first().cloned().unwrap_or_default(),
        roots,
    }
}
