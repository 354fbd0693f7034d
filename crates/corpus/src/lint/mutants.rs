//! Checks the list of mutants.

use std::collections::HashSet;

use super::Vocabulary;
use crate::corpus::Corpus;
use crate::load::is_slug;
use crate::mutant::{self, Mutant};
use crate::problem::LintProblem;
use crate::select::backticked;

/// Every row has an id of its own, says what the mutant does, and is promised by a case.
pub(super) fn lint(corpus: &Corpus, vocabulary: &Vocabulary) -> Vec<LintProblem> {
    let mut known = HashSet::new();
    let mut problems = Vec::new();
    for mutant in corpus.mutants() {
        if !known.insert(&mutant.id) {
            let message = format!("`{}` occurs twice", mutant.id);
            problems.push(problem(message, "give each mutant an id of its own"));
        }
        problems.extend(words(mutant, vocabulary));
        if !corpus
            .cases()
            .iter()
            .any(|case| case.kills.contains(&mutant.id))
        {
            let message = format!("no case names `{}` in `kills`", mutant.id);
            let help = "add a case that finds it out, or name it in one that does";
            problems.push(problem(message, help));
        }
    }
    problems
}

/// What is wrong with the words of one row.
fn words(mutant: &Mutant, vocabulary: &Vocabulary) -> Vec<LintProblem> {
    let mut problems = Vec::new();
    if !is_slug(&mutant.id) {
        let message = format!("`{}` is no id", mutant.id);
        problems.push(problem(message, "write lower-case letters, digits and `-`"));
    }
    if mutant.does.trim().is_empty() {
        let message = format!("`{}` does not say what it does", mutant.id);
        problems.push(problem(message, "say it in `does`"));
    }
    if mutant.shows.is_empty() {
        let message = format!("`{}` does not say how it shows", mutant.id);
        let help =
            "give patterns of fingerprints in `shows`, without which every failure would count";
        problems.push(problem(message, help));
    }
    for operation in &mutant.operations {
        if !vocabulary.operations.contains(operation) {
            let message = format!("`{operation}` of `{}` is no operation", mutant.id);
            let help = format!("it is one of {}", backticked(&vocabulary.operations));
            problems.push(problem(message, help));
        }
    }
    problems
}

fn problem(message: impl Into<String>, help: impl Into<String>) -> LintProblem {
    LintProblem::new(&format!("corpus/{}", mutant::PATH), message, help)
}
