//! What came of a search, for people.

use std::fmt::Write;

use chatstate_runner::report::text::found;

use crate::{FuzzFinding, SearchGoal, SearchResult, Stop};

/// Gives the conclusion as lines; the last one is the result.
#[must_use]
pub fn render(conclusion: &SearchResult, adapter: Option<&str>, colours: bool) -> String {
    let mut out = String::new();
    for finding in &conclusion.findings {
        out.push_str(&told(finding, colours));
    }
    let sdk = &conclusion.implementation;
    let operations = conclusion.operations.join(", ");
    let operations = if operations.is_empty() {
        "no operation".to_owned()
    } else {
        operations
    };
    let _ = writeln!(
        out,
        "{} {} ({}): {operations}; {}, {}",
        sdk.name,
        sdk.version,
        sdk.language,
        plural(conclusion.judged, "input"),
        plural(conclusion.left_out, "other one") + " not judged",
    );
    if let Some(again) = again(conclusion, adapter) {
        let _ = writeln!(out, "again: {again}");
    }
    let _ = writeln!(out, "result: {}", result(conclusion));
    out
}

/// A finding with its evidence and its case.
fn told(finding: &FuzzFinding, colours: bool) -> String {
    let mut out = found(&finding.report, colours);
    let (before, after) = finding.size;
    let mut line = |name: &str, text: &str| {
        let _ = writeln!(out, "      {name:<9} {text}");
    };
    line("kind", &finding.kinds.join(" "));
    let count = plural(finding.count, "input");
    if finding.happens_again {
        line(
            "seen",
            &format!("{count}; one of size {before} became {after}"),
        );
    } else {
        line(
            "seen",
            &format!("{count}; it did not happen again, so it is reported as it was"),
        );
    }
    line("case", &finding.path());
    out.push_str(&finding.case);
    out.push('\n');
    out
}

/// The command that finds the same again.
fn again(conclusion: &SearchResult, adapter: Option<&str>) -> Option<String> {
    let operations: Vec<String> = conclusion
        .operations
        .iter()
        .map(|op| format!(" --op {op}"))
        .collect();
    let goal = match conclusion.goal {
        SearchGoal::Random { seed, .. } => {
            let cases = conclusion.judged + conclusion.left_out;
            format!(" --seed {seed} --cases {cases}")
        }
        SearchGoal::Variants => " --variants".to_owned(),
    };
    let judged_by = match (conclusion.laws, conclusion.exact) {
        (true, _) => " --laws",
        (false, true) => " --exact",
        (false, false) => "",
    };
    let adapter = adapter.map_or(String::new(), |adapter| format!(" -- {adapter}"));
    let operations = operations.concat();
    (conclusion.judged > 0).then(|| format!("chatstate fuzz{operations}{goal}{judged_by}{adapter}"))
}

fn result(conclusion: &SearchResult) -> String {
    let count = conclusion.findings.len() as u64;
    let found = if count == 0 {
        "nothing found".to_owned()
    } else {
        format!("{} found", plural(count, "kind of failure"))
    };
    match &conclusion.stop {
        Stop::Done | Stop::Time => found,
        Stop::Enough => format!("{found}, and the search stopped there"),
        Stop::Broken => format!("{found}; the adapter broke too often to go on"),
        Stop::Gone(problem) => format!("{found}; the adapter did not start again: {problem}"),
        Stop::Nothing => {
            "there is nothing to ask: the adapter does not declare what is needed".to_owned()
        }
    }
}

fn plural(count: u64, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    match noun.split_once(" of ") {
        Some((noun, rest)) => format!("{count} {noun}{ending} of {rest}"),
        None => format!("{count} {noun}{ending}"),
    }
}
