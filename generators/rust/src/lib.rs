//! Writes the reference types in Rust from the model.
//!
//! One file for each schema file with its types, `definitions.rs` with the schema as tables,
//! `document.rs` with the root types in one enumeration, and `mod.rs`. The code is built with
//! `quote` and printed with `prettyplease`, so the output needs no formatter. It uses the runtime
//! of the `chatstate` crate (`crate::json`, `crate::definition`, `crate::Rejection`).
//!
//! The types keep what they do not know: further members in `extra`, unknown variants in an
//! `Unknown` arm. Readers split an object once, look at the discriminator, and hand the members to
//! the arm's reader; a malformed known variant is an error and never unknown.

mod alias;
mod check;
mod docs;
mod document;
mod enumeration;
mod kinds;
mod module;
mod names;
mod object;
mod reader;
mod size;
mod tables;
mod types;
mod union;

use chatstate_codegen::{CodegenError, Files};
use chatstate_ir::Ir;

use crate::names::Names;

/// The generator for Rust.
#[derive(Debug, Clone)]
pub struct RustGenerator {
    /// The path from the generated files to the folder of the schema files, for embedding them;
    /// with `/`, without one at the end.
    pub schema_folder: String,
}

impl RustGenerator {
    /// The types of the reference, which use the runtime of the crate that they are a module of.
    pub fn types(&self, ir: &Ir) -> Result<Files, CodegenError> {
        let names = Names::new(ir)?;
        let mut files = Files::new();
        for (schema, module) in ir.schemas.iter().zip(&names.modules) {
            let text = module::types_file(ir, schema, &names)?;
            files.add(format!("{module}.rs"), text)?;
        }
        files.add("definitions.rs", module::definitions_file(ir, &names)?)?;
        files.add("document.rs", module::document_file(ir, &names)?)?;
        files.add(
            "mod.rs",
            module::root_file(ir, &names, &self.schema_folder)?,
        )?;
        Ok(files)
    }
}
