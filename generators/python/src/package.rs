//! The files of a package.

use askama::Template;
use chatstate_codegen::{CodegenError, Files, Package, printed};
use chatstate_schema_model::Ir;

use crate::events::events;
use crate::models::{header, models};
use crate::names::{module_name, type_name};
use crate::written;

/// What the template of the manifest prints.
#[derive(Template)]
#[template(path = "pyproject.toml.j2", escape = "none")]
struct Manifest<'a> {
    name: &'a str,
    module: &'a str,
    chat_state: bool,
}

/// What the template of the page about the package prints.
#[derive(Template)]
#[template(path = "README.md.j2", escape = "none")]
struct Readme<'a> {
    name: &'a str,
    module: &'a str,
    roots: &'a [String],
    root: &'a str,
}

/// What the template of the package itself prints.
#[derive(Template)]
#[template(path = "package.py.j2", escape = "none")]
struct Init {
    doc: String,
    chat_state: bool,
    /// Whether the schema has no type of that name.
    rejection: bool,
    types: Vec<String>,
}

/// The files that no schema changes.
pub(crate) fn runtime(package: &Package) -> Result<Files, CodegenError> {
    let module = module_name(&package.name);
    let manifest = Manifest {
        name: &package.name,
        module: &module,
        chat_state: package.chat_state,
    };
    let mut files = Files::new();
    files.add("pyproject.toml", printed(&manifest)?)?;
    let source = format!("src/{module}");
    files.add_all("", written::runtime(&source)?)?;
    if package.chat_state {
        files.add_all("", written::behaviour(&source)?)?;
    }
    Ok(files)
}

/// The files that the schema decides about.
pub(crate) fn generated(ir: &Ir, package: &Package) -> Result<Files, CodegenError> {
    let (name, module) = (package.name.as_str(), module_name(&package.name));
    let mut files = Files::new();
    if !package.chat_state {
        files.add("README.md", readme(ir, name, &module)?)?;
    }
    let source = format!("src/{module}");
    let init = printed(&init(ir, package.chat_state))?;
    files.add(format!("{source}/__init__.py"), init)?;
    let generated = header(ir, "What is made from the schema.");
    files.add(format!("{source}/generated/__init__.py"), generated)?;
    files.add(format!("{source}/generated/models.py"), models(ir)?)?;
    if let Some(roles) = &ir.roles {
        files.add(format!("{source}/generated/events.py"), events(ir, roles)?)?;
    }
    Ok(files)
}

fn readme(ir: &Ir, name: &str, module: &str) -> Result<String, CodegenError> {
    let roots: Vec<String> = ir.roots().map(type_name).collect();
    let readme = Readme {
        name,
        module,
        root: roots.first().map_or("", String::as_str),
        roots: &roots,
    };
    printed(&readme)
}

fn init(ir: &Ir, chat_state: bool) -> Init {
    let mut types: Vec<String> = ir.definitions.keys().map(|name| type_name(name)).collect();
    types.sort();
    Init {
        doc: header(
            ir,
            "Types that read and write the documents of a JSON schema without loss.",
        ),
        chat_state,
        rejection: !types.iter().any(|name| name == "Rejection"),
        types,
    }
}
