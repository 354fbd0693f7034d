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
use crate::opaque::{self, MAX_PASSES, NodeAddress, ObstacleList};
use crate::reader::{MAX_DEFINITIONS, SchemaReader, too_many};
use crate::roots::roots;
use crate::unknown::keep_unknown;
use crate::{
    Ir, IrError, Lock, NamedDefinition, Obstacle, Obstacles, OpaquePlaces, Roles, Schema, strict,
};

/// Where documents of `OpenAPI` and `AsyncAPI` have their definitions.
const COMPONENTS: &str = "/components/schemas";

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
    /// The places that may be read as any JSON value, if they cannot be represented.
    pub opaque: OpaquePlaces,
    /// What becomes of variants and values that the schema does not know.
    pub unknown: UnknownValues,
    /// JSON pointers to where the definitions are, such as `/components/schemas`; without one, they
    /// are where JSON Schema has them.
    pub at: Vec<String>,
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
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReadSchemas {
    /// The model.
    pub ir: Ir,
    /// The names of its types, to be kept for later runs.
    pub lock: Lock,
    /// What was read as any JSON value, since it cannot be represented.
    pub opaque: Vec<Obstacle>,
}

/// What becomes of variants and values that the schema does not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UnknownValues {
    /// As the schema says.
    #[default]
    AsDescribed,
    /// They are kept.
    Kept,
}

/// Reads schema files into one model, by the strict profile. The first obstacle is the error.
pub fn read(files: &[SchemaText<'_>]) -> Result<Ir, IrError> {
    let options = ReadOptions {
        profile: SchemaProfile::Strict,
        ..ReadOptions::default()
    };
    read_with(files, &options)
        .map(|reading| reading.ir)
        .map_err(|obstacles| obstacles.first().clone())
}

/// Reads schema files into one model.
///
/// The files share one name space of definitions and may refer to each other. What cannot be
/// represented is the error, all of it at once.
pub fn read_with(
    files: &[SchemaText<'_>],
    options: &ReadOptions,
) -> Result<ReadSchemas, Obstacles> {
    let values: Vec<Value> = files.iter().map(parse).collect::<Result<_, _>>()?;
    let documents = Documents::new(files, &values)?;
    if options.profile == SchemaProfile::Strict {
        documents
            .iter()
            .try_for_each(|document| strict::check_head(&document.root))?;
    }
    for place in &options.at {
        documents.places(place)?;
    }
    let mut obstacles = IndexMap::new();
    for _ in 0..MAX_PASSES {
        let pass = read_once(&documents, options, ObstacleList::after(&obstacles))?;
        let (mut reading, met) = pass;
        let lost = met.values().any(|obstacle| obstacle.schema.is_none());
        if lost || (options.profile == SchemaProfile::Strict && !met.is_empty()) {
            return Err(opaque::all(met.into_values()));
        }
        if met.is_empty() {
            reading.opaque = opaque::remaining(obstacles, &options.opaque, &documents)?;
            let places = reading.opaque.iter().filter_map(Obstacle::place);
            reading.lock.opaque = places.collect();
            if options.unknown == UnknownValues::Kept {
                keep_unknown(&mut reading.ir, &mut reading.lock, &options.lock)?;
            }
            return Ok(reading);
        }
        obstacles.extend(met);
    }
    Err(opaque::all(obstacles.into_values()))
}

/// Reads all definitions, with any JSON value in the places of obstacles; gives those that were met.
fn read_once(
    documents: &Documents<'_>,
    options: &ReadOptions,
    obstacles: ObstacleList,
) -> Result<(ReadSchemas, IndexMap<NodeAddress, Obstacle>), IrError> {
    let heads: Vec<FileHeader<'_>> = documents
        .iter()
        .map(|document| head(document, &options.at))
        .collect::<Result<_, _>>()?;
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
    let forms = Forms::new(documents.clone(), obstacles);
    let read = SchemaReader::new(forms, options.profile, names).read(given)?;
    let met = read.obstacles.into_met();
    let (mut definitions, names) = (read.definitions, read.names);
    if !met.is_empty() {
        return Ok((ReadSchemas::default(), met));
    }
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
        opaque: Vec::new(),
    };
    let opaque = Vec::new();
    Ok((ReadSchemas { ir, lock, opaque }, met))
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

fn head<'a>(document: &SchemaDocument<'a>, at: &[String]) -> Result<FileHeader<'a>, IrError> {
    let root = document.root.clone();
    let mut definitions = Vec::new();
    let is_type = at.is_empty() && describes_a_value(&root);
    if is_type {
        definitions.push((own_name(&root), root.clone()));
    }
    let named = || DEFINITIONS.iter().filter_map(|keyword| root.get(keyword));
    let collections: Vec<Node<'a>> = match at {
        [] => named().collect(),
        places => places.iter().filter_map(|at| root.at(at)).collect(),
    };
    for collection in collections {
        definitions.extend(collection.members()?.into_iter().map(schema_of_a_format));
        if definitions.len() > MAX_DEFINITIONS {
            return Err(too_many(&root));
        }
    }
    if definitions.is_empty() && at.is_empty() {
        let places = [COMPONENTS, "/definitions"];
        let elsewhere = places.iter().find(|place| root.at(place).is_some());
        let help = elsewhere.map_or_else(
            || "describe a value at the top, or definitions under `$defs`".to_owned(),
            |place| format!("read those at `{place}`: `--at {place}`"),
        );
        return Err(root.fail("the schema defines nothing", help));
    }
    Ok(FileHeader {
        root,
        text: document.text,
        is_type,
        definitions,
    })
}

/// A definition of `AsyncAPI` may be a schema beside the name of its format.
fn schema_of_a_format<'a>((name, node): (&'a str, Node<'a>)) -> (&'a str, Node<'a>) {
    let inner = node.get("schema").filter(|_| node.has("schemaFormat"));
    (name, inner.unwrap_or(node))
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
    /// The title of the schema, or of the interface that it is in.
    fn title(&self) -> Result<String, IrError> {
        let interface = || self.root.get("info")?.optional_text("title").ok()?;
        let own = self.root.optional_text("title")?;
        let title = own.or_else(interface);
        Ok(title.unwrap_or_else(|| stem(self.root.file).to_owned()))
    }

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
            title: self.title()?,
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
