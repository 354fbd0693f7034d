//! `chatstate seal` and `chatstate unseal`: a proof that a document was not changed.

use std::path::Path;

use chatstate::Rejection;
use chatstate::json::{Value, parse};
use chatstate::seal::{self as seals, SealKey};

use crate::arguments::{Seal, Unseal};
use crate::failure::Failure;
use crate::input::InputDocument;
use crate::output;

/// Prints the document with a seal.
pub fn seal(arguments: &Seal) -> Result<u8, Failure> {
    let key = key(&arguments.key_file, arguments.key_id.as_deref())?;
    let input = InputDocument::read(arguments.file.as_ref())?;
    let sealed = document(&input).and_then(|document| seals::seal(&document, &key));
    let sealed = sealed.map_err(|rejection| input.rejected(&rejection))?;
    arguments.output.write_json(&sealed.to_json())?;
    Ok(0)
}

/// Prints the document without its seal, or only says that the seal fits.
pub fn unseal(arguments: &Unseal) -> Result<u8, Failure> {
    if arguments.check && arguments.output.path().is_some() {
        let help = "leave out one of `--check` and `--output`".to_owned();
        return Err(Failure::usage("`--check` writes nothing", help));
    }
    let key = key(&arguments.key_file, arguments.key_id.as_deref())?;
    let input = InputDocument::read(arguments.file.as_ref())?;
    let unsealed = document(&input).and_then(|document| seals::unseal(&document, &key));
    let unsealed = unsealed.map_err(|rejection| input.rejected(&rejection))?;
    if arguments.check {
        output::note(&format!("{} is as it was sealed", input.name));
    } else {
        arguments.output.write_json(&unsealed.to_json())?;
    }
    Ok(0)
}

fn document(input: &InputDocument) -> Result<Value, Rejection> {
    parse(input.text()?)
}

/// The key comes from a file, since everybody on a machine can read the arguments of a program.
fn key(file: &Path, id: Option<&str>) -> Result<SealKey, Failure> {
    let input = InputDocument::read_file(file)?;
    let key = SealKey::new(input.bytes()).map_err(|rejection| {
        Failure::usage(format!("{}: {}", input.name, rejection.message), None)
    })?;
    Ok(match id {
        Some(id) => key.named(id),
        None => key,
    })
}
