//! What is printed: results to stdout, everything else to stderr.

use std::io::{ErrorKind, Write};

use chatstate::compact::Framing;
use chatstate::generated::{Event, EventStream};
use miette::{MietteHandlerOpts, Report};

use crate::failure::Failure;

/// Prints text to stdout as it is.
pub fn print(text: &str) -> Result<(), Failure> {
    write(&mut std::io::stdout().lock(), text)
}

/// Prints a line to stdout.
pub fn print_line(text: &str) -> Result<(), Failure> {
    print(&format!("{text}\n"))
}

/// Prints events to stdout.
pub fn print_events(events: Vec<Event>, framing: Framing) -> Result<(), Failure> {
    let line = |event: &Event| event.to_json() + "\n";
    match framing {
        Framing::Array => print_line(&EventStream(events).to_json()),
        Framing::Lines => print(&events.iter().map(line).collect::<String>()),
    }
}

/// Prints bytes to stdout as they are.
pub fn print_bytes(bytes: &[u8]) -> Result<(), Failure> {
    forgiving(std::io::stdout().lock().write_all(bytes))
}

/// Prints text that may hold colours; they are dropped in a pipe and with `NO_COLOR`.
pub fn print_coloured(text: &str) -> Result<(), Failure> {
    write(&mut anstream::stdout().lock(), text)
}

/// Writes text. The reader may stop reading, which changes no exit code.
fn write(out: &mut impl Write, text: &str) -> Result<(), Failure> {
    forgiving(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

fn forgiving(written: std::io::Result<()>) -> Result<(), Failure> {
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::Stdout(error)),
        _ => Ok(()),
    }
}

/// Prints a remark to stderr.
pub fn note(text: &str) {
    // When stderr is gone, nothing can be reported.
    let _ = writeln!(anstream::stderr(), "{text}");
}

/// Prints a failure with its help to stderr.
///
/// Lines are as long as their sentences, so that no id or command is broken where it would be copied.
pub fn print_failure(failure: Failure) {
    // The hook is set once, before the one failure; a second one would find it in place.
    let _ = miette::set_hook(Box::new(|_| {
        Box::new(MietteHandlerOpts::new().wrap_lines(false).build())
    }));
    // When stderr is gone too, nothing can be reported.
    let _ = write!(anstream::stderr(), "{:?}", Report::new(failure));
}
