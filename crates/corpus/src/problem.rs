//! What is wrong with a file of the corpus or with the specification.

use std::fmt;

/// One thing that is wrong, where, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LintProblem {
    /// The file, from the root of the project.
    pub file: String,
    /// Where in the file: a JSON pointer in backticks, `line 3`, or nothing for the whole file.
    pub at: String,
    /// What is wrong.
    pub message: String,
    /// What to do next.
    pub help: String,
}

impl LintProblem {
    /// Makes a problem with a whole file.
    pub(crate) fn new(file: &str, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            file: file.to_owned(),
            at: String::new(),
            message: message.into(),
            help: help.into(),
        }
    }

    /// The same problem, at a JSON pointer.
    pub(crate) fn at_pointer(self, pointer: impl fmt::Display) -> Self {
        let at = format!("`{pointer}`");
        Self { at, ..self }
    }

    /// The same problem, at a line counted from 1.
    pub(crate) fn at_line(self, line: usize) -> Self {
        let at = format!("line {line}");
        Self { at, ..self }
    }
}

impl fmt::Display for LintProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            file,
            at,
            message,
            help,
        } = self;
        let at = if at.is_empty() {
            String::new()
        } else {
            format!(" at {at}")
        };
        write!(formatter, "{file}{at}: {message}\n  help: {help}")
    }
}

/// At least one problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problems(pub Vec<LintProblem>);

impl fmt::Display for Problems {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.0.iter().map(LintProblem::to_string).collect();
        formatter.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for Problems {}
