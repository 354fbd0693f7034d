//! Chooses cases by pattern, suite and requirement.

use globset::{GlobBuilder, GlobMatcher};

use crate::case::Case;
use crate::corpus::Corpus;

/// Which cases to take. Kinds narrow each other down, the entries of one kind add up, and an empty
/// kind takes everything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// Patterns over ids and aliases: `*` stands for any text, `/` included.
    pub only: Vec<String>,
    /// Names of suites.
    pub suites: Vec<String>,
    /// Ids of requirements.
    pub requirements: Vec<String>,
}

/// Why a selection is rejected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SelectionError {
    /// The pattern is malformed.
    #[error("`{pattern}` is not a pattern: {problem}")]
    Malformed {
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The pattern matches no case.
    #[error("`{pattern}` matches no case; `chatstate list` shows every id")]
    NoCase {
        /// The pattern.
        pattern: String,
    },
    /// There is no such suite.
    #[error("there is no suite `{suite}`; the suites are {known}")]
    NoSuite {
        /// The name.
        suite: String,
        /// The suites there are.
        known: String,
    },
    /// No case tests this requirement.
    #[error(
        "no case tests the requirement `{requirement}`; `docs/traceability.md` lists what is tested"
    )]
    NoRequirement {
        /// The id.
        requirement: String,
    },
}

/// A pattern over ids, ready to match.
#[derive(Debug, Clone)]
pub struct CasePattern(GlobMatcher);

impl CasePattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    ///
    /// When the pattern is malformed.
    pub fn new(pattern: &str) -> Result<Self, SelectionError> {
        let built = GlobBuilder::new(pattern).literal_separator(false).build();
        let glob = built.map_err(|error| SelectionError::Malformed {
            pattern: pattern.to_owned(),
            problem: error.kind().to_string(),
        })?;
        Ok(Self(glob.compile_matcher()))
    }

    /// Tells whether the id or an alias of the case matches.
    #[must_use]
    pub fn matches(&self, case: &Case) -> bool {
        self.0.is_match(&case.id) || case.aliases.iter().any(|alias| self.0.is_match(alias))
    }
}

impl Corpus {
    /// Gives the chosen cases, in the order of their ids. It can be none: two kinds that match
    /// cases each may have none in common.
    ///
    /// # Errors
    ///
    /// When a pattern is malformed, or an entry matches nothing in the whole corpus: a pattern with
    /// a typing error must not quietly make a run smaller.
    pub fn select(&self, selection: &Selection) -> Result<Vec<&Case>, SelectionError> {
        let patterns = self.patterns(&selection.only)?;
        self.check_suites(&selection.suites)?;
        self.check_requirements(&selection.requirements)?;
        let chosen = |case: &&Case| {
            accepts(&patterns, |pattern| pattern.matches(case))
                && accepts(&selection.suites, |suite| suite == case.suite())
                && accepts(&selection.requirements, |id| case.requirements.contains(id))
        };
        Ok(self.cases().iter().filter(chosen).collect())
    }

    /// The names of all suites, in order.
    #[must_use]
    pub fn suites(&self) -> Vec<&str> {
        let mut suites: Vec<_> = self.cases().iter().map(Case::suite).collect();
        suites.dedup();
        suites
    }

    fn patterns(&self, only: &[String]) -> Result<Vec<CasePattern>, SelectionError> {
        let mut patterns = Vec::new();
        for text in only {
            let pattern = CasePattern::new(text)?;
            if !self.cases().iter().any(|case| pattern.matches(case)) {
                let pattern = text.clone();
                return Err(SelectionError::NoCase { pattern });
            }
            patterns.push(pattern);
        }
        Ok(patterns)
    }

    fn check_suites(&self, wanted: &[String]) -> Result<(), SelectionError> {
        let known = self.suites();
        match wanted.iter().find(|suite| !known.contains(&suite.as_str())) {
            Some(suite) => Err(SelectionError::NoSuite {
                suite: suite.clone(),
                known: backticked(&known),
            }),
            None => Ok(()),
        }
    }

    fn check_requirements(&self, wanted: &[String]) -> Result<(), SelectionError> {
        let tested = |id: &String| {
            self.cases()
                .iter()
                .any(|case| case.requirements.contains(id))
        };
        match wanted.iter().find(|id| !tested(id)) {
            Some(id) => Err(SelectionError::NoRequirement {
                requirement: id.clone(),
            }),
            None => Ok(()),
        }
    }
}

fn accepts<T>(entries: &[T], matches: impl Fn(&T) -> bool) -> bool {
    entries.is_empty() || entries.iter().any(matches)
}

/// Words in backticks with commas between them, for messages.
pub(crate) fn backticked<T: AsRef<str>>(words: &[T]) -> String {
    let words: Vec<_> = words
        .iter()
        .map(|word| format!("`{}`", word.as_ref()))
        .collect();
    words.join(", ")
}
