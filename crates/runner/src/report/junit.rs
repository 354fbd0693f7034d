//! The report as `JUnit` XML: a test suite for each suite, a test case for each case.

use quick_junit::{NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestSuite};

use crate::report::evidence::{canary_evidence, evidence};
use crate::report::messages::{canary, joined, staleness, total};
use crate::report::status::{ResultStatus, not_judged, reason, status_of, suite_and_name};
use crate::report::{CaseReport, RunReport};

/// Gives the report as `JUnit` XML. A case that is no part of any claim is skipped, one without an answer
/// is an error, and so is one that could not run.
#[must_use]
pub fn render(report: &RunReport) -> String {
    let mut page = Report::new(total(report));
    let mut suites: Vec<TestSuite> = Vec::new();
    for case in &report.cases {
        add(&mut suites, &case.id, test_case(report, case));
    }
    for id in &report.not_judged {
        let status = not_run(&not_judged(report), "not-judged");
        add(&mut suites, id, TestCase::new(suite_and_name(id).1, status));
    }
    if let Some(failure) = &report.canary {
        let mut status = not_run(canary(failure), "canary");
        status.set_description(joined(&canary_evidence(failure)));
        add(
            &mut suites,
            "canaries/adapter",
            TestCase::new("adapter", status),
        );
    }
    for entry in &report.stale {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        status.set_type("stale");
        status.set_message(format!("`{}` {}", entry.names, staleness(&entry.because)));
        let name = format!("{} line {}", entry.file, entry.line);
        add(
            &mut suites,
            "expected-failures/",
            TestCase::new(name, status),
        );
    }
    page.add_test_suites(suites);
    // The text is made in memory, where writing does not fail. Two noncharacters are no part of XML.
    let text = page.to_string().unwrap_or_default();
    text.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}

fn add(suites: &mut Vec<TestSuite>, id: &str, mut case: TestCase) {
    let (suite, _) = suite_and_name(id);
    case.set_classname(format!("chatstate.{suite}"));
    let place = suites.iter().position(|it| it.name.as_str() == suite);
    let place = place.unwrap_or_else(|| {
        suites.push(TestSuite::new(suite));
        suites.len() - 1
    });
    suites[place].add_test_case(case);
}

fn not_run(message: &str, kind: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    status.set_type(kind).set_message(message);
    status
}

fn test_case(report: &RunReport, case: &CaseReport) -> TestCase {
    let mut status = match status_of(case.verdict) {
        ResultStatus::Passed => TestCaseStatus::success(),
        ResultStatus::Failed => TestCaseStatus::non_success(NonSuccessKind::Failure),
        ResultStatus::Broken => TestCaseStatus::non_success(NonSuccessKind::Error),
        ResultStatus::Skipped | ResultStatus::Known => TestCaseStatus::skipped(),
    };
    let passed = status_of(case.verdict) == ResultStatus::Passed;
    if !passed {
        status.set_type(case.verdict.as_str());
        status.set_message(reason(case));
    }
    let evidence = joined(&evidence(report, case));
    if matches!(
        status_of(case.verdict),
        ResultStatus::Failed | ResultStatus::Broken
    ) {
        status.set_description(evidence.clone());
    }
    let mut test = TestCase::new(suite_and_name(&case.id).1, status);
    let requirements = case.requirements.iter();
    test.add_properties(requirements.map(|id| Property::new("requirement", id.as_str())));
    test.add_property(Property::new("verdict", case.verdict.as_str()));
    if passed && case.detail.is_some() {
        test.set_system_out(evidence);
    }
    test
}
