//! `chatstate new`: the beginning of an adapter, or of a case of one's own.

use std::fs;
use std::io::{ErrorKind, Write as _};

use chatstate::json::{Object, ObjectWriter, Surrogates, Value, parse_with};
use chatstate_protocol::vocabulary;

use super::generate;
use crate::arguments::{NewCase, NewVerb};
use crate::failure::Failure;
use crate::input::InputDocument;
use crate::layout::lay_out;
use crate::output;

/// Writes it, and says what to do next.
pub fn run(verb: &NewVerb) -> Result<u8, Failure> {
    match verb {
        NewVerb::Adapter(new) => generate::skeleton(&new.language, &new.out),
        NewVerb::Case(new) => case(new),
    }
}

fn case(new: &NewCase) -> Result<u8, Failure> {
    let (suite, _) = slugs(&new.id)?;
    let text = lay_out(&text(new)?) + "\n";
    let folder = new.corpus.join(suite);
    let path = new.corpus.join(format!("{}.json", new.id));
    let unwritable = |source| Failure::Unwritable {
        path: path.clone(),
        source,
    };
    fs::create_dir_all(folder).map_err(unwritable)?;
    let created = fs::File::create_new(&path);
    match created.and_then(|mut file| file.write_all(text.as_bytes())) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            let help = "give the case another name".to_owned();
            let message = format!("`{}` is there already", path.display());
            return Err(Failure::usage(message, help));
        }
        written => written.map_err(unwritable)?,
    }
    output::print_line(&format!("wrote `{}`", path.display()))?;
    output::note(&format!(
        "fill in `title`, `input` and `expect`, then run `chatstate test --corpus {} --only {}`",
        new.corpus.display(),
        new.id
    ));
    Ok(0)
}

/// The suite and the name of an id.
fn slugs(id: &str) -> Result<(&str, &str), Failure> {
    let is_slug = |text: &str| {
        let is_plain = |letter: char| matches!(letter, 'a'..='z' | '0'..='9' | '-');
        !text.is_empty() && text.chars().all(is_plain)
    };
    let parts = id.split_once('/');
    let parts = parts.filter(|(suite, name)| is_slug(suite) && is_slug(name));
    parts.ok_or_else(|| {
        let help = "write a suite and a name of lower-case letters, digits and `-`, such as `round-trip/my-chat`";
        Failure::usage(format!("`{id}` is not an id of a case"), help.to_owned())
    })
}

fn text(new: &NewCase) -> Result<String, Failure> {
    let mut needs = Vec::new();
    if vocabulary::takes_type(&new.op) {
        let Some(name) = &new.document_type else {
            let message = format!("`{}` takes a document of a type", new.op);
            return Err(Failure::usage(message, "name it with `--type`".to_owned()));
        };
        let capability = vocabulary::capability_of_type(name);
        let capability = capability.ok_or_else(|| {
            let message = format!("`{name}` is not a type of the adapter protocol");
            Failure::usage(
                message,
                "`chatstate validate --help` lists the types".to_owned(),
            )
        })?;
        needs.push(Value::from(capability));
    }
    let input = new
        .input
        .as_deref()
        .map(InputDocument::read_file)
        .transpose()?;
    let input = match &input {
        Some(input) => {
            let text = input
                .text()
                .and_then(|text| parse_with(text, Surrogates::AllowUnpairedAtEnds));
            text.map_err(|rejection| input.rejected(&rejection))?
        }
        None => Value::from(Object::new()),
    };
    let mut out = String::new();
    ObjectWriter::new(&mut out)
        .text("title", "")
        .member("requirements", &Vec::<Value>::new())
        .member("needs", &needs)
        .text("why", "")
        .text("op", &new.op)
        .optional("type", &new.document_type)
        .member("input", &input)
        .text("since", chatstate_corpus::VERSION)
        .end();
    Ok(out)
}
