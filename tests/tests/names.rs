//! Is each name of Rust in `docs/names.md` there? The packages look up those of the other languages.

use std::fs;
use std::path::Path;

use chatstate_tests::workspace;
use regex::Regex;
use serde_json::Value;

/// The crates that the crate `chatstate` gathers.
const CRATES: [&str; 5] = ["json", "types", "streams", "chats", "dialects"];

/// Fewer names would mean that they were not read.
const LEAST_NAMES: usize = 50;

fn names() -> Vec<String> {
    let text = fs::read_to_string(workspace::path("packages/testdata/names.json"));
    let groups: Value = serde_json::from_str(&text.expect("the names")).expect("JSON");
    let groups = groups.as_array().expect("groups").iter();
    let rows = groups.flat_map(|group| group["names"].as_array().expect("names"));
    let names = rows.filter_map(|row| row["rust"].as_str());
    names.map(str::to_owned).collect()
}

/// The texts of all files of the library.
fn sources() -> Vec<String> {
    let mut texts = Vec::new();
    for name in CRATES {
        collect(&workspace::path(&format!("crates/{name}/src")), &mut texts);
    }
    texts
}

fn collect(folder: &Path, texts: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, texts);
        } else {
            texts.push(fs::read_to_string(path).expect("a source"));
        }
    }
}

fn has(texts: &[String], pattern: &str) -> bool {
    let pattern = Regex::new(pattern).expect("a pattern");
    texts.iter().any(|text| pattern.is_match(text))
}

/// What is wrong with a path such as `chat::Chat::add_agent`.
fn fault(texts: &[String], gathered: &str, path: &str) -> Option<String> {
    let (module, names) = match path.split_once("::") {
        Some((module, names)) if module.starts_with(char::is_lowercase) => (module, names),
        _ => (path.split("::").next().unwrap_or(path), path),
    };
    let mut names = names.split("::");
    let (item, member) = (names.next().unwrap_or(""), names.next());
    if !has(&[gathered.to_owned()], &format!(r"\b{module}\b")) {
        return Some(format!("`chatstate` does not gather `{module}`"));
    }
    if !has(
        texts,
        &format!(r"(?m)^pub (fn|struct|enum|trait|type) {item}\b"),
    ) {
        return Some(format!("`{item}` is nowhere public"));
    }
    let member = member?;
    let holder = format!(
        r"(?ms)^(impl|pub trait|pub struct)\b[^\n]*\b{item}\b.*?^    (pub )?(fn )?{member}\b"
    );
    (!has(texts, &holder)).then(|| format!("`{item}` has no `{member}`"))
}

#[test]
fn each_name_is_there() {
    let texts = sources();
    let gathered = fs::read_to_string(workspace::path("crates/chatstate/src/lib.rs"));
    let gathered = gathered.expect("the crate that gathers");
    let names = names();
    assert!(names.len() >= LEAST_NAMES, "{}", names.len());
    let faults = names.iter().filter_map(|it| fault(&texts, &gathered, it));
    assert_eq!(faults.collect::<Vec<_>>(), Vec::<String>::new());
    for path in ["chats::Chat", "chat::Nothing", "chat::Chat::nothing"] {
        assert!(fault(&texts, &gathered, path).is_some(), "{path}");
    }
}
