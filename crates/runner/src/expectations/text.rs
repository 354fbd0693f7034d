//! What was done to a list of expected failures, for people.

use std::fmt::Write;

use super::update::{ListChange, ListUpdate, Removal};
use crate::report::messages::{plural, shortened};

/// Gives a line for each change, and how many there are.
#[must_use]
pub fn render(update: &ListUpdate) -> String {
    let mut text = String::new();
    for change in &update.changes {
        let (word, names, words) = line(change);
        let _ = writeln!(text, "{word:<8} {names}: {words}");
    }
    let changes = update.changes.iter();
    let left = |it: &&ListChange| matches!(it, ListChange::Over { .. });
    match changes.filter(|it| !left(it)).count() {
        0 => text.push_str("nothing to change\n"),
        count => {
            let _ = writeln!(text, "{}", plural(count, "change"));
        }
    }
    text
}

fn line(change: &ListChange) -> (&'static str, &str, String) {
    match change {
        ListChange::Added { case, fingerprint } => ("added", case, shortened(fingerprint)),
        ListChange::AddedKind { fingerprint, count } => (
            "added",
            fingerprint,
            format!("{} in one entry", plural(*count, "failure")),
        ),
        ListChange::Removed { names, because } => ("removed", names, removal(*because).to_owned()),
        ListChange::OtherFailure {
            case,
            before,
            after,
        } => (
            "changed",
            case,
            format!(
                "{} -> {}; see whether the reason is still true",
                shortened(before),
                shortened(after)
            ),
        ),
        ListChange::Split { names, into } => (
            "split",
            names,
            format!("now an entry for each of {}", plural(*into, "failure")),
        ),
        ListChange::Over { names } => (
            "left",
            names,
            "had its last day and still fails; give it another day, or mend what fails".to_owned(),
        ),
    }
}

fn removal(because: Removal) -> &'static str {
    match because {
        Removal::MatchesNothing => "matches no case of the corpus",
        Removal::NotScored => "is skipped or never scored",
        Removal::Passes => "passes",
        Removal::ListedTwice => "another entry names it",
    }
}
