//! The corpus and the requirements, as they are compiled into this package.

use std::sync::LazyLock;

use chatstate_corpus::{Case, Corpus, Requirement, specification};

/// The corpus.
///
/// # Panics
///
/// When a file of it is malformed.
#[must_use]
pub fn corpus() -> &'static Corpus {
    static CORPUS: LazyLock<Corpus> =
        LazyLock::new(|| Corpus::embedded().unwrap_or_else(|error| panic!("{error}")));
    &CORPUS
}

/// The requirements of SPEC.md.
///
/// # Panics
///
/// When SPEC.md breaks its own rules.
#[must_use]
pub fn requirements() -> &'static [Requirement] {
    static REQUIREMENTS: LazyLock<Vec<Requirement>> =
        LazyLock::new(|| specification::embedded().unwrap_or_else(|error| panic!("{error}")));
    &REQUIREMENTS
}

/// The text of a case's document, unless its bytes are no text.
#[must_use]
pub fn input_text(case: &Case) -> Option<String> {
    String::from_utf8(case.input_bytes().bytes.into_owned()).ok()
}
