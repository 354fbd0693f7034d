//! The names of rules, from the page that explains them.

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

/// The rules that SPEC.md names: in the table under `validate.rule`, and as ``rule `name` `` in
/// requirements; a warning may have the id of its requirement for a rule.
///
/// # Panics
///
/// When SPEC.md cannot be read.
#[must_use]
pub fn explained() -> BTreeSet<String> {
    let named = Regex::new(
        r"(?m)^\| `[a-z]+` \| `([^`]+)` \||^\| `([a-z]+\.[a-z-]+)` \||\brule `([^`]+)`|^\*\*\[([a-z.-]+)\]",
    );
    let named = named.expect("the pattern is a constant");
    let specification = workspace::text("SPEC.md");
    let mut rules = BTreeSet::new();
    for found in named.captures_iter(&specification) {
        let Some(rule) = found.iter().skip(1).flatten().next() else {
            continue;
        };
        match rule.as_str().strip_prefix("KIND") {
            Some(slug) => rules.extend(KINDS.map(|kind| format!("{kind}{slug}"))),
            None => drop(rules.insert(rule.as_str().to_owned())),
        }
    }
    rules
}
