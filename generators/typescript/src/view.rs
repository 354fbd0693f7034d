//! What the templates print: plain data.

use chatstate_schema_model::{Ir, Literal};
use schemars::JsonSchema;
use serde::Serialize;

use crate::names::is_inherited;

/// What is above a generated file. No time and no path: equal schemas give equal files.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct HeaderView {
    pub schemas: Vec<SchemaView>,
    pub imports: Vec<ImportView>,
}

/// A schema file that the package is made from.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct SchemaView {
    pub name: String,
    /// The SHA-256 of its text, in hexadecimal digits.
    pub digest: String,
}

/// An import of several names, one a line.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct ImportView {
    /// `import`, or `import type` where nothing of it is there at run time.
    pub keyword: &'static str,
    pub names: Vec<String>,
    pub from: &'static str,
}

impl HeaderView {
    /// The header of a file of a schema; an import of no name is left out.
    pub(crate) fn new(ir: &Ir, imports: impl IntoIterator<Item = ImportView>) -> Self {
        let schemas = ir.schemas.iter().map(|schema| SchemaView {
            name: schema.name.clone(),
            digest: schema.digest.clone(),
        });
        let imports = imports.into_iter();
        Self {
            schemas: schemas.collect(),
            imports: imports.filter(|import| !import.names.is_empty()).collect(),
        }
    }
}

/// A documentation comment: one line, or several; neither where there is nothing to say.
#[derive(Debug, Default, PartialEq, Eq, JsonSchema, Serialize)]
pub(crate) struct DocView {
    pub line: Option<String>,
    pub lines: Vec<String>,
}

/// A value that the schema spells out.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
#[serde(tag = "kind", content = "value", rename_all = "kebab-case")]
pub(crate) enum LiteralView {
    Text(String),
    Boolean(bool),
    /// Beyond the integers that a `number` holds for certain, it stands for those that it is the
    /// nearest `number` of.
    Integer(String),
}

impl From<&Literal> for LiteralView {
    fn from(literal: &Literal) -> Self {
        match literal {
            Literal::Text(text) => Self::Text(text.clone()),
            Literal::Boolean(value) => Self::Boolean(*value),
            Literal::Integer(value) => Self::Integer(value.to_string()),
        }
    }
}

/// A member of `value`.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct AccessView {
    pub name: String,
    /// Whether every object has a member of this name, so that its own is asked for.
    pub inherited: bool,
}

impl AccessView {
    pub(crate) fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            inherited: is_inherited(name),
        }
    }
}
