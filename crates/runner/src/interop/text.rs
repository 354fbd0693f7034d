//! What every pair kept and lost, for people.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::{InteropLoss, InteropReport, Party};
use crate::report::messages::{canary, incomplete_words, plural};

/// How many kinds of losses are reported of each pair.
const SHOWN_KINDS: usize = 12;

/// Gives a matrix, then what is lost between each two, then the result.
#[must_use]
pub fn render(report: &InteropReport) -> String {
    let mut text = String::new();
    let digest: String = report.corpus.digest.chars().take(12).collect();
    let _ = writeln!(
        text,
        "{} of corpus {} ({digest}): what the row writes, the column reads and writes again; \
         kept of those handed over\n",
        plural(report.documents, "document"),
        report.corpus.version,
    );
    matrix(&mut text, report);
    for (place, party) in report.implementations.iter().enumerate() {
        unwritten(&mut text, place + 1, party);
    }
    for pair in report.pairs.iter().filter(|pair| !pair.losses.is_empty()) {
        let (from, to) = (pair.from + 1, pair.to + 1);
        let (lost, documents) = (pair.losses.len(), pair.documents);
        let _ = writeln!(text, "{from} -> {to}: {lost} of {documents} not kept");
        told(&mut text, &pair.losses);
    }
    let _ = writeln!(text, "result: {}", result(report));
    text
}

fn matrix(text: &mut String, report: &InteropReport) {
    let names = report.implementations.iter().enumerate();
    let names: Vec<_> = names
        .map(|(place, party)| format!("{} {}", place + 1, name(party)))
        .collect();
    let count = |it: &String| it.chars().count();
    let width = names.iter().map(count).max().unwrap_or(0);
    let mut head = " ".repeat(width);
    for column in 1..=names.len() {
        let _ = write!(head, "  {column:>9}");
    }
    let _ = writeln!(text, "{head}");
    for (from, name) in names.iter().enumerate() {
        let mut row = format!("{name:<width$}");
        for to in 0..names.len() {
            let _ = write!(row, "  {:>9}", cell(report, from, to));
        }
        let _ = writeln!(text, "{row}");
    }
    text.push('\n');
}

/// What one kept of what another wrote, of those passed; `–` when nothing was.
#[must_use]
pub fn cell(report: &InteropReport, from: usize, to: usize) -> String {
    let mut pairs = report.pairs.iter();
    match pairs.find(|pair| (pair.from, pair.to) == (from, to)) {
        Some(pair) => format!("{}/{}", pair.kept(), pair.documents),
        None => "–".to_owned(),
    }
}

/// The name of an implementation with its version and its language.
#[must_use]
pub fn name(party: &Party) -> String {
    let sdk = &party.implementation;
    format!("{} {} ({})", sdk.name, sdk.version, sdk.language)
}

fn unwritten(text: &mut String, number: usize, party: &Party) {
    if let Some(failure) = &party.canary {
        let words = canary(failure);
        let _ = writeln!(text, "{number}: {words}; it took no part");
    }
    if let Some(stopped) = &party.stopped {
        let _ = writeln!(
            text,
            "{number}: stopped early: {}",
            incomplete_words(stopped)
        );
    }
    if !party.unwritten.is_empty() {
        let (count, documents) = (party.unwritten.len(), party.documents);
        let _ = writeln!(text, "{number} does not write {count} of {documents}");
        told(text, &party.unwritten);
    }
}

/// A kind of loss, with how many documents show it, and where the first of them does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LossKind<'a> {
    /// What is lost.
    pub name: &'a str,
    /// In how many documents.
    pub documents: usize,
    /// The case of the first one.
    pub case: &'a str,
    /// A JSON pointer to the first place in it; empty for the whole document.
    pub at: &'a str,
}

/// The kinds of some losses, the commonest first.
#[must_use]
pub fn kinds(losses: &[InteropLoss]) -> Vec<LossKind<'_>> {
    let mut kinds: BTreeMap<&str, LossKind<'_>> = BTreeMap::new();
    for loss in losses {
        let mut seen = BTreeSet::new();
        for sign in &loss.signs {
            let (name, at) = sign.split_once('@').unwrap_or((sign, ""));
            if seen.insert(name) {
                let kind = kinds.entry(name).or_insert(LossKind {
                    name,
                    documents: 0,
                    case: &loss.case,
                    at,
                });
                kind.documents += 1;
            }
        }
    }
    let mut kinds: Vec<_> = kinds.into_values().collect();
    kinds.sort_by_key(|kind| std::cmp::Reverse(kind.documents));
    kinds
}

fn told(text: &mut String, losses: &[InteropLoss]) {
    let kinds = kinds(losses);
    for kind in kinds.iter().take(SHOWN_KINDS) {
        let LossKind {
            name,
            documents,
            case,
            at,
        } = kind;
        let place = if at.is_empty() {
            String::new()
        } else {
            format!(" at `{at}`")
        };
        let _ = writeln!(text, "  {documents:>4} {name}, such as {case}{place}");
    }
    if let Some(more @ 1..) = kinds.len().checked_sub(SHOWN_KINDS) {
        let _ = writeln!(text, "       and {more} more kinds");
    }
}

fn result(report: &InteropReport) -> String {
    match report.exit_code() {
        0 => "nothing is lost between any two".to_owned(),
        3 => "incomplete: not everybody was asked everything".to_owned(),
        _ => match report.lost() {
            1 => "1 loss".to_owned(),
            lost => format!("{lost} losses"),
        },
    }
}
