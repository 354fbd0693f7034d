//! Names for other types: a collection, or readers and writers for a type that C# has.

use askama::Template;
use chatstate_codegen::{CodegenError, printed};
use chatstate_schema_model::{NamedDefinition, Type};

use crate::docs::summary;
use crate::names::Names;
use crate::types::{CSharpTypes, is_inline};

/// What the template prints of a value that C# has a type for.
#[derive(Template)]
#[template(path = "scalar.j2", escape = "none")]
struct Scalar {
    docs: Vec<String>,
    obsolete: bool,
    name: String,
    ty: String,
    read: String,
    write: String,
}

/// What the template prints of a list or a map.
#[derive(Template)]
#[template(path = "collection.j2", escape = "none")]
struct Collection {
    docs: Vec<String>,
    obsolete: bool,
    name: String,
    root: bool,
    /// What it can be made from.
    ty: String,
    /// The base class.
    base: String,
    read: String,
    write: String,
}

/// The text that an alias is printed from.
pub(crate) fn alias(
    definition: &NamedDefinition,
    ty: &Type,
    names: &Names<'_>,
) -> Result<String, CodegenError> {
    let name = names.definition(&definition.name);
    let types = CSharpTypes::new(names);
    let cs = types.of(ty);
    let docs = summary(
        &definition.doc,
        &format!("`{name}`, which the schema does not describe."),
    );
    let (obsolete, read) = (definition.deprecated, cs.read_call());
    if is_inline(ty) {
        let scalar = Scalar {
            docs,
            obsolete,
            name,
            read,
            write: cs.write_call(),
            ty: cs.text,
        };
        return printed(&scalar);
    }
    let (base, write) = collection(ty, &types).unwrap_or_else(|| (String::new(), cs.write_call()));
    let collection = Collection {
        docs,
        obsolete,
        name,
        root: names.is_root(&definition.name),
        ty: cs.text,
        base,
        read,
        write,
    };
    printed(&collection)
}

/// The base class of a list or a map, and the call that writes it.
fn collection(ty: &Type, types: &CSharpTypes<'_>) -> Option<(String, String)> {
    match ty {
        Type::List { items, .. } => {
            let items = types.slot(items);
            let write = format!("JsonWrite.List(writer, this, {})", items.write);
            Some((format!("Collection<{}>", items.text), write))
        }
        Type::Map(values) => {
            let values = types.slot(values);
            let write = format!("JsonWrite.Map(writer, this, {})", values.write);
            let base = format!("OrderedDictionary<string, {}>", values.text);
            Some((base, write))
        }
        _ => None,
    }
}
