//! `serde` for the types, by the documents that they are.

use askama::Template;
use chatstate_codegen::{CodegenError, printed};

/// What the template of the implementations prints.
#[derive(Template)]
#[template(path = "with_serde.rs.j2", escape = "none")]
struct ImplementationsView<'a> {
    types: Vec<&'a str>,
}

/// `Serialize` and `Deserialize` for each type that the code of `files` declares. Some of them, such
/// as those of constants, are made with the type that has them.
pub(crate) fn implementations(files: &[&str]) -> Result<String, CodegenError> {
    let types = files.iter().flat_map(|text| declared(text)).collect();
    printed(&ImplementationsView { types })
}

/// The names of public types.
fn declared(code: &str) -> impl Iterator<Item = &str> {
    code.lines().filter_map(|line| {
        let line = line.strip_prefix("pub ")?;
        let rest = line
            .strip_prefix("struct ")
            .or(line.strip_prefix("enum "))?;
        rest.split(|character: char| !character.is_alphanumeric() && character != '_')
            .next()
    })
}
