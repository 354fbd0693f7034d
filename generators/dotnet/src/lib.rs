//! Writes a .NET package from the model: C# 12 over `System.Text.Json`, without reflection and without
//! source generators.
//!
//! The generated types are in `Generated/`, a file each in a folder for each schema file. They read and write
//! through a small runtime that people wrote, in `Runtime/`. That
//! and what only saved chats need are folders of chatstate's own package in `packages/dotnet`.
//!
//! A union with a discriminator is an abstract class, and its variants are the classes that derive
//! from it. What C# has no hierarchy for (variants of different JSON kinds, variants of several
//! unions, variants that nothing tells apart) is a class that holds the value of one variant. A
//! text or integer of a fixed set is a struct, so that a value which a later version adds is kept.
//! An unknown variant keeps the whole object.
//!
//! Plain declarations are classes with the same names and properties in one file, without readers and
//! writers, for a serializer of the user's.
//!
//! Everything is computed first as plain data (`view`), and printed by templates that decide nothing
//! and hold the code of the language; users may replace some of them.

mod alias;
mod docs;
mod enumeration;
mod events;
mod file;
mod holder;
mod literal;
mod names;
mod object;
mod others;
mod package;
mod pattern;
mod types;
mod union;
mod unknown;
mod used_names;
mod view;
mod written;

use chatstate_codegen::{CodegenError, Files, Generator, Package, View, ViewSchema, Written};
use chatstate_schema_model::Ir;

/// The generator for .NET.
#[derive(Debug, Clone, Copy, Default)]
pub struct DotnetGenerator;

impl Generator for DotnetGenerator {
    fn name(&self) -> &'static str {
        "dotnet"
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
