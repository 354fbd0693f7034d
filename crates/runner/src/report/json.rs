//! The report for programs.

use crate::report::RunReport;

/// Gives the report as pretty JSON with a final newline. Equal runs give equal text.
#[must_use]
pub fn render(report: &RunReport) -> String {
    // Text, numbers and maps with text names always become JSON.
    let mut text = serde_json::to_string_pretty(report).unwrap_or_default();
    text.push('\n');
    text
}
