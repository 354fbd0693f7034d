//! `chatstate`: validate, compare and replay serialized agent chat state, and test the SDKs that
//! write it.

mod arguments;
mod commands;
mod failure;
mod help;
mod input;
mod log;
mod output;
mod written_file;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

use crate::arguments::Arguments;
use crate::failure::Failure;

/// Documents may be nested 512 deep, and typed reading follows them on the stack.
pub(crate) const STACK_BYTES: usize = 64 * 1024 * 1024;

fn main() -> ExitCode {
    let matches = help::complete(Arguments::command()).get_matches();
    let arguments = Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let worker = std::thread::Builder::new()
        .name("chatstate".to_owned())
        .stack_size(STACK_BYTES)
        .spawn(move || commands::run(arguments));
    let outcome = match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(outcome)) => outcome,
        // The panic has printed its own message.
        Ok(Err(_)) => return ExitCode::from(failure::BUG),
        Err(error) => Err(Failure::Thread(error)),
    };
    match outcome {
        Ok(code) => ExitCode::from(code),
        Err(failure) => {
            let code = failure.exit_code();
            output::print_failure(failure);
            ExitCode::from(code)
        }
    }
}
