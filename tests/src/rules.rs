//! The names of rules, from the table that explains them.

use std::collections::BTreeSet;

use regex::Regex;

use crate::workspace;

/// The words that stand for each kind of item in the rules about open items.
const KINDS: [&str; 6] = [
    "text",
    "reasoning",
    "tool-call",
    "step",
    "reasoning-span",
    "subagent",
];

/// The rules of the table under `validate.rule`, of every class but `schema`.
///
/// # Panics
///
/// When SPEC.md cannot be read.
#[must_use]
pub fn explained() -> BTreeSet<String> {
    let row = Regex::new(r"(?m)^\| `[a-z]+` \| `([^`]+)` \|").expect("the pattern is a constant");
    let specification = workspace::text("SPEC.md");
    let mut rules = BTreeSet::new();
    for found in row.captures_iter(&specification) {
        match found[1].strip_prefix("KIND") {
            Some(slug) => rules.extend(KINDS.map(|kind| format!("{kind}{slug}"))),
            None => drop(rules.insert(found[1].to_owned())),
        }
    }
    rules
}
