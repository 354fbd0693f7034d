//! The documents are true wherever a program can tell.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use chatstate::definition::{Shape, definition_of};
use chatstate_corpus::Selection;
use chatstate_tests::document::{CommandExample, Document};
use chatstate_tests::embedded::{corpus, requirements};
use chatstate_tests::program::{
    FinishedProgram, chatstate, chatstate_program, finish, xtask_program,
};
use chatstate_tests::rules::explained;
use chatstate_tests::sdk::{PYTHON, SDKS, Sdk};
use chatstate_tests::{report, workspace};
use regex::{Captures, Regex};

/// How documents call the command line; what is before is for a clone, and after for a user.
const CHATSTATE: [&str; 2] = ["cargo run --release -- ", "chatstate "];

/// How documents call the tasks.
const XTASK: [&str; 2] = [
    "cargo xtask ",
    "cargo run -p xtask --no-default-features -- ",
];

/// The line that stands for any lines in an output.
const ANY_LINES: &str = "…";

/// With this variable, outputs that differ are written into the documents.
const UPDATE: &str = "CHATSTATE_UPDATE_OUTPUTS";

/// Where the pages of decisions are.
const DECISIONS: &str = "docs/decisions";

/// The document with the complete adapter, and the name that it tells its reader to save it by.
const GUIDE: &str = "docs/adapter-guide.md";
const ADAPTER: &str = "adapter.py";

/// Cases that the adapter of the guide passes, one for each thing that it has to get right.
const ADAPTER_CASES: [&str; 5] = [
    "round-trip/unknown-event",
    "round-trip/unknown-event-in-stream",
    "round-trip/split-delta",
    "round-trip/null-snapshot",
    "round-trip/identifiers",
];

#[test]
fn links_lead_somewhere() {
    let link = Regex::new(r"\]\(([^)\s]+)\)").unwrap();
    for document in Document::all() {
        let prose = document.prose();
        for found in link.captures_iter(&prose) {
            let (path, anchor) = found[1].split_once('#').unwrap_or((&found[1], ""));
            if !path.contains("://") {
                check_link(&document, path, anchor);
            }
        }
    }
}

#[test]
fn paths_exist() {
    for document in Document::all() {
        let mut words = document.code_spans();
        for block in document.blocks("sh") {
            words.extend(block.split_whitespace().map(str::to_owned));
        }
        let missing = words.iter().find(|word| is_missing(&document, word));
        assert_eq!(missing, None, "{}: there is no such file", document.name);
    }
}

#[test]
fn requirements_exist() {
    let mut known: BTreeSet<_> = requirements().iter().map(|it| it.id.as_str()).collect();
    // The names of rules look like ids, and SPEC.md lists them.
    let rules = explained();
    known.extend(rules.iter().map(String::as_str));
    let areas: BTreeSet<_> = known.iter().filter_map(|id| id.split('.').next()).collect();
    let id = Regex::new(r"^([a-z-]+)\.([a-z0-9-]+)$").unwrap();
    let in_brackets = Regex::new(r"\[([a-z-]+\.[a-z0-9-]+)\]").unwrap();
    for document in Document::all() {
        let bracketed = in_brackets.captures_iter(&document.text);
        let mut ids: Vec<_> = bracketed.map(|found| found[1].to_owned()).collect();
        let is_file = |id: &str| id.split('.').next_back().is_some_and(is_ending);
        ids.retain(|id| id != "area.slug" && !is_file(id));
        ids.extend(document.code_spans().into_iter().filter(|span| {
            id.captures(span)
                .is_some_and(|found| areas.contains(&found[1]) && !is_ending(&found[2]))
        }));
        let unknown = ids.iter().find(|id| !known.contains(id.as_str()));
        assert_eq!(unknown, None, "{}: no such requirement", document.name);
    }
}

#[test]
fn cases_exist() {
    let suites = corpus().suites().join("|");
    let id = format!(r"(?m)(^|[^\w/.-])((?:{suites})/[a-z0-9*-]+)([^\w/.-]|\.\W|\.$|$)");
    let id = Regex::new(&id).unwrap();
    for document in Document::all() {
        for found in id.captures_iter(&document.text) {
            let selection = Selection {
                only: vec![found[2].to_owned()],
                ..Selection::default()
            };
            let selected = corpus().select(&selection);
            assert!(
                selected.is_ok(),
                "{}: no case is `{}`",
                document.name,
                &found[2]
            );
        }
    }
}

#[test]
fn counts_are_right() {
    let Some(Shape::Union { arms, .. }) = definition_of("Event").map(|it| it.shape) else {
        panic!("`Event` is not a union");
    };
    let counts = [
        ("cases", corpus().cases().len()),
        ("requirements", requirements().len()),
        ("event types", arms.len()),
    ];
    for document in Document::all() {
        for (what, count) in counts {
            let stated = Regex::new(&format!(r"\b(\d[\d,]*) {what}\b")).unwrap();
            for found in stated.captures_iter(&document.prose()) {
                let number = found[1].replace(',', "");
                assert_eq!(number, count.to_string(), "{}: {what}", document.name);
            }
        }
    }
}

/// The table of SPEC.md that says what compaction does names every type of event, and no other.
#[test]
fn compaction_names_every_event_type() {
    let specification = workspace::text("SPEC.md");
    let (_, section) = specification
        .split_once("### What becomes of each event")
        .expect("SPEC.md has the table");
    let (table, _) = section.split_once("###").expect("another heading follows");
    let rows = table.lines().filter(|line| line.starts_with("| `"));
    let first = rows.filter_map(|row| row.split('|').nth(1));
    let words = first.flat_map(|cell| cell.split(','));
    let mut named: Vec<&str> = words.map(|word| word.trim().trim_matches('`')).collect();
    named.sort_unstable();
    assert!(named.iter().eq(event_types().iter()), "{named:?}");
    assert!(table.contains("| an unknown type |"));
}

/// The constants of the tags of the schema's events.
fn event_types() -> BTreeSet<&'static str> {
    let Some(Shape::Union { arms, .. }) = definition_of("Event").map(|it| it.shape) else {
        panic!("`Event` is not a union");
    };
    arms.iter().map(|(tag, _)| *tag).collect()
}

#[test]
fn commands_parse() {
    let mut checked = 0;
    for document in Document::all() {
        for command in document.commands() {
            let program = [(CHATSTATE, chatstate_program()), (XTASK, xtask_program())]
                .into_iter()
                .find_map(|(names, program)| Some((after(&command, &names)?, program)));
            if let Some((arguments, program)) = program {
                check_arguments(&document.name, program, arguments);
                checked += 1;
            }
        }
    }
    assert!(checked > 20, "only {checked} commands were found");
}

#[test]
fn packages_and_tests_of_commands_exist() {
    let option = Regex::new(r"(-p|--test) ([\w-]+)").unwrap();
    let packages = packages();
    for document in Document::all() {
        for command in document.commands() {
            for found in option.captures_iter(&command) {
                let (kind, name) = (&found[1], found[2].to_owned());
                let known = match kind {
                    "-p" => packages.contains(&name),
                    _ => workspace::path(&format!("tests/tests/{name}.rs")).is_file(),
                };
                assert!(known, "{}: `{kind} {name}` is not there", document.name);
            }
        }
    }
}

#[test]
fn outputs_are_real() {
    let mut checked = 0;
    for mut document in Document::all() {
        // From the end, so that the ranges before stay right when an output is replaced.
        for transcript in document.transcripts().iter().rev() {
            if let Some(real) = output_of(&transcript.command) {
                check_output(&mut document, transcript, &real);
                checked += 1;
            }
        }
    }
    assert!(checked > 0, "no document shows an output");
}

#[test]
fn the_adapter_of_the_guide_works() {
    if !PYTHON.can_run() {
        return;
    }
    let folder = folder_with_adapter();
    let adapter = folder.path().join(ADAPTER);
    let selected = ADAPTER_CASES.iter().flat_map(|id| ["--only", id]);
    let mut arguments: Vec<_> = selected.map(Into::into).collect();
    arguments.extend(["--".into(), "python3".into(), adapter.into_os_string()]);
    let run = report::test::<std::ffi::OsString>(arguments);
    assert_eq!(run.finished.code, 0, "{}", run.finished.stdout);
    let verdicts: Vec<_> = run.verdicts().into_values().collect();
    assert_eq!(verdicts, ["pass"; ADAPTER_CASES.len()]);
}

/// Each page of a decision has a number of its own and a status. A page that another one amends or
/// supersedes links to that page.
#[test]
fn decisions_have_numbers_and_statuses() {
    let mut pages = workspace::names_in(DECISIONS);
    pages.retain(|name| name != "README.md");
    let numbers: BTreeSet<_> = pages.iter().map(|name| decision_number(name)).collect();
    assert_eq!(numbers.len(), pages.len(), "two pages have one number");
    let index = workspace::text(&format!("{DECISIONS}/README.md"));
    for name in &pages {
        check_decision(name);
        assert!(
            index.contains(&format!("({name})")),
            "README.md does not list `{name}`"
        );
    }
}

/// The number at the start of the name of a page.
fn decision_number(name: &str) -> u32 {
    let number = name.split_once('-').and_then(|(it, _)| it.parse().ok());
    number.unwrap_or_else(|| panic!("`{name}` has no number"))
}

fn check_decision(name: &str) {
    let number = decision_number(name);
    let text = workspace::text(&format!("{DECISIONS}/{name}"));
    assert!(
        text.starts_with(&format!("# {number}. ")),
        "`{name}` has another number inside"
    );
    let status = text
        .lines()
        .find_map(|line| line.strip_prefix("**Status.** "))
        .unwrap_or_else(|| panic!("`{name}` has no status"));
    if status == "accepted" {
        return;
    }
    let by =
        Regex::new(r"^(?:amended|superseded) by \[(\d+)\]\((\d{4}-[a-z0-9-]+\.md)\)$").unwrap();
    let Some(found) = by.captures(status) else {
        panic!("`{name}`: `{status}` is no status");
    };
    assert_eq!(
        found[1].parse(),
        Ok(decision_number(&found[2])),
        "`{name}`: the status links to another page than it names"
    );
    assert!(
        workspace::path(&format!("{DECISIONS}/{}", &found[2])).is_file(),
        "`{name}`: there is no page `{}`",
        &found[2]
    );
}

#[test]
fn architecture_names_every_part() {
    let text = workspace::text("ARCHITECTURE.md");
    let manifest = workspace::toml("Cargo.toml");
    let members = manifest["workspace"]["members"].as_array().unwrap();
    let members = members
        .iter()
        .filter_map(|it| it.as_str())
        .map(str::to_owned);
    let folders = workspace::tracked_files().into_iter();
    let folders = folders.filter_map(|name| Some(name.split_once('/')?.0.to_owned()));
    let grouped = ["crates", "generators", "schema", ".cargo"];
    let folders = folders.filter(|name| !grouped.contains(&name.as_str()));
    let missing: BTreeSet<_> = members
        .chain(folders)
        .filter(|name| !text.contains(&format!("`{name}`")))
        .collect();
    assert!(
        missing.is_empty(),
        "ARCHITECTURE.md does not name {missing:?}"
    );
}

#[test]
fn exit_codes_are_those_of_the_program() {
    let help = chatstate(&["help"], b"").stdout;
    let (_, listed) = help
        .split_once("exit codes:")
        .expect("help lists exit codes");
    let codes = |pattern: &str, text: &str| -> BTreeSet<String> {
        let pattern = Regex::new(pattern).unwrap();
        pattern
            .captures_iter(text)
            .map(|found| found[1].to_owned())
            .collect()
    };
    let documented = codes(r"(?m)^\| (\d+) \|", &workspace::text("README.md"));
    assert_eq!(documented, codes(r"\b(\d+)\b", listed));
}

fn check_link(document: &Document, path: &str, anchor: &str) {
    let name = &document.name;
    let target = match path {
        "" => workspace::path(name),
        path => document.beside(path),
    };
    assert!(target.exists(), "{name}: nothing is at `{path}`");
    if !anchor.is_empty() {
        let text = fs::read_to_string(&target).unwrap();
        let page = Document {
            name: path.to_owned(),
            text,
        };
        assert!(
            page.has_anchor(anchor),
            "{name}: `{path}` has no heading `#{anchor}`"
        );
    }
}

/// Whether a word is the path of a file of ours that is not there. Words with placeholders are no
/// paths.
fn is_missing(document: &Document, word: &str) -> bool {
    let plain = |character: char| character.is_alphanumeric() || "._/-".contains(character);
    let bases = [workspace::root().to_owned(), document.beside("")];
    let exists = |path: &str| bases.iter().any(|base| base.join(path).exists());
    if !word.chars().all(plain) {
        return false;
    }
    match word.split_once('/') {
        None => Path::new(word).extension().is_some_and(|it| it == "md") && !exists(word),
        Some(("" | "..", _)) => false,
        Some((folder, _)) => exists(folder) && !exists(word),
    }
}

/// Holds what a document shows against what a command really prints.
fn check_output(document: &mut Document, transcript: &CommandExample, real: &str) {
    let CommandExample { command, output } = transcript;
    let shown = &document.text[output.clone()];
    if is_shown_by(shown, real) {
        return;
    }
    let whole = !shown.lines().any(|line| line == ANY_LINES);
    let name = &document.name;
    assert!(
        whole && std::env::var_os(UPDATE).is_some(),
        "{name}: `{command}` prints something else; {UPDATE}=1 writes it into the document:\n{real}"
    );
    document.text.replace_range(output.clone(), real);
    fs::write(workspace::path(name), &document.text).unwrap();
}

/// Whether the second half of `patch.rs` is the ending of a file and not the name of a requirement.
fn is_ending(slug: &str) -> bool {
    ["html", "json", "md", "mjs", "py", "rs", "toml", "yml"].contains(&slug)
}

/// The arguments of a command, if it calls a program by one of these names.
fn after<'a>(command: &'a str, names: &[&str]) -> Option<&'a str> {
    names.iter().find_map(|name| {
        let (before, arguments) = command.split_once(name)?;
        let begins = before.is_empty() || before.ends_with("| ") || before.ends_with("=1 ");
        begins.then_some(arguments)
    })
}

/// What a verb, which may be of two words, says of itself.
fn help(document: &str, program: &Path, verb: &str) -> FinishedProgram {
    let mut command = Command::new(program);
    command.args(verb.split(' ')).arg("--help");
    let help = finish(command, b"");
    assert_eq!(help.code, 0, "{document}: there is no verb `{verb}`");
    help
}

/// The verb must be there, and its help must name every option that is before the adapter.
fn check_arguments(document: &str, program: &Path, arguments: &str) {
    let own = arguments.split(" -- ").next().unwrap_or_default();
    let mut words = own.split_whitespace().peekable();
    let mut verb = words.next().unwrap_or_default().to_owned();
    let mut help = help(document, program, &verb);
    let second = words
        .peek()
        .filter(|_| help.stdout.contains("\nCommands:\n"));
    if let Some(second) = second {
        verb = format!("{verb} {second}");
        help = self::help(document, program, &verb);
    }
    for option in words.filter(|word| word.starts_with("--")) {
        let listed = help
            .stdout
            .split([' ', '\n', ','])
            .any(|word| word == option);
        assert!(listed, "{document}: `{verb}` has no option `{option}`");
    }
}

fn packages() -> BTreeSet<String> {
    let manifest = workspace::toml("Cargo.toml");
    let members = manifest["workspace"]["members"].as_array().unwrap();
    let folders = members.iter().filter_map(|member| member.as_str());
    let name = |folder: &str| {
        let manifest = workspace::toml(&format!("{folder}/Cargo.toml"));
        manifest["package"]["name"].as_str().unwrap().to_owned()
    };
    folders.map(name).collect()
}

/// What a command prints, when it calls `chatstate` and what it needs is on this machine.
fn output_of(command: &str) -> Option<String> {
    let name = CHATSTATE.iter();
    let name = name
        .copied()
        .find(|name| after(command, &[name]).is_some())?;
    let needed = SDKS.iter().filter(|sdk| command.contains(sdk.folder));
    let python = command.contains("python3").then_some(&PYTHON);
    if !needed.chain(python).all(Sdk::can_run) {
        return None;
    }
    let program = format!("'{}' ", chatstate_program().display());
    let command = command.replacen(name, &program, 1);
    let folder = folder_with_adapter();
    let uses_adapter = command.contains(ADAPTER);
    let directory = if uses_adapter {
        folder.path()
    } else {
        workspace::root()
    };
    let FinishedProgram { stdout, stderr, .. } = shell(&command, directory);
    Some(stdout + &stderr)
}

fn shell(command: &str, directory: &Path) -> FinishedProgram {
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(directory);
    finish(shell, b"")
}

/// A temporary folder that holds the adapter of the guide.
fn folder_with_adapter() -> tempfile::TempDir {
    let guide = Document::read(GUIDE);
    let [adapter] = guide.blocks("python")[..] else {
        panic!("{GUIDE} does not have exactly one adapter");
    };
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(ADAPTER), adapter).unwrap();
    folder
}

/// Whether a document shows this output. The version of Python is that of a machine.
fn is_shown_by(shown: &str, real: &str) -> bool {
    let version = Regex::new(r"python-json \S+").unwrap();
    let mut pattern = String::from("^");
    for line in version.replace_all(shown, "python-json").lines() {
        if line == ANY_LINES {
            pattern.push_str("(?s:.*)");
        } else {
            pattern.push_str(&regex::escape(line));
            pattern.push('\n');
        }
    }
    pattern.push('$');
    let real = version.replace_all(real, |_: &Captures<'_>| "python-json");
    Regex::new(&pattern).unwrap().is_match(&real)
}
