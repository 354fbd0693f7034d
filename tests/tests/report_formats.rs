//! What each format says of a run.

use chatstate_tests::report_folder::{MUTANT, ReportFolder, SOME, report};

/// What a format for programs must say of a run in which a mutant drops what it does not know. The
/// formats for people are snapshots in `crates/cli/tests`.
const FORMATS: &[(&str, &[&str])] = &[
    (
        "jsonl",
        &[
            r#"{"header":{"format":1,"implementation":{"name":"chatstate""#,
            r#""selection":{"only":["round-trip/unknown-event*"]"#,
            r#"{"case":{"id":"round-trip/unknown-event","verdict":"fail""#,
            r#"{"footer":{"summary":{"pass":0,"fail":5"#,
        ],
    ),
    ("json", &[r#""capabilities": ["#, r#""fail": 5"#]),
    (
        "junit",
        &[
            r#"tests="5" skipped="0" failures="5" errors="0""#,
            r#"<testcase name="unknown-event" classname="chatstate.round-trip">"#,
            r#"<property name="requirement" value="round-trip.unknown-event"/>"#,
            r#"<failure message="the answer has another value" type="fail">"#,
            "again: chatstate test --only round-trip/unknown-event -- ",
        ],
    ),
    (
        "sarif",
        &[
            r#""version": "2.1.0""#,
            r#""ruleId": "round-trip.unknown-event""#,
            "`chatstate explain round-trip.unknown-event` names its cases.",
            // The adapter is this program.
            r#"/chatstate""#,
        ],
    ),
    (
        "badge",
        &[
            r#""message": "a part: 0/5, corpus 1""#,
            r#""color": "lightgrey""#,
        ],
    ),
];

#[test]
fn each_format_for_programs_says_what_is_wrong() {
    let folder = ReportFolder::create();
    let finished = folder.run("run.jsonl", SOME, Some(MUTANT));
    assert_eq!(finished.code, 1, "{}", finished.stderr);
    check_formats(&folder, FORMATS);
}

/// Writes the kept report in each format, and looks for what it must say.
fn check_formats(folder: &ReportFolder, formats: &[(&str, &[&str])]) {
    let file = folder.path("run.jsonl");
    for (format, says) in formats {
        let path = folder.path(format);
        let option = format!("{format}={path}");
        let finished = report(&["show", "--report", &option, &file]);
        assert_eq!(finished.code, 0, "{format}: {}", finished.stderr);
        let text = folder.text(format);
        for words in *says {
            assert!(text.contains(words), "{format} has no `{words}`:\n{text}");
        }
    }
}

/// What formats make of verdicts that are neither a pass nor a failure: a known failure, a case that does
/// not apply, and a case that passes although a list says that it fails.
const OTHER_VERDICTS: &[(&str, &[&str])] = &[
    (
        "junit",
        &[
            r#"tests="4" skipped="2" failures="2" errors="0""#,
            r#"<skipped message="it drops # of them" type="expected-failure"/>"#,
            r#"<skipped message="the case binds the reference alone" type="skip"/>"#,
            r#"<failure message="it passes, but a list says that it fails" type="unexpected-pass">"#,
            r#"<failure message="`channel-key/two-parts` passes: channel-key/two-parts; "#,
        ],
    ),
    (
        "tap",
        &[
            "1..4\n",
            "# SKIP the case binds the reference alone\n",
            "is kept # TODO it drops \\# of them\n",
            "not ok 2 - channel-key/two-parts: ",
            "line 4: `channel-key/two-parts`\n  ---\n  what: \"passes: ",
        ],
    ),
    (
        "sarif",
        &[
            "\"suppressions\": [\n            {\n              \"kind\": \"external\",\n              \
             \"justification\": \"it drops # of them\"",
            "\"startLine\": 4",
        ],
    ),
    (
        "markdown",
        &["- **out of date**, ", "<b>unexpected-pass</b>"],
    ),
    (
        "github",
        &[",line=4,title=out of date::`channel-key/two-parts` passes: "],
    ),
    ("badge", &["\"lightgrey\""]),
];

/// What formats make of an adapter that gets no score.
const CANARY: &[(&str, &[&str])] = &[
    (
        "junit",
        &[r#"errors="1""#, "<error message=\"the adapter rejects all"],
    ),
    ("tap", &["1..0\nBail out! the adapter rejects all"]),
    (
        "sarif",
        &[
            "\"executionSuccessful\": false",
            "\"ruleId\": \"chatstate.canary\"",
        ],
    ),
    (
        "markdown",
        &["the adapter failed a canary; nothing was scored"],
    ),
    ("github", &["::error title=canary::the adapter rejects all"]),
    (
        "badge",
        &["\"message\": \"failed a canary\"", "\"isError\": true"],
    ),
];

#[test]
fn each_format_knows_the_other_verdicts() {
    let folder = ReportFolder::create();
    let list = folder.write(
        "expected.toml",
        "[[expect]]\ncase = \"round-trip/unknown-event\"\nreason = \"it drops # of them\"\n\
         [[expect]]\ncase = \"channel-key/two-parts\"\nreason = \"mended by now\"\n",
    );
    let cases = [
        "attach/exact",
        "channel-key/two-parts",
        "round-trip/unknown-event",
    ];
    let mut selection: Vec<_> = cases.iter().flat_map(|it| ["--only", it]).collect();
    selection.extend(["--expect", &list]);
    let finished = folder.run("run.jsonl", &selection, Some(MUTANT));
    assert_eq!(finished.code, 4, "{}{}", finished.stdout, finished.stderr);
    check_formats(&folder, OTHER_VERDICTS);
    let finished = folder.run("run.jsonl", &[], Some("reject-all"));
    assert_eq!(finished.code, 1, "{}{}", finished.stdout, finished.stderr);
    check_formats(&folder, CANARY);
}
