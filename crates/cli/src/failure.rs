//! Why a command did not do what it was asked: each reason with its help and its exit code.

use std::error::Error as _;
use std::io;
use std::path::PathBuf;

use chatstate::Rejection;
use chatstate::json::{Object, visible_lines};
use chatstate_codegen::CodegenError;
use chatstate_reference::ServeError;
use chatstate_schema_model::IrError;
use miette::{Diagnostic, NamedSource, SourceSpan};

use crate::names::did_you_mean;

/// Something unexpected: a difference, an invalid document.
pub const UNEXPECTED: u8 = 1;
/// Wrong usage, or input that cannot be read.
pub const USAGE: u8 = 2;
/// Not everything was done that a claim needs.
pub const INCOMPLETE: u8 = 3;
/// The adapter did not start or shake hands.
pub const NOT_STARTED: u8 = 5;
/// Ended by Ctrl-C, as shells count it.
pub const INTERRUPTED: u8 = 130;
/// A bug of ours.
pub const BUG: u8 = 70;

/// Every exit code and its meaning.
pub const EXIT_CODES: [(u8, &str); 7] = [
    (0, "as expected"),
    (
        UNEXPECTED,
        "an unexpected result, a failed canary, an invalid document, a difference or a loss",
    ),
    (USAGE, "usage or unreadable input"),
    (INCOMPLETE, "incomplete"),
    (4, "only stale expected failures"),
    (NOT_STARTED, "the adapter did not start or shake hands"),
    (BUG, "a bug of chatstate"),
];

/// A rejected document with the place that is wrong.
#[derive(Debug, thiserror::Error, Diagnostic)]
#[error("{message}")]
pub struct ShownRejection {
    /// The sentence, with the pointer.
    pub message: String,
    /// The document.
    #[source_code]
    pub text: NamedSource<String>,
    /// The place in the text.
    #[label("{label}")]
    pub span: Option<SourceSpan>,
    /// The rule that is broken.
    pub label: String,
    /// Further violations, one a line.
    #[help]
    pub help: Option<String>,
    /// What was rejected, for programs.
    pub rejection: Rejection,
}

/// The help for a file that cannot be read, where `-` is stdin.
pub const FILE_OR_STDIN: &str = "give the path of a readable file, or `-` for stdin";

/// The help for a file that cannot be read, where `-` is a file like any other.
pub const FILE_ALONE: &str = "give the path of a readable file";

/// Why a command failed.
#[derive(Debug, thiserror::Error, Diagnostic)]
pub enum Failure {
    /// A file or stdin cannot be read.
    #[error("cannot read {name}")]
    Unreadable {
        /// The file in backticks, or `stdin`.
        name: String,
        /// What the system says.
        source: io::Error,
        /// What can be given instead.
        #[help]
        help: &'static str,
    },
    /// Compressed data that is damaged.
    #[error("cannot decompress {name}")]
    #[diagnostic(help("see what `gzip -t` or `zstd -t` says of it"))]
    Damaged {
        /// The file in backticks, or `stdin`.
        name: String,
        /// What the decoder says.
        source: io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write `{}`", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Ctrl-C, or a request to end.
    #[error("interrupted; {done}")]
    Interrupted {
        /// What was done until then.
        done: &'static str,
    },
    /// Stdout cannot be written.
    #[error("cannot write to stdout")]
    Stdout(#[source] io::Error),
    /// The document was rejected, and here is the place.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Rejected(Box<ShownRejection>),
    /// The document was rejected, and its lines are too long to show, so the place is only named.
    #[error("{name}: {message}")]
    RejectedPlain {
        /// The file in backticks, or `stdin`.
        name: String,
        /// The sentence, with the pointer.
        message: String,
        /// Further violations, one a line.
        #[help]
        help: Option<String>,
        /// What was rejected, for programs.
        rejection: Box<Rejection>,
    },
    /// Documents that cannot be compared, which is no difference between them.
    #[error(transparent)]
    #[diagnostic(transparent)]
    NotCompared(Box<Failure>),
    /// A file is no report, or not all of one.
    #[error("{name} is rejected")]
    RejectedReport {
        /// The file in backticks.
        name: String,
        /// What is wrong with it.
        #[source]
        source: chatstate_runner::report::ReadError,
    },
    /// A schema that cannot be represented, or not in some language.
    #[error("{message}")]
    Schema {
        /// What is wrong, and where.
        message: String,
        /// What to do about it.
        #[help]
        help: Option<String>,
    },
    /// Wrong use of a verb.
    #[error("{message}")]
    Usage {
        /// What is wrong.
        message: String,
        /// What to do instead.
        #[help]
        help: Option<String>,
    },
    /// What there is does not bear a conclusion.
    #[error("{0}")]
    NotEnough(String),
    /// The adapter did not start or shake hands.
    #[error("{message}")]
    NotStarted {
        /// What happened.
        message: String,
    },
    /// A fault in what the binary itself carries.
    #[error("{0}")]
    #[diagnostic(help("this is a bug of chatstate; please report it"))]
    Bug(String),
    /// The system gave no thread to work on.
    #[error("cannot start working")]
    Thread(#[source] io::Error),
}

impl Failure {
    /// A usage error.
    pub fn usage(message: impl Into<String>, help: impl Into<Option<String>>) -> Self {
        Self::Usage {
            message: message.into(),
            help: help.into(),
        }
    }

    /// What the code generators say, with the help apart.
    fn of_schema(text: &str) -> Self {
        let (message, help) = text.split_once(HELP).unwrap_or((text, ""));
        Self::Schema {
            message: visible_lines(message),
            help: (!help.is_empty()).then(|| visible_lines(help)),
        }
    }

    /// The rejection of a document, if that is why.
    fn rejection(&self) -> Option<&Rejection> {
        match self {
            Self::Rejected(shown) => Some(&shown.rejection),
            Self::RejectedPlain { rejection, .. } => Some(rejection),
            Self::NotCompared(failure) => failure.rejection(),
            _ => None,
        }
    }

    /// The failure as the answer of a verb with `--json`.
    pub fn to_document(&self) -> Object {
        let mut words = vec![self.to_string()];
        let mut source = self.source();
        while let Some(cause) = source {
            words.push(cause.to_string());
            source = cause.source();
        }
        words.dedup();
        let mut document = Object::new();
        document.insert("error", words.join(": "));
        if let Some(rejection) = self.rejection() {
            document.insert("class", rejection.class.as_str());
            document.insert("at", rejection.at.as_str());
            document.insert("rule", rejection.rule.as_ref());
        }
        document
    }

    /// The exit code of this failure.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Rejected(_)
            | Self::RejectedPlain { .. }
            | Self::RejectedReport { .. }
            | Self::Schema { .. } => UNEXPECTED,
            Self::NotEnough(_) => INCOMPLETE,
            Self::NotStarted { .. } => NOT_STARTED,
            Self::Bug(_) => BUG,
            Self::Interrupted { .. } => INTERRUPTED,
            _ => USAGE,
        }
    }
}

/// What is before the help in the errors of the code generators.
const HELP: &str = "\n  help: ";

impl From<IrError> for Failure {
    fn from(error: IrError) -> Self {
        Self::of_schema(&error.to_string())
    }
}

impl Failure {
    /// No mutant has this id, of those with the known ones.
    pub fn no_mutant<'known>(id: &str, known: impl IntoIterator<Item = &'known str>) -> Self {
        let near = did_you_mean(id, known);
        let help = near.unwrap_or_else(|| {
            "`corpus/mutants.toml` of the repository lists the mutants".to_owned()
        });
        Self::usage(format!("there is no mutant `{id}`"), help)
    }
}

impl From<ServeError> for Failure {
    fn from(error: ServeError) -> Self {
        match error {
            ServeError::UnknownMutant { id, known } => Self::no_mutant(&id, known),
            ServeError::Mutants(problems) => Self::Bug(problems),
            ServeError::Line(error) => Self::usage(error.to_string(), None),
        }
    }
}

impl From<CodegenError> for Failure {
    fn from(error: CodegenError) -> Self {
        Self::of_schema(&error.to_string())
    }
}
