//! The reference implementation as an adapter: what any SDK's adapter does, over the library.

mod mutant;
mod operation;
mod scenario;
mod session;

pub use mutant::SURVIVOR;
pub use operation::run as answer;
pub use scenario::{RestoreResult, Scenario};

use std::cell::Cell;
use std::io::{self, BufWriter};
use std::rc::Rc;

use chatstate_protocol::vocabulary::capabilities;
use chatstate_protocol::{
    AdapterError, BUFFER_BYTES, Implementation, ImplementationName, PROTOCOL_VERSION, Reply,
    RunRequest, StartReply, serve as serve_protocol,
};

use mutant::{BrokenReference, FaultyOutput, Mischief};

/// Why the reference does not serve.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// A mutant that does not exist.
    #[error("there is no mutant `{id}`")]
    UnknownMutant {
        /// The id that was asked for.
        id: String,
        /// All ids.
        known: Vec<&'static str>,
    },
    /// The list of mutants that is part of the program cannot be read.
    #[error("{0}")]
    Mutants(String),
    /// The lines of the protocol cannot be read or written.
    #[error(transparent)]
    Line(#[from] AdapterError),
}

/// The requests that may wait for an answer at once; they are answered in order.
const MAX_IN_FLIGHT: u32 = 64;

/// The name by which the reference introduces itself.
pub const NAME: &str = "chatstate";

/// Speaks the adapter protocol until the runner says stop or stdin ends.
pub fn serve(mutant: Option<&str>) -> Result<(), ServeError> {
    let mutant = mutant.map(mutant_named).transpose()?;
    let output = FaultyOutput::new(BufWriter::with_capacity(BUFFER_BYTES, io::stdout().lock()));
    let mut reference = Reference {
        mutant,
        spoiled: Rc::clone(&output.next),
    };
    serve_protocol(io::stdin().lock(), output, &mut reference).map_err(ServeError::Line)
}

/// The mutant of this id, with the operations that its description names.
fn mutant_named(id: &str) -> Result<BrokenReference, ServeError> {
    let rows = mutant_rows()?;
    let operations = rows.into_iter().find(|row| row.id == id);
    let operations = operations.map(|row| row.operations).unwrap_or_default();
    BrokenReference::named(id, operations).ok_or_else(|| ServeError::UnknownMutant {
        id: id.to_owned(),
        known: mutant::ids().collect(),
    })
}

fn mutant_rows() -> Result<Vec<chatstate_corpus::Mutant>, ServeError> {
    let rows = chatstate_corpus::mutant::embedded();
    rows.map_err(|problems| ServeError::Mutants(problems.to_string()))
}

struct Reference {
    mutant: Option<BrokenReference>,
    /// What goes wrong with the next line, where a mutant says so.
    spoiled: Rc<Cell<Option<Mischief>>>,
}

impl Implementation for Reference {
    fn introduce(&mut self) -> StartReply {
        StartReply {
            protocol: PROTOCOL_VERSION,
            implementation: ImplementationName {
                name: NAME.to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                language: "rust".to_owned(),
            },
            // The reference supports everything that the protocol can name.
            capabilities: capabilities().map(str::to_owned).collect(),
            dialect: None,
            max_in_flight: Some(MAX_IN_FLIGHT),
        }
    }

    fn run(&mut self, request: &RunRequest) -> Reply {
        match &mut self.mutant {
            None => operation::run(request),
            Some(mutant) => {
                self.spoiled.set(mutant.mischief(request));
                mutant.run(request)
            }
        }
    }
}
