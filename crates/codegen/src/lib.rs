//! What all code generators share: the [`Generator`] trait, the [`Files`] it returns, the comparison
//! with what is on disk, and names.
//!
//! Nothing here reads or writes a file; a program that has a file system does that with
//! [`Files::iter`] and [`compare`].

mod drift;
mod error;
mod files;
pub mod names;

use chatstate_ir::Ir;

pub use drift::{Change, Drift, compare};
pub use error::CodegenError;
pub use files::Files;

/// A generator for one language.
pub trait Generator {
    /// The name of the language on the command line, such as `rust`.
    fn name(&self) -> &'static str;

    /// All files of the language for a model; two calls with one model give equal files.
    fn generate(&self, ir: &Ir) -> Result<Files, CodegenError>;
}
