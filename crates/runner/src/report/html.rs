//! The reports of one or several runs as one self-contained page: data, style and script are in it, and
//! it loads nothing, so that it can be mailed and opened years later. Adapter output is only ever set
//! as text.

mod causes;

use std::collections::{BTreeMap, BTreeSet};

use chatstate_corpus::Requirement;
use serde_json::{Map, Value, json};

use crate::judgement::{Detail, Expected, Verdict};
use crate::outcome::{Outcome, beginning};
use crate::report::evidence::{canary_evidence, laws, rerun};
use crate::report::messages::{
    canary, cause, counted, expected_line, got_lines, plural, result, staleness,
};
use crate::report::status::{not_judged, reason, suite_and_name};
use crate::report::{CaseReport, RunReport};

const PAGE: &str = include_str!("html/page.html");
const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");

/// How many differences of a case are on the page.
const SHOWN_DIFFERENCES: usize = 20;

/// How many characters of each side of a difference are.
const SHOWN_SIDE: usize = 300;

/// How many characters of a document are.
const SHOWN_DOCUMENT: usize = 1200;

/// Gives the page.
#[must_use]
pub fn render(reports: &[RunReport], requirements: &[Requirement]) -> String {
    let data = Data::new(reports);
    let heading = match reports {
        [only] => format!(
            "{} {}",
            only.implementation.name, only.implementation.version
        ),
        several => plural(several.len(), "implementation"),
    };
    let title = format!("chatstate: {heading}");
    let data = data.into_json(requirements).to_string();
    // Inside of `script`, nothing may look like its end or like a comment.
    let data = data.replace('<', "\\u003c");
    let names = run_names(reports);
    let cards: Vec<_> = reports
        .iter()
        .zip(&names)
        .map(|(report, name)| card(report, name))
        .collect();
    filled(
        PAGE,
        &[
            ("title", &escaped(&title)),
            ("heading", &escaped(&heading)),
            ("about", &about(reports)),
            ("cards", &cards.join("\n")),
            ("causes", &causes::section(reports)),
            ("footer", &footer(reports)),
            ("style", STYLE.trim_end()),
            ("script", SCRIPT.trim_end()),
            ("data", &data),
        ],
    )
}

/// What each run is called: its SDK, and where there are several of the same its file, or its number.
fn run_names(reports: &[RunReport]) -> Vec<String> {
    let name = |report: &RunReport| {
        let sdk = &report.implementation;
        format!("{} {} ({})", sdk.name, sdk.version, sdk.language)
    };
    let names: Vec<String> = reports.iter().map(name).collect();
    let numbered = reports
        .iter()
        .zip(&names)
        .enumerate()
        .map(|(index, (report, name))| {
            let before = names[..index].iter().filter(|other| *other == name).count();
            if names.iter().filter(|other| *other == name).count() == 1 {
                name.clone()
            } else if let Some(file) = &report.file {
                format!("{name}, {file}")
            } else {
                format!("{name}, run {}", before + 1)
            }
        });
    numbered.collect()
}

/// Puts values in the places of a page, once: what a value holds is no place.
fn filled(page: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::new();
    let mut rest = page;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, behind) = after.split_once("}}").unwrap_or((after, ""));
        let value = values.iter().find(|(it, _)| *it == name);
        out.push_str(before);
        out.push_str(value.map_or("", |(_, value)| value));
        rest = behind;
    }
    out + rest
}

/// Text in the place of markup.
fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

/// Against which corpora the runs were made, with a warning where there are several.
fn about(reports: &[RunReport]) -> String {
    let corpora: BTreeSet<_> = reports
        .iter()
        .map(|it| &it.corpus)
        .map(|it| (&it.version, &it.digest))
        .collect();
    let names = corpora.iter().map(|(version, digest)| {
        let digest: String = digest.chars().take(12).collect();
        format!("corpus {} ({})", escaped(version), escaped(&digest))
    });
    let names = names.collect::<Vec<_>>().join(", ");
    if corpora.len() > 1 {
        format!(
            "Tested against different corpora, which can only be compared case by case: {names}"
        )
    } else {
        format!("Tested against {names}")
    }
}

fn footer(reports: &[RunReport]) -> String {
    let kits: BTreeSet<_> = reports.iter().map(|it| it.kit.as_str()).collect();
    let digests: BTreeSet<_> = reports.iter().map(|it| it.corpus.digest.as_str()).collect();
    let joined = |it: BTreeSet<&str>| escaped(&it.into_iter().collect::<Vec<_>>().join(", "));
    format!(
        "Written by chatstate {}. SHA-256 of the corpus: <code>{}</code>",
        joined(kits),
        joined(digests)
    )
}

/// The colours that verdicts are grouped by, in the order of the bar.
const COLOURS: [(&str, &[Verdict]); 5] = [
    ("good", &[Verdict::Pass]),
    ("known", &[Verdict::ExpectedFailure]),
    ("warn", &[Verdict::Warn, Verdict::Unclassified]),
    (
        "bad",
        &[
            Verdict::Fail,
            Verdict::Error,
            Verdict::Flaky,
            Verdict::UnexpectedPass,
        ],
    ),
    ("none", &[Verdict::Skip, Verdict::Recorded]),
];

/// What a reader sees first of a run, and all of it without JavaScript.
fn card(report: &RunReport, name: &str) -> String {
    let colour = match report.exit_code() {
        0 if report.count(Verdict::ExpectedFailure) > 0 => "known",
        0 => "good",
        _ => "bad",
    };
    let mut lines = vec![
        format!("<article class=\"card {colour}\">"),
        format!("<h2>{}</h2>", escaped(name)),
        format!("<p class=\"result\">{}</p>", escaped(&result(report))),
        bar(report),
        format!(
            "<p class=\"counts\">{}</p>",
            escaped(&counted(&report.summary))
        ),
    ];
    lines.extend(
        remarks(report)
            .iter()
            .map(|it| format!("<p>{}</p>", escaped(it))),
    );
    lines.push("</article>".to_owned());
    lines.join("\n")
}

fn bar(report: &RunReport) -> String {
    let parts = COLOURS.iter().map(|(colour, verdicts)| {
        let count: usize = verdicts.iter().map(|it| report.count(*it)).sum();
        (colour, count)
    });
    let parts = parts.filter(|(_, count)| *count > 0);
    let parts = parts
        .map(|(colour, count)| format!("<i class=\"{colour}\" style=\"flex:{count} 0 0\"></i>"));
    let parts: String = parts.collect();
    format!("<div class=\"bar\" aria-hidden=\"true\">{parts}</div>")
}

/// What else must be known to read the numbers.
fn remarks(report: &RunReport) -> Vec<String> {
    let mut remarks = Vec::new();
    if let Some(failure) = &report.canary {
        remarks.push(canary(failure).to_owned());
        let fields = canary_evidence(failure);
        remarks.extend(
            fields
                .into_iter()
                .map(|(name, words)| format!("{name}: {words}")),
        );
    }
    if let Some(selection) = &report.selection {
        remarks.push(format!("Only a part of the corpus: {}", selection.words()));
    }
    for entry in &report.stale {
        remarks.push(format!(
            "{} line {}: `{}` {}",
            entry.file,
            entry.line,
            entry.names,
            staleness(&entry.because)
        ));
    }
    remarks
}

/// A case as far as it is the same for all runs.
struct CaseRow<'a> {
    id: &'a str,
    title: &'a str,
    why: &'a str,
    requirements: &'a [String],
    /// What the adapter was given, where a run tells of the case.
    input: Option<&'a str>,
}

/// What the script needs.
struct Data<'a> {
    reports: &'a [RunReport],
    rows: Vec<CaseRow<'a>>,
    /// Sentences that many cases share, such as why they are skipped.
    reasons: Vec<String>,
}

impl<'a> Data<'a> {
    fn new(reports: &'a [RunReport]) -> Self {
        let mut rows: BTreeMap<&str, CaseRow<'_>> = BTreeMap::new();
        for id in reports.iter().flat_map(|it| &it.not_judged) {
            let row = CaseRow {
                id,
                title: id,
                why: "",
                requirements: &[],
                input: None,
            };
            rows.insert(id, row);
        }
        for case in reports.iter().flat_map(|it| &it.cases) {
            let known = rows.get(case.id.as_str()).and_then(|row| row.input);
            let row = CaseRow {
                id: &case.id,
                title: &case.title,
                why: &case.why,
                requirements: &case.requirements,
                input: known.or(case.input.as_deref()),
            };
            rows.insert(&case.id, row);
        }
        Self {
            reports,
            rows: rows.into_values().collect(),
            reasons: Vec::new(),
        }
    }

    fn into_json(mut self, requirements: &[Requirement]) -> Value {
        let named: BTreeSet<&str> = self
            .rows
            .iter()
            .flat_map(|row| row.requirements)
            .map(String::as_str)
            .collect();
        let named: Vec<_> = named.into_iter().collect();
        let wording = named.iter().map(|id| {
            let known = requirements.iter().find(|it| it.id == *id);
            json!([
                id,
                known.map_or("", |it| it.keyword),
                known.map_or("", |it| &it.text)
            ])
        });
        let wording: Vec<_> = wording.collect();
        let suites = self.suites(&named);
        let reports = self.reports.iter().zip(run_names(self.reports));
        let runs: Vec<_> = reports
            .map(|(report, name)| self.run(report, &name))
            .collect();
        json!({ "requirements": wording, "suites": suites, "runs": runs, "reasons": self.reasons })
    }

    fn suites(&self, requirements: &[&str]) -> Vec<Value> {
        let mut suites: Vec<(&str, Vec<Value>)> = Vec::new();
        for (index, row) in self.rows.iter().enumerate() {
            let (suite, name) = suite_and_name(row.id);
            let places = row.requirements.iter();
            let places = places.filter_map(|id| requirements.binary_search(&id.as_str()).ok());
            let places: Vec<_> = places.collect();
            let input = row.input.map(|it| beginning(it, SHOWN_DOCUMENT));
            let case = json!([name, row.title, row.why, places, index, input]);
            match suites.last_mut() {
                Some((last, cases)) if *last == suite => cases.push(case),
                _ => suites.push((suite, vec![case])),
            }
        }
        let suites = suites.into_iter();
        suites
            .map(|(name, cases)| json!({ "name": name, "cases": cases }))
            .collect()
    }

    fn run(&mut self, report: &'a RunReport, name: &str) -> Value {
        let cases: BTreeMap<_, _> = report.cases.iter().map(|it| (it.id.as_str(), it)).collect();
        let not_run: BTreeSet<_> = report.not_judged.iter().map(String::as_str).collect();
        let (mut cells, mut told) = (String::new(), Map::new());
        let ids: Vec<_> = self.rows.iter().map(|row| row.id).collect();
        for (index, id) in ids.into_iter().enumerate() {
            let case = cases.get(id);
            cells.push(match case {
                Some(case) => letter(case.verdict),
                None if not_run.contains(id) => 'n',
                None => '-',
            });
            let evidence = case.and_then(|case| self.told(case));
            let evidence = evidence.or_else(|| {
                let words = not_run.contains(id).then(|| not_judged(report))?;
                Some(self.shared(words))
            });
            if let Some(evidence) = evidence {
                told.insert(index.to_string(), evidence);
            }
        }
        json!({
            "name": name,
            "adapter": report.adapter.as_deref().unwrap_or_default(),
            "cells": cells, "told": told,
        })
    }

    /// What the page shows of a case beside its verdict; of a plain pass, nothing.
    fn told(&mut self, case: &CaseReport) -> Option<Value> {
        match (&case.detail, case.verdict) {
            (_, Verdict::Skip | Verdict::Recorded | Verdict::UnexpectedPass) | (None, _) => {
                let reason = reason(case);
                (!reason.is_empty()).then(|| self.shared(reason))
            }
            (Some(detail), _) => Some(evidence(case, detail)),
        }
    }

    fn shared(&mut self, reason: String) -> Value {
        let place = self.reasons.iter().position(|it| *it == reason);
        let place = place.unwrap_or_else(|| {
            self.reasons.push(reason);
            self.reasons.len() - 1
        });
        place.into()
    }
}

/// The letter that the script knows a verdict by.
fn letter(verdict: Verdict) -> char {
    match verdict {
        Verdict::Pass => 'p',
        Verdict::Fail => 'f',
        Verdict::Warn => 'w',
        Verdict::Skip => 's',
        Verdict::Unclassified => 'u',
        Verdict::Recorded => 'r',
        Verdict::ExpectedFailure => 'k',
        Verdict::UnexpectedPass => 'x',
        Verdict::Error => 'e',
        Verdict::Flaky => 'l',
    }
}

fn evidence(case: &CaseReport, detail: &Detail) -> Value {
    let mut told = Map::new();
    told.insert("what".to_owned(), cause(&detail.cause).into());
    let mut add = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            told.insert(name.to_owned(), value);
        }
    };
    add("because", detail.expected_because.clone().map(Value::from));
    let fingerprint = detail.fingerprint.as_deref();
    add(
        "fingerprint",
        fingerprint.map(|it| beginning(it, SHOWN_DOCUMENT).into()),
    );
    let differences = &detail.differences;
    let shown: Vec<_> = differences
        .iter()
        .take(SHOWN_DIFFERENCES)
        .map(|it| {
            let side =
                |text: &Option<String>| text.as_ref().map(|text| beginning(text, SHOWN_SIDE));
            json!([it.at, it.class, side(&it.expected), side(&it.got)])
        })
        .collect();
    let more = differences.len() - shown.len();
    add("whereMore", (more > 0).then(|| more.into()));
    add("where", (!shown.is_empty()).then(|| shown.into()));
    let more = laws(detail).into_iter().chain(rerun(case));
    let more: Vec<_> = more.map(|(name, words)| json!([name, words])).collect();
    add("more", (!more.is_empty()).then(|| more.into()));
    add("expected", detail.expected.as_ref().map(expected_document));
    add("got", detail.got.as_ref().map(got_document));
    told.into()
}

fn expected_document(expected: &Expected) -> Value {
    match expected {
        Expected::Ok(text) => beginning(text, SHOWN_DOCUMENT).into(),
        other => expected_line(other).into(),
    }
}

fn got_document(got: &Outcome) -> Value {
    match got {
        Outcome::Ok(text) => beginning(text, SHOWN_DOCUMENT).into(),
        other => got_lines(other).into(),
    }
}
