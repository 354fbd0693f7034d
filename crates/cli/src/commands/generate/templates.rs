//! Templates that the user puts in the places of those of the generators.

use std::fs;
use std::path::Path;

use chatstate_codegen::{Files, Generator, Overlay};

use super::{GENERATORS, listed};
use crate::failure::{FILE_ALONE, Failure};

/// The templates of a language as `--templates` wants them: in a folder named after it.
pub fn of(generator: &dyn Generator) -> Result<Files, Failure> {
    let templates = generator.templates()?;
    if templates.iter().next().is_none() {
        return Err(without_templates(generator.name()));
    }
    let mut files = Files::new();
    files.add_all(&format!("{}/", generator.name()), templates)?;
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
    if generator.templates()?.iter().next().is_none() {
        return Err(without_templates(generator.name()));
    }
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

/// The error for a language whose templates cannot be changed.
pub fn without_templates(language: &str) -> Failure {
    let has = |generator: &&&(dyn Generator + Sync)| {
        generator
            .templates()
            .is_ok_and(|files| files.iter().next().is_some())
    };
    let with = GENERATORS.iter().filter(has);
    let with = listed(with.map(|generator| generator.name()));
    Failure::usage(
        format!("packages in `{language}` have no templates that can be changed"),
        Some(format!("there are templates for {with}")),
    )
}
