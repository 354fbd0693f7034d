//! What people wrote for a language: its templates, what they call, and the skeleton of an adapter.

use include_dir::Dir;

use crate::{CodegenError, Files, Package, Templates, embedded};

/// A helper of templates by its name, which spells a text in the language.
pub type TemplateHelper = (&'static str, fn(&str) -> String);

/// What people wrote for a language, as parts of the program.
#[derive(Debug, Clone, Copy)]
pub struct Written {
    /// The templates.
    pub templates: &'static Dir<'static>,
    /// What templates call to spell texts.
    pub spellings: &'static [TemplateHelper],
    /// The skeleton of an adapter for an SDK.
    pub skeleton: &'static Dir<'static>,
}

impl Written {
    /// The templates, with those of the user's in the places of some.
    ///
    /// # Errors
    ///
    /// When a template cannot be read, or one of the user's takes the place of none.
    pub fn templates(&self, language: &str, package: &Package) -> Result<Templates, CodegenError> {
        let files = embedded(self.templates)?;
        let mut templates = Templates::new(language, &files, &package.overlay)?;
        for (name, spell) in self.spellings {
            templates = templates.with_spelling(name, *spell);
        }
        Ok(templates)
    }

    /// Folders that people wrote, each below its name.
    ///
    /// # Errors
    ///
    /// When one of the files is not text as [`Files::add`] wants it.
    pub fn folders(
        folders: &'static [(&'static str, Dir<'static>)],
    ) -> Result<Files, CodegenError> {
        let mut files = Files::new();
        for (name, folder) in folders {
            files.add_all(&format!("{name}/"), embedded(folder)?)?;
        }
        Ok(files)
    }
}
