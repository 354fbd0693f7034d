//! The schema files that are read together, and where references between them lead.

use std::borrow::Cow;

use serde_json::Value;

use crate::node::{Node, listed};
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
#[derive(Debug, Clone)]
pub(crate) struct SchemaDocument<'a> {
    pub root: Node<'a>,
    pub text: &'a str,
    draft: Draft,
}

/// All of them.
#[derive(Debug, Clone)]
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

    /// The places that a JSON pointer names, in every file that has it: one at least. A file name
    /// and `#` before the pointer mean one file.
    pub fn places(&self, place: &str) -> Result<Vec<Node<'a>>, IrError> {
        let (file, pointer) = match place.split_once('#') {
            Some((file, pointer)) => (Some(file).filter(|file| !file.is_empty()), pointer),
            None => (None, place),
        };
        let roots = self.0.iter().map(|document| &document.root);
        let roots = roots.filter(|root| file.is_none_or(|file| root.file == file));
        let found: Vec<_> = roots.filter_map(|root| root.at(pointer)).collect();
        if !found.is_empty() {
            return Ok(found);
        }
        let names: Vec<_> = self.0.iter().map(|document| document.root.file).collect();
        Err(IrError {
            file: file.unwrap_or(names[0]).to_owned(),
            pointer: pointer.to_owned(),
            message: "there is no such place".to_owned(),
            help: format!(
                "give a JSON pointer into {}, such as `/$defs/Name`",
                listed(&names)
            ),
        })
    }

    /// The nearest schema around a place that may be a part of one.
    pub fn schema_around(&self, node: &Node<'a>) -> Node<'a> {
        let mut node = node.clone();
        while !node.value.is_object() && !node.value.is_boolean() {
            let around = node.pointer.rsplit_once('/').map(|(before, _)| before);
            let document = self.0.iter().find(|other| other.root.file == node.file);
            let found = around.zip(document);
            let found = found.and_then(|(pointer, document)| document.root.at(pointer));
            let Some(found) = found else { break };
            node = found;
        }
        node
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
        if decoded.starts_with('/') {
            return root.at(&decoded).ok_or_else(missing);
        }
        self.anchor(&root, &decoded, reference).ok_or_else(missing)
    }

    /// The schema with that anchor in a file. What `$dynamicRef` leads to may be another one in
    /// another file, but for where only one has the name.
    fn anchor(&self, root: &Node<'a>, name: &str, reference: &Node<'a>) -> Option<Node<'a>> {
        let fixed = ["$anchor", "$dynamicAnchor", "$id", "id"];
        let own = anchored(root, &fixed, name);
        if !reference.pointer.ends_with("/$dynamicRef") {
            return own;
        }
        let everywhere = self.iter().filter_map(|document| {
            let found = anchored(&document.root, &["$dynamicAnchor"], name)?;
            Some(found)
        });
        let everywhere: Vec<_> = everywhere.collect();
        match everywhere.as_slice() {
            [] => own,
            [only] => Some(only.clone()),
            _ => None,
        }
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

/// The place below one that has a name by one of these keywords. What is listed as a value is no
/// schema.
fn anchored<'a>(node: &Node<'a>, keywords: &[&str], name: &str) -> Option<Node<'a>> {
    let mut waiting = vec![node.clone()];
    while let Some(node) = waiting.pop() {
        let named = |keyword: &str| {
            let text = node.member(keyword).and_then(Value::as_str);
            text.is_some_and(|text| match keyword {
                "$anchor" | "$dynamicAnchor" => text == name,
                _ => text.strip_prefix('#') == Some(name),
            })
        };
        if keywords.iter().any(|keyword| named(keyword)) {
            return Some(node);
        }
        match node.value {
            Value::Object(members) => {
                let inner = members.keys().rev().filter(|key| {
                    !["enum", "const", "default", "example", "examples"].contains(&key.as_str())
                });
                waiting.extend(inner.filter_map(|key| node.get(key)));
            }
            Value::Array(_) => waiting.extend(node.items().ok()?.into_iter().rev()),
            _ => {}
        }
    }
    None
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

/// The draft of a file; without `$schema` it is the current one, but for the interfaces that were
/// described before.
fn draft(root: &Node<'_>) -> Result<Draft, IrError> {
    let Some(dialect) = root.get("$schema") else {
        let version = |name: &str| root.member(name).and_then(Value::as_str);
        let early = root.has("swagger")
            || version("openapi").is_some_and(|version| version.starts_with("3.0"))
            || version("asyncapi").is_some();
        return Ok(if early { Draft::Early } else { Draft::Late });
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
