//! The whole package: what people wrote, what is generated, and the project file.

use askama::Template;
use chatstate_codegen::{CodegenError, Files, Package, printed};
use chatstate_schema_model::Ir;

use crate::file::files;
use crate::names::{Names, namespace};
use crate::pattern::check_patterns;
use crate::written;

/// What the template prints of the project file.
#[derive(Template)]
#[template(path = "project.j2", escape = "none")]
struct Project<'a> {
    namespace: &'a str,
    description: &'a str,
}

/// What the template prints of the page about the package.
#[derive(Template)]
#[template(path = "readme.j2", escape = "none")]
struct Readme<'a> {
    namespace: &'a str,
    description: &'a str,
    /// Whether the package is about saved chats.
    chat: bool,
}

/// The files that no schema changes.
pub(crate) fn runtime(package: &Package) -> Result<Files, CodegenError> {
    let namespace = &namespace(&package.name);
    let mut all = written::runtime(namespace)?;
    if package.chat_state {
        all.add_all("", written::behaviour(namespace)?)?;
    }
    let description = description(package);
    let project = Project {
        namespace,
        description,
    };
    let readme = Readme {
        namespace,
        description,
        chat: package.chat_state,
    };
    all.add(format!("{namespace}.csproj"), printed(&project)?)?;
    all.add("README.md", printed(&readme)?)?;
    Ok(all)
}

/// The files that the schema decides about.
pub(crate) fn generated(ir: &Ir, package: &Package) -> Result<Files, CodegenError> {
    check_patterns(ir)?;
    files(&Names::new(ir, &package.name)?)
}

fn description(package: &Package) -> &'static str {
    if package.chat_state {
        "Saved chats, sessions and events of agents, as types that keep what they do not know."
    } else {
        "Types of a JSON Schema, which keep what they do not know."
    }
}
