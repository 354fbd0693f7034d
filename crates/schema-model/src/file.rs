//! Schema files in, one model out.

use indexmap::IndexMap;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::cycles::mark_cycles;
use crate::documents::{Documents, SchemaDocument, parse};
use crate::form::Forms;
use crate::keywords::{APPLICATORS, ARRAY, OBJECT};
use crate::name::{PlaceNames, stem};
use crate::node::Node;
use crate::reader::{MAX_DEFINITIONS, SchemaReader, too_many};
use crate::roots::roots;
use crate::{Ir, IrError, Lock, NamedDefinition, Roles, Schema, strict};

/// Where a schema file has its definitions: now, and up to draft 7.
const DEFINITIONS: [&str; 2] = ["$defs", "definitions"];

/// The text of one schema file.
#[derive(Debug, Clone, Copy)]
pub struct SchemaText<'a> {
    /// The file name, for errors, module names and references; no directory.
    pub name: &'a str,
    /// The JSON text.
    pub text: &'a str,
}

/// What is asked of schema files.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReadOptions {
    /// Which schemas are good enough.
    pub profile: SchemaProfile,
    /// The names that earlier runs gave.
    pub lock: Lock,
}

/// Which schemas are good enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SchemaProfile {
    /// Everything that the model can represent.
    #[default]
    Ordinary,
    /// Only what chatstate's own schema may use: everything has a name and a description, objects
    /// are open, and every definition is there for a root.
    Strict,
}

/// What came of reading schema files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadSchemas {
    /// The model.
    pub ir: Ir,
    /// The names of its types, to be kept for later runs.
    pub lock: Lock,
}

/// Reads schema files into one model, by the strict profile.
pub fn read(files: &[SchemaText<'_>]) -> Result<Ir, IrError> {
    let options = ReadOptions {
        profile: SchemaProfile::Strict,
        lock: Lock::default(),
    };
    read_with(files, &options).map(|reading| reading.ir)
}

/// Reads schema files into one model.
///
/// The files share one name space of definitions and may refer to each other. The first thing that
/// cannot be represented is the error.
pub fn read_with(files: &[SchemaText<'_>], options: &ReadOptions) -> Result<ReadSchemas, IrError> {
    let values: Vec<Value> = files.iter().map(parse).collect::<Result<_, _>>()?;
    let documents = Documents::new(files, &values)?;
    if options.profile == SchemaProfile::Strict {
        documents
            .iter()
            .try_for_each(|document| strict::check_head(&document.root))?;
    }
    let heads: Vec<FileHeader<'_>> = documents.iter().map(head).collect::<Result<_, _>>()?;
    let mut names = PlaceNames::new(&options.lock);
    let mut given = Vec::new();
    for head in &heads {
        for (name, node) in &head.definitions {
            if options.profile == SchemaProfile::Strict {
                strict::check_unique(name, node, &names)?;
            }
            given.push((names.define(node, name)?, node.clone()));
        }
    }
    let (mut definitions, names) =
        SchemaReader::new(Forms::new(documents), options.profile, names).read(given)?;
    mark_cycles(&mut definitions);
    let schemas = heads.iter().map(|head| head.schema(&names, &definitions));
    let ir = Ir {
        schemas: schemas.collect::<Result<_, _>>()?,
        roles: roles(&heads, &names, &definitions)?,
        definitions,
    };
    if options.profile == SchemaProfile::Strict {
        heads
            .iter()
            .try_for_each(|head| strict::check(&head.root, &ir))?;
    }
    let digests = ir
        .schemas
        .iter()
        .map(|schema| (schema.name.clone(), schema.digest.clone()));
    let lock = Lock {
        schemas: digests.collect(),
        types: names.lock.types,
    };
    Ok(ReadSchemas { ir, lock })
}

/// The roles of events, which one file may have.
fn roles(
    heads: &[FileHeader<'_>],
    names: &PlaceNames,
    definitions: &IndexMap<String, NamedDefinition>,
) -> Result<Option<Roles>, IrError> {
    let mut found = None;
    for head in heads {
        let given = head.definitions.iter();
        let given = given.filter_map(|(_, node)| Some((names.of(node)?, node.clone())));
        let places: Vec<_> = given.collect();
        let roles = crate::roles::read(&head.root, &places, definitions)?;
        if found.is_some() && roles.is_some() {
            let help = "keep the events of a protocol in one file";
            return Err(head.root.fail("two files say what events are about", help));
        }
        found = found.or(roles);
    }
    Ok(found)
}

/// What is at the top of a schema file.
struct FileHeader<'a> {
    root: Node<'a>,
    text: &'a str,
    /// Whether the file as a whole describes a value too.
    is_type: bool,
    /// The definitions with the names that they have in the file, the file itself first.
    definitions: Vec<(&'a str, Node<'a>)>,
}

fn head<'a>(document: &SchemaDocument<'a>) -> Result<FileHeader<'a>, IrError> {
    let root = document.root.clone();
    let mut definitions = Vec::new();
    let is_type = describes_a_value(&root);
    if is_type {
        definitions.push((own_name(&root), root.clone()));
    }
    for keyword in DEFINITIONS {
        if let Some(found) = root.get(keyword) {
            definitions.extend(found.members()?);
        }
        if definitions.len() > MAX_DEFINITIONS {
            return Err(too_many(&root));
        }
    }
    if definitions.is_empty() {
        let help = "describe a value at the top, or definitions under `$defs`";
        return Err(root.fail("the schema defines nothing", help));
    }
    Ok(FileHeader {
        root,
        text: document.text,
        is_type,
        definitions,
    })
}

/// Whether a schema says more about values than that they are objects, or has nothing else to say.
fn describes_a_value(root: &Node<'_>) -> bool {
    let meaningful = [APPLICATORS, OBJECT, ARRAY, &["enum", "const"]].concat();
    root.has_any(&meaningful) || (root.has("type") && !root.has_any(&DEFINITIONS))
}

/// The name of a file as a whole: its title, if that is short, or its file name.
fn own_name<'a>(root: &Node<'a>) -> &'a str {
    let title = root.member("title").and_then(Value::as_str);
    let short = title.filter(|title| {
        title.len() <= 40 && title.contains(|first: char| first.is_ascii_alphabetic())
    });
    short.unwrap_or_else(|| stem(root.file))
}

impl FileHeader<'_> {
    fn schema(
        &self,
        names: &PlaceNames,
        definitions: &IndexMap<String, NamedDefinition>,
    ) -> Result<Schema, IrError> {
        let text = |name: &str| self.root.optional_text(name);
        let own: Vec<&str> = self
            .definitions
            .iter()
            .filter_map(|(_, node)| names.of(node))
            .collect();
        Ok(Schema {
            name: self.root.file.to_owned(),
            id: text("$id")?.unwrap_or_else(|| self.root.file.to_owned()),
            title: text("title")?.unwrap_or_else(|| stem(self.root.file).to_owned()),
            doc: self.root.description()?,
            digest: digest(self.text),
            roots: roots(&self.root, self.is_type, &own, names, definitions)?,
        })
    }
}

/// The SHA-256 of a text, in lower-case hexadecimal digits.
#[must_use]
pub fn digest(text: &str) -> String {
    use std::fmt::Write;
    let bytes = Sha256::digest(text.as_bytes());
    bytes.iter().fold(String::new(), |mut hex, byte| {
        // Writing to a string cannot fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
