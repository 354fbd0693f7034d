//! `chatstate`: validate, compare and replay serialized agent chat state, and test the SDKs that
//! write it.

mod arguments;
mod colour;
mod commands;
mod destination;
mod failure;
mod help;
mod input;
mod layout;
mod log;
mod names;
mod output;
mod time;
mod usage;
mod written_file;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches};

use crate::arguments::{Arguments, JsonAnswer};
use crate::colour::Colour;
use crate::failure::Failure;

/// Documents may be nested 512 deep, and typed reading follows them on the stack.
pub(crate) const STACK_BYTES: usize = 64 * 1024 * 1024;

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    let asked = Colour::asked(&words);
    asked.apply();
    let mut command = help::complete(Arguments::command()).color(asked.into());
    let matches = command.try_get_matches_from_mut(&words);
    let arguments = match matches.and_then(|it| Arguments::from_arg_matches(&it)) {
        Ok(arguments) => arguments,
        Err(error) => return misused(&error, &command, &words),
    };
    let (json, colour) = (arguments.json_answer(), arguments.color);
    let worker = std::thread::Builder::new()
        .name("chatstate".to_owned())
        .stack_size(STACK_BYTES)
        .spawn(move || commands::run(arguments));
    match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(code))) => ExitCode::from(code),
        Ok(Ok(Err(failure))) => failed(failure, json, colour),
        // The panic has printed its own message.
        Ok(Err(_)) => ExitCode::from(failure::BUG),
        Err(error) => failed(Failure::Thread(error), json, colour),
    }
}

/// Says why nothing came of it, with `--json` on stdout too, and gives the exit code.
fn failed(failure: Failure, json: JsonAnswer, colour: Colour) -> ExitCode {
    let code = failure.exit_code();
    output::print_failure_document(&failure, json);
    output::print_failure(failure, colour);
    ExitCode::from(code)
}

/// Prints a help that was asked for, or says what is wrong with the arguments.
fn misused(error: &clap::Error, command: &clap::Command, words: &[OsString]) -> ExitCode {
    let colour = Colour::asked(words);
    if !error.use_stderr() {
        return match output::print_coloured(&error.render().ansi().to_string()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(failure) => failed(failure, JsonAnswer::No, colour),
        };
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        output::note(error.render().ansi().to_string().trim_end());
        return ExitCode::from(failure::USAGE);
    }
    let mut own = words.iter().take_while(|word| *word != "--");
    let json = if own.any(|word| word == "--json") {
        JsonAnswer::Plain
    } else {
        JsonAnswer::No
    };
    failed(usage::failure(error, command, words), json, colour)
}
