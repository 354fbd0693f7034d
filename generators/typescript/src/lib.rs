//! Writes a package of TypeScript from the model.
//!
//! `src/generated/types.ts` has the types, `check.ts` a function for each of them that finds what is
//! wrong with a value, and `index.ts` the readers, writers and validators that users call. The rest of
//! the package is the runtime, which people write: it is a folder of chatstate's
//! own package in `packages/typescript`, of which every package gets a copy.
//!
//! A value is the plain object that JSON text stands for, so that members and variants which the
//! schema does not know survive without doing anything for it. The checks are straight-line code: a
//! test for each member, and a call for each other definition.
//!
//! Plain declarations are those of `types.ts`, in a file that needs no other.
//!
//! Everything is computed first as plain data, and printed by templates that decide nothing and hold
//! the code of the language; users may replace some of them.

mod checks;
mod docs;
mod documents;
mod events;
mod expressions;
mod layout;
mod names;
mod package;
mod pattern;
mod types;
mod view;
mod written;

use std::ffi::OsStr;
use std::path::Path;

use chatstate_codegen::{CodegenError, Files, Generator, Package, View, ViewSchema, Written};
use chatstate_schema_model::Ir;

/// The generator for TypeScript.
#[derive(Debug, Clone, Copy)]
pub struct TypeScriptGenerator;

impl Generator for TypeScriptGenerator {
    fn name(&self) -> &'static str {
        "typescript"
    }

    fn runtime(&self, package: &Package) -> Result<Files, CodegenError> {
        package::runtime(package)
    }

    fn printed(&self, ir: &Ir, package: &Package) -> Result<Files, CodegenError> {
        self.laid_out(self.views(ir, package)?, package)
    }

    fn declarations(&self, ir: &Ir, package: &Package) -> Result<Files, CodegenError> {
        self.laid_out(self.declaration_views(ir, package)?, package)
    }

    fn written(&self) -> Written {
        package::WRITTEN
    }

    fn views(&self, ir: &Ir, package: &Package) -> Result<Vec<View>, CodegenError> {
        package::views(ir, package)
    }

    fn declaration_views(&self, ir: &Ir, _package: &Package) -> Result<Vec<View>, CodegenError> {
        package::declaration_views(ir)
    }

    fn view_schema(&self) -> ViewSchema {
        package::view_schema()
    }

    fn warnings(&self, ir: &Ir) -> Vec<String> {
        pattern::warnings(ir)
    }
}

impl TypeScriptGenerator {
    /// The files that the templates print, in lines as Prettier has them.
    fn laid_out(self, views: Vec<View>, package: &Package) -> Result<Files, CodegenError> {
        let templates = self.written().templates(self.name(), package)?;
        let mut files = Files::new();
        for (path, text) in templates.files(views)? {
            let is_source = Path::new(&path).extension() == Some(OsStr::new("ts"));
            let text = if is_source {
                layout::laid_out(&text).into()
            } else {
                text
            };
            files.add(path, text)?;
        }
        Ok(files)
    }
}
