//! A crate of its own for a schema: manifest, types, and the runtime they need.

use chatstate_codegen::{CodegenError, Files, Package, Templates};
use chatstate_ir::Ir;
use serde::Serialize;

use crate::module;
use crate::names::Names;
use crate::runtime::{RUNTIME, SAVED_CHATS};
use crate::types;

/// The version of the crates that a package uses, as the reference uses them.
const DEPENDENCIES: &[(&str, &str)] = &[
    ("indexmap", "2.14"),
    ("memchr", "2.8"),
    ("regex", "1"),
    ("ryu-js", "1"),
    ("sha2", "0.11"),
    ("thiserror", "2"),
    ("wide", "1.7"),
];

/// What the parts about saved chats use beside these.
const OF_SAVED_CHATS: (&str, &str) = ("base64", "0.23");

/// The templates by name.
const TEMPLATES: &[(&str, &str)] = &[
    ("manifest", include_str!("../templates/Cargo.toml.hbs")),
    ("library", include_str!("../templates/lib.rs.hbs")),
    ("readme", include_str!("../templates/README.md.hbs")),
];

/// What the templates print.
#[derive(Serialize)]
struct View {
    name: String,
    /// The name of the crate in code.
    module: String,
    dependencies: Vec<Dependency>,
    /// The names of the root types, and the first of them.
    roots: Vec<String>,
    root: String,
    chat_state: bool,
}

#[derive(Serialize)]
struct Dependency {
    name: &'static str,
    version: &'static str,
}

/// All files of the crate.
pub(crate) fn package(ir: &Ir, package: &Package) -> Result<Files, CodegenError> {
    let names = Names::new(ir)?;
    let templates = Templates::new(TEMPLATES)?;
    let view = lower(ir, package, &names);
    let mut files = Files::new();
    files.add("Cargo.toml", templates.print("manifest", &view)?)?;
    files.add("README.md", templates.print("readme", &view)?)?;
    files.add("src/lib.rs", templates.print("library", &view)?)?;
    for (path, text) in types(ir, &names)?.iter() {
        files.add(format!("src/generated/{path}"), text)?;
    }
    files.add("src/generated/mod.rs", module::root_file(ir, &names, None)?)?;
    let saved_chats = if package.chat_state { SAVED_CHATS } else { &[] };
    for (path, text) in RUNTIME.iter().chain(saved_chats) {
        files.add(format!("src/{path}"), *text)?;
    }
    Ok(files)
}

fn lower(ir: &Ir, package: &Package, names: &Names) -> View {
    let of_saved_chats = package.chat_state.then_some(&OF_SAVED_CHATS);
    let dependencies = of_saved_chats.into_iter().chain(DEPENDENCIES);
    let roots: Vec<String> = ir
        .roots()
        .map(|root| names.definition(root).to_string())
        .collect();
    View {
        name: package.name.clone(),
        module: package.name.replace('-', "_"),
        dependencies: dependencies
            .map(|&(name, version)| Dependency { name, version })
            .collect(),
        root: roots.first().cloned().unwrap_or_default(),
        roots,
        chat_state: package.chat_state,
    }
}
