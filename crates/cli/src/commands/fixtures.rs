//! `chatstate test --fixtures`: fixtures as a corpus of their own.

use std::fs;
use std::path::PathBuf;

use chatstate::json::visible_lines;
use chatstate_corpus::{Corpus, Fixtures};

use crate::failure::{FILE_ALONE, Failure};
use crate::output;

/// Reads fixtures as cases, and says on stderr what of them is not judged.
pub fn corpus(paths: &[PathBuf]) -> Result<Corpus, Failure> {
    let files = paths.iter().map(|path| {
        let name = path.display().to_string();
        match fs::read(path) {
            Ok(bytes) => Ok((name, bytes)),
            Err(source) => Err(Failure::Unreadable {
                name: format!("`{name}`"),
                source,
                help: FILE_ALONE,
            }),
        }
    });
    let files: Vec<_> = files.collect::<Result<_, _>>()?;
    let fixtures = Fixtures::read(files)
        .map_err(|problems| Failure::usage(visible_lines(&problems.to_string()), None))?;
    if !fixtures.not_judged.is_empty() {
        let names = fixtures.not_judged.iter();
        let names: Vec<_> = names
            .map(|(name, count)| format!("`{name}` ({count})"))
            .collect();
        output::note(&format!(
            "expectations that are not judged, with how many fixtures of {} have them: {}",
            fixtures.count,
            names.join(", ")
        ));
    }
    Ok(fixtures.corpus)
}
