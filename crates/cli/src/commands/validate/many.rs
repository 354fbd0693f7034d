//! Several documents: a line for each on stdout, and the counts.

use std::path::PathBuf;

use chatstate::json::{Object, Value};

use super::verdict::{DocumentVerdict, judge, message, rejected_row, valid_row};
use crate::arguments::Validate;
use crate::failure::{Failure, UNEXPECTED};
use crate::input::InputDocument;
use crate::output;

/// What a file was found to be.
struct FileVerdict {
    word: &'static str,
    code: u8,
    text: String,
    row: Object,
}

/// Validates all files and prints what they are, in their order.
pub fn run(
    files: &[PathBuf],
    asked: Option<&'static str>,
    arguments: &Validate,
) -> Result<u8, Failure> {
    let verdicts = files
        .iter()
        .map(|file| verdict(file, asked, arguments.strict));
    let verdicts: Vec<FileVerdict> = verdicts.collect();
    let code = verdicts.iter().map(|it| it.code).max().unwrap_or(0);
    if arguments.json {
        let mut document = Object::new();
        document.insert("valid", code == 0);
        let rows = verdicts.into_iter().map(|it| Value::from(it.row));
        document.insert("documents", rows.collect::<Vec<_>>());
        output::print_line(&Value::from(document).to_json())?;
        return Ok(code);
    }
    for verdict in &verdicts {
        output::print_line(&format!("{:8} {}", verdict.word, verdict.text))?;
    }
    let counts = ["valid", "invalid", "unread"].map(|word| {
        let count = verdicts.iter().filter(|it| it.word == word).count();
        (count > 0).then(|| format!("{count} {word}"))
    });
    let counts: Vec<_> = counts.into_iter().flatten().collect();
    let noun = if files.len() == 1 {
        "document"
    } else {
        "documents"
    };
    output::note(&format!("{} {noun}: {}", files.len(), counts.join(", ")));
    Ok(code)
}

fn verdict(file: &PathBuf, asked: Option<&'static str>, strict: bool) -> FileVerdict {
    let name = file.display().to_string();
    let input = InputDocument::read(Some(file));
    let judged = input.and_then(|input| Ok((judge(&input, asked, strict)?, input)));
    let (word, code, text, own) = match judged {
        Ok((DocumentVerdict { type_name, found }, input)) => match found.split_first() {
            None => (
                "valid",
                0,
                format!("{name}: {type_name}"),
                valid_row(type_name),
            ),
            Some((first, others)) => {
                let more = match others.len() {
                    0 => String::new(),
                    more => format!(" (and {more} more)"),
                };
                let text = format!("{}{more}", message(&input, first));
                (
                    "invalid",
                    UNEXPECTED,
                    text,
                    rejected_row(&input, first, others),
                )
            }
        },
        Err(failure) => {
            let code = failure.exit_code();
            let word = if code == UNEXPECTED {
                "invalid"
            } else {
                "unread"
            };
            let mut row = Object::new();
            row.insert("valid", false);
            row.extend(failure.to_document());
            let text = failure.to_string().replace(&format!("`{name}`"), &name);
            let text = if text.contains(&name) {
                text
            } else {
                format!("{name}: {text}")
            };
            (word, code, text, row)
        }
    };
    let mut row = Object::new();
    row.insert("file", name);
    row.extend(own);
    FileVerdict {
        word,
        code,
        text,
        row,
    }
}
