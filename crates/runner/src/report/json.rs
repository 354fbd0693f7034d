//! The report for programs.

use serde_json::json;

use crate::report::RunReport;

/// Gives the report as pretty JSON with a final newline. Equal runs give equal text.
#[must_use]
pub fn render(report: &RunReport) -> String {
    format!("{:#}\n", json!(report))
}
