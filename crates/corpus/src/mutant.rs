//! `corpus/mutants.toml`: the reference, broken in one named way each, and how each way shows.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::load::EMBEDDED;
use crate::problem::{LintProblem, Problems};

/// The path of the list inside the corpus.
pub(crate) const PATH: &str = "mutants.toml";

/// A mutant of the reference.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mutant {
    /// The id, as `kills` of cases and `chatstate adapter --mutant` spell it.
    pub id: String,
    /// The kind of fault.
    pub family: Family,
    /// What it does wrong, as a sentence without a subject and a final dot.
    pub does: String,
    /// The operations that it breaks; all when there is none. It does the others as the reference does.
    #[serde(default)]
    pub operations: Vec<String>,
    /// The signs that may be in the fingerprint of a case that finds it out, as patterns where `*`
    /// stands for any text. With any other sign, a case fails for another reason.
    pub shows: Vec<String>,
}

/// Kinds of faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// Everything is answered in one way.
    Wholesale,
    /// What is wrong is taken, or what is right rejected.
    Validation,
    /// Rejections give another reason.
    WrongReason,
    /// Members, items and variants are lost, moved or made up.
    Structure,
    /// Texts, numbers and identifiers change.
    Scalars,
    /// Events are verified, replayed or compacted wrongly.
    Streams,
    /// Chats are saved, restored, encoded or decoded wrongly.
    Restore,
    /// Sessions and their bags are handled wrongly.
    Sessions,
    /// Documents are converted wrongly, or losses reported wrongly.
    Conversion,
    /// The state that one request leaves changes the answer to another.
    Statefulness,
    /// The answer is not the same each time.
    Flakiness,
    /// The adapter protocol is broken.
    Protocol,
}

impl Family {
    /// Every family, in the order of reports.
    pub const ALL: [Self; 12] = [
        Self::Wholesale,
        Self::Validation,
        Self::WrongReason,
        Self::Structure,
        Self::Scalars,
        Self::Streams,
        Self::Restore,
        Self::Sessions,
        Self::Conversion,
        Self::Statefulness,
        Self::Flakiness,
        Self::Protocol,
    ];

    /// The family's name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Wholesale => "wholesale",
            Self::Validation => "validation",
            Self::WrongReason => "wrong-reason",
            Self::Structure => "structure",
            Self::Scalars => "scalars",
            Self::Streams => "streams",
            Self::Restore => "restore",
            Self::Sessions => "sessions",
            Self::Conversion => "conversion",
            Self::Statefulness => "statefulness",
            Self::Flakiness => "flakiness",
            Self::Protocol => "protocol",
        }
    }

    /// Whether a mutant of this family violates the requirements of the cases that find it out. One
    /// that answers everything alike, or misbehaves as a program, says nothing about one of them.
    #[must_use]
    pub fn proves(self) -> bool {
        !matches!(
            self,
            Self::Wholesale | Self::Statefulness | Self::Flakiness | Self::Protocol
        )
    }

    /// Whether a mutant of this family may fail a good part of the corpus.
    #[must_use]
    pub fn may_be_broad(self) -> bool {
        matches!(
            self,
            Self::Wholesale | Self::Validation | Self::Flakiness | Self::Protocol
        )
    }
}

impl fmt::Display for Family {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MutantList {
    #[serde(default)]
    mutant: Vec<Mutant>,
}

/// Reads the list that is compiled in, without the cases.
///
/// # Errors
///
/// When it is malformed, which is a fault of the build and not of its user.
pub fn embedded() -> Result<Vec<Mutant>, Problems> {
    let file = EMBEDDED.get_file(PATH);
    let text = file.and_then(|file| file.contents_utf8()).unwrap_or("");
    parse(&format!("corpus/{PATH}"), text).map_err(|problem| Problems(vec![problem]))
}

/// Reads the list; `file` is its name in problems.
pub(crate) fn parse(file: &str, text: &str) -> Result<Vec<Mutant>, LintProblem> {
    let help = "each row is `[[mutant]]` with `id`, `family`, `does`, `operations` and `shows`";
    let list: MutantList = toml::from_str(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        let line = text.get(..start).unwrap_or("").matches('\n').count() + 1;
        LintProblem::new(file, error.message(), help).at_line(line)
    })?;
    Ok(list.mutant)
}
