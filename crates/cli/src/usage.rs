//! What is wrong with a command line, said as every other failure.

use std::error::Error as _;
use std::ffi::OsString;

use clap::Command;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};

use crate::failure::Failure;
use crate::names::did_you_mean;

/// Where the help begins, and the usage, in the long form of a message of clap.
const TAIL: &str = "\n\n";

/// The failure that says what is wrong with the arguments, and what to write instead.
pub fn failure(error: &Error, command: &Command, words: &[OsString]) -> Failure {
    let (verb, called) = verb(command, words);
    let (message, help) = match error.kind() {
        ErrorKind::InvalidSubcommand => unknown_verb(error, verb, &called),
        ErrorKind::UnknownArgument => unknown_argument(error, &called, words),
        ErrorKind::InvalidValue if text(error, ContextKind::InvalidValue).is_some() => {
            invalid_value(error)
        }
        ErrorKind::ValueValidation => wrong_value(error),
        ErrorKind::MissingRequiredArgument => (missing(error, &called), None),
        _ => (first_sentence(error), None),
    };
    let more = format!("`{called} --help` shows how to call it");
    Failure::usage(message, help.unwrap_or(more))
}

/// The verb that was called, and how it is called.
fn verb<'command>(command: &'command Command, words: &[OsString]) -> (&'command Command, String) {
    let (mut verb, mut called) = (command, "chatstate".to_owned());
    for word in words.iter().skip(1).take_while(|word| *word != "--") {
        if let Some(below) = word.to_str().and_then(|word| verb.find_subcommand(word)) {
            called = format!("{called} {}", below.get_name());
            verb = below;
        }
    }
    (verb, called)
}

fn unknown_verb(error: &Error, above: &Command, called: &str) -> (String, Option<String>) {
    let name = text(error, ContextKind::InvalidSubcommand).unwrap_or_default();
    let verbs = above.get_subcommands().filter(|verb| !verb.is_hide_set());
    let list = format!("`{called} --help` lists the verbs");
    let help = match did_you_mean(&name, verbs.map(Command::get_name)) {
        Some(question) => format!("{question} {list}"),
        None => list,
    };
    (format!("`{called}` has no verb `{name}`"), Some(help))
}

fn unknown_argument(error: &Error, called: &str, words: &[OsString]) -> (String, Option<String>) {
    let name = text(error, ContextKind::InvalidArg).unwrap_or_default();
    let help = match text(error, ContextKind::SuggestedArg) {
        Some(near) => Some(format!("did you mean `{near}`?")),
        None if takes_adapter(called) && !name.starts_with('-') => {
            let adapter = words.iter().map(|word| word.to_string_lossy());
            let adapter: Vec<_> = adapter.skip_while(|word| *word != name).collect();
            Some(format!(
                "put the command of the adapter behind `--`: `{called} -- {}`",
                adapter.join(" ")
            ))
        }
        None => None,
    };
    (format!("`{called}` takes no argument `{name}`"), help)
}

/// Whether the command of an adapter may follow a verb, behind `--`.
fn takes_adapter(called: &str) -> bool {
    ["test", "fuzz", "expect update", "interop"]
        .iter()
        .any(|verb| called == format!("chatstate {verb}"))
}

fn invalid_value(error: &Error) -> (String, Option<String>) {
    let value = text(error, ContextKind::InvalidValue).unwrap_or_default();
    let argument = text(error, ContextKind::InvalidArg).unwrap_or_default();
    let message = if value.is_empty() {
        format!("`{argument}` needs a value")
    } else {
        format!("`{value}` is no value of `{argument}`")
    };
    let Some(ContextValue::Strings(values)) = error.get(ContextKind::ValidValue) else {
        return (first_sentence(error), None);
    };
    if values.iter().all(String::is_empty) {
        return (message, None);
    }
    let all = format!("the values are `{}`", values.join("`, `"));
    let question = did_you_mean(&value, values.iter().map(String::as_str));
    let help = question.map_or_else(|| all.clone(), |question| format!("{question} {all}"));
    (message, Some(help))
}

/// A value that a rule of its argument rejects. The rule says what to give instead.
fn wrong_value(error: &Error) -> (String, Option<String>) {
    let value = text(error, ContextKind::InvalidValue).unwrap_or_default();
    let argument = text(error, ContextKind::InvalidArg).unwrap_or_default();
    let rule = error.source().map(ToString::to_string);
    (format!("`{value}` is no value of `{argument}`"), rule)
}

fn missing(error: &Error, called: &str) -> String {
    let missing = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::Strings(names)) => names.join("` and `"),
        _ => return first_sentence(error),
    };
    format!("`{called}` needs `{missing}`")
}

/// What clap says, without its word for errors and without the usage.
fn first_sentence(error: &Error) -> String {
    let text = error.render().to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let sentence = text.split(TAIL).next().unwrap_or(text);
    sentence.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn text(error: &Error, kind: ContextKind) -> Option<String> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        ContextValue::Strings(texts) => texts.first().cloned(),
        _ => None,
    }
}
