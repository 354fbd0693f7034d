//! What is wrong with a schema, where, and what to do about it.

/// A part of a schema that the model cannot represent, or that contradicts another part.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}, in `{file}` at `{pointer}`\n  help: {help}")]
pub struct IrError {
    /// The name of the schema file, as the caller gave it.
    pub file: String,
    /// JSON pointer (RFC 6901) to the offending place; empty for the whole file.
    pub pointer: String,
    /// What is wrong: lower case, without the place.
    pub message: String,
    /// What the author of the schema does next.
    pub help: String,
}
