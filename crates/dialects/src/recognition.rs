//! What a document looks like that is not of the dialect that was named.

use super::table::Dialect;
use super::{CANONICAL, DIALECTS, canonical};
use chatstate_json::Rejection;
use chatstate_json::Value;

/// A format that is known by sight and not converted.
struct Stranger {
    name: &'static str,
    matches: fn(&Value) -> bool,
}

/// The formats that people have and that are no dialects.
const STRANGERS: [Stranger; 14] = [
    Stranger {
        name: "agent-framework-checkpoint",
        matches: |document| has_all(document, &["checkpoint_id", "workflow_name"]),
    },
    Stranger {
        name: "durable-agent-state",
        matches: |document| {
            let data = document.get("data");
            data.is_some_and(|data| data.get("conversationHistory").is_some())
        },
    },
    Stranger {
        name: "agent-framework-updates",
        matches: |document| each(document, |item| has_all(item, &["agentId", "contents"])),
    },
    Stranger {
        name: "agent-framework-go",
        matches: |document| has_all(document, &["State", "ServiceID"]),
    },
    Stranger {
        name: "langchain-messages",
        matches: |document| each(document, |item| has_all(item, &["type", "data"])),
    },
    Stranger {
        name: "langchain-objects",
        matches: |document| has_all(first(document), &["lc", "type", "id"]),
    },
    Stranger {
        name: "langgraph-checkpoint",
        matches: |document| has_all(document, &["channel_values", "channel_versions"]),
    },
    Stranger {
        name: "semantic-kernel-updates",
        matches: |document| has_all(first(document), &["ChoiceIndex", "Metadata"]),
    },
    Stranger {
        name: "openai-agents-run-state",
        matches: |document| {
            let agent = ["current_agent", "currentAgent"];
            document.get("$schemaVersion").is_some()
                && agent.iter().any(|name| document.get(name).is_some())
        },
    },
    Stranger {
        name: "openai-chat-messages",
        matches: |document| {
            let known =
                |item: &Value| has_all(item, &["role", "content"]) && item.get("id").is_none();
            each(document, known)
                || document
                    .get("messages")
                    .is_some_and(|list| each(list, known))
        },
    },
    Stranger {
        name: "pydantic-ai-messages",
        matches: |document| each(document, |item| has_all(item, &["parts", "kind"])),
    },
    Stranger {
        name: "vercel-ai-messages",
        matches: |document| each(document, |item| has_all(item, &["id", "role", "parts"])),
    },
    Stranger {
        name: "ag-ui-events",
        matches: |document| {
            let tag = first(document).get("type").and_then(Value::as_str);
            tag.is_some_and(|tag| {
                let is_loud = |character: char| character.is_ascii_uppercase() || character == '_';
                !tag.is_empty() && tag.chars().all(is_loud)
            })
        },
    },
    Stranger {
        name: "autogen-state",
        matches: |document| {
            let names = ["agent_states", "llm_context", "message_thread"];
            names.iter().any(|name| document.get(name).is_some())
        },
    },
];

/// The item of a list by which it is recognised, or the document itself.
fn first(document: &Value) -> &Value {
    document
        .as_array()
        .and_then(<[Value]>::first)
        .unwrap_or(document)
}

fn each(document: &Value, matches: impl Fn(&Value) -> bool) -> bool {
    let items = document.as_array();
    items.is_some_and(|items| !items.is_empty() && items.iter().all(matches))
}

fn has_all(document: &Value, names: &[&str]) -> bool {
    names.iter().all(|name| document.get(name).is_some())
}

/// The rejection of a document that is none of a dialect.
pub(super) fn rejected(document: &Value, dialect: &Dialect) -> Rejection {
    let kinds: Vec<_> = dialect
        .documents
        .iter()
        .map(|kind| format!("`{}`", kind.name))
        .collect();
    let message = format!(
        "the document is none of `{}`, which has {}",
        dialect.name,
        kinds.join(", ")
    );
    explained(
        Rejection::schema("convert.dialect", message),
        document,
        dialect.name,
    )
}

/// The same rejection, with what the document looks like.
pub(super) fn explained(rejection: Rejection, document: &Value, asked: &str) -> Rejection {
    if rejection.rule != "convert.dialect" {
        return rejection;
    }
    let Some(message) = looks_like(document, asked) else {
        return rejection;
    };
    Rejection {
        message,
        ..rejection
    }
}

fn looks_like(document: &Value, asked: &str) -> Option<String> {
    if let Some(stranger) = STRANGERS
        .iter()
        .find(|stranger| (stranger.matches)(document))
    {
        let name = stranger.name;
        return Some(format!(
            "this looks like `{name}`, which is not converted here"
        ));
    }
    let name = dialect_of(document, Some(asked))?;
    Some(format!(
        "this looks like `{name}`, not `{asked}`; say `--from {name}` if it is"
    ))
}

/// The dialect that a document looks like, valid or not. Formats that are known by sight and not
/// converted are none.
#[must_use]
pub fn recognise(document: &Value) -> Option<&'static str> {
    let is_stranger = |stranger: &Stranger| (stranger.matches)(document);
    // An empty list is one in several.
    let is_empty = document.as_array().is_some_and(<[Value]>::is_empty);
    if is_empty || STRANGERS.iter().any(is_stranger) {
        return None;
    }
    dialect_of(document, None)
}

/// The dialect that a document looks like, but for one that it is not.
fn dialect_of(document: &Value, but: Option<&str>) -> Option<&'static str> {
    let is_canonical = canonical::looks_like(document).is_some() && document.as_array().is_none();
    if is_canonical && but != Some(CANONICAL) {
        return Some(CANONICAL);
    }
    let is = |dialect: &&&Dialect| {
        let mut kinds = dialect.documents.iter();
        Some(dialect.name) != but && kinds.any(|kind| (kind.matches)(document))
    };
    DIALECTS.iter().find(is).map(|dialect| dialect.name)
}
