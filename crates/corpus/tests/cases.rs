//! What loading, choosing and linting cases accepts and rejects.

use chatstate_corpus::{
    Corpus, Expect, Requirement, Selection, VERSION, Vocabulary, lint, load_dir, specification,
    traceability,
};
use serde_json::{Value, json};

const SPECIFICATION: &str =
    "**[a.must]** It MUST.\n\n**[a.should]** It SHOULD.\n\n**[a.may]** It MAY.\n";

/// A case without a fault, with members replaced or, where null, taken away.
fn case(changes: &Value) -> Vec<u8> {
    let mut case = json!({
        "title": "a title",
        "requirements": ["a.must"],
        "needs": ["events"],
        "why": "it matters",
        "op": "round-trip",
        "type": "Event",
        "input": {"type": "RAW", "event": null},
        "since": "1"
    });
    for (name, value) in changes.as_object().into_iter().flatten() {
        if value == "gone" {
            case.as_object_mut()
                .and_then(|case| case.shift_remove(name));
        } else {
            case[name] = value.clone();
        }
    }
    case.to_string().into_bytes()
}

fn corpus(files: &[(&str, Vec<u8>)]) -> Corpus {
    let files = files
        .iter()
        .map(|(path, bytes)| ((*path).to_owned(), bytes.clone()));
    load_dir(VERSION, files).expect("the files are well-formed")
}

fn requirements() -> Vec<Requirement> {
    specification::parse(SPECIFICATION).expect("it is well-formed")
}

fn vocabulary() -> Vocabulary {
    let owned = |words: &[&str]| {
        words
            .iter()
            .map(|word| (*word).to_owned())
            .collect::<Vec<_>>()
    };
    Vocabulary {
        operations: owned(&[
            "round-trip",
            "validate",
            "canonicalize",
            "verify",
            "replay",
            "lineage",
        ]),
        arguments: std::collections::BTreeMap::new(),
        typed_operations: owned(&["round-trip", "validate"]),
        capabilities: owned(&["round-trip", "events", "chat"]),
        types: vec![
            ("Event".to_owned(), vec!["events".to_owned()]),
            ("ChatState".to_owned(), vec!["chat".to_owned()]),
        ],
        classes: owned(&["syntax", "schema"]),
        ..Vocabulary::default()
    }
}

/// Lints one case; `expected` are the beginnings of the problems, place first.
fn check_lint(changes: &Value, expected: &[&str]) {
    let corpus = corpus(&[("suite/one.json", case(changes))]);
    let problems = lint(&corpus, &requirements(), &vocabulary());
    let found: Vec<_> = problems
        .iter()
        .map(|it| format!("{} {}", it.at, it.message))
        .collect();
    let holds = found.len() == expected.len()
        && found
            .iter()
            .zip(expected)
            .all(|(found, words)| found.starts_with(words));
    assert!(holds, "{changes}: {found:#?}");
}

#[test]
fn lint_of_words() {
    check_lint(&json!({}), &[]);
    check_lint(
        &json!({"op": "roundtrip"}),
        &["`/op` `roundtrip` is no operation", "`/type`", "`/expect`"],
    );
    check_lint(
        &json!({"type": "Evnt"}),
        &["`/type` `Evnt` is no document type"],
    );
    check_lint(
        &json!({"type": "gone"}),
        &["`/type` `round-trip` needs a type"],
    );
    check_lint(
        &json!({"needs": ["events", "event"]}),
        &["`/needs/1` `event` is no capability"],
    );
    check_lint(
        &json!({"needs": ["events", "events"]}),
        &["`/needs/1` `events` occurs twice"],
    );
    check_lint(
        &json!({"needs": ["events", "round-trip"]}),
        &["`/needs/1` `round-trip` is the case's own"],
    );
    check_lint(
        &json!({"needs": []}),
        &["`/needs` a case about `Event` does not need `events`"],
    );
    check_lint(
        &json!({"kills": ["accept-al"]}),
        &["`/kills/0` `accept-al` is no mutant"],
    );
    check_lint(
        &json!({"requirements": ["a.none"]}),
        &["`/requirements/0` `a.none` is no requirement"],
    );
    check_lint(
        &json!({"requirements": []}),
        &["`/requirements` the case tests no requirement"],
    );
}

#[test]
fn lint_of_prose() {
    check_lint(&json!({"title": " "}), &["`/title`"]);
    check_lint(&json!({"why": ""}), &["`/why`"]);
    check_lint(&json!({"since": "9"}), &["`/since` `9` is no version"]);
    check_lint(&json!({"since": "one"}), &["`/since`"]);
    check_lint(&json!({"source": "RFC 8785, section 3.2"}), &[]);
    check_lint(&json!({"source": "https://example.org/issues/1"}), &[]);
    check_lint(&json!({"source": "http://example.org"}), &["`/source`"]);
    check_lint(&json!({"source": "https://example"}), &["`/source`"]);
}

#[test]
fn lint_of_expectations() {
    let expects = |expect: Value| json!({ "expect": expect });
    check_lint(&expects(json!({"ok": null})), &[]);
    check_lint(
        &expects(json!({"rejected": {"class": "schema", "at": "/a~1b"}})),
        &[],
    );
    check_lint(
        &expects(json!({"rejected": {"class": "shema"}})),
        &["`/expect/rejected/class` `shema`"],
    );
    check_lint(
        &expects(json!({"rejected": {"class": "schema", "at": "a"}})),
        &["`/expect/rejected/at`"],
    );
    check_lint(
        &expects(json!({"rejected": {"class": "schema", "at": "/~2"}})),
        &["`/expect/rejected/at`"],
    );
    check_lint(&expects(json!({"either": ""})), &["`/expect/either`"]);
    check_lint(
        &expects(json!({"anyOf": [{"ok": 1, "note": "n"}]})),
        &["`/expect/anyOf` there is no choice"],
    );
    let both =
        json!({"anyOf": [{"ok": 1, "rejected": {"class": "schema"}, "note": "n"}, {"note": ""}]});
    check_lint(
        &expects(both),
        &[
            "`/expect/anyOf/0`",
            "`/expect/anyOf/1` an alternative",
            "`/expect/anyOf/1/note`",
        ],
    );
    check_lint(
        &json!({"op": "validate"}),
        &["`/expect` a case of `validate` says nothing"],
    );
    check_lint(
        &json!({"op": "validate", "expect": {"ok": {}}}),
        &["`/expect/ok` this operation answers `true`"],
    );
    let verify = json!({"op": "verify", "type": "gone", "expect": {"ok": []}});
    check_lint(&verify, &["`/expect/ok` this operation answers `true`"]);
    let lineage = json!({"op": "lineage", "type": "gone", "expect": {"ok": {"runs": []}}});
    check_lint(&lineage, &["`/expect/ok` an answer of `lineage` has"]);
    let canonicalize = json!({"op": "canonicalize", "type": "gone", "expect": {"ok": {}}});
    check_lint(
        &canonicalize,
        &["`/expect/ok` the answer of this operation is a text"],
    );
    let replay = json!({"op": "replay", "type": "gone", "expect": {"ok": {"messages": []}}});
    check_lint(
        &replay,
        &["`/expect/ok` an answer of `replay` has at least"],
    );
}

#[test]
fn lint_of_requests() {
    check_lint(
        &json!({"args": {"level": 1}}),
        &["`/args/level` `round-trip` takes no argument"],
    );
    check_lint(
        &json!({"op": "canonicalize", "expect": {"ok": ""}}),
        &["`/type` `canonicalize` takes no type"],
    );
    let text = json!({"input": "gone", "inputBase64": "e30=", "expect": {"ok": {}}});
    check_lint(&text, &["`/inputBase64` the bytes are UTF-8 text"]);
    check_lint(
        &json!({"input": "gone", "inputText": "{"}),
        &["`/expect` no answer can equal this input"],
    );
}

#[test]
fn names_and_titles_are_unique() {
    let corpus = corpus(&[
        ("suite/one.json", case(&json!({"aliases": ["suite/old"]}))),
        (
            "suite/two.json",
            case(&json!({"title": "A Title", "aliases": ["suite/one", "suite/old"]})),
        ),
    ]);
    let problems = lint(&corpus, &requirements(), &vocabulary());
    let found: Vec<_> = problems.iter().map(|it| it.message.as_str()).collect();
    let expected = [
        "`suite/one` has the same title",
        "`suite/one` already names `suite/one`",
        "`suite/old` already names `suite/one`",
    ];
    assert_eq!(found, expected);
}

/// Loads one file; the problem, or nothing when it can be read.
fn check_load(path: &str, bytes: &[u8], expected: Option<&str>) {
    let found = load_dir(VERSION, [(path.to_owned(), bytes.to_vec())]);
    match (found, expected) {
        (Ok(_), None) => {}
        (Err(error), Some(words)) => {
            let message = error.to_string();
            assert!(message.contains(words), "`{words}` is not in `{message}`");
        }
        (found, _) => panic!("{path}: {found:?}"),
    }
}

#[test]
fn files_of_a_corpus() {
    let good = case(&json!({}));
    check_load("suite/one.json", &good, None);
    check_load("README.md", b"# Cases", None);
    check_load(
        "one.json",
        &good,
        Some("corpus/one.json: this is not a place"),
    );
    check_load("suite/One.json", &good, Some("not a place"));
    check_load("suite/deep/one.json", &good, Some("not a place"));
    check_load("suite/one.yaml", &good, Some("not a place"));
    check_load("suite/one.json", b"\xff", Some("not UTF-8"));
    check_load("suite/one.json", b"{}", Some("missing field `title`"));
    check_load(
        "suite/one.json",
        &case(&json!({"colour": 1})),
        Some("unknown field `colour`"),
    );
    check_load(
        "suite/one.json",
        &case(&json!({"id": "x"})),
        Some("unknown field `id`"),
    );
    check_load(
        "suite/one.json",
        &case(&json!({"input": "gone"})),
        Some("has 0 of `input`"),
    );
    check_load(
        "suite/one.json",
        &case(&json!({"inputText": ""})),
        Some("has 2 of `input`"),
    );
    let base64 = json!({"input": "gone", "inputBase64": "e30"});
    check_load("suite/one.json", &case(&base64), Some("not padded Base64"));
    check_load(
        "suite/one.json",
        &case(&json!({"expect": {"okay": 1}})),
        Some("unknown variant `okay`"),
    );
    let unclassed = json!({"expect": {"rejected": {"at": ""}}});
    check_load(
        "suite/one.json",
        &case(&unclassed),
        Some("missing field `class`"),
    );
}

#[test]
fn exclusions_of_a_corpus() {
    check_load(
        "excluded.toml",
        b"[[excluded]]\nrequirement = 'a.b'\nreason = 'r'",
        None,
    );
    check_load(
        "excluded.toml",
        b"\n[[excluded]]\nid = 'a.b'",
        Some("corpus/excluded.toml at line 3"),
    );
    check_load(
        "excluded.toml",
        b"[[excluded]]\nrequirement = 'a.b'\nreason = ''",
        Some("no reason"),
    );
}

#[test]
fn input_keeps_its_very_text() {
    let text = r#"{"title":"t","requirements":[],"why":"w","op":"canonicalize","since":"1",
        "input": {"b":1.0, "b":1e2,  "a":"\ud83d"}, "expect": {"ok": null}}"#;
    let corpus = corpus(&[("suite/one.json", text.as_bytes().to_vec())]);
    let input = corpus.cases()[0].input_bytes();
    assert_eq!(
        input.bytes.as_ref(),
        br#"{"b":1.0, "b":1e2,  "a":"\ud83d"}"#
    );
    assert!(input.utf8);
    assert!(matches!(&corpus.cases()[0].expect, Some(Expect::Ok(value)) if value.get() == "null"));
    assert_eq!(corpus.text(&corpus.cases()[0]), text);
}

#[test]
fn null_is_an_input() {
    let corpus = corpus(&[("suite/one.json", case(&json!({"input": null})))]);
    assert_eq!(corpus.cases()[0].input_bytes().bytes.as_ref(), b"null");
}

fn check_selection(only: &[&str], suites: &[&str], ids: &[&str], expected: Result<&[&str], &str>) {
    let corpus = corpus(&[
        ("alpha/one.json", case(&json!({}))),
        (
            "alpha/two.json",
            case(&json!({"requirements": ["a.should"], "aliases": ["alpha/before"]})),
        ),
        ("beta/one.json", case(&json!({}))),
    ]);
    let owned = |words: &[&str]| {
        words
            .iter()
            .map(|word| (*word).to_owned())
            .collect::<Vec<_>>()
    };
    let selection = Selection {
        only: owned(only),
        suites: owned(suites),
        requirements: owned(ids),
    };
    match (corpus.select(&selection), expected) {
        (Ok(cases), Ok(expected)) => {
            let found: Vec<_> = cases.iter().map(|case| case.id.as_str()).collect();
            assert_eq!(found, expected, "{selection:?}");
        }
        (Err(error), Err(words)) => assert!(error.to_string().contains(words), "{error}"),
        (found, _) => panic!("{selection:?}: {found:?}"),
    }
}

#[test]
fn selections() {
    check_selection(&[], &[], &[], Ok(&["alpha/one", "alpha/two", "beta/one"]));
    check_selection(&["*/one"], &[], &[], Ok(&["alpha/one", "beta/one"]));
    check_selection(&["*one*"], &["beta"], &[], Ok(&["beta/one"]));
    check_selection(&["alpha/before"], &[], &[], Ok(&["alpha/two"]));
    check_selection(
        &["alpha/one", "beta/one"],
        &[],
        &[],
        Ok(&["alpha/one", "beta/one"]),
    );
    check_selection(&[], &[], &["a.should"], Ok(&["alpha/two"]));
    check_selection(&["beta/*"], &[], &["a.should"], Ok(&[]));
    check_selection(
        &["*", "alpha/tow"],
        &[],
        &[],
        Err("`alpha/tow` matches no case"),
    );
    check_selection(&["["], &[], &[], Err("`[` is not a pattern"));
    check_selection(&[], &["gamma"], &[], Err("the suites are `alpha`, `beta`"));
    check_selection(
        &[],
        &[],
        &["a.may"],
        Err("no case tests the requirement `a.may`"),
    );
}

#[test]
fn the_digest_tells_corpora_apart() {
    let digest = |files: &[(&str, Vec<u8>)]| corpus(files).digest().to_owned();
    let (one, two) = (case(&json!({})), case(&json!({"why": "it matters more"})));
    let both = digest(&[("a/one.json", one.clone()), ("a/two.json", two.clone())]);
    assert_eq!(
        both,
        digest(&[("a/two.json", two.clone()), ("a/one.json", one.clone())])
    );
    assert_ne!(
        both,
        digest(&[("a/one.json", two), ("a/two.json", one.clone())])
    );
    assert_ne!(both, digest(&[("a/one.json", one)]));
    assert_eq!(both.len(), 64);
}

fn check_traceability(files: &[(&str, Vec<u8>)], expected: &[&str]) -> String {
    let (corpus, requirements) = (corpus(files), requirements());
    let joined = traceability::join(&corpus, &requirements);
    let found: Vec<_> = joined
        .problems
        .iter()
        .map(|it| it.message.clone())
        .collect();
    assert_eq!(found, expected);
    joined.to_markdown()
}

#[test]
fn requirements_are_tested_or_excluded() {
    let excluded = |id: &str| {
        format!("[[excluded]]\nrequirement = '{id}'\nreason = 'no | way'\n").into_bytes()
    };
    let tests = |id: &str| case(&json!({"requirements": [id], "kills": ["accept-all"]}));
    let recorded = case(&json!({"requirements": ["a.must"], "expect": {"either": "open"}}));
    let untested = "no case tests `a.should`, which is a SHOULD";
    let page = check_traceability(
        &[
            ("s/one.json", tests("a.must")),
            ("excluded.toml", excluded("a.should")),
        ],
        &[],
    );
    assert!(
        page.contains("| `a.must` | MUST | tested | `s/one` | `accept-all` |"),
        "{page}"
    );
    assert!(
        page.contains(r"| `a.should` | SHOULD | excluded: no \| way |  |  |"),
        "{page}"
    );
    assert!(
        page.contains("3 requirements: 0 proven, 1 tested, 1 excluded, 1 untested."),
        "{page}"
    );
    check_traceability(&[("s/one.json", tests("a.must"))], &[untested]);
    check_traceability(
        &[("s/one.json", recorded)],
        &["no case tests `a.must`, which is a MUST", untested],
    );
    check_traceability(
        &[
            ("s/one.json", tests("a.must")),
            ("s/two.json", tests("a.should")),
            ("excluded.toml", excluded("a.must")),
        ],
        &["`a.must` is excluded, but `s/one` tests it"],
    );
    check_traceability(
        &[
            ("s/one.json", tests("a.must")),
            ("s/two.json", tests("a.gone")),
            ("excluded.toml", excluded("a.should")),
        ],
        &["`a.gone` is no requirement"],
    );
    check_traceability(
        &[
            ("s/one.json", tests("a.must")),
            ("s/two.json", tests("a.should")),
            ("excluded.toml", excluded("a.gone")),
        ],
        &["`a.gone` is no requirement"],
    );
}
