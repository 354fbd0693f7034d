//! The command that starts an adapter.

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

use crate::limits::Limits;

/// A program with its arguments, started directly and never through a shell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdapterCommand {
    /// The program, as the user wrote it.
    pub program: OsString,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// The folder to start it in; the current one when absent.
    pub directory: Option<PathBuf>,
    /// Variables to set beside the inherited ones.
    pub environment: Vec<(OsString, OsString)>,
    /// What each process may use of the machine.
    pub limits: Limits,
}

impl AdapterCommand {
    /// A command that inherits the current folder and the environment, without limits.
    pub fn new<A: Into<OsString>>(
        program: impl Into<OsString>,
        arguments: impl IntoIterator<Item = A>,
    ) -> Self {
        Self {
            program: program.into(),
            arguments: arguments.into_iter().map(Into::into).collect(),
            directory: None,
            environment: Vec::new(),
            limits: Limits::default(),
        }
    }
}

/// The command as a user would type it: words with special characters are in single quotes.
impl fmt::Display for AdapterCommand {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&quoted(&self.program.to_string_lossy()))?;
        for argument in &self.arguments {
            write!(formatter, " {}", quoted(&argument.to_string_lossy()))?;
        }
        Ok(())
    }
}

pub(crate) fn quoted(word: &str) -> String {
    let plain = |character: char| character.is_alphanumeric() || "-_./=:,@+%".contains(character);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::AdapterCommand;

    #[test]
    fn a_written_command_is_read_as_its_words() {
        for command in [
            &["python3", "adapter.py"][..],
            &["my sdk/run", "", "--name=it's here"],
            &["'", "''", "\\", "a\\'b", "  ", "$HOME", "\n"],
        ] {
            let written = AdapterCommand::new(command[0], &command[1..]).to_string();
            assert_eq!(
                shlex::split(&written).expect("quotes in pairs"),
                command,
                "{written}"
            );
        }
    }
}
