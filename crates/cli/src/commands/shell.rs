//! `chatstate completions` and `chatstate man`: what shells and `man` show of this program.

use std::fs;
use std::path::Path;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::{help, output};

/// Prints the script that completes the command line in a shell.
pub fn completions(shell: Shell) -> Result<u8, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "chatstate", &mut script);
    output::print_bytes(&script)?;
    Ok(0)
}

/// Writes the manual pages of the program and of all verbs into a folder.
pub fn man(folder: &Path) -> Result<u8, Failure> {
    let unwritable = |source| Failure::Unwritable {
        path: folder.to_owned(),
        source,
    };
    fs::create_dir_all(folder).map_err(unwritable)?;
    let command = help::with_examples(Arguments::command());
    clap_mangen::generate_to(command, folder).map_err(unwritable)?;
    let pages = fs::read_dir(folder).map_err(unwritable)?.count();
    output::print_line(&format!("{pages} pages in `{}`", folder.display()))?;
    Ok(0)
}
