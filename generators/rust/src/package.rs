//! A crate of its own for a schema: manifest, types, and the runtime they need.

use askama::Template;
use chatstate_codegen::{CodegenError, Files, Package, printed};
use chatstate_ir::Ir;

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

/// What the template of the manifest prints.
#[derive(Template)]
#[template(path = "Cargo.toml.j2", escape = "none")]
struct Manifest<'a> {
    name: &'a str,
    dependencies: Vec<Dependency>,
}

struct Dependency {
    name: &'static str,
    version: &'static str,
}

/// What the template of the page about the crate prints.
#[derive(Template)]
#[template(path = "README.md.j2", escape = "none")]
struct Readme<'a> {
    name: &'a str,
    /// The name of the crate in code.
    module: &'a str,
    /// The names of the root types, and the first of them.
    roots: &'a [String],
    root: &'a str,
    chat_state: bool,
}

/// What the template of the library prints.
#[derive(Template)]
#[template(path = "lib.rs.j2", escape = "none")]
struct Library<'a> {
    module: &'a str,
    root: &'a str,
    chat_state: bool,
}

/// The files that no schema changes.
pub(crate) fn runtime(package: &Package) -> Result<Files, CodegenError> {
    let manifest = Manifest {
        name: &package.name,
        dependencies: dependencies(package.chat_state),
    };
    let mut files = Files::new();
    files.add("Cargo.toml", printed(&manifest)?)?;
    let saved_chats = if package.chat_state { SAVED_CHATS } else { &[] };
    for (path, text) in RUNTIME.iter().chain(saved_chats) {
        files.add(format!("src/{path}"), *text)?;
    }
    Ok(files)
}

/// The files that the schema decides about.
pub(crate) fn generated(ir: &Ir, package: &Package) -> Result<Files, CodegenError> {
    let names = Names::new(ir)?;
    let chat_state = package.chat_state;
    let name = package.name.as_str();
    let module = &name.replace('-', "_");
    let roots: Vec<String> = ir.roots().map(|root| names.definition(root)).collect();
    let root = roots.first().map_or("", String::as_str);
    let readme = Readme {
        name,
        module,
        roots: &roots,
        root,
        chat_state,
    };
    let library = Library {
        module,
        root,
        chat_state,
    };
    let mut files = Files::new();
    files.add("README.md", printed(&readme)?)?;
    files.add("src/lib.rs", printed(&library)?)?;
    files.add_all("src/generated/", types(ir, &names)?)?;
    files.add("src/generated/mod.rs", module::root_file(ir, &names, None)?)?;
    Ok(files)
}

fn dependencies(chat_state: bool) -> Vec<Dependency> {
    let of_saved_chats = chat_state.then_some(&OF_SAVED_CHATS);
    let all = of_saved_chats.into_iter().chain(DEPENDENCIES);
    all.map(|&(name, version)| Dependency { name, version })
        .collect()
}
