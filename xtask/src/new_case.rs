//! `cargo xtask new-case`: the beginning of a case, for its author to finish.

use std::fs;
use std::path::Path;

use chatstate_protocol::vocabulary;
use chatstate_runner::case_vocabulary;
use serde_json::{Map, Value, json};

/// Writes a case that lint complains about until its author has said what it is for.
pub fn run(
    workspace: &Path,
    id: &str,
    op: &str,
    document_type: Option<&str>,
) -> Result<(), String> {
    let (suite, slug) = id
        .split_once('/')
        .filter(|(_, slug)| !slug.contains('/'))
        .ok_or_else(|| format!("`{id}` is not an id; write `suite/slug`"))?;
    if !vocabulary::OPERATIONS.contains(&op) {
        return Err(format!(
            "`{op}` is not an op; the ops are {}",
            vocabulary::OPERATIONS.join(", ")
        ));
    }
    let folder = workspace.join("corpus").join(suite);
    let path = folder.join(format!("{slug}.json"));
    if path.exists() {
        return Err(format!("`{}` exists; choose another slug", path.display()));
    }
    let text = format!("{:#}\n", Value::Object(case(op, document_type)?));
    fs::create_dir_all(&folder)
        .and_then(|()| fs::write(&path, text))
        .map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
    println!(
        "wrote `{}`; fill it in, then run `cargo run --release -- lint`",
        path.display()
    );
    Ok(())
}

fn case(op: &str, document_type: Option<&str>) -> Result<Map<String, Value>, String> {
    let mut case = Map::new();
    case.insert("title".to_owned(), json!(""));
    case.insert("requirements".to_owned(), json!([]));
    if vocabulary::takes_type(op) {
        let name = document_type.ok_or_else(|| format!("`{op}` needs `--type`"))?;
        let types = case_vocabulary().types;
        let (_, capabilities) = types
            .into_iter()
            .find(|(known, _)| known == name)
            .ok_or_else(|| format!("`{name}` is not a type of the schema"))?;
        case.insert("needs".to_owned(), json!(capabilities));
    }
    case.insert("why".to_owned(), json!(""));
    case.insert("op".to_owned(), json!(op));
    if let Some(name) = document_type {
        case.insert("type".to_owned(), json!(name));
    }
    case.insert("input".to_owned(), json!({}));
    case.insert("since".to_owned(), json!(chatstate_corpus::VERSION));
    Ok(case)
}
