//! `corpus/excluded.toml`: the requirements that no case can test, and the points of the schema that
//! none can cover, each with a reason.

use serde::Deserialize;

use crate::problem::LintProblem;

/// The path of the list inside the corpus.
pub(crate) const PATH: &str = "excluded.toml";

/// A requirement that no case tests, and why.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exclusion {
    /// The id of the requirement.
    pub requirement: String,
    /// Why no case tests it.
    pub reason: String,
}

/// Points of the schema that no case covers, and why.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Uncovered {
    /// The points, as `chatstate lint --coverage` spells them; `*` stands for any text.
    pub point: String,
    /// Why no case covers them.
    pub reason: String,
}

/// What the file holds.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Exclusions {
    #[serde(default)]
    pub(crate) excluded: Vec<Exclusion>,
    #[serde(default)]
    pub(crate) uncovered: Vec<Uncovered>,
}

/// Reads the list; `file` is its name in problems.
pub(crate) fn parse(file: &str, text: &str) -> Result<Exclusions, LintProblem> {
    let help = "each row is `[[excluded]]` with `requirement` and `reason`, or `[[uncovered]]` with `point` and `reason`";
    let list: Exclusions = toml::from_str(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        let line = text.get(..start).unwrap_or("").matches('\n').count() + 1;
        LintProblem::new(file, error.message(), help).at_line(line)
    })?;
    let rows = list
        .excluded
        .iter()
        .map(|row| (&row.requirement, &row.reason));
    let more = list.uncovered.iter().map(|row| (&row.point, &row.reason));
    let empty = |row: &(&String, &String)| row.1.trim().is_empty();
    let found = rows.chain(more).find(empty).map(|(name, _)| name.clone());
    match found {
        Some(name) => {
            let message = format!("the exclusion of `{name}` has no reason");
            Err(LintProblem::new(
                file,
                message,
                "say why no case can test it",
            ))
        }
        None => Ok(list),
    }
}
