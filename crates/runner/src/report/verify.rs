//! Whether a report can be believed: do its parts fit together, and is it about the whole corpus?

use std::collections::BTreeSet;

use chatstate_corpus::{Corpus, Selection};

use crate::judgement::{Cause, Verdict};
use crate::kit::schema_digests;
use crate::report::messages::plural;
use crate::report::{CaseReport, RunReport, SelectionName, Shard, summary};

/// What was found out about a report.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReportVerification {
    /// What does not fit together: the report was changed.
    pub problems: Vec<String>,
    /// Why the report is no claim about the whole of this corpus.
    pub gaps: Vec<String>,
}

/// Checks a report against itself and against the corpus.
#[must_use]
pub fn verify(report: &RunReport, corpus: &Corpus) -> ReportVerification {
    let mut found = ReportVerification::default();
    found.counts(report);
    for case in &report.cases {
        found.case(report, case);
    }
    if report.corpus.digest == corpus.digest() {
        found.against(report, corpus);
    } else {
        found.gaps.push(format!(
            "it is about corpus {} with digest {}, and this program has corpus {} with digest {}",
            report.corpus.version,
            report.corpus.digest,
            corpus.version(),
            corpus.digest()
        ));
    }
    if report.schemas != schema_digests() {
        let words = "it is about another schema than this program has".to_owned();
        found.gaps.push(words);
    }
    found.completeness(report);
    found
}

impl ReportVerification {
    fn counts(&mut self, report: &RunReport) {
        if report.summary != summary(&report.cases) {
            let words = "`summary` does not count the verdicts of `cases`".to_owned();
            self.problems.push(words);
        }
        let ids: Vec<_> = report.cases.iter().map(|case| &case.id).collect();
        if !ids.is_sorted_by(|one, next| one < next) {
            let words = "the cases are not in the order of their ids, or one occurs twice";
            self.problems.push(words.to_owned());
        }
        if report.canary.is_some() && !report.cases.is_empty() {
            let words = "a canary failed, and cases are scored all the same".to_owned();
            self.problems.push(words);
        }
        if report.incomplete.is_none() && !report.not_judged.is_empty() && report.canary.is_none() {
            let words = "cases are not judged, and no reason is given".to_owned();
            self.problems.push(words);
        }
    }

    /// Whether the evidence of a case fits its verdict.
    fn case(&mut self, report: &RunReport, case: &CaseReport) {
        let evidence = case.detail.as_ref().map(|detail| &detail.cause);
        let needs_evidence = !matches!(case.verdict, Verdict::Pass | Verdict::UnexpectedPass);
        if needs_evidence && evidence.is_none() {
            self.about(case, "there is no evidence");
        }
        if !needs_evidence && evidence.is_some() {
            self.about(case, "there is evidence against it");
        }
        if let Some(Cause::NotDeclared(words)) = evidence {
            let declared = words.iter().find(|word| report.capabilities.contains(word));
            if let Some(word) = declared {
                self.about(case, &format!("`{word}` is declared"));
            }
        }
    }

    fn about(&mut self, case: &CaseReport, words: &str) {
        let (id, verdict) = (&case.id, case.verdict.as_str());
        self.problems
            .push(format!("`{id}` is `{verdict}`, and {words}"));
    }

    /// Whether exactly the selected cases are there, each with its requirements.
    fn against(&mut self, report: &RunReport, corpus: &Corpus) {
        for case in &report.cases {
            let known = corpus.case(&case.id);
            if known.is_some_and(|known| known.requirements != case.requirements) {
                self.about(case, "the requirements are not those of the case");
            }
        }
        let Some(selected) = selected(report, corpus) else {
            let words = "the selection is none that this corpus allows".to_owned();
            self.problems.push(words);
            return;
        };
        let judged = report.cases.iter().map(|case| case.id.as_str());
        let named: BTreeSet<&str> = judged
            .chain(report.not_judged.iter().map(String::as_str))
            .collect();
        let missing: Vec<_> = selected.difference(&named).copied().collect();
        let further: Vec<_> = named.difference(&selected).copied().collect();
        // A failed canary leaves every case out, and is reported by itself.
        if !missing.is_empty() && report.canary.is_none() {
            self.problems
                .push(listed("is selected and not there", &missing));
        }
        if !further.is_empty() {
            self.problems
                .push(listed("is there and not selected", &further));
        }
    }

    fn completeness(&mut self, report: &RunReport) {
        if report.canary.is_some() {
            self.gaps
                .push("the adapter failed a canary, so nothing was scored".to_owned());
        }
        if report.incomplete.is_some() {
            self.gaps.push("the run is incomplete".to_owned());
        }
        if !report.not_judged.is_empty() {
            let cases = plural(report.not_judged.len(), "case");
            self.gaps.push(format!("{cases} not judged"));
        }
        if let Some(selection) = &report.selection {
            let what = selection.words();
            self.gaps
                .push(format!("only a part of the corpus was selected: {what}"));
        }
    }
}

/// The ids that were selected; nothing when the corpus rejects the selection.
fn selected<'a>(report: &RunReport, corpus: &'a Corpus) -> Option<BTreeSet<&'a str>> {
    let whole = SelectionName::default();
    let name = report.selection.as_ref().unwrap_or(&whole);
    let selection = Selection {
        only: name.only.clone(),
        suites: name.suites.clone(),
        ..Selection::default()
    };
    let cases = corpus.select(&selection).ok()?;
    let cases = match name.shard {
        Some(shard) => shard.share(cases),
        None => cases,
    };
    Some(cases.into_iter().map(|case| case.id.as_str()).collect())
}

fn listed(words: &str, ids: &[&str]) -> String {
    match ids {
        [only] => format!("`{only}` {words}"),
        [first, others @ ..] => {
            let more = plural(others.len(), "more case");
            format!("`{first}` {words}, and so {} {more}", are(others.len()))
        }
        [] => String::new(),
    }
}

fn are(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

impl SelectionName {
    /// The selection as the flags that make it.
    #[must_use]
    pub fn words(&self) -> String {
        let fixtures = self.fixtures.iter().map(|it| format!("--fixtures {it}"));
        let only = self.only.iter().map(|it| format!("--only {it}"));
        let suites = self.suites.iter().map(|it| format!("--suite {it}"));
        let shard = self.shard.map(|it| format!("--shard {it}"));
        let corpora = self.corpora.iter().map(|it| format!("--corpus {it}"));
        let fixtures = fixtures.chain(corpora);
        let words: Vec<_> = fixtures.chain(only).chain(suites).chain(shard).collect();
        words.join(" ")
    }
}

impl Shard {
    /// This share of the items: every n-th one, so that long suites are spread.
    #[must_use]
    pub fn share<T>(self, items: Vec<T>) -> Vec<T> {
        let first = self.index.saturating_sub(1);
        let places = items.into_iter().enumerate();
        let mine = places.filter(|(place, _)| place % self.of.max(1) == first);
        mine.map(|(_, item)| item).collect()
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}/{}", self.index, self.of)
    }
}
