//! Writes the types of a schema in Rust: a crate of its own, or the reference's types.
//!
//! One file for each schema file with its types, `document.rs` with the root types in one
//! enumeration, `with_serde.rs` with what the feature `serde` adds, and `mod.rs`. All functions give
//! tokens (`quote`), and `prettyplease` prints those of a file, so the output needs no formatter. It
//! uses the crate `chatstate-json`, which a crate of its own holds in a folder or depends on. The
//! reference also has `definitions.rs` with the schema as tables, and `schemas.rs` with the JSON
//! Schemas of its types. Manifests, the page about a crate and `lib.rs` are templates of Handlebars.
//!
//! Plain declarations are the types of all schema files in one file, without readers and writers. They
//! hold the values of Rust, and those of `serde_json` where any JSON value may be.
//!
//! The types keep what they do not know: further members in `extra`, unknown variants in an
//! `Unknown` variant. Readers split an object once, look at the discriminator, and hand the members
//! to the variant's reader; a malformed known variant is an error and never unknown.

mod alias;
mod alternatives;
mod check;
mod declarations;
mod docs;
mod document;
mod doubt;
mod enumeration;
mod implementations;
mod integers;
mod kinds;
mod module;
mod names;
mod object;
mod package;
mod print;
mod reader;
mod roles;
mod runtime;
mod schemas;
mod size;
mod tables;
mod types;
mod union;
mod variants;

use chatstate_codegen::{CodegenError, Files, Generator, Package, View, ViewSchema, Written};
use chatstate_schema_model::Ir;

use crate::names::Names;

/// The generator for Rust.
#[derive(Debug, Clone, Copy)]
pub struct RustGenerator;

impl Generator for RustGenerator {
    fn name(&self) -> &'static str {
        "rust"
    }

    fn runtime(&self, package: &Package) -> Result<Files, CodegenError> {
        package::runtime(package)
    }

    fn generated(&self, ir: &Ir, package: &Package) -> Result<Files, CodegenError> {
        let mut files = self.printed(ir, package)?;
        files.add_all("", package::sources(ir)?)?;
        Ok(files)
    }

    fn declarations(&self, ir: &Ir, package: &Package) -> Result<Files, CodegenError> {
        let templates = self.written().templates(self.name(), package)?;
        let mut files = templates.files(self.declaration_views(ir, package)?)?;
        files.add("types.rs", declarations::declarations(ir)?)?;
        Ok(files)
    }

    fn written(&self) -> Written {
        package::WRITTEN
    }

    fn views(&self, ir: &Ir, package: &Package) -> Result<Vec<View>, CodegenError> {
        package::views(ir, package)
    }

    /// None: declarations are made of tokens.
    fn declaration_views(&self, _ir: &Ir, _package: &Package) -> Result<Vec<View>, CodegenError> {
        Ok(Vec::new())
    }

    fn view_schema(&self) -> ViewSchema {
        package::view_schema()
    }
}

/// The types of the reference and its tables, which use the runtime of the crate that they are a
/// module of.
///
/// `schema_folder` is the path from the generated files to the folder of the schema files, for
/// embedding them; with `/`, without one at the end.
pub fn reference_types(ir: &Ir, schema_folder: &str) -> Result<Files, CodegenError> {
    let names = Names::new(ir)?;
    let mut files = types(ir, &names)?;
    files.add("definitions.rs", module::definitions_file(ir, &names)?)?;
    files.add(
        "mod.rs",
        module::root_file(ir, &names, Some(schema_folder))?,
    )?;
    Ok(files)
}

/// The JSON Schemas of the reference's types, as parts of schemas that hold them: a module beside
/// the types.
pub fn reference_schemas(ir: &Ir) -> Result<String, CodegenError> {
    module::schemas_file(ir, &Names::new(ir)?)
}

/// The types of a schema and their documents, without the module that holds them.
fn types(ir: &Ir, names: &Names) -> Result<Files, CodegenError> {
    let mut files = Files::new();
    let mut declared = Vec::new();
    for (schema, module) in ir.schemas.iter().zip(&names.modules) {
        let types = module::types_file(ir, schema, names)?;
        files.add(format!("{module}.rs"), types.text)?;
        declared.extend(types.declared);
    }
    files.add("with_serde.rs", module::with_serde_file(ir, &declared)?)?;
    files.add("document.rs", module::document_file(ir, names)?)?;
    if let Some(roles) = &ir.roles {
        files.add("roles.rs", module::roles_file(ir, roles, names)?)?;
    }
    Ok(files)
}
