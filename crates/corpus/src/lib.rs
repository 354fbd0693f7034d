//! The corpus: cases, the requirements they test, and the join of the two.
//!
//! Everything here is pure. Files come in as `(path, bytes)` pairs, and errors come back as a list
//! of [`LintProblem`]s that name the file, the place in it, and what to do.
//!
//! The project's own corpus and `SPEC.md` are compiled in, so that one binary runs anywhere and a
//! report is about exactly the cases that its digest says.

pub mod case;
mod corpus;
pub mod coverage;
mod exclusion;
mod fixture;
mod lint;
mod load;
pub mod mutant;
mod problem;
mod select;
pub mod specification;
pub mod traceability;

pub use case::{
    Alternative, Base64Bytes, Case, Expect, InputBytes, Law, Profile, RejectedExpectation, schema,
};
pub use corpus::Corpus;
pub use exclusion::{Exclusion, Uncovered};
pub use fixture::Fixtures;
pub use lint::{ArgumentValue, OperationArgument, Vocabulary, lint};
pub use load::{LoadError, VERSION, load_dir};
pub use mutant::{Family, Mutant};
pub use problem::{LintProblem, Problems};
pub use select::{CasePattern, Selection, SelectionError};
pub use specification::{Requirement, RequirementLevel};
