//! `chatstate validate --type Event` and `@ag-ui/core` agree, but for what SPEC.md says.

use chatstate::validate::validate;
use chatstate_corpus::{Case, Expect};
use chatstate_runner::{
    AdapterCommand, CaseReport, Expectations, Outcome, RunOptions, RunWork, Verdict, run,
};
use chatstate_tests::embedded::{corpus, input_text, requirements};
use chatstate_tests::sdk::TYPESCRIPT;
use chatstate_tests::workspace;

/// A case that the two judge differently.
struct Disagreement {
    case: &'static str,
    /// The requirement of the case that says which of the two is right.
    requirement: &'static str,
    /// The sentence of SPEC.md that names the difference.
    named: &'static str,
}

const DUPLICATES: &str = "Duplicate names are rejected. JavaScript keeps the last member.";
const HALVES: &str = "An unpaired surrogate is accepted only at the ends of text deltas.";
const BYTES: &str = "Bytes that are not UTF-8 are rejected.";

const DISAGREEMENTS: &[Disagreement] = &[
    Disagreement {
        case: "validate/duplicate-member",
        requirement: "json.duplicate-members",
        named: DUPLICATES,
    },
    Disagreement {
        case: "validate/duplicate-member-in-open-data",
        requirement: "json.duplicate-members",
        named: DUPLICATES,
    },
    Disagreement {
        case: "validate/duplicate-member-uuids",
        requirement: "json.duplicate-members",
        named: DUPLICATES,
    },
    Disagreement {
        case: "validate/not-utf-8",
        requirement: "json.utf-8",
        named: BYTES,
    },
    Disagreement {
        case: "validate/raw-event-timestamp-almost-zero",
        requirement: "validate.integer",
        named: "Integers in range are judged exactly, while JavaScript judges the nearest double.",
    },
    Disagreement {
        case: "validate/reasoning-encrypted-value-event-encrypted-value-type-kind",
        requirement: "validate.type",
        named: "`encryptedValueType` of AG-UI 1.1 is known here.",
    },
    Disagreement {
        case: "validate/start-input-state-null",
        requirement: "event.not-null",
        named: "a null `state` is rejected.",
    },
    Disagreement {
        case: "validate/surrogate-inside-delta",
        requirement: "json.unpaired-surrogate",
        named: HALVES,
    },
    Disagreement {
        case: "validate/surrogate-wrong-end",
        requirement: "json.unpaired-surrogate",
        named: HALVES,
    },
    Disagreement {
        case: "validate/unpaired-surrogate",
        requirement: "json.unpaired-surrogate",
        named: HALVES,
    },
    Disagreement {
        case: "validate/unpaired-surrogate-in-state",
        requirement: "json.unpaired-surrogate",
        named: HALVES,
    },
];

/// The heading of SPEC.md above the differences.
const SECTION: &str = "## Differences from `@ag-ui/core` and `@ag-ui/client`";

#[test]
fn validate_agrees_with_the_package() {
    if !TYPESCRIPT.can_run() {
        return;
    }
    let cases: Vec<_> = corpus()
        .cases()
        .iter()
        .filter(|case| is_common(case))
        .collect();
    assert!(!cases.is_empty(), "there is nothing to compare");
    let reports = judged(cases);
    let differing = reports.iter().filter(|report| !agrees(report));
    let differing: Vec<_> = differing.map(|report| report.id.as_str()).collect();
    let mut listed: Vec<_> = DISAGREEMENTS.iter().map(|it| it.case).collect();
    listed.sort_unstable();
    assert_eq!(
        differing, listed,
        "the cases that differ are not those that are listed"
    );
}

#[test]
fn the_specification_names_every_disagreement() {
    let specification = workspace::text("SPEC.md").replace('\n', " ");
    let (_, section) = specification.split_once(SECTION).expect("the section");
    for disagreement in DISAGREEMENTS {
        let Disagreement {
            case,
            requirement,
            named,
        } = disagreement;
        let found = corpus()
            .case(case)
            .unwrap_or_else(|| panic!("`{case}` is no case"));
        let tests = found.requirements.iter().any(|id| id == requirement);
        assert!(tests, "`{case}` does not test `{requirement}`");
        let known = requirements().iter().any(|it| it.id == *requirement);
        assert!(known, "SPEC.md has no `{requirement}`");
        assert!(
            section.contains(named),
            "`{case}`: SPEC.md does not say: {named}"
        );
    }
}

/// A case of both that is not about what one of them does not know.
fn is_common(case: &Case) -> bool {
    let unknown = |need: &String| matches!(need.as_str(), "unknown-members" | "unknown-variants");
    case.op == "validate"
        && case.document_type.as_deref() == Some("Event")
        && !case.needs.iter().any(unknown)
        && !matches!(case.expect, Some(Expect::Either(_)))
}

/// Both accept or both reject. They may give other places and reasons, which the cases judge.
fn agrees(report: &CaseReport) -> bool {
    let case = corpus().case(&report.id).expect("a case of the corpus");
    ours_accepts(case) == package_accepts(case, report)
}

fn ours_accepts(case: &Case) -> bool {
    let text = input_text(case);
    text.is_some_and(|text| validate("Event", &text) == Some(Ok(())))
}

/// A report shows the answer only of a case that does not pass; the others are as expected.
fn package_accepts(case: &Case, report: &CaseReport) -> bool {
    let detail = report.detail.as_ref();
    match (
        report.verdict,
        detail.and_then(|detail| detail.got.as_ref()),
    ) {
        (Verdict::Pass, _) => matches!(case.expect, Some(Expect::Ok(_))),
        (_, Some(Outcome::Ok(_))) => true,
        (_, Some(Outcome::Rejected(_))) => false,
        (verdict, got) => panic!("`{}`: {} {got:?}", case.id, verdict.as_str()),
    }
}

fn judged(cases: Vec<&Case>) -> Vec<CaseReport> {
    let command = AdapterCommand::new(TYPESCRIPT.adapter(), [""; 0]);
    let work = RunWork {
        command: &command,
        corpus: corpus(),
        cases,
        requirements: requirements(),
        expectations: &Expectations::default(),
    };
    let options = RunOptions {
        // The first start installs the package.
        start_timeout: std::time::Duration::from_mins(10),
        // Cases that bind the reference alone are compared, too.
        reference: true,
        ..RunOptions::default()
    };
    let report = run(&work, &options, &mut |_| {}).unwrap_or_else(|error| panic!("{error}"));
    assert!(
        report.not_judged.is_empty(),
        "not judged: {:?}",
        report.not_judged
    );
    report.cases
}
