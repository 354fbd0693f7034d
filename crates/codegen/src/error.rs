//! Why a language's files could not be made.

/// What a generator cannot express in its language.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CodegenError {
    /// Two names of the schema become one name in the language.
    #[error(
        "`{first}` and `{second}` both become `{name}`, in {place}\n  help: name one of them otherwise by `x-name` in its schema; a value of an `enum` has one as a `const` of `oneOf`"
    )]
    Collision {
        /// The name in the language.
        name: String,
        /// The earlier name in the schema.
        first: String,
        /// The later name in the schema.
        second: String,
        /// Where both are, such as ``definition `Event` ``.
        place: String,
    },
    /// A part of the schema that the language has no words for.
    #[error("{message}, in {place}\n  help: {help}")]
    Inexpressible {
        /// What cannot be expressed.
        message: String,
        /// Where it is in the schema.
        place: String,
        /// What to do about it.
        help: String,
    },
    /// A template cannot be read, or asks for what its view does not have.
    #[error("template `{template}{place}`: {fault}\n  help: {help}")]
    Template {
        /// The file of the template.
        template: String,
        /// The line and column in it, each after a colon; empty if it is all of it.
        place: String,
        /// What is wrong with it.
        fault: String,
        /// What to do about it.
        help: String,
    },
    /// A generator made a file that may not be written.
    #[error("generated file `{path}` {fault}\n  help: this is a bug of the generator; report it")]
    File {
        /// The path the generator gave.
        path: String,
        /// What is wrong with it.
        fault: &'static str,
    },
    /// A generator made text that is not its language.
    #[error(
        "generated file `{path}` is not valid: {fault}\n  help: this is a bug of the generator; report it"
    )]
    Invalid {
        /// The path the generator gave.
        path: String,
        /// What the language's parser says.
        fault: String,
    },
}
