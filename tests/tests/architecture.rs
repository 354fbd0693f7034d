//! The house: who may use whom, who may touch the world outside, and how large a file may grow.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use chatstate_tests::arrows::{PACKAGES, USERS_OF_EVERYTHING};
use chatstate_tests::workspace;
use regex::Regex;
use toml::Table;

/// The largest number of lines of a file that is written by hand.
const MAX_LINES: usize = 500;

/// Files that are longer, each with the reason why it is one thing.
const LONG_FILES: &[(&str, &str)] = &[(
    "crates/runner/tests/adapters/main.rs",
    "a table of behaviours, one row for each",
)];

/// What is written by hand; documents, locks and recordings are as long as they are.
const WRITTEN_ENDINGS: [&str; 5] = ["rs", "py", "mjs", "ts", "cs"];

#[test]
fn every_member_of_the_workspace_has_a_row() {
    let manifest = workspace::toml("Cargo.toml");
    let members = texts(&manifest["workspace"]["members"]);
    let mut rows: BTreeSet<_> = PACKAGES.iter().map(|it| it.folder.to_owned()).collect();
    rows.extend(USERS_OF_EVERYTHING.map(str::to_owned));
    assert_eq!(members, rows, "add a row to `PACKAGES`, with the arrows");
}

#[test]
fn arrows() {
    for package in PACKAGES {
        let manifest = manifest(package.folder);
        assert_eq!(
            manifest["package"]["name"].as_str(),
            Some(package.name),
            "{}",
            package.folder
        );
        let wanted: BTreeSet<_> = package.uses.iter().map(|name| (*name).to_owned()).collect();
        let name = package.name;
        assert_eq!(
            ours(&manifest, &["dependencies"]),
            wanted,
            "`{name}` uses something else than the arrows say; an arrow is an invariant: change \
             the code, or the arrows here and in ARCHITECTURE.md with a decision"
        );
        let sideways = ours(&manifest, &["dev-dependencies", "build-dependencies"]);
        let allowed =
            |used: &&String| wanted.contains(*used) || package.tests_use.contains(&used.as_str());
        let sideways: Vec<_> = sideways.iter().filter(|used| !allowed(used)).collect();
        assert!(
            sideways.is_empty(),
            "the tests of `{name}` use {sideways:?} against the arrows"
        );
    }
}

#[test]
fn nothing_uses_the_users_of_everything() {
    for package in PACKAGES {
        for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let used = ours(&manifest(package.folder), &[kind]);
            for user in [
                "chatstate-bench",
                "chatstate-tests",
                "xtask",
                "chatstate-cli",
            ] {
                assert!(!used.contains(user), "`{}` uses `{user}`", package.name);
            }
        }
    }
}

/// The libraries that have one purpose, and the packages that are built with them. Tests may use any.
const LIBRARIES: [(&str, &[&str]); 5] = [
    ("handlebars", &["crates/codegen"]),
    ("insta", &[]),
    ("jsonschema", &["tests"]),
    ("proptest", &["crates/arbitrary"]),
    ("quote", &["generators/rust"]),
];

#[test]
fn libraries_have_their_places() {
    let users = |library: &str, kind: &str| -> Vec<_> {
        let uses = |folder: &String| uses(&manifest(folder), kind, library);
        members().into_iter().filter(uses).collect()
    };
    for (library, places) in LIBRARIES {
        assert_eq!(users(library, "dependencies"), places, "`{library}`");
        let tested = !users(library, "dev-dependencies").is_empty();
        assert!(tested || !places.is_empty(), "nothing uses `{library}`");
    }
}

#[test]
fn one_program() {
    let manifest = workspace::toml("Cargo.toml");
    let default = texts(&manifest["workspace"]["default-members"]);
    assert_eq!(default, BTreeSet::from(["crates/cli".to_owned()]));
    let programs: Vec<_> = members()
        .iter()
        .flat_map(|folder| programs(folder))
        .collect();
    // The measurements are built with optimisation, and what they use is not built for every task.
    assert_eq!(programs, ["chatstate", "chatstate-bench", "xtask"]);
}

#[test]
fn lints() {
    let manifest = workspace::toml("Cargo.toml");
    let lints = &manifest["workspace"]["lints"];
    assert_eq!(lints["rust"]["unsafe_code"].as_str(), Some("forbid"));
    assert_eq!(lints["rust"]["missing_docs"].as_str(), Some("warn"));
    assert!(lints["clippy"].get("pedantic").is_some());
    for folder in members() {
        let own = manifest_lints(&folder);
        assert_eq!(
            own,
            Some(true),
            "`{folder}/Cargo.toml` has no `[lints] workspace = true`"
        );
    }
}

#[test]
fn pure_packages_touch_nothing() {
    let outside = outside();
    for package in PACKAGES.iter().filter(|package| package.pure) {
        for file in sources(package.folder) {
            check_untouched(&file, &outside);
        }
    }
}

/// Templates hold values, `each`, `with`, conditions on a value or a kind, partials, and helpers that spell a
/// text; they neither call nor compute.
#[test]
fn templates_decide_nothing() {
    let part = Regex::new(r"\{\{~?(.*?)~?\}\}").expect("a pattern");
    let value = r"@?[\w./]+";
    let condition = format!(r#"({value}|\(eq {value} "[\w-]+"\))"#);
    let allowed = format!(
        r"^(#(each|with) {value}|#(if|unless) {condition}|else( if {condition})?|#\w+|/\w+|> [\w.-]+( {value})?|(\w+ )?{value})$"
    );
    let allowed = Regex::new(&allowed).expect("a pattern");
    let files = workspace::tracked_files();
    let is_template = |name: &&String| Path::new(name).extension().is_some_and(|it| it == "hbs");
    let templates: Vec<_> = files.iter().filter(is_template).collect();
    assert!(templates.len() > 10, "there are only {}", templates.len());
    for name in templates {
        let text = workspace::text(name);
        let parts: Vec<_> = part.captures_iter(&text).collect();
        // What the pattern does not find is not judged.
        let begun = text.matches("{{").count();
        assert_eq!(parts.len(), begun, "`{name}` has a part over several lines");
        for part in parts {
            let found = &part[1];
            assert!(
                allowed.is_match(found),
                "`{name}` decides something: `{found}`"
            );
        }
    }
}

/// The code of these languages stands in templates. Rust code spells literals and lays out what is
/// printed; it puts no statements and no expressions together.
#[test]
fn code_stands_in_templates() {
    let printed = Regex::new(r#"format!\(\s*"(?:[^"\\]|\\.)*""#).expect("a pattern");
    let code = Regex::new(r#"=>|;(\\n|"$)|\w\(\{|\b(public|static|export|return|def) "#)
        .expect("a pattern");
    // The namespace of the runtime is replaced by that of the package.
    let spelled = r#"format!("namespace {namespace};""#;
    for folder in [
        "generators/dotnet",
        "generators/python",
        "generators/typescript",
    ] {
        for file in sources(folder) {
            let text = workspace::text(&file);
            let (source, _) = text.split_once("#[cfg(test)]").unwrap_or((&text, ""));
            for found in printed.find_iter(source).map(|found| found.as_str()) {
                let is_code = code.is_match(found) && found != spelled;
                assert!(!is_code, "`{file}` has code of its language in `{found}`");
            }
        }
    }
}

#[test]
fn the_runner_has_its_processes_in_one_file() {
    let outside = outside();
    let files = sources("crates/runner");
    let home = "crates/runner/src/process.rs";
    assert!(files.iter().any(|file| file == home), "`{home}` is gone");
    for file in files.iter().filter(|file| *file != home) {
        check_untouched(file, &outside);
    }
}

#[test]
fn files_are_short() {
    let written = |name: &&String| {
        let ending = Path::new(name)
            .extension()
            .and_then(|ending| ending.to_str());
        ending.is_some_and(|ending| WRITTEN_ENDINGS.contains(&ending))
            && !workspace::GENERATED
                .iter()
                .any(|folder| name.starts_with(folder))
    };
    let long: Vec<_> = workspace::tracked_files()
        .iter()
        .filter(written)
        .map(|name| (name.clone(), workspace::text(name).lines().count()))
        .filter(|(_, lines)| *lines > MAX_LINES)
        .collect();
    for (name, lines) in &long {
        let listed = LONG_FILES.iter().any(|(listed, _)| listed == name);
        assert!(
            listed,
            "`{name}` has {lines} lines, more than {MAX_LINES}; it is probably two things (if it \
             is not, list it with the reason in `LONG_FILES`)"
        );
    }
    for (listed, reason) in LONG_FILES {
        assert!(!reason.is_empty(), "`{listed}` has no reason");
        assert!(
            long.iter().any(|(name, _)| name == listed),
            "`{listed}` is not long any more; take it out of `LONG_FILES`"
        );
    }
}

/// A name says what a type is, wherever it is used. Generators may use one name for the same thing
/// of their languages.
#[test]
fn no_two_types_share_a_name() {
    let definition = Regex::new(
        r"(?m)^(?:pub(?:\([^)]*\))? )?(?:struct|enum|trait|type|union) ([A-Z][A-Za-z0-9]*)",
    )
    .expect("a pattern");
    let mut homes: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in workspace::tracked_files()
        .iter()
        .filter(|it| defines_types(it))
    {
        for found in definition.captures_iter(&workspace::text(file)) {
            let home = homes.entry(found[1].to_owned()).or_default();
            home.push(file.clone());
        }
    }
    homes.retain(|_, files| !is_one_thing(files));
    assert!(homes.is_empty(), "give each its own name: {homes:#?}");
}

/// Whether a file is source code that is written by hand, and no test of a crate.
fn defines_types(file: &str) -> bool {
    let folders = ["crates/", "generators/", "bench/", "xtask/", "tests/src/"];
    Path::new(file).extension().is_some_and(|it| it == "rs")
        && folders.iter().any(|folder| file.starts_with(folder))
        && !workspace::GENERATED
            .iter()
            .any(|folder| file.starts_with(folder))
        && !file.contains("/tests/")
        && !file.ends_with("/tests.rs")
}

/// Whether a name has one type, or one in each of several generators.
fn is_one_thing(files: &[String]) -> bool {
    let generators: BTreeSet<_> = files
        .iter()
        .filter_map(|file| file.strip_prefix("generators/")?.split('/').next())
        .collect();
    files.len() == 1 || generators.len() == files.len()
}

#[test]
fn no_file_knows_a_machine() {
    // Corpus and recordings hold data of all kinds, and data may look like a path.
    let data = [
        "corpus/",
        "tests/recordings/runs/",
        "tests/recordings/threads/",
    ];
    let path = Regex::new(r"(^|[^\w.)/])/(home|root|Users|work|tmp)/\w|[A-Z]:\\\\?Users").unwrap();
    for name in workspace::tracked_files() {
        if data.iter().any(|folder| name.starts_with(folder)) {
            continue;
        }
        let text = workspace::text(&name);
        for (index, line) in text.lines().enumerate() {
            let found = path.find(line).map(|found| found.as_str());
            assert_eq!(found, None, "{name}:{}: a path of one machine", index + 1);
        }
    }
}

fn members() -> Vec<String> {
    let packages = PACKAGES.iter().map(|package| package.folder);
    let folders = packages.chain(USERS_OF_EVERYTHING);
    folders.map(str::to_owned).collect()
}

fn manifest(folder: &str) -> Table {
    workspace::toml(&format!("{folder}/Cargo.toml"))
}

fn manifest_lints(folder: &str) -> Option<bool> {
    manifest(folder).get("lints")?.get("workspace")?.as_bool()
}

fn texts(value: &toml::Value) -> BTreeSet<String> {
    let items = value.as_array().into_iter().flatten();
    items
        .filter_map(|item| item.as_str().map(str::to_owned))
        .collect()
}

/// The packages of this workspace among the dependencies of these kinds, also those that only one
/// platform has.
fn ours(manifest: &Table, kinds: &[&str]) -> BTreeSet<String> {
    let targets = manifest.get("target").and_then(toml::Value::as_table);
    let targets = targets.into_iter().flat_map(Table::values);
    let targets = targets.filter_map(toml::Value::as_table);
    let mut found = BTreeSet::new();
    for table in std::iter::once(manifest).chain(targets) {
        for kind in kinds {
            let dependencies = table.get(*kind).and_then(toml::Value::as_table);
            let names = dependencies.into_iter().flat_map(Table::keys);
            found.extend(names.filter(|name| is_ours(name)).cloned());
        }
    }
    found
}

/// Whether a package has a library among its dependencies of a kind.
fn uses(manifest: &Table, kind: &str, library: &str) -> bool {
    let dependencies = manifest.get(kind).and_then(toml::Value::as_table);
    dependencies.is_some_and(|dependencies| dependencies.contains_key(library))
}

fn is_ours(name: &str) -> bool {
    name == "xtask" || name == "chatstate" || name.starts_with("chatstate-")
}

/// The programs of a package: those that it names, and those that cargo finds by itself.
fn programs(folder: &str) -> Vec<String> {
    let manifest = manifest(folder);
    let name = manifest["package"]["name"].as_str().unwrap_or_default();
    let named = manifest.get("bin").and_then(toml::Value::as_array);
    let mut programs: Vec<_> = named
        .into_iter()
        .flatten()
        .map(|program| program["name"].as_str().unwrap_or_default().to_owned())
        .collect();
    if programs.is_empty() && workspace::path(folder).join("src/main.rs").is_file() {
        programs.push(name.to_owned());
    }
    let more = workspace::path(folder).join("src/bin");
    assert!(!more.exists(), "`{folder}/src/bin` holds further programs");
    programs
}

/// The source files of a package, without its tests.
fn sources(folder: &str) -> Vec<String> {
    let below = format!("{folder}/src/");
    let is_source = |name: &String| {
        let ending = Path::new(name).extension();
        name.starts_with(&below) && ending.is_some_and(|ending| ending == "rs")
    };
    let mut files = workspace::tracked_files();
    files.retain(is_source);
    assert!(!files.is_empty(), "`{folder}` has no sources");
    files
}

/// What reaches out of the program. Exit codes and the name of the system are only values.
fn outside() -> Regex {
    Regex::new(
        r"std::(fs|net)\b|std::process::(Command|Child|Stdio|exit|abort|\{|\*)|std::env::[^c]|use std::(process|env);|use std::\{[^;]*\b(fs|net|process|env)\b[^;]*;|\b(e?print(ln)?|dbg)!",
    )
    .unwrap()
}

fn check_untouched(file: &str, outside: &Regex) {
    let text = workspace::text(file);
    let code: Vec<_> = text
        .lines()
        .map(|line| line.split_once("//").map_or(line, |(code, _)| code))
        .collect();
    let code = code.join("\n");
    let found = outside.find(&code).map(|found| found.as_str());
    assert_eq!(
        found, None,
        "`{file}` reaches out; that is the work of `cli` and `xtask`"
    );
}
