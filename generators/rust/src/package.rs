//! A crate of its own for a schema: manifest, types, and the runtime they need.

use chatstate_codegen::{
    CodegenError, Files, Package, PublicationView, Runtime, View, ViewSchema, Written,
    double_quoted,
};
use chatstate_schema_model::Ir;
use include_dir::{Dir, include_dir};
use schemars::JsonSchema;
use serde::Serialize;

use crate::module;
use crate::names::Names;
use crate::runtime::{SAVED_CHATS, json_sources};
use crate::types;

/// The templates of the files that are not code of the schema.
static TEMPLATES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/templates");

/// The skeleton of an adapter for an SDK.
static SKELETON: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/skeleton");

/// What people wrote for the language.
pub(crate) const WRITTEN: Written = Written {
    templates: &TEMPLATES,
    spellings: &[("double_quoted", double_quoted)],
    skeleton: &SKELETON,
};

/// The versions of the crates that the types use, as the reference uses them.
const OF_TYPES: &[Dependency] = &[dependency("indexmap", "2.14"), dependency("regex", "1")];

/// What the parts about saved chats use beside these.
const OF_SAVED_CHATS: &[Dependency] = &[dependency("base64", "0.23"), dependency("sha2", "0.11")];

/// What exact JSON uses.
const OF_JSON: &[Dependency] = &[
    dependency("ecow", "0.3"),
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

/// What a crate is.
const DESCRIPTION: &str = "types that read and write the documents of a JSON schema without loss";

/// A crate that another one depends on.
#[derive(Clone, Copy, JsonSchema, Serialize)]
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

/// What the template of the manifest prints.
#[derive(JsonSchema, Serialize)]
struct Manifest<'a> {
    name: &'a str,
    #[serde(flatten)]
    publication: PublicationView<'a>,
    dependencies: Vec<Dependency>,
    /// The version of exact JSON where it comes from a registry; else it is in the package.
    json_version: Option<&'a str>,
}

/// What the template of the manifest of exact JSON prints.
#[derive(JsonSchema, Serialize)]
struct JsonManifest<'a> {
    version: &'a str,
    dependencies: &'a [Dependency],
    of_cbor: &'a [Dependency],
    of_serde: &'a [Dependency],
}

/// A schema file.
#[derive(JsonSchema, Serialize)]
struct SchemaView<'a> {
    name: &'a str,
    digest: &'a str,
}

/// What the templates of the library and of the page about the crate print.
#[derive(JsonSchema, Serialize)]
struct Library<'a> {
    schemas: Vec<SchemaView<'a>>,
    name: &'a str,
    /// The name of the crate in code.
    module: &'a str,
    /// The names of the root types, and the first of them.
    roots: &'a [String],
    root: &'a str,
    behaviour: bool,
    /// Whether the schema has no type that is called as the kind of a rejection is.
    class: bool,
}

/// The files that no schema changes.
pub(crate) fn runtime(package: &Package) -> Result<Files, CodegenError> {
    let mut files = Files::new();
    if package.runtime == Runtime::Vendored {
        files.add_all("json/src/", json_sources()?)?;
    }
    let saved_chats = if package.behaviour { SAVED_CHATS } else { &[] };
    for (path, text) in saved_chats {
        files.add(*path, *text)?;
    }
    Ok(files)
}

/// The sources that the schema decides about.
pub(crate) fn sources(ir: &Ir) -> Result<Files, CodegenError> {
    let names = Names::new(ir)?;
    let mut files = Files::new();
    files.add_all("src/generated/", types(ir, &names)?)?;
    files.add("src/generated/mod.rs", module::root_file(ir, &names, None)?)?;
    Ok(files)
}

/// The schema of what the templates print.
pub(crate) fn view_schema() -> ViewSchema {
    ViewSchema::new("rust")
        .with::<Manifest<'_>>("Cargo.toml")
        .with::<Library<'_>>("README.md")
        .with::<Library<'_>>("lib.rs")
        .with::<JsonManifest<'_>>("json-Cargo.toml")
}

/// What the templates print.
pub(crate) fn views(ir: &Ir, package: &Package) -> Result<Vec<View>, CodegenError> {
    let names = Names::new(ir)?;
    let roots: Vec<String> = ir
        .roots()
        .map(|root| names.definition(root).to_string())
        .collect();
    let schemas = ir.schemas.iter().map(|schema| SchemaView {
        name: &schema.name,
        digest: &schema.digest,
    });
    let library = Library {
        schemas: schemas.collect(),
        name: &package.name,
        module: &package.name.replace('-', "_"),
        roots: &roots,
        root: roots.first().map_or("", String::as_str),
        behaviour: package.behaviour,
        class: !names.is_taken("Class"),
    };
    let mut views = vec![
        View::new("Cargo.toml", "Cargo.toml", &manifest(package))?,
        View::new("README.md", "README.md", &library)?,
        View::new("src/lib.rs", "lib.rs", &library)?,
    ];
    if package.runtime == Runtime::Vendored {
        let manifest = JsonManifest {
            version: JSON_VERSION,
            dependencies: OF_JSON,
            of_cbor: OF_CBOR,
            of_serde: OF_SERDE,
        };
        views.push(View::new("json/Cargo.toml", "json-Cargo.toml", &manifest)?);
    }
    Ok(views)
}

fn manifest(package: &Package) -> Manifest<'_> {
    let of_saved_chats = if package.behaviour {
        OF_SAVED_CHATS
    } else {
        &[]
    };
    let mut dependencies = [OF_TYPES, of_saved_chats].concat();
    dependencies.sort_by_key(|dependency| dependency.name);
    Manifest {
        name: &package.name,
        publication: package.publication.view(DESCRIPTION),
        dependencies,
        json_version: (package.runtime == Runtime::Dependency).then_some(JSON_VERSION),
    }
}
