//! Names for other types: a collection, or readers and writers for a type that C# has.

use chatstate_codegen::CodegenError;
use chatstate_ir::{Definition, Type};
use serde::Serialize;

use crate::docs::summary;
use crate::names::Names;
use crate::types::{Types, is_inline};

/// What the templates print.
#[derive(Serialize)]
struct View {
    docs: Vec<String>,
    obsolete: bool,
    name: String,
    root: bool,
    #[serde(rename = "type")]
    ty: String,
    /// The base class of a collection, and what it can be made from.
    base: String,
    read: String,
    write: String,
}

/// The text that an alias is printed from.
pub(crate) fn alias(
    definition: &Definition,
    ty: &Type,
    names: &Names<'_>,
) -> Result<(&'static str, serde_json::Value), CodegenError> {
    let name = names.definition(&definition.name);
    let types = Types::new(names);
    let cs = types.of(ty);
    let (base, write) = match ty {
        Type::List { items, .. } => {
            let items = types.slot(items);
            let write = format!("JsonWrite.List(writer, this, {})", items.write);
            (format!("Collection<{}>", items.text), write)
        }
        Type::Map(values) => {
            let values = types.slot(values);
            let write = format!("JsonWrite.Map(writer, this, {})", values.write);
            (format!("OrderedDictionary<string, {}>", values.text), write)
        }
        _ => (String::new(), cs.write_call()),
    };
    let view = View {
        docs: summary(
            &definition.doc,
            &format!("`{name}`, which the schema does not describe."),
        ),
        obsolete: definition.deprecated,
        name,
        root: names.is_root(&definition.name),
        read: cs.read_call(),
        ty: cs.text,
        base,
        write,
    };
    let template = if is_inline(ty) {
        "scalar"
    } else {
        "collection"
    };
    Ok((template, crate::file::value(&view)?))
}
