//! Writes the types of a schema in Python: a package with pydantic models and the runtime they need.
//!
//! Everything is computed first, every name, annotation and line of documentation, as plain data
//! (`view`), and printed by templates that decide nothing and hold the code of the language; users
//! may replace some of them. The runtime is written by hand: it is a folder of
//! chatstate's own package in `packages/python`, of which every package gets a copy.
//!
//! A union is a class and its variants are subclasses, so that the union can read documents and
//! `match` distinguishes the variants. Annotations name the union of the variants, an alias, so that a
//! `match` over all of them is exhaustive. Classes come first, since their annotations are evaluated
//! late; the names of other types follow in an order in which each is known before it is used.
//!
//! Plain declarations type what `json.loads` gives, as it is: an object is a `TypedDict`.

mod alias;
mod annotation;
mod class;
mod declarations;
mod docs;
mod events;
mod imports;
mod layout;
mod literal;
mod models;
mod names;
mod order;
mod package;
mod view;
mod written;

use chatstate_codegen::{CodegenError, Files, Generator, Package, View, ViewSchema, Written};
use chatstate_schema_model::Ir;

/// The generator for Python.
#[derive(Debug, Clone, Copy)]
pub struct PythonGenerator;

impl Generator for PythonGenerator {
    fn name(&self) -> &'static str {
        "python"
    }

    fn runtime(&self, package: &Package) -> Result<Files, CodegenError> {
        package::runtime(package)
    }

    fn written(&self) -> Written {
        package::WRITTEN
    }

    fn views(&self, ir: &Ir, package: &Package) -> Result<Vec<View>, CodegenError> {
        package::views(ir, package)
    }

    fn declaration_views(&self, ir: &Ir, package: &Package) -> Result<Vec<View>, CodegenError> {
        package::declaration_views(ir, package)
    }

    fn view_schema(&self) -> ViewSchema {
        package::view_schema()
    }
}
