//! The schema files that are read together, and where references between them lead.

use std::borrow::Cow;

use serde_json::Value;

use crate::node::Node;
use crate::{IrError, SchemaText};

/// The text of the current dialect's `$schema`.
pub(crate) const CURRENT: &str = "https://json-schema.org/draft/2020-12/schema";

/// A version of JSON Schema, as far as it changes what keywords mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Draft {
    /// Up to draft 7: what is beside `$ref` is ignored.
    Early,
    /// 2019-09 and later.
    Late,
}

/// One schema file.
#[derive(Debug)]
pub(crate) struct SchemaDocument<'a> {
    pub root: Node<'a>,
    pub text: &'a str,
    draft: Draft,
}

/// All of them.
#[derive(Debug)]
pub(crate) struct Documents<'a>(Vec<SchemaDocument<'a>>);

/// The file as JSON.
pub(crate) fn parse(file: &SchemaText<'_>) -> Result<Value, IrError> {
    serde_json::from_str(file.text).map_err(|error| IrError {
        file: file.name.to_owned(),
        pointer: String::new(),
        message: format!("not JSON: {error}"),
        help: "correct the text; the schema is plain JSON without comments".to_owned(),
    })
}

impl<'a> Documents<'a> {
    /// The files and what each of them holds.
    pub fn new(files: &[SchemaText<'a>], values: &'a [Value]) -> Result<Self, IrError> {
        let mut documents: Vec<SchemaDocument<'a>> = Vec::new();
        for (file, value) in files.iter().zip(values) {
            let root = Node::root(file.name, value);
            root.object()?;
            if documents.iter().any(|other| other.root.file == file.name) {
                let message = format!("a second file is called `{}`", file.name);
                return Err(root.fail(message, "give each schema file a name of its own"));
            }
            let draft = draft(&root)?;
            let text = file.text;
            documents.push(SchemaDocument { root, text, draft });
        }
        Ok(Self(documents))
    }

    /// The files in order.
    pub fn iter(&self) -> impl Iterator<Item = &SchemaDocument<'a>> {
        self.0.iter()
    }

    /// Whether what is beside `$ref` is ignored in the file of this place.
    pub fn ignores_siblings(&self, node: &Node<'_>) -> bool {
        let document = self.0.iter().find(|other| other.root.file == node.file);
        document.is_some_and(|document| document.draft == Draft::Early)
    }

    /// The place that a `$ref` leads to.
    pub fn target(&self, reference: &Node<'a>) -> Result<Node<'a>, IrError> {
        let text = reference.text()?;
        let (address, fragment) = text.split_once('#').unwrap_or((text, ""));
        let root = self.root(reference, address)?;
        let missing = || {
            let message = format!("reference `{text}` leads nowhere");
            let help = "refer to a definition as `#/$defs/Name`, or with a file before the `#`";
            reference.fail(message, help)
        };
        let decoded = decoded(fragment).ok_or_else(missing)?;
        if decoded.is_empty() {
            return Ok(root);
        }
        let steps = decoded.strip_prefix('/').ok_or_else(missing)?;
        let mut place = root;
        for step in steps.split('/') {
            place = place.step(&unescaped(step)).ok_or_else(missing)?;
        }
        Ok(place)
    }

    /// The file that the part before the `#` names: its own, one by name, or one by `$id`.
    fn root(&self, reference: &Node<'a>, address: &str) -> Result<Node<'a>, IrError> {
        let roots = || self.0.iter().map(|document| &document.root);
        let own = roots().find(|root| root.file == reference.file);
        if let (Some(own), true) = (own, address.is_empty()) {
            return Ok(own.clone());
        }
        let absolute = own.and_then(id).map(|base| joined(base, address));
        let last = address.rsplit('/').next().unwrap_or(address);
        let found = roots()
            .find(|root| {
                id(root).is_some_and(|id| id == address || Some(id) == absolute.as_deref())
            })
            .or_else(|| roots().find(|root| root.file == last && !address.contains("://")));
        found.cloned().ok_or_else(|| {
            let message = format!("reference to `{address}`, which is not among the schema files");
            let help = "nothing is fetched: give its file as a further schema, under that name or with that `$id`";
            reference.fail(message, help)
        })
    }
}

fn id<'a>(root: &Node<'a>) -> Option<&'a str> {
    let id = root.member("$id").or_else(|| root.member("id"))?;
    Some(id.as_str()?.trim_end_matches('#'))
}

/// An address beside another: everything up to the last `/` stays.
fn joined(base: &str, address: &str) -> String {
    let folder = base.rfind('/').map_or("", |slash| &base[..=slash]);
    format!("{folder}{}", address.trim_start_matches("./"))
}

/// A fragment without percent signs; `None` if it is not UTF-8 then.
fn decoded(fragment: &str) -> Option<Cow<'_, str>> {
    if !fragment.contains('%') {
        return Some(fragment.into());
    }
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let [first, tail @ ..] = rest {
        let (byte, after) = match (first, tail) {
            (b'%', [high, low, after @ ..]) => {
                let text = [*high, *low];
                let text = std::str::from_utf8(&text).ok()?;
                (u8::from_str_radix(text, 16).ok()?, after)
            }
            _ => (*first, tail),
        };
        bytes.push(byte);
        rest = after;
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

/// A step of a JSON pointer without its escapes.
fn unescaped(step: &str) -> Cow<'_, str> {
    if step.contains('~') {
        step.replace("~1", "/").replace("~0", "~").into()
    } else {
        step.into()
    }
}

/// The draft of a file; without `$schema` it is the current one.
fn draft(root: &Node<'_>) -> Result<Draft, IrError> {
    let Some(dialect) = root.get("$schema") else {
        return Ok(Draft::Late);
    };
    let text = dialect.text()?.trim_end_matches('#');
    let known = |years: &[&str]| {
        years
            .iter()
            .any(|year| text.ends_with(&format!("json-schema.org/{year}/schema")))
    };
    if known(&["draft/2020-12", "draft/2019-09"]) {
        return Ok(Draft::Late);
    }
    if known(&["draft-07", "draft-06", "draft-04"]) {
        return Ok(Draft::Early);
    }
    Err(dialect.fail("unknown dialect", format!("write `{CURRENT}`")))
}
