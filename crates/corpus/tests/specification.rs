//! What counts as a requirement of a specification.

use chatstate_corpus::specification::{embedded, parse};
use chatstate_corpus::{Requirement, RequirementLevel};

fn check(text: &str, expected: Result<&[(&str, &str, RequirementLevel)], &str>) {
    let read = parse(text);
    match (&read, expected) {
        (Ok(requirements), Ok(rows)) => {
            let row = |it: &Requirement| (it.id.clone(), it.keyword, it.level);
            let found: Vec<_> = requirements.iter().map(row).collect();
            let rows: Vec<_> = rows
                .iter()
                .map(|(id, word, level)| ((*id).to_owned(), *word, *level))
                .collect();
            assert_eq!(found, rows, "{text}");
        }
        (Err(problems), Err(words)) => {
            let message = problems.to_string();
            assert!(message.contains(words), "`{words}` is not in `{message}`");
        }
        _ => panic!("{text}: {read:?}"),
    }
}

#[test]
fn keywords_are_severities() {
    check(
        "**[a.b]** It MUST hold.",
        Ok(&[("a.b", "MUST", RequirementLevel::Must)]),
    );
    check(
        "**[a.b]** It MUST NOT hold.",
        Ok(&[("a.b", "MUST NOT", RequirementLevel::Must)]),
    );
    check(
        "**[a.b]** It SHOULD hold.",
        Ok(&[("a.b", "SHOULD", RequirementLevel::Should)]),
    );
    check(
        "**[a.b]** It SHOULD NOT.",
        Ok(&[("a.b", "SHOULD NOT", RequirementLevel::Should)]),
    );
    check(
        "**[a.b]** It MAY hold.",
        Ok(&[("a.b", "MAY", RequirementLevel::May)]),
    );
    check("**[a.b]** It must hold.", Err("`a.b` has no keyword"));
    check(
        "**[a.b]** It MUST, and it SHOULD.",
        Err("`a.b` has 2 keywords"),
    );
    check(
        "**[a.b]** It MUST, and MUST NOT.",
        Err("`a.b` has 2 keywords"),
    );
}

#[test]
fn a_paragraph_is_a_requirement() {
    let two_lines = "Text that MUST not count.\n\n**[a.b]** It\nMUST hold.\n\nIt MUST be so.\n";
    check(two_lines, Ok(&[("a.b", "MUST", RequirementLevel::Must)]));
    let neighbours = "**[a.b]** It MUST.\n**[a-1.c-2]** It MAY.";
    let rows = [
        ("a.b", "MUST", RequirementLevel::Must),
        ("a-1.c-2", "MAY", RequirementLevel::May),
    ];
    check(neighbours, Ok(&rows));
    check("```\n**[a.b]** It MUST.\n```\n", Ok(&[]));
    check(
        "**[a.b]** The word `MUST` SHOULD NOT count.",
        Ok(&[("a.b", "SHOULD NOT", RequirementLevel::Should)]),
    );
    check("- **[a.b]** It MUST.", Err("is inside a paragraph"));
}

#[test]
fn ids_are_words_and_unique() {
    check("**[a]** It MUST.", Err("`a` is not the id"));
    check("**[A.b]** It MUST.", Err("`A.b` is not the id"));
    check("**[a.b.c]** It MUST.", Err("`a.b.c` is not the id"));
    check(
        "**[a.b]** It MUST.\n\n**[a.b]** It MAY.",
        Err("SPEC.md at line 3: `a.b` is already on line 1"),
    );
}

#[test]
fn text_and_line_are_kept() {
    let requirements = parse("# Title\n\n**[a.b]** It\n  MUST hold.\n").expect("it is well-formed");
    assert_eq!(requirements[0].text, "It MUST hold.");
    assert_eq!(requirements[0].line, 3);
}

#[test]
fn the_specification_is_well_formed() {
    if let Err(problems) = embedded() {
        panic!("{problems}");
    }
}
