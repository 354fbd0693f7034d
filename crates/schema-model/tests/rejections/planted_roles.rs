//! Wrong roles: each part of each role of the canonical schema, changed alone.

mod taken;

use std::collections::BTreeSet;
use std::num::NonZero;
use std::path::Path;
use std::thread;

use chatstate_schema_model::{ReadOptions, SchemaText, read_with};
use serde_json::{Map, Value, json};
use taken::{FOUND_BY_CASES, FOUND_BY_NONE};

const EVENTS: &str = include_str!("../../../../schema/v1/event.schema.json");

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus");

/// A wrong role is rejected, or is in the list of those that a case finds.
#[test]
fn a_wrong_role_is_rejected_or_listed_with_a_case() {
    let schema: Value = serde_json::from_str(EVENTS).expect("JSON");
    let wrong = wrong_roles(&schema);
    let taken: BTreeSet<_> = taken_of(&schema, &wrong).into_iter().collect();
    let listed = FOUND_BY_CASES
        .map(|(of, change, _)| (of, change))
        .into_iter();
    let listed = listed.chain(FOUND_BY_NONE);
    let expected: BTreeSet<_> = listed
        .map(|(of, change)| (of.to_owned(), change.to_owned()))
        .collect();
    assert_eq!(taken, expected);
    for (.., case) in FOUND_BY_CASES {
        let path = Path::new(CORPUS).join(format!("{case}.json"));
        assert!(path.exists(), "there is no case `{case}`");
    }
}

/// The canonical schema with one change of what events do.
struct WrongRole {
    /// An event, or an item of `x-items`.
    of: String,
    change: String,
    /// Where the role is.
    pointer: String,
    role: Map<String, Value>,
}

fn wrong_roles(schema: &Value) -> Vec<WrongRole> {
    let events = wrong_roles_of(&events_of(schema), &WORDS_OF_EVENTS);
    let items = wrong_roles_of(&items_of(schema), &WORDS_OF_ITEMS);
    events.into_iter().chain(items).collect()
}

/// What an event or an item is by the schema.
struct Annotation<'s> {
    of: &'s str,
    pointer: String,
    role: &'s Map<String, Value>,
    /// The members that it could name.
    members: Vec<&'s String>,
}

/// Parts that are a word of a list.
const WORDS_OF_EVENTS: [&str; 3] = ["does", "item", "closes"];

const WORDS_OF_ITEMS: [&str; 3] = ["key", "changes", "owners"];

/// Parts that name a member of the event.
const NAMES: [&str; 5] = ["id", "owner", "parent", "text", "patch"];

fn events_of(schema: &Value) -> Vec<Annotation<'_>> {
    let definitions = schema["$defs"].as_object().expect("an object");
    let events = definitions.iter().filter_map(|(name, definition)| {
        Some(Annotation {
            of: definition.pointer("/properties/type/const")?.as_str()?,
            pointer: format!("/$defs/{name}/x-event"),
            role: definition.get("x-event")?.as_object()?,
            members: definition["properties"].as_object()?.keys().collect(),
        })
    });
    events.collect()
}

fn items_of(schema: &Value) -> Vec<Annotation<'_>> {
    let items = schema["x-items"].as_object().expect("an object");
    let items = items.iter().map(|(name, item)| Annotation {
        of: name,
        pointer: format!("/x-items/{name}"),
        role: item.as_object().expect("an object"),
        members: Vec::new(),
    });
    items.collect()
}

fn wrong_roles_of(roles: &[Annotation<'_>], parts: &[&'static str]) -> Vec<WrongRole> {
    let words = parts.iter().map(|part| {
        let said = roles.iter().filter_map(|it| it.role.get(*part)?.as_str());
        (*part, said.collect::<BTreeSet<&str>>())
    });
    let words: Vec<_> = words.collect();
    let owners: Vec<&Value> = roles
        .iter()
        .filter_map(|it| it.role.get("owners"))
        .collect();
    let is_shared = |word: &&Value| owners.iter().filter(|other| *other == word).count() > 1;
    let shared: Vec<&Value> = owners.iter().copied().filter(is_shared).collect();
    let wrong = roles.iter().flat_map(|role| {
        let changed = changes(role, &words, &shared).into_iter();
        changed.map(|(change, changed)| WrongRole {
            of: role.of.to_owned(),
            change,
            pointer: role.pointer.clone(),
            role: changed,
        })
    });
    wrong.collect()
}

/// The role with each of its parts left out, each of these words that it does not say, each member in the place of
/// each that it names, and each member that it opens with left out, and each other one added.
fn changes(
    Annotation { role, members, .. }: &Annotation<'_>,
    words: &[(&str, BTreeSet<&str>)],
    shared: &[&Value],
) -> Vec<(String, Map<String, Value>)> {
    let mut changes = Vec::new();
    let mut change = |what: String, part: &str, value: Option<Value>| {
        let mut role = (*role).clone();
        match value {
            Some(value) => role.insert(part.to_owned(), value),
            None => role.shift_remove(part),
        };
        changes.push((what, role));
    };
    for part in role.keys().filter(|part| *part != "description") {
        change(format!("no `{part}`"), part, None);
    }
    for (part, words) in words {
        for word in words {
            if role.get(*part) != Some(&json!(word)) {
                change(format!("`{part}` is `{word}`"), part, Some(json!(word)));
            }
        }
    }
    if let Some(word) = role.get("owners")
        && shared.contains(&word)
    {
        // A word that one item alone has means no more than another would.
        change(
            "`owners` is `another`".to_owned(),
            "owners",
            Some(json!("another")),
        );
    }
    for member in members {
        for part in NAMES {
            if role.get(part) != Some(&json!(member)) {
                change(format!("`{part}` is `{member}`"), part, Some(json!(member)));
            }
        }
        let (what, opens) = opened_otherwise(role, member);
        change(format!("`opens` {what} `{member}`"), "opens", Some(opens));
    }
    changes
}

/// What the role opens with, without the member if it is there, and with it if not.
fn opened_otherwise(role: &Map<String, Value>, member: &str) -> (&'static str, Value) {
    let opens = role.get("opens").and_then(Value::as_array);
    let opens = opens.map_or(&[][..], Vec::as_slice).iter();
    let others: Vec<&Value> = opens.clone().filter(|name| *name != member).collect();
    if others.len() < opens.len() {
        return ("without", json!(others));
    }
    let more = json!(member);
    let opens: Vec<&Value> = opens.chain([&more]).collect();
    ("with", json!(opens))
}

/// Those of the wrong roles that the model takes. Each is read with the whole schema, so the processors share them.
fn taken_of(schema: &Value, wrong: &[WrongRole]) -> Vec<(String, String)> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        let parts = wrong.chunks(wrong.len().div_ceil(threads));
        let read: Vec<_> = parts
            .map(|part| scope.spawn(move || taken_in(schema, part)))
            .collect();
        let taken = read
            .into_iter()
            .map(|thread| thread.join().expect("no panic"));
        taken.flatten().collect()
    })
}

fn taken_in(schema: &Value, wrong: &[WrongRole]) -> Vec<(String, String)> {
    let taken = wrong.iter().filter(|wrong| is_taken(schema, wrong));
    taken
        .map(|wrong| (wrong.of.clone(), wrong.change.clone()))
        .collect()
}

/// Whether the model takes the canonical schema with this role.
fn is_taken(schema: &Value, wrong: &WrongRole) -> bool {
    let mut schema = schema.clone();
    let place = schema.pointer_mut(&wrong.pointer).expect("a role");
    *place = Value::Object(wrong.role.clone());
    let text = schema.to_string();
    let file = SchemaText {
        name: "event.schema.json",
        text: &text,
    };
    read_with(&[file], &ReadOptions::default()).is_ok()
}
