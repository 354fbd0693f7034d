//! Generated files on the disk.

use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

use chatstate_codegen::compare;

use super::{Error, GeneratedFolder, failed};

/// What compilers and package managers put beside the files of a package.
const NOT_OURS: [&str; 5] = ["__pycache__", "bin", "dist", "node_modules", "obj"];

/// Writes the files that differ and removes those that are no longer generated.
pub fn write(output: &GeneratedFolder) -> Result<(), Error> {
    for (name, _) in compare(&output.files, &output.existing).changes() {
        let path = output.path.join(name);
        match output.files.get(name) {
            Some(text) => write_file(&path, text)?,
            None => fs::remove_file(&path).map_err(|source| failed("remove", &path, source))?,
        }
    }
    Ok(())
}

fn write_file(path: &Path, text: &str) -> Result<(), Error> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|source| failed("make", folder, source))?;
    }
    fs::write(path, text).map_err(|source| failed("write", path, source))
}

/// The texts of the files in a folder whose names end so, by name. No folder is no files.
pub fn texts(folder: &Path, ending: &str) -> Result<BTreeMap<String, String>, Error> {
    let mut texts = BTreeMap::new();
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(texts),
        entries => entries.map_err(|source| failed("read", folder, source))?,
    };
    for entry in entries {
        let path = entry
            .map_err(|source| failed("read", folder, source))?
            .path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if name.ends_with(ending) {
            let text = fs::read_to_string(&path).map_err(|source| failed("read", &path, source))?;
            texts.insert(name, text);
        }
    }
    Ok(texts)
}

/// The texts of all files in a folder below `root` and below it, by path from `root`. No folder is no
/// files.
pub fn all_texts(root: &Path, folder: &str) -> Result<BTreeMap<String, String>, Error> {
    let mut texts = BTreeMap::new();
    collect(&root.join(folder), &format!("{folder}/"), &mut texts)?;
    Ok(texts)
}

/// The texts of those of the named files in a folder that are there.
pub fn texts_of<'n>(
    folder: &Path,
    names: impl Iterator<Item = &'n str>,
) -> Result<BTreeMap<String, String>, Error> {
    let mut texts = BTreeMap::new();
    for name in names {
        let path = folder.join(name);
        match fs::read_to_string(&path) {
            Ok(text) => {
                texts.insert(name.to_owned(), text);
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(source) => return Err(failed("read", &path, source)),
        }
    }
    Ok(texts)
}

fn collect(folder: &Path, below: &str, texts: &mut BTreeMap<String, String>) -> Result<(), Error> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(|source| failed("read", folder, source))?,
    };
    for entry in entries {
        let entry = entry.map_err(|source| failed("read", folder, source))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = entry.path();
        if name.starts_with('.') || NOT_OURS.contains(&name.as_str()) {
            continue;
        }
        let name = format!("{below}{name}");
        if path.is_dir() {
            collect(&path, &format!("{name}/"), texts)?;
        } else {
            let text = fs::read_to_string(&path).map_err(|source| failed("read", &path, source))?;
            texts.insert(name, text);
        }
    }
    Ok(())
}
