//! What was found in a log, said on stderr.

use std::collections::{BTreeMap, BTreeSet};

use chatstate::Class;
use chatstate::json::visible;
use chatstate::verify::Finding;

use crate::log::{LogPlaces, about_event, placed};
use crate::output;

/// So many findings of one rule are reported: a log that has one often has thousands.
pub const TOLD: usize = 10;

/// Whether a finding is about a patch, or a part of one, that has no effect.
pub fn is_about_patch(finding: &Finding) -> bool {
    matches!(
        finding.rule.as_ref(),
        "verify.failed-patch" | "verify.unknown-operation"
    )
}

/// Says the first findings of each rule, and how many more there are.
pub fn report(level: &str, findings: &[Finding], name: &str, places: &LogPlaces) {
    for line in lines(level, findings, name, places) {
        output::note(&line);
    }
}

/// The first findings of each rule, and how many more there are.
fn lines(level: &str, findings: &[Finding], name: &str, places: &LogPlaces) -> Vec<String> {
    let (mut told, mut of_rule) = (Vec::new(), BTreeMap::<&str, usize>::new());
    for finding in findings {
        let count = of_rule.entry(&finding.rule).or_default();
        *count += 1;
        if *count <= TOLD {
            told.push(finding);
        }
    }
    let places = places.find(
        told.iter()
            .map(|finding| finding.at)
            .collect::<BTreeSet<_>>(),
    );
    let place = |finding: &Finding| places.get(&finding.at).map(|place| placed(name, *place));
    let mut lines: Vec<_> = told
        .into_iter()
        .map(|finding| match place(finding) {
            Some(place) => format!("{place}: {}", line(level, finding)),
            None => line(level, finding),
        })
        .collect();
    for (rule, count) in of_rule.into_iter().filter(|(_, count)| *count > TOLD) {
        let more = count - TOLD;
        lines.push(format!(
            "{level}: {more} more like these (rule `{rule}`); `chatstate verify --json` lists all"
        ));
    }
    lines
}

fn line(level: &str, finding: &Finding) -> String {
    let Finding { rule, message, .. } = finding;
    let class = match finding.class {
        Class::Sequence => String::new(),
        class => format!("class `{class}`, "),
    };
    let other = finding
        .other
        .map(|index| format!(", with the event at `/{index}`"));
    format!(
        "{level}: {}, at `{}`{} ({class}rule `{rule}`)",
        visible(&about_event(message)),
        visible(&finding.pointer()),
        other.unwrap_or_default()
    )
}
