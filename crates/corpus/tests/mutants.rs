//! What the list of mutants may say, and which requirements its mutants prove.

use chatstate_corpus::traceability::Status;
use chatstate_corpus::{
    Corpus, VERSION, Vocabulary, lint, load_dir, mutant, specification, traceability,
};

const SPECIFICATION: &str = "**[a.must]** It MUST.\n";

const CASE: &str = r#"{
  "title": "a title", "requirements": ["a.must"], "why": "it matters", "op": "canonicalize",
  "input": 1, "expect": { "ok": "1" }, "kills": ["one"], "since": "1"
}"#;

/// A corpus of one case, which names the mutant `one`, and a list of mutants.
fn corpus(list: &str) -> Corpus {
    let files = [("s/case.json", CASE), ("mutants.toml", list)];
    let files = files.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec()));
    load_dir(VERSION, files).expect("the files are well-formed")
}

/// A row of the list, with one text replaced.
fn row(from: &str, to: &str) -> String {
    let row = "[[mutant]]\nid = 'one'\nfamily = 'scalars'\ndoes = 'rounds'\n\
               operations = ['canonicalize']\nshows = ['ok']\n";
    row.replace(from, to)
}

fn check_lint(list: &str, expected: &[&str]) {
    let vocabulary = Vocabulary {
        operations: vec!["canonicalize".to_owned()],
        ..Vocabulary::default()
    };
    let requirements = specification::parse(SPECIFICATION).expect("it is well-formed");
    let problems = lint(&corpus(list), &requirements, &vocabulary);
    let found: Vec<_> = problems.iter().map(|it| it.message.as_str()).collect();
    assert_eq!(found, expected, "{list}");
}

#[test]
fn lint_of_mutants() {
    check_lint(&row("", ""), &[]);
    check_lint(&row("['ok']", "[]"), &["`one` does not say how it shows"]);
    check_lint(&row("rounds", " "), &["`one` does not say what it does"]);
    check_lint(
        &row("canonicalize", "canonise"),
        &["`canonise` of `one` is no operation"],
    );
    check_lint(
        &row("one", "One"),
        &[
            "`one` is no mutant",
            "`One` is no id",
            "no case names `One` in `kills`",
        ],
    );
    check_lint(&(row("", "") + &row("", "")), &["`one` occurs twice"]);
    check_lint(
        &(row("", "") + &row("one", "two")),
        &["no case names `two` in `kills`"],
    );
}

#[test]
fn a_row_that_cannot_be_read_is_named_by_its_line() {
    let list = row("", "") + &row("scalars", "scalar");
    let files = [("mutants.toml".to_owned(), list.into_bytes())];
    let error = load_dir(VERSION, files).expect_err("there is no such family");
    let problem = &error.problems.0[0];
    assert_eq!(problem.file, "corpus/mutants.toml");
    assert_eq!(problem.at, "line 9");
}

#[test]
fn narrow_mutants_prove_what_their_cases_test() {
    let requirements = specification::parse(SPECIFICATION).expect("it is well-formed");
    for (family, status) in [
        ("scalars", Status::Proven),
        ("wrong-reason", Status::Proven),
        ("wholesale", Status::Tested),
        ("statefulness", Status::Tested),
        ("flakiness", Status::Tested),
        ("protocol", Status::Tested),
    ] {
        let corpus = corpus(&row("scalars", family));
        let joined = traceability::join(&corpus, &requirements);
        assert_eq!(joined.rows[0].status, status, "{family}");
    }
}

#[test]
fn the_list_alone_is_that_of_the_corpus() {
    let corpus = Corpus::embedded().expect("it is well-formed");
    let alone = mutant::embedded().expect("it is well-formed");
    assert_eq!(alone, corpus.mutants());
}
