//! The page that joins requirements, cases and exclusions, from the files as they are now.

use std::fs;
use std::path::Path;

use chatstate_corpus::{Corpus, load_dir, specification, traceability};

use crate::codegen::{Error, failed};

/// The text of the page.
pub fn page(workspace: &Path) -> Result<String, Error> {
    let specification = workspace.join("SPEC.md");
    let text = fs::read_to_string(&specification)
        .map_err(|source| failed("read", &specification, source))?;
    let requirements =
        specification::parse(&text).map_err(|problems| Error::Corpus(problems.to_string()))?;
    let corpus = read_corpus(&workspace.join("corpus"))?;
    Ok(traceability::join(&corpus, &requirements).to_markdown())
}

/// The corpus in a folder, which may be newer than the one compiled in.
fn read_corpus(folder: &Path) -> Result<Corpus, Error> {
    let mut files = Vec::new();
    collect(folder, "", &mut files)?;
    load_dir(chatstate_corpus::VERSION, files).map_err(|error| Error::Corpus(error.to_string()))
}

fn collect(folder: &Path, below: &str, files: &mut Vec<(String, Vec<u8>)>) -> Result<(), Error> {
    for entry in fs::read_dir(folder).map_err(|source| failed("read", folder, source))? {
        let entry = entry.map_err(|source| failed("read", folder, source))?;
        let path = entry.path();
        let name = format!("{below}{}", entry.file_name().to_string_lossy());
        if path.is_dir() {
            collect(&path, &format!("{name}/"), files)?;
        } else {
            let bytes = fs::read(&path).map_err(|source| failed("read", &path, source))?;
            files.push((name, bytes));
        }
    }
    Ok(())
}
