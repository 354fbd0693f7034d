//! The report as JSON Lines: a header, a line for each case, a footer. It is the format to keep, because
//! a part of it is never taken for the whole: the footer has the number of cases and a digest of what
//! comes before it. The digest finds accidents, not lies. The members are those of the JSON report.
//!
//! The lines are written at the end, because laws, repeated requests and expected failures may change
//! an earlier verdict. The file is emptied at the start, so that a killed run does not leave an old
//! report in place.

use std::fmt::Write;

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::report::{CaseReport, RunReport};

/// The version of this form.
const FORMAT: u64 = 1;

/// The members that are known only when all is done.
const LATE: [&str; 5] = ["summary", "canary", "incomplete", "notJudged", "stale"];

/// A text is no report, or not all of one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// It is something else.
    #[error(
        "line {line} is no part of a report: {problem}; give what `chatstate test --report jsonl=PATH` or `json=PATH` wrote"
    )]
    NotAReport {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
    /// It is written in a form of a later version.
    #[error(
        "the report has format {0}, and this program reads format {FORMAT}; use a newer `chatstate`"
    )]
    OtherFormat(u64),
    /// It ends before its footer.
    #[error(
        "the report has no footer: the run did not come to its end, or the file is cut off; run it again"
    )]
    NoFooter,
    /// Something follows the footer.
    #[error("line {line} comes after the footer; a report is one run")]
    BehindTheFooter {
        /// The line, from 1.
        line: usize,
    },
    /// The footer counts another number of cases.
    #[error("the footer counts {footer} cases, and {found} are there; lines are lost or added")]
    OtherCount {
        /// What the footer says.
        footer: u64,
        /// How many there are.
        found: u64,
    },
    /// The digest is another one.
    #[error("the digest of the footer does not fit the lines before it; the report was changed")]
    OtherDigest,
}

/// Gives the report as JSON Lines. Equal runs give equal text.
#[must_use]
pub fn render(report: &RunReport) -> String {
    let mut text = header(report);
    for case in &report.cases {
        let _ = writeln!(text, "{}", json!({ "case": case }));
    }
    let mut footer = members(report);
    footer.retain(|name, _| LATE.contains(&name.as_str()));
    footer.insert("cases".to_owned(), report.cases.len().into());
    let digest = digest(&text, &footer);
    footer.insert("digest".to_owned(), digest.into());
    let _ = writeln!(text, "{}", json!({ "footer": footer }));
    text
}

/// Gives the first line alone: whom the run is about. It can be written before anything is judged.
#[must_use]
pub fn header(report: &RunReport) -> String {
    let mut header = Map::from_iter([("format".to_owned(), FORMAT.into())]);
    header.extend(members(report));
    header.retain(|name, _| name != "cases" && !LATE.contains(&name.as_str()));
    format!("{}\n", json!({ "header": header }))
}

/// Reads a report in this form, or as the one JSON object that `json` writes.
///
/// # Errors
///
/// When it is no report, ends before its footer, or was changed after it was written.
pub fn read(text: &str) -> Result<RunReport, ReadError> {
    let lines: Vec<_> = text.lines().map(str::trim_end).enumerate().collect();
    let lines: Vec<_> = lines
        .into_iter()
        .filter(|(_, line)| !line.is_empty())
        .collect();
    let first = lines.first().map_or("", |(_, line)| line);
    match serde_json::from_str::<Value>(first) {
        Ok(Value::Object(line)) if line.contains_key("header") => read_lines(&lines),
        _ => serde_json::from_str(text).map_err(|error| ReadError::NotAReport {
            line: error.line(),
            problem: error.to_string(),
        }),
    }
}

/// The parts of a report, as they are read.
#[derive(Default)]
struct ReportParts {
    before: String,
    members: Map<String, Value>,
    cases: Vec<Value>,
    footer: Option<Map<String, Value>>,
}

fn read_lines(lines: &[(usize, &str)]) -> Result<RunReport, ReadError> {
    let mut parts = ReportParts::default();
    for &(index, line) in lines {
        parts.take(index + 1, line)?;
    }
    let mut footer = parts.footer.ok_or(ReadError::NoFooter)?;
    let counted = footer
        .shift_remove("cases")
        .and_then(|count| count.as_u64());
    let found = parts.cases.len() as u64;
    if counted != Some(found) {
        let footer = counted.unwrap_or(0);
        return Err(ReadError::OtherCount { footer, found });
    }
    let written = footer.shift_remove("digest");
    let mut signed = footer.clone();
    signed.insert("cases".to_owned(), found.into());
    if written != Some(digest(&parts.before, &signed).into()) {
        return Err(ReadError::OtherDigest);
    }
    let mut members = parts.members;
    members.extend(footer);
    members.insert("cases".to_owned(), Value::Array(parts.cases));
    serde_json::from_value(Value::Object(members)).map_err(|error| ReadError::NotAReport {
        line: 1,
        problem: error.to_string(),
    })
}

impl ReportParts {
    fn take(&mut self, number: usize, line: &str) -> Result<(), ReadError> {
        let wrong = |problem: String| ReadError::NotAReport {
            line: number,
            problem,
        };
        if self.footer.is_some() {
            return Err(ReadError::BehindTheFooter { line: number });
        }
        // The last line of a run that was cut off is half a line.
        let part: Map<String, Value> = serde_json::from_str(line).map_err(|error| {
            if error.is_eof() {
                ReadError::NoFooter
            } else {
                wrong(error.to_string())
            }
        })?;
        let part = part.into_iter().next();
        match part
            .as_ref()
            .map(|(name, value)| (name.as_str(), value.clone()))
        {
            Some(("footer", Value::Object(footer))) => {
                self.footer = Some(footer);
                return Ok(());
            }
            Some(("case", case)) => {
                // Read alone, so that a message names its line.
                serde_json::from_value::<CaseReport>(case.clone())
                    .map_err(|error| wrong(error.to_string()))?;
                self.cases.push(case);
            }
            Some(("header", Value::Object(header))) if self.before.is_empty() => {
                self.take_header(header)?;
            }
            _ => return Err(wrong("it is no `header`, `case` or `footer`".to_owned())),
        }
        self.before.push_str(line);
        self.before.push('\n');
        Ok(())
    }

    fn take_header(&mut self, header: Map<String, Value>) -> Result<(), ReadError> {
        let format = header.get("format").and_then(Value::as_u64).unwrap_or(0);
        if format != FORMAT {
            return Err(ReadError::OtherFormat(format));
        }
        self.members = header;
        Ok(())
    }
}

fn members(report: &RunReport) -> Map<String, Value> {
    // Text, numbers and maps with text names always become JSON.
    match serde_json::to_value(report) {
        Ok(Value::Object(members)) => members,
        _ => Map::new(),
    }
}

/// The digest covers all lines before the footer, and the footer but for the digest itself.
fn digest(before: &str, footer: &Map<String, Value>) -> String {
    let mut names: Vec<_> = footer.iter().collect();
    names.sort_unstable_by_key(|(name, _)| *name);
    let mut hasher = Sha256::new();
    hasher.update(before);
    for (name, value) in names {
        hasher.update(format!("{name}:{value}\n"));
    }
    hex(&hasher.finalize())
}

/// Lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
