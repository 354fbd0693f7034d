//! `corpus/excluded.toml`: the requirements that no case can test, each with a reason.

use serde::Deserialize;

use crate::problem::Problem;

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

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExclusionList {
    #[serde(default)]
    excluded: Vec<Exclusion>,
}

/// Reads the list; `file` is its name in problems.
pub(crate) fn parse(file: &str, text: &str) -> Result<Vec<Exclusion>, Problem> {
    let help = "each row is `[[excluded]]` with `requirement` and `reason`";
    let list: ExclusionList = toml::from_str(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        let line = text.get(..start).unwrap_or("").matches('\n').count() + 1;
        Problem::new(file, error.message(), help).at_line(line)
    })?;
    let empty = |row: &Exclusion| row.reason.trim().is_empty();
    match list.excluded.iter().find(|row| empty(row)) {
        Some(row) => {
            let message = format!("the exclusion of `{}` has no reason", row.requirement);
            Err(Problem::new(file, message, "say why no case can test it"))
        }
        None => Ok(list.excluded),
    }
}
