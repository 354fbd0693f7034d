//! The pages with the results of everybody: do they agree with each other, and are they about the corpus as
//! it is? That each row is true is tested where the implementation runs.

use std::collections::BTreeSet;

use chatstate_tests::embedded::corpus;
use chatstate_tests::package::{PACKAGES, RUST};
use chatstate_tests::results::{PAGE, counted, rows};
use chatstate_tests::sdk::SDKS;
use chatstate_tests::workspace;
use serde_json::Value;

/// The page for a browser.
const HTML: &str = "docs/matrix.html";

/// It is kept in the repository, so it must stay small.
const MOST_BYTES: usize = 2_000_000;

const ADVICE: &str = "run `cargo xtask matrix`";

#[test]
fn the_readme_has_the_table_of_the_page() {
    assert_eq!(rows("README.md"), rows(PAGE), "{ADVICE}");
}

#[test]
fn everybody_has_a_row() {
    // The Rust package is the reference.
    let packages = PACKAGES.iter().filter(|package| **package != RUST);
    let everybody = 1 + packages.count() + SDKS.len();
    assert_eq!(rows(PAGE).len(), everybody, "{ADVICE}");
    let data = data();
    let mut adapters: BTreeSet<_> = texts(&data["runs"], "adapter").collect();
    for sdk in SDKS {
        let adapter = sdk.file("run");
        assert!(adapters.remove(adapter.as_str()), "{adapter}: {ADVICE}");
    }
    for package in PACKAGES.iter().filter(|package| **package != RUST) {
        let adapter = package.adapter_path();
        assert!(adapters.remove(adapter.as_str()), "{adapter}: {ADVICE}");
    }
    // That of the reference is built in.
    assert_eq!(adapters.into_iter().collect::<Vec<_>>(), [""]);
}

#[test]
fn the_pages_are_about_this_corpus() {
    let digest = corpus().digest();
    for page in [PAGE, HTML] {
        assert!(workspace::text(page).contains(digest), "{page}: {ADVICE}");
    }
}

#[test]
fn the_browser_sees_the_same_numbers() {
    let data = data();
    let found: Vec<_> = list(&data["runs"])
        .iter()
        .map(|run| row(&data, run))
        .collect();
    assert_eq!(found, rows(PAGE), "{ADVICE}");
}

#[test]
fn the_page_for_a_browser_is_small_and_loads_nothing() {
    let page = workspace::text(HTML);
    assert!(page.len() < MOST_BYTES, "{HTML} has {} bytes", page.len());
    assert!(!page.contains("src=\""), "{HTML} loads something");
}

/// The data that the page carries.
fn data() -> Value {
    let page = workspace::text(HTML);
    let data = page.split_once("id=\"data\">").expect("it carries data").1;
    let data = data.split_once("</script>").expect("the data has an end").0;
    serde_json::from_str(data).expect("the data is JSON")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[][..], Vec::as_slice)
}

fn texts<'a>(rows: &'a Value, member: &'a str) -> impl Iterator<Item = &'a str> {
    let text = move |row: &'a Value| row[member].as_str().expect("it is text");
    list(rows).iter().map(text)
}

/// The row of the table that the cells of a run come to.
fn row(data: &Value, run: &Value) -> String {
    let text = |member: &str| run[member].as_str().expect("it is text");
    let letters: Vec<_> = text("cells").chars().collect();
    let mut cells = vec![text("name").to_owned()];
    for suite in list(&data["suites"]) {
        let places = list(&suite["cases"]).iter().map(|case| &case[4]);
        let places = places
            .filter_map(Value::as_u64)
            .filter_map(|it| usize::try_from(it).ok());
        let verdicts: Vec<_> = places.map(|place| verdict(letters[place])).collect();
        cells.push(counted(&verdicts));
    }
    format!("| {} |", cells.join(" | "))
}

/// What a letter of the page means, as far as the table distinguishes verdicts.
fn verdict(letter: char) -> &'static str {
    match letter {
        'p' => "pass",
        's' => "skip",
        'r' => "recorded",
        _ => "something else",
    }
}
