//! Real SDKs, judged: every failure is known, named case by case, and has its reason.

use chatstate_runner::Expectations;
use chatstate_tests::embedded::corpus;
use chatstate_tests::report::{self, TestRun};
use chatstate_tests::results::check_row;
use chatstate_tests::sdk::{AGENT_FRAMEWORK, PYTHON, RUST, SDKS, SEMANTIC_KERNEL, Sdk, TYPESCRIPT};
use chatstate_tests::workspace;
use regex::Regex;
use toml::Value;

/// The most lines of an adapter: what is longer mends the SDK instead of testing it.
const MAX_ADAPTER_LINES: usize = 160;

const DIFFERENCES: &str = "tests/sdks/differences.toml";

#[test]
fn python() {
    check(&PYTHON);
}

#[test]
fn rust() {
    check(&RUST);
}

#[test]
fn typescript() {
    check(&TYPESCRIPT);
}

#[test]
fn agent_framework() {
    check(&AGENT_FRAMEWORK);
}

#[test]
fn semantic_kernel() {
    check(&SEMANTIC_KERNEL);
}

#[test]
fn the_reference_has_its_row_in_the_readme() {
    check_row(&report::test::<&str>([]));
}

/// Everything that needs a run of the SDK, so that it runs once.
fn check(sdk: &Sdk) {
    if !sdk.can_run() {
        return;
    }
    let expected = workspace::path(&sdk.file("expected-failures.toml"));
    let run = report::test([
        "--expect".into(),
        expected.into_os_string(),
        "--".into(),
        sdk.adapter().into_os_string(),
    ]);
    assert_eq!(
        run.finished.code, 0,
        "{}{}",
        run.finished.stdout, run.finished.stderr
    );
    check_differences(sdk, &run);
    check_row(&run);
}

/// Each row of the table of differences is what the report says.
fn check_differences(sdk: &Sdk, run: &TestRun) {
    let verdicts = run.verdicts();
    for (title, case, shows) in differences(sdk) {
        let verdict = verdicts[case.as_str()];
        let wanted = match shows.as_str() {
            "pass" => "pass",
            "fail" => "expected-failure",
            other => panic!("`{title}` shows `{other}`, which is neither `pass` nor `fail`"),
        };
        assert_eq!(verdict, wanted, "{}: `{title}` is `{case}`", sdk.folder);
    }
}

#[test]
fn every_folder_is_an_sdk_that_is_tested() {
    let lanes = workspace::text("xtask/src/lane.rs");
    let mut folders = workspace::names_in("tests/sdks");
    folders.retain(|name| workspace::path("tests/sdks").join(name).is_dir());
    let known: Vec<_> = SDKS.iter().map(|sdk| sdk.folder.to_owned()).collect();
    assert_eq!(
        folders, known,
        "add a row to `SDKS` in `tests/src/sdk.rs`, and a test here"
    );
    for sdk in SDKS {
        let adapter = sdk.file("run");
        assert!(
            lanes.contains(&format!("\"{adapter}\"")),
            "`xtask/src/lane.rs` lacks `{adapter}`"
        );
        assert!(
            lanes.contains(&format!("\"{}\"", sdk.lane)),
            "`xtask/src/lane.rs` lacks a lane"
        );
    }
}

#[test]
fn adapters_are_short() {
    for sdk in SDKS {
        let folder = format!("tests/sdks/{}", sdk.folder);
        let mut files = workspace::names_in(&folder);
        files.retain(|name| name.starts_with("adapter."));
        assert_eq!(
            files.len(),
            1,
            "`{folder}` has one adapter, which is one file"
        );
        let lines = workspace::text(&sdk.file(&files[0])).lines().count();
        let most = MAX_ADAPTER_LINES;
        assert!(
            lines <= most,
            "the adapter in `{folder}` has {lines} lines, more than {most}"
        );
    }
}

#[test]
fn expected_failures_name_cases_and_reasons() {
    for sdk in SDKS {
        let file = sdk.file("expected-failures.toml");
        Expectations::parse(&file, &workspace::text(&file)).unwrap_or_else(|it| panic!("{it}"));
        let entries = workspace::toml(&file);
        let entries = entries["expect"].as_array().expect("a list");
        for entry in entries {
            check_entry(&file, entry);
        }
    }
}

/// An entry names one case by its id, how it fails, and why in a sentence.
fn check_entry(file: &str, entry: &Value) {
    let text = |member: &str| {
        entry
            .get(member)
            .and_then(Value::as_str)
            .unwrap_or_default()
    };
    let case = text("case");
    assert!(
        corpus().case(case).is_some(),
        "`{file}`: `{case}` is no case"
    );
    let wildcard = Regex::new(r"[*?\[\]{}]").unwrap();
    assert!(!wildcard.is_match(case), "`{file}`: `{case}` is a pattern");
    let fingerprint = text("fingerprint");
    assert!(
        !fingerprint.is_empty(),
        "`{file}`: `{case}` does not say how it fails"
    );
    assert!(
        fingerprint != "*",
        "`{file}`: `{case}` excuses every failure"
    );
    let reason = text("reason");
    let is_sentence = reason.split(' ').count() >= 4 && reason.ends_with('.');
    assert!(
        is_sentence,
        "`{file}`: the reason of `{case}` is no sentence: {reason}"
    );
}

#[test]
fn differences_name_cases() {
    for sdk in SDKS {
        let differences = differences(&sdk);
        assert!(
            !differences.is_empty(),
            "`{DIFFERENCES}` has no row for `{}`",
            sdk.name
        );
        for (title, case, _) in differences {
            assert!(
                corpus().case(&case).is_some(),
                "`{title}`: `{case}` is no case"
            );
        }
    }
}

/// The differences that concern an SDK: what differs, the case that shows it, what it shows.
fn differences(sdk: &Sdk) -> Vec<(String, String, String)> {
    let table = workspace::toml(DIFFERENCES);
    let rows = table["difference"].as_array().expect("a list").iter();
    let concerns = |row: &&Value| {
        let names = row["sdk"].as_array().into_iter().flatten();
        let names: Vec<_> = names.filter_map(Value::as_str).collect();
        let known = SDKS.map(|sdk| sdk.name);
        assert!(
            names.iter().all(|name| known.contains(name)),
            "{names:?} is not of {known:?}"
        );
        names.contains(&sdk.name)
    };
    let text = |row: &Value, member: &str| row[member].as_str().expect("text").to_owned();
    rows.filter(concerns)
        .map(|row| (text(row, "title"), text(row, "case"), text(row, "shows")))
        .collect()
}
