//! Templates that the user puts in the places of those of the generators.

use std::fs;
use std::path::Path;

use chatstate_codegen::{Files, Generator, Overlay};

use super::{GENERATORS, listed};
use crate::failure::{FILE_ALONE, Failure};

/// The templates of a language as `--templates` wants them: in a folder named after it.
pub fn of(generator: &dyn Generator) -> Result<Files, Failure> {
    let mut files = Files::new();
    files.add_all(&format!("{}/", generator.name()), generator.templates()?)?;
    Ok(files)
}

/// The templates in a folder that has a folder for each language, such as `python/object.py.hbs`.
pub fn overlay(folder: &Path) -> Result<Overlay, Failure> {
    let mut overlay = Overlay::default();
    let mut found = false;
    for generator in GENERATORS {
        let inner = folder.join(generator.name());
        if inner.is_dir() {
            found = true;
            add(*generator, &inner, &mut overlay)?;
        }
    }
    if found {
        return Ok(overlay);
    }
    let languages = listed(GENERATORS.iter().map(|generator| generator.name()));
    Err(Failure::usage(
        format!("`{}` has no folder of a language", folder.display()),
        Some(format!(
            "put templates into a folder in it that is named after their language, one of {languages}"
        )),
    ))
}

/// Adds the templates of one language.
fn add(generator: &dyn Generator, folder: &Path, overlay: &mut Overlay) -> Result<(), Failure> {
    let unreadable = |path: &Path| {
        let name = format!("`{}`", path.display());
        move |source| Failure::Unreadable {
            name,
            source,
            help: FILE_ALONE,
        }
    };
    for entry in fs::read_dir(folder).map_err(unreadable(folder))? {
        let path = entry.map_err(unreadable(folder))?.path();
        let name = path.file_name().unwrap_or(path.as_os_str());
        let name = format!("{}/{}", generator.name(), name.to_string_lossy());
        let text = fs::read_to_string(&path).map_err(unreadable(&path))?;
        overlay.add(name, path.display().to_string(), text);
    }
    Ok(())
}
