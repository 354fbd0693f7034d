//! `chatstate validate`: documents against the schema.

mod many;
mod verdict;

use std::path::PathBuf;

use chatstate::json::Value;

pub use self::verdict::STRICT_RULES;
use self::verdict::{DocumentVerdict, judge, message, rejected_row};
use super::known_type;
use crate::arguments::Validate;
use crate::failure::{Failure, UNEXPECTED};
use crate::input::InputDocument;
use crate::log::{DOCUMENTS, expand, is_one};
use crate::output;

/// Says on stderr, or with `--json` on stdout, whether the document is valid. Several have one line
/// each.
pub fn run(arguments: &Validate) -> Result<u8, Failure> {
    let asked = arguments.document_type.as_deref().map(known_type);
    let asked = asked.transpose()?;
    if is_one(&arguments.files) {
        return one(arguments.files.first(), asked, arguments);
    }
    many::run(&expand(&arguments.files, &DOCUMENTS)?, asked, arguments)
}

fn one(
    file: Option<&PathBuf>,
    asked: Option<&'static str>,
    arguments: &Validate,
) -> Result<u8, Failure> {
    let input = InputDocument::read(file)?;
    let DocumentVerdict { type_name, found } = judge(&input, asked, arguments.strict)?;
    let Some((first, others)) = found.split_first() else {
        if arguments.json {
            output::print_line(&Value::from(verdict::valid_row(type_name)).to_json())?;
        } else {
            output::note(&format!("{} is a valid {type_name}", input.name));
        }
        return Ok(0);
    };
    if arguments.json {
        let row = rejected_row(&input, first, others);
        output::print_line(&Value::from(row).to_json())?;
        return Ok(UNEXPECTED);
    }
    let others: Vec<_> = others.iter().map(|it| message(&input, it)).collect();
    let help = (!others.is_empty()).then(|| format!("also wrong:\n{}", others.join("\n")));
    Err(input.rejected_with(first, help))
}
