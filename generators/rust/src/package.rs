//! A crate of its own for a schema: manifest, types, and the runtime they need.

use askama::Template;
use chatstate_codegen::{CodegenError, Files, Package, Runtime, printed};
use chatstate_schema_model::Ir;

use crate::module;
use crate::names::Names;
use crate::runtime::{SAVED_CHATS, json_sources};
use crate::types;

/// The versions of the crates that the types use, as the reference uses them.
const OF_TYPES: &[Dependency] = &[dependency("indexmap", "2.14"), dependency("regex", "1")];

/// What the parts about saved chats use beside these.
const OF_SAVED_CHATS: &[Dependency] = &[dependency("base64", "0.23"), dependency("sha2", "0.11")];

/// What exact JSON uses.
const OF_JSON: &[Dependency] = &[
    dependency("indexmap", "2.14"),
    dependency("regex", "1"),
    dependency("ryu-js", "1"),
    dependency("sha2", "0.11"),
    dependency("thiserror", "2"),
    dependency("wide", "1.7"),
];

/// The values in CBOR, which are a feature of exact JSON.
const OF_CBOR: &[Dependency] = &[
    dependency("half", "2.7"),
    dependency("minicbor", "2.3"),
    dependency("num-bigint", "0.5"),
];

/// `Serialize` and `Deserialize`, which are a feature of exact JSON.
const OF_SERDE: &[Dependency] = &[
    dependency("serde", "1.0.229"),
    Dependency {
        features: ", features = [\"raw_value\"]",
        ..dependency("serde_json", "1.0.154")
    },
];

/// The version of the crate for exact JSON.
const JSON_VERSION: &str = env!("CARGO_PKG_VERSION");

/// What the template of the manifest prints.
#[derive(Template)]
#[template(path = "Cargo.toml.j2", escape = "none")]
struct Manifest<'a> {
    name: &'a str,
    dependencies: Vec<Dependency>,
    /// The version of exact JSON where it comes from a registry; else it is in the package.
    json_version: Option<&'a str>,
}

/// What the template of the manifest of exact JSON prints.
#[derive(Template)]
#[template(path = "json/Cargo.toml.j2", escape = "none")]
struct JsonManifest<'a> {
    version: &'a str,
    dependencies: &'a [Dependency],
    of_cbor: &'a [Dependency],
    of_serde: &'a [Dependency],
}

#[derive(Clone, Copy)]
struct Dependency {
    name: &'static str,
    version: &'static str,
    /// What the manifest says of features.
    features: &'static str,
}

const fn dependency(name: &'static str, version: &'static str) -> Dependency {
    let features = "";
    Dependency {
        name,
        version,
        features,
    }
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
        json_version: (package.runtime == Runtime::Dependency).then_some(JSON_VERSION),
    };
    let mut files = Files::new();
    files.add("Cargo.toml", printed(&manifest)?)?;
    if package.runtime == Runtime::Vendored {
        files.add_all("json/", json()?)?;
    }
    let saved_chats = if package.chat_state { SAVED_CHATS } else { &[] };
    for (path, text) in saved_chats {
        files.add(*path, *text)?;
    }
    Ok(files)
}

/// Exact JSON as a crate of its own.
fn json() -> Result<Files, CodegenError> {
    let manifest = JsonManifest {
        version: JSON_VERSION,
        dependencies: OF_JSON,
        of_cbor: OF_CBOR,
        of_serde: OF_SERDE,
    };
    let mut files = Files::new();
    files.add("Cargo.toml", printed(&manifest)?)?;
    files.add_all("src/", json_sources()?)?;
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
    let of_saved_chats = if chat_state { OF_SAVED_CHATS } else { &[] };
    let mut all = [OF_TYPES, of_saved_chats].concat();
    all.sort_by_key(|dependency| dependency.name);
    all
}
