//! `docs/matrix.md`, and its summary in `README.md`.

use std::fmt::Write;

use chatstate_runner::{InteropReport, RunReport, Verdict, interop_text};

use super::table::{name, table};

const BEGINNING: &str = "# Results

Written by `cargo xtask matrix`, which runs every SDK of [`tests/sdks`](../tests/sdks/README.md) and every generated
package on the whole corpus. [matrix.html](matrix.html) has each case and each failure; open it from a clone.
";

const SUITES: &str = "
## Cases that pass

Of those that apply. `–`: none does. The first row is the reference, with the cases that bind it alone.
";

const FAILURES: &str = "
## What fails, and why

Every failure is listed beside the adapter, case by case. Here are the reasons, with how many cases each explains.
";

const HANDED_OVER: &str = "
## From one to another

What the row writes, the column reads and writes again: the documents that come out as they were written, of those that
both declare to know and that the row wrote. `chatstate interop` tells what is lost
([how](adapter-guide.md#together-with-other-sdks)).
";

const LOST: &str = "
Of what the first of them writes, the others lose this. The numbers are those of documents, and one may lose several
things.
";

/// The marks around the summary.
const MARKS: [&str; 2] = ["<!-- by `cargo xtask matrix` -->\n", "<!-- end -->"];

/// The whole page.
pub fn page(reports: &[RunReport], handed: &InteropReport) -> String {
    let mut text = BEGINNING.to_owned();
    if let Some(report) = reports.first() {
        let (corpus, kit) = (&report.corpus, &report.kit);
        let _ = writeln!(
            text,
            "\nchatstate {kit} on corpus {}, SHA-256 `{}`.",
            corpus.version, corpus.digest
        );
    }
    text.push_str(SUITES);
    let _ = writeln!(text, "\n{}", table(reports).join("\n"));
    text.push_str(FAILURES);
    for report in reports {
        failures(&mut text, report);
    }
    text.push_str(HANDED_OVER);
    let _ = writeln!(text, "\n{}", matrix(handed).join("\n"));
    text.push_str(LOST);
    let _ = writeln!(text, "\n{}", lost(handed).join("\n"));
    text
}

/// The text with the table between the marks.
pub fn with_summary(text: &str, reports: &[RunReport]) -> Result<String, String> {
    let [begin, end] = MARKS;
    let parts = text.split_once(begin).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(end)?;
        Some((before, after))
    });
    let (before, after) = parts.ok_or_else(|| {
        format!(
            "README.md has no place for the table, between `{}` and `{end}`",
            begin.trim_end()
        )
    })?;
    Ok(format!(
        "{before}{begin}{}\n{end}{after}",
        table(reports).join("\n")
    ))
}

/// The reasons of one implementation, the commonest first.
fn failures(text: &mut String, report: &RunReport) {
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    let known = report.cases.iter();
    for case in known.filter(|case| case.verdict == Verdict::ExpectedFailure) {
        let detail = case.detail.as_ref();
        let reason = detail.and_then(|detail| detail.expected_because.as_deref());
        let reason = reason.unwrap_or_default();
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, cases)) => cases.push(&case.id),
            None => reasons.push((reason, vec![&case.id])),
        }
    }
    if reasons.is_empty() {
        return;
    }
    reasons.sort_by_key(|(_, cases)| std::cmp::Reverse(cases.len()));
    let passed = report.count(Verdict::Pass);
    let failed = report.count(Verdict::ExpectedFailure);
    let _ = writeln!(
        text,
        "\n### {}\n\nPassed: {passed}. Failed: {failed}. Not applicable: {}.\n",
        name(report),
        report.count(Verdict::Skip)
    );
    text.push_str("| cases | reason | such as |\n|---:|---|---|\n");
    for (reason, cases) in reasons {
        let (count, first) = (cases.len(), cases.first().copied().unwrap_or_default());
        let _ = writeln!(text, "| {count} | {} | `{first}` |", in_cell(reason));
    }
}

/// Text in a cell of a table.
fn in_cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

fn matrix(handed: &InteropReport) -> Vec<String> {
    let parties = &handed.implementations;
    let numbers: Vec<_> = (1..=parties.len()).map(|it| it.to_string()).collect();
    let mut lines = vec![
        format!("| | {} |", numbers.join(" | ")),
        format!("|---|{}", "---:|".repeat(parties.len())),
    ];
    lines.extend(parties.iter().enumerate().map(|(from, party)| {
        let cells = (0..parties.len()).map(|to| interop_text::cell(handed, from, to));
        let cells: Vec<_> = cells.collect();
        let name = interop_text::name(party);
        format!("| {} {name} | {} |", from + 1, cells.join(" | "))
    }));
    lines
}

/// What each reader loses of the documents of the first writer, which loses nothing itself.
fn lost(handed: &InteropReport) -> Vec<String> {
    let mut lines = vec!["| reader | lost |".to_owned(), "|---|---|".to_owned()];
    let of_first = handed.pairs.iter().filter(|pair| pair.from == 0);
    for pair in of_first.filter(|pair| !pair.losses.is_empty()) {
        let reader = interop_text::name(&handed.implementations[pair.to]);
        let kinds = interop_text::kinds(&pair.losses).into_iter();
        let kinds: Vec<_> = kinds
            .map(|kind| format!("`{}` {} (`{}`)", kind.name, kind.documents, kind.case))
            .collect();
        lines.push(format!("| {reader} | {} |", kinds.join(", ")));
    }
    lines
}
