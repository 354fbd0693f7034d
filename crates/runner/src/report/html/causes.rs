//! What fails in each run by its causes, which the page opens on. It needs no script.

use super::{SHOWN_SIDE, escaped, run_names};
use crate::outcome::beginning;
use crate::report::RunReport;
use crate::report::causes::{FailureGroup, failure_groups};
use crate::report::messages::plural;

/// How many causes of a run are on the page.
const SHOWN_CAUSES: usize = 30;

/// How many cases of a cause have a link.
const SHOWN_CASES: usize = 60;

/// The section of all causes; nothing where nothing fails.
pub(super) fn section(reports: &[RunReport]) -> String {
    let names = run_names(reports);
    let runs = reports.iter().zip(&names).enumerate();
    let lists: Vec<String> = runs
        .filter_map(|(run, (report, name))| of_run(run + 1, report, name))
        .collect();
    if lists.is_empty() {
        return String::new();
    }
    format!(
        "<section aria-label=\"Causes\" class=\"causes\">\n<h2>What fails, by cause</h2>\n{}\n</section>",
        lists.join("\n")
    )
}

fn of_run(run: usize, report: &RunReport, name: &str) -> Option<String> {
    let groups = failure_groups(report);
    if groups.is_empty() {
        return None;
    }
    let failures = plural(report.unexpected(), "failure");
    let mut lines = vec![
        format!("<h3>{}: {failures}</h3>", escaped(name)),
        "<ol>".to_owned(),
    ];
    let shown = groups.iter().take(SHOWN_CAUSES).enumerate();
    lines.extend(
        shown.map(|(index, group)| of_group(&format!("cause-{run}-{}", index + 1), report, group)),
    );
    lines.push("</ol>".to_owned());
    if let Some(more @ 1..) = groups.len().checked_sub(SHOWN_CAUSES) {
        lines.push(format!("<p>and {}</p>", plural(more, "more cause")));
    }
    Some(lines.join("\n"))
}

fn of_group(id: &str, report: &RunReport, group: &FailureGroup<'_>) -> String {
    let example = group.example();
    let input = example.and_then(|case| case.input.as_deref());
    let title = with_code(&format!("{}{}", group.name, group.at_members()));
    let count = group.cases.len();
    let mut lines = vec![format!(
        "<li id=\"{id}\"><p><strong>{count}</strong> {title} <a href=\"#{id}\">link</a></p><dl>"
    )];
    let mut field = |name: &str, text: &str| {
        let text = escaped(&beginning(text, SHOWN_SIDE));
        lines.push(format!(
            "<dt>{}</dt><dd><code>{text}</code></dd>",
            escaped(name)
        ));
    };
    if let Some(input) = input {
        field("input", input);
    }
    if let Some((name, text)) = group.shown_by(report) {
        field(name, &text);
    }
    lines.push(format!("</dl>{}</li>", cases(group)));
    lines.join("\n")
}

/// A link to each case, the one with the shortest input first.
fn cases(group: &FailureGroup<'_>) -> String {
    let shown = group.cases.iter().take(SHOWN_CASES);
    let links: Vec<String> = shown
        .map(|case| {
            let id = escaped(&case.id);
            format!("<li><a href=\"#{id}\">{id}</a></li>")
        })
        .collect();
    let more = match group.cases.len().saturating_sub(SHOWN_CASES) {
        0 => String::new(),
        more => format!("<p>and {more} more, which the matrix shows</p>"),
    };
    let summary = plural(group.cases.len(), "case");
    format!(
        "<details><summary>{summary}</summary><ul>{}</ul>{more}</details>",
        links.concat()
    )
}

/// Markup of text in which words between backticks are code.
fn with_code(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return escaped(text);
    }
    let marked = parts
        .iter()
        .enumerate()
        .map(|(index, part)| match index % 2 {
            1 => format!("<code>{}</code>", escaped(part)),
            _ => escaped(part),
        });
    marked.collect()
}
