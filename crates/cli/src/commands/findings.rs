//! What was found in a log, said on stderr.

use std::collections::BTreeMap;

use chatstate::json::visible;
use chatstate::verify::Finding;

use crate::output;

/// So many findings of one rule are reported: a log that has one often has thousands.
const TOLD: usize = 10;

/// Whether a finding is about a patch, or a part of one, that has no effect.
pub fn is_about_patch(finding: &Finding) -> bool {
    matches!(
        finding.rule.as_ref(),
        "verify.failed-patch" | "verify.unknown-operation"
    )
}

/// Says the first findings of each rule, and how many more there are.
pub fn report(level: &str, findings: &[Finding]) {
    for line in lines(level, findings) {
        output::note(&line);
    }
}

/// The first findings of each rule, and how many more there are.
fn lines(level: &str, findings: &[Finding]) -> Vec<String> {
    let (mut lines, mut of_rule) = (Vec::new(), BTreeMap::<&str, usize>::new());
    for finding in findings {
        let count = of_rule.entry(&finding.rule).or_default();
        *count += 1;
        if *count <= TOLD {
            lines.push(line(level, finding));
        }
    }
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
    let other = finding
        .other
        .map(|index| format!(", with the event at `/{index}`"));
    format!(
        "{level}: {}, at `{}`{} (rule `{rule}`)",
        visible(message),
        visible(&finding.pointer()),
        other.unwrap_or_default()
    )
}
