//! The `chatstate` program as a user starts it.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use super::measure::{MeasuredRow, milliseconds, ratio, side_by_side};

/// The size of the large document, in bytes.
const LARGE_BYTES: usize = 200 * 1024 * 1024;

/// From the start of the program to the verdict on the first case, beside starting it for nothing.
pub fn start(program: &Path) -> Result<MeasuredRow, String> {
    let (ours, bare) = side_by_side(
        || succeed(program, &["test", "--only", "json/array-order"]),
        || succeed(program, &["--version"]),
    )?;
    Ok(MeasuredRow {
        what: "start to the first verdict".to_owned(),
        measured: milliseconds(ours),
        yardstick: format!("`chatstate --version` {}", milliseconds(bare)),
        ratio: ratio(ours, bare),
    })
}

/// The whole corpus on the reference, beside starting the program for nothing.
pub fn corpus(program: &Path) -> Result<MeasuredRow, String> {
    let (ours, bare) = side_by_side(
        || succeed(program, &["test"]),
        || succeed(program, &["--version"]),
    )?;
    Ok(MeasuredRow {
        what: "the whole corpus on the reference".to_owned(),
        measured: milliseconds(ours),
        yardstick: format!("`chatstate --version` {}", milliseconds(bare)),
        ratio: ratio(ours, bare),
    })
}

/// A chat of 200 MB, validated, beside copying its bytes through `cat`.
pub fn large_document(program: &Path) -> Result<MeasuredRow, String> {
    let file = std::env::temp_dir().join(format!("chatstate-bench-{}.json", std::process::id()));
    let result = write_large(&file).and_then(|()| {
        let path = file.to_string_lossy().into_owned();
        side_by_side(
            || succeed(program, &["validate", "--type", "ChatState", &path]),
            || succeed(Path::new("cat"), &[&path]),
        )
    });
    // A file that is left in the folder for temporary files does no harm.
    let _ = std::fs::remove_file(&file);
    let (ours, copy) = result?;
    Ok(MeasuredRow {
        what: "validating a chat of 200 MB".to_owned(),
        measured: milliseconds(ours),
        yardstick: format!("`cat` of the file {}", milliseconds(copy)),
        ratio: ratio(ours, copy),
    })
}

fn write_large(path: &Path) -> Result<(), String> {
    let message = r#"{"role":"assistant","name":"John","items":[{"type":"text","text":"The weather in Paris is mild today.\n"}],"metadata":{"score":0.25}}"#;
    let failed = |error: std::io::Error| format!("cannot write `{}`: {error}", path.display());
    let file = std::fs::File::create(path).map_err(failed)?;
    let mut file = std::io::BufWriter::new(file);
    let mut write = |text: &str| file.write_all(text.as_bytes()).map_err(failed);
    write(r#"{"history":["#)?;
    for index in 0..LARGE_BYTES / (message.len() + 1) {
        if index > 0 {
            write(",")?;
        }
        write(message)?;
    }
    write(r#"],"participants":[],"channels":[]}"#)?;
    file.flush().map_err(failed)
}

fn succeed(program: &Path, arguments: &[&str]) -> Result<(), String> {
    let status = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .map_err(|error| format!("cannot start `{}`: {error}", program.display()))?;
    if status.success() {
        return Ok(());
    }
    Err(format!(
        "`{} {}` failed: {status}",
        program.display(),
        arguments.join(" ")
    ))
}
