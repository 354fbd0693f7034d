//! What users call: readers, writers and validators for each type.

use askama::Template;
use chatstate_codegen::{CodegenError, printed};
use chatstate_schema_model::{DefinitionKind, NamedDefinition, UnionDefinition};

use crate::names::{access, check_name, quoted, type_name};

/// The root types of chatstate whose documents have rules beyond the schema, and the function of the
/// runtime that adds them to a check.
const RULES: &[(&str, &str)] = &[
    ("AgentSession", "session"),
    ("ChatState", "versioned"),
    ("EncodedChatState", "versioned"),
    ("SessionList", "sessions"),
];

#[derive(Template)]
#[template(path = "document.j2", escape = "none")]
struct DocumentView {
    name: String,
    ty: String,
    phrase: String,
    check: String,
}

#[derive(Template)]
#[template(path = "known.j2", escape = "none")]
struct KnownView {
    name: String,
    ty: String,
    unknown: String,
    access: String,
    tags: Vec<String>,
}

/// The functions of one definition.
pub(crate) fn document(
    definition: &NamedDefinition,
    chat_state: bool,
) -> Result<String, CodegenError> {
    let name = &definition.name;
    let check = check_name(name);
    let check = match rule(name).filter(|_| chat_state) {
        // Bundlers leave out what is not used only if each of the calls is marked.
        Some(rule) => format!("/* @__PURE__ */ {rule}({check})"),
        None => check,
    };
    let view = DocumentView {
        name: name.clone(),
        ty: type_name(name),
        phrase: phrase(name),
        check,
    };
    let mut text = printed(&view)?;
    if let DefinitionKind::Union(union) = &definition.kind
        && let Some(unknown) = &union.unknown
    {
        text.push('\n');
        text += &printed(&known(name, union, unknown))?;
    }
    Ok(text)
}

/// The rule beyond the schema that documents of a type of chatstate have.
pub(crate) fn rule(name: &str) -> Option<&'static str> {
    let mut rules = RULES.iter();
    let found = rules.find(|(root, _)| *root == name);
    found.map(|(_, rule)| *rule)
}

/// The type with the article that it is read with.
fn phrase(name: &str) -> String {
    let article = if name.starts_with(['A', 'E', 'I', 'O', 'U']) {
        "an"
    } else {
        "a"
    };
    format!("{article} `{name}`")
}

fn known(name: &str, union: &UnionDefinition, unknown: &str) -> KnownView {
    KnownView {
        name: name.to_owned(),
        ty: type_name(name),
        unknown: type_name(unknown),
        access: access(&union.tag),
        tags: union.arms.iter().map(|arm| quoted(&arm.tag)).collect(),
    }
}
