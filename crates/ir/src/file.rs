//! One schema file: its head, its roots, its definitions.

use indexmap::IndexMap;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::cycles::mark_cycles;
use crate::definition::{Scope, read_definition};
use crate::node::Node;
use crate::reach::check_reach;
use crate::{Ir, IrError, Schema};

/// The dialect every schema file declares.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// The keywords at the top of a schema file.
const HEAD: &[&str] = &["$schema", "$id", "title", "description", "x-roots", "$defs"];

/// The text of one schema file.
#[derive(Debug, Clone, Copy)]
pub struct SchemaText<'a> {
    /// The file name, for errors, module names and embedding; no directory.
    pub name: &'a str,
    /// The JSON text.
    pub text: &'a str,
}

/// Reads schema files into one model.
///
/// The files share one name space of definitions, but a reference stays within its file. The first
/// thing that cannot be represented is the error.
pub fn read(files: &[SchemaText<'_>]) -> Result<Ir, IrError> {
    let mut ir = Ir {
        schemas: Vec::new(),
        definitions: IndexMap::new(),
    };
    for file in files {
        let value = parse(file)?;
        let root = Node::root(file.name, &value);
        read_file(&root, file, &mut ir)?;
    }
    mark_cycles(&mut ir.definitions);
    Ok(ir)
}

/// The file as JSON.
pub(crate) fn parse(file: &SchemaText<'_>) -> Result<Value, IrError> {
    serde_json::from_str(file.text).map_err(|error| IrError {
        file: file.name.to_owned(),
        pointer: String::new(),
        message: format!("not JSON: {error}"),
        help: "correct the text; the schema is plain JSON without comments".to_owned(),
    })
}

fn read_file(root: &Node<'_>, file: &SchemaText<'_>, ir: &mut Ir) -> Result<(), IrError> {
    root.allow(&[], HEAD)?;
    let dialect = root.require("$schema")?;
    if dialect.text()? != DIALECT {
        return Err(dialect.fail("unknown dialect", format!("write `{DIALECT}`")));
    }
    let nodes = root.require("$defs")?.members()?;
    let scope = Scope {
        definitions: nodes.iter().cloned().collect(),
    };
    for (name, node) in &nodes {
        if let Some(earlier) = ir.definitions.get(*name) {
            let message = format!("definition `{name}` is also in `{}`", earlier.schema);
            return Err(node.fail(message, "give one of the two another name"));
        }
        let definition = read_definition(name, node, &scope)?;
        ir.definitions.insert((*name).to_owned(), definition);
    }
    let schema = Schema {
        name: file.name.to_owned(),
        id: root.require("$id")?.text()?.to_owned(),
        title: root.require("title")?.text()?.to_owned(),
        doc: root.description()?,
        digest: digest(file.text),
        roots: read_roots(root, &scope)?,
    };
    check_reach(root, &schema, &ir.definitions)?;
    ir.schemas.push(schema);
    Ok(())
}

fn read_roots(root: &Node<'_>, scope: &Scope<'_>) -> Result<Vec<String>, IrError> {
    let node = root.require("x-roots")?;
    let roots = node.texts()?;
    for (item, name) in node.items()?.iter().zip(&roots) {
        if !scope.definitions.contains_key(name.as_str()) {
            let message = format!("there is no definition `{name}`");
            return Err(item.fail(message, "name a definition under `$defs`"));
        }
    }
    Ok(roots)
}

fn digest(text: &str) -> String {
    use std::fmt::Write;
    let bytes = Sha256::digest(text.as_bytes());
    bytes.iter().fold(String::new(), |mut hex, byte| {
        // Writing to a string cannot fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
