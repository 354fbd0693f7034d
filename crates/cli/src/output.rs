//! What is printed: results to stdout, everything else to stderr.

use std::io::{ErrorKind, Write};

use chatstate::json::{Object, Value};
use miette::{MietteHandlerOpts, Report};

use crate::arguments::JsonAnswer;
use crate::colour::Colour;
use crate::failure::Failure;

/// Prints text to stdout as it is.
pub fn print(text: &str) -> Result<(), Failure> {
    write(&mut std::io::stdout().lock(), text)
}

/// Prints a line to stdout.
pub fn print_line(text: &str) -> Result<(), Failure> {
    print(&format!("{text}\n"))
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

/// Prints why a verb with `--json` came to nothing as its document on stdout.
pub fn print_failure_document(failure: &Failure, answer: JsonAnswer) {
    let mut document = Object::new();
    match answer {
        JsonAnswer::No => return,
        JsonAnswer::Plain => {}
        JsonAnswer::Verdict => {
            document.insert("valid", false);
        }
    }
    document.extend(failure.to_document());
    // When stdout is gone, stderr says why.
    let _ = print_line(&Value::from(document).to_json());
}

/// Prints a failure with its help to stderr.
///
/// Lines are as long as their sentences, so that no id or command is broken where it would be copied.
pub fn print_failure(failure: Failure, colour: Colour) {
    // The hook is set once, before the one failure; a second one would find it in place.
    let _ = miette::set_hook(Box::new(move |_| {
        let options = MietteHandlerOpts::new().wrap_lines(false);
        Box::new(match colour {
            Colour::Auto => options.build(),
            Colour::Always => options.color(true).unicode(true).build(),
            Colour::Never => options.color(false).build(),
        })
    }));
    // When stderr is gone too, nothing can be reported.
    let _ = write!(anstream::stderr(), "{:?}", Report::new(failure));
}
