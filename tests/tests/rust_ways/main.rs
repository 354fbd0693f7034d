//! Each ordinary way to write and to read a document in Rust gives the same document or an error.

mod doors;
mod objects;
mod types;

use std::collections::{BTreeMap, BTreeSet};

use chatstate::definition::definition_of;
use chatstate::generated::{ChatMessage, ChatRole, ChatState, Seal};
use chatstate::json::{Number, Object, Presence, SplitText, Value, parse};
use chatstate::session::{Session, StateBag};
use chatstate_arbitrary::Source;
use chatstate_arbitrary::documents::{grow, variations_of};
use chatstate_tests::embedded::{corpus, input_text};
use chatstate_tests::workspace;
use doors::{Door, Gives, foreign_doors, read_doors, tree, write_doors};
use objects::Row;
use serde::{Deserialize, Serialize};
use types::{Document, GENERATED, Visit, visit_all};

/// How often each call gave a document, and an error.
#[derive(Default, Debug)]
struct Counts {
    documents: usize,
    errors: usize,
}

/// What came of each call.
type Outcomes = BTreeMap<String, (Gives, Counts)>;

fn doors_of<T: Document>() -> Vec<Door> {
    let mut all = write_doors::<T>();
    all.extend(read_doors::<T>());
    all.extend(foreign_doors::<T>());
    all
}

/// Runs every call on a document that its own reader takes.
fn check<T: Document>(name: &str, text: &str, outcomes: &mut Outcomes) {
    let Ok(expected) = T::from_json(text).and_then(|value| value.to_json()) else {
        return;
    };
    let expected = tree(&expected);
    for door in doors_of::<T>() {
        let place = || format!("`{}` of a `{name}`: {text}", door.call);
        let outcome = outcomes.entry(door.call.clone());
        let (_, counts) = outcome.or_insert((door.gives, Counts::default()));
        match (door.run)(text) {
            Ok(_) if door.gives == Gives::Error => panic!("{} is taken", place()),
            Err(error) if door.gives == Gives::Document => panic!("{}: {error}", place()),
            Err(_) => counts.errors += 1,
            Ok(found) => {
                counts.documents += 1;
                assert_eq!(tree(&found), expected, "{}", place());
                if door.gives == Gives::Document {
                    assert_eq!(exactly(&tree(&found)), exactly(&expected), "{}", place());
                }
            }
        }
    }
}

/// A value with the order of its members and the spelling of its numbers.
fn exactly(value: &Value) -> String {
    value.to_json()
}

/// Documents that are hard to keep, beside those of the schema.
const HARD: &[&str] = &[
    "null",
    "1.50",
    "-0",
    "12345678901234567890.10",
    "9007199254740993",
    "18446744073709551616",
    "1e400",
    r#""\u0008\u001f\u2028\"\\/é😀""#,
    r#""\ud83d""#,
    r#"{"$serde_json::private::Number":"1"}"#,
    r#"{"$serde_json::private::RawValue":"[1]"}"#,
    r#"{"b":1,"a":[1.0,-0.0,5e-324,1e22,0.1],"":{"x":null}}"#,
];

/// Members that no schema names, which every object keeps.
const MORE: &str = r#","unheardOf":{"n":[12345678901234567890.10,1.0,-0,null,1e2],"$serde_json::private::Number":"1"}}"#;

fn with_more(text: &str) -> Option<String> {
    let text = text.strip_suffix('}')?;
    let more = if text.ends_with('{') {
        &MORE[1..]
    } else {
        MORE
    };
    Some(format!("{text}{more}"))
}

/// Checks each generated type with documents that are made of its definition.
struct Grown(Outcomes);

impl Visit for Grown {
    fn visit<T: Document>(&mut self, name: &str) {
        let Some(definition) = definition_of(name) else {
            for text in ["\"plain\"", "\"tool\""] {
                check::<T>(name, text, &mut self.0);
            }
            return;
        };
        let mut source = Source::new(1, 1);
        let grown = (0..6).map(|_| grow(definition, &mut source).to_string());
        let varied = variations_of(definition, &[]).into_iter().take(12);
        let mut taken = 0;
        for text in grown.chain(varied.map(|value| value.to_string())) {
            taken += usize::from(T::from_json(&text).is_ok());
            check::<T>(name, &text, &mut self.0);
            if let Some(text) = with_more(&text) {
                check::<T>(name, &text, &mut self.0);
            }
        }
        assert!(taken > 0, "`{name}` takes none of its documents");
    }
}

/// Checks the type of a document of the corpus.
struct OfCorpus<'a> {
    type_name: &'a str,
    text: &'a str,
    outcomes: &'a mut Outcomes,
}

impl Visit for OfCorpus<'_> {
    fn visit<T: Document>(&mut self, name: &str) {
        if name == self.type_name {
            check::<T>(name, self.text, self.outcomes);
        }
    }
}

/// The outcomes of all calls on all documents.
fn outcomes() -> Outcomes {
    let mut grown = Grown(Outcomes::new());
    visit_all(&mut grown);
    let mut outcomes = grown.0;
    for text in HARD {
        // A null has no members that `flatten` could write, and none are written.
        if *text != "null" {
            check::<Value>("Value", text, &mut outcomes);
        }
        check::<Object>("Object", text, &mut outcomes);
        check::<Number>("Number", text, &mut outcomes);
        check::<SplitText>("SplitText", text, &mut outcomes);
        let bag = format!(r#"{{"k":{text},"l":[{text}]}}"#);
        check::<StateBag>("StateBag", &bag, &mut outcomes);
        let session = format!(r#"{{"stateBag":{bag},"more":{text}}}"#);
        check::<Session>("Session", &session, &mut outcomes);
    }
    for case in corpus().cases() {
        let (Some(type_name), Some(text)) = (&case.document_type, input_text(case)) else {
            continue;
        };
        let outcomes = &mut outcomes;
        if type_name == "AgentSession" {
            check::<Session>("Session", &text, outcomes);
        }
        visit_all(&mut OfCorpus {
            type_name,
            text: &text,
            outcomes,
        });
    }
    outcomes
}

#[test]
fn every_call_gives_the_document_or_an_error() {
    for (call, (gives, counts)) in outcomes() {
        println!("{call}: {counts:?}");
        assert!(counts.documents + counts.errors > 500, "{call}: {counts:?}");
        assert_eq!(counts.documents > 0, gives != Gives::Error, "{call}");
        assert_eq!(counts.errors > 0, gives != Gives::Document, "{call}");
    }
}

#[test]
fn every_generated_type_is_tried() {
    let generated = include_str!("../../../crates/types/src/generated/with_serde.rs");
    let lines = generated.lines();
    let call = "chatstate_json::impl_serde!(super::";
    let names = lines.filter_map(|line| line.strip_prefix(call)?.strip_suffix(");"));
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    assert_eq!(names, GENERATED);
}

/// What is no document, and as which type.
const DEFECTIVE: &[(&str, &str)] = &[
    ("ChatState", r#"{"history":[],"channels":[],"x":1,"x":2}"#),
    ("ChatState", r#"{"history":[],"channels":[],"history":[]}"#),
    ("ChatState", r#"{"history":[],"channels":[],"x":"\ud800"}"#),
    (
        "ChatState",
        r#"{"history":[],"channels":[],"x":"a\ud800b"}"#,
    ),
    ("ChatState", r#"{"history":null,"channels":[]}"#),
    ("ChatState", r#"{"history":[],"channels":[],"seal":null}"#),
    ("ChatState", r#"{"history":[]}"#),
    (
        "ChatState",
        r#"{"history":[],"channels":[],"x":1e99999999999999999999}"#,
    ),
    (
        "Event",
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":1}"#,
    ),
    (
        "Event",
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"\ud83d","delta":""}"#,
    ),
    ("AgentSession", r#"{"stateBag":{"a":1,"a":2}}"#),
    ("AgentSession", r#"{"stateBag":[]}"#),
    ("Message", r#"{"role":"user"}"#),
];

/// Every reader of a text rejects what `from_json` rejects.
struct Defective(&'static str, String);

impl Visit for Defective {
    fn visit<T: Document>(&mut self, name: &str) {
        if name == self.0 {
            check_defective::<T>(name, &self.1);
        }
    }
}

fn check_defective<T: Document>(name: &str, text: &str) {
    assert!(T::from_json(text).is_err(), "{text}");
    for door in read_doors::<T>() {
        if door.gives == Gives::Document {
            let taken = (door.run)(text);
            assert!(taken.is_err(), "`{}` of a `{name}`: {text}", door.call);
        }
    }
}

#[test]
fn readers_reject_what_from_json_rejects() {
    let deep = format!(r#"{{"history":[],"channels":[],"x":{}}}"#, nested(600));
    let deep = [("ChatState", deep)];
    let all = DEFECTIVE
        .iter()
        .map(|(name, text)| (*name, (*text).to_owned()));
    for (name, text) in all.chain(deep) {
        visit_all(&mut Defective(name, text.clone()));
        if name == "AgentSession" {
            check_defective::<Session>("Session", &text);
        }
    }
    for text in [
        r#"{"a":1,"a":2}"#,
        r#""\ud800""#,
        "01",
        "[1,]",
        &nested(600),
    ] {
        check_defective::<Value>("Value", text);
    }
}

fn nested(depth: usize) -> String {
    ["[".repeat(depth), "]".repeat(depth)].concat()
}

/// Values that a program has made and that are no document: every writer of `serde` rejects them.
#[test]
fn writers_reject_what_readers_reject() {
    let whole = r#"{"history":[],"channels":[]}"#;
    let whole = ChatState::from_json(whole).expect("a document");
    let mut twice = whole.clone();
    twice.extra.insert("history", 1_i64);
    let mut sealed = whole.clone();
    sealed.seal = Some(Seal::new("no Base64"));
    let mut deep = whole.clone();
    let mut message = ChatMessage::new(ChatRole::User, Vec::new());
    message
        .extra
        .insert("x", parse(&nested(511)).expect("a value"));
    deep.history.push(message);
    for state in [twice, sealed, deep] {
        let error = serde_json::to_string(&state).expect_err("it is no document");
        assert!(serde_json::to_value(&state).is_err(), "{error}");
        assert!(
            ciborium::into_writer(&state, Vec::new()).is_err(),
            "{error}"
        );
    }
}

/// A number in a snapshot is the number, and not a text or a double near it.
#[test]
fn snapshots_keep_numbers() {
    let text =
        r#"{"history":[],"channels":[],"n":[9007199254740993,18446744073709551615,0.1,-2.50,1.0]}"#;
    let state = ChatState::from_json(text).expect("a document");
    insta::assert_json_snapshot!(state, @r#"
    {
      "history": [],
      "channels": [],
      "n": [
        9007199254740993,
        18446744073709551615,
        0.1,
        -2.5,
        1.0
      ]
    }
    "#);
}

/// A document as CBOR is a map for every other program, and neither text nor bytes.
#[test]
fn other_formats_hold_maps() {
    let state = ChatState::from_json(r#"{"history":[],"channels":[]}"#).expect("a document");
    let mut bytes = Vec::new();
    ciborium::into_writer(&state, &mut bytes).expect("written");
    let value: ciborium::Value = ciborium::from_reader(&bytes[..]).expect("CBOR");
    let names = value.as_map().expect("a map").iter();
    let names: Vec<_> = names.filter_map(|(name, _)| name.as_text()).collect();
    assert_eq!(names, ["history", "channels"]);
    // What cannot be read again is not written.
    assert!(postcard::to_allocvec(&state).is_err());
}

/// A type of a program with members that may be absent.
#[derive(Serialize, Deserialize)]
struct Own {
    #[serde(default, skip_serializing_if = "Presence::is_absent")]
    a: Presence<Value>,
    #[serde(default)]
    b: Presence<i64>,
    #[serde(with = "chatstate::json::with_serde")]
    c: Vec<Value>,
}

#[test]
fn absent_null_and_a_value_are_three_things() {
    for text in [
        r#"{"a":null,"b":1,"c":[]}"#,
        r#"{"b":null,"c":[1.50,null]}"#,
        r#"{"a":12345678901234567890.10,"b":null,"c":[]}"#,
    ] {
        let own: Own = serde_json::from_str(text).expect("a value");
        assert_eq!(serde_json::to_string(&own).expect("text"), text);
    }
    let absent: Own = serde_json::from_str(r#"{"c":[]}"#).expect("a value");
    let error = serde_json::to_string(&absent).expect_err("`b` is absent and not left out");
    assert!(error.to_string().contains("skip_serializing_if"), "{error}");
    let twice = serde_json::from_str::<Own>(r#"{"c":[{"x":1,"x":2}]}"#);
    assert!(twice.is_err());
}

#[test]
fn what_is_shown_is_json() {
    for text in HARD {
        let Ok(value) = parse(text) else { continue };
        assert_eq!(value.to_string(), value.to_json());
        if let Value::Number(number) = value {
            assert_eq!(number.to_string(), *text);
        }
    }
}

const PAGE: &str = "docs/ways-to-save/rust.md";

/// With this variable, the tables are written into the page.
const UPDATE: &str = "CHATSTATE_UPDATE_OUTPUTS";

fn table_of_doors(doors: &[Door]) -> String {
    let rows = doors.iter();
    table(rows.map(|door| [door.call.as_str(), door.gives.words(), door.remark]))
}

fn table_of_rows(rows: &[Row]) -> String {
    let rows = rows.iter();
    table(rows.map(|row| [row.call.as_str(), row.gives, row.remark]))
}

fn table<'a>(rows: impl Iterator<Item = [&'a str; 3]>) -> String {
    let mut text = String::from("| call | gives | remark |\n|---|---|---|\n");
    for [call, gives, remark] in rows {
        text += format!("| `{call}` | {gives} | {remark}").trim_end();
        text += " |\n";
    }
    text
}

/// The tables of the page by the comments before them.
fn tables() -> Result<Vec<(&'static str, String)>, Box<dyn std::error::Error>> {
    let mut readers = read_doors::<ChatState>();
    readers.extend(foreign_doors::<ChatState>());
    let mut refused = String::from("| type | what saves what it holds |\n|---|---|\n");
    for (name, saved) in objects::refused() {
        let name = name.split('<').next().unwrap_or(name);
        refused.extend(["| `", name, "` | ", saved, " |\n"]);
    }
    Ok(vec![
        ("written", table_of_doors(&write_doors::<ChatState>())),
        ("read", table_of_doors(&readers)),
        ("chats", table_of_rows(&objects::chats()?)),
        ("sessions", table_of_rows(&objects::sessions()?)),
        ("forms", table_of_rows(&objects::forms()?)),
        ("refused", refused),
    ])
}

/// The page with a table in the place of the one that it has.
fn replaced(page: &str, name: &str, table: &str) -> String {
    let mark = format!("<!-- {name} -->\n\n");
    let (before, after) = page
        .split_once(&mark)
        .unwrap_or_else(|| panic!("no `{name}` in {PAGE}"));
    let is_row = |line: &&str| line.starts_with('|');
    let old: usize = after
        .split_inclusive('\n')
        .take_while(is_row)
        .map(str::len)
        .sum();
    let space = if old == 0 { "\n" } else { "" };
    format!("{before}{mark}{table}{space}{}", &after[old..])
}

#[test]
fn the_page_shows_the_calls_that_are_run() -> Result<(), Box<dyn std::error::Error>> {
    let page = workspace::text(PAGE);
    let mut expected = page.clone();
    for (name, table) in tables()? {
        expected = replaced(&expected, name, &table);
    }
    if std::env::var_os(UPDATE).is_some() {
        std::fs::write(workspace::path(PAGE), &expected)?;
    }
    assert_eq!(page, expected, "set {UPDATE}=1 to write the tables");
    Ok(())
}

/// What implements the traits in the crates that a program uses is what is tried here.
#[test]
fn no_other_type_has_serde() {
    let folders = ["chats", "chatstate", "dialects", "json", "streams", "types"];
    let folders = folders.map(|folder| format!("crates/{folder}/src/"));
    let mut found = BTreeSet::new();
    for path in workspace::tracked_files() {
        if folders.iter().any(|folder| path.starts_with(folder)) {
            found.extend(objects::implementations(&workspace::text(&path)));
        }
    }
    let expected = ["MemberOrItem", "Presence", "Session", "StateBag"];
    assert_eq!(found, expected.map(str::to_owned).into());
}
