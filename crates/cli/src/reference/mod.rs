//! The reference implementation as an adapter: what any SDK's adapter does, over the library.

mod mutant;
mod operation;
mod session;

pub use mutant::MUTANTS;

use std::io;

use chatstate_adapter::{
    Implementation, ImplementationName, PROTOCOL_VERSION, Reply, Run, StartReply,
    serve as serve_protocol,
};

use crate::failure::Failure;
use mutant::Mutant;

/// What the reference supports: everything that has a judge in this version.
const CAPABILITIES: &[&str] = &[
    "round-trip",
    "validate",
    "canonicalize",
    "encode",
    "decode",
    "channel-key",
    "restore",
    "verify",
    "replay",
    "compact",
    "attach",
    "lineage",
    "session",
    "convert",
    "chat",
    "sessions",
    "events",
    "unknown-members",
    "unknown-variants",
    "big-numbers",
    "split-surrogates",
    "chunks",
    "branches",
    "snapshots",
];

/// The requests that may wait for an answer at once; they are answered in order.
const MAX_IN_FLIGHT: u32 = 64;

/// The name by which the reference introduces itself.
pub const NAME: &str = "chatstate";

/// Speaks the adapter protocol until the runner says stop or stdin ends.
pub fn serve(mutant: Option<&str>) -> Result<u8, Failure> {
    let mutant = mutant.map(Mutant::named).transpose().map_err(|message| {
        let help = format!("the mutants are {}", MUTANTS.join(", "));
        Failure::usage(message, help)
    })?;
    let mut reference = Reference { mutant };
    serve_protocol(io::stdin().lock(), io::stdout().lock(), &mut reference)
        .map_err(|error| Failure::usage(error.to_string(), None))?;
    Ok(0)
}

struct Reference {
    mutant: Option<Mutant>,
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
            capabilities: CAPABILITIES.iter().map(|name| (*name).to_owned()).collect(),
            dialect: None,
            max_in_flight: Some(MAX_IN_FLIGHT),
        }
    }

    fn run(&mut self, request: &Run) -> Reply {
        match &self.mutant {
            None => operation::run(request),
            Some(mutant) => mutant.run(request),
        }
    }
}
