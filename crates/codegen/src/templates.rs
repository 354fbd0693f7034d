//! The templates of a language: they hold its code, and print a view, which is plain data.
//!
//! A template has values (`{{name}}`), `each`, `if`, `unless` and partials (`{{> member}}`), `eq` to
//! choose by the kind of something, and what the language spells in its own way. A name that the view
//! does not have is an error, also in `if`.

mod faults;
mod helpers;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use chatstate_schema_model::digest;
use handlebars::{Context, Handlebars, Template, no_escape};
use serde::Serialize;
use serde_json::Value;

use crate::{CodegenError, Files};
use faults::{no_such_template, unprintable, unreadable};
use helpers::{ConditionHelper, SpellingHelper};

/// What the file name of a template ends with.
const ENDING: &str = ".hbs";

/// Templates of the user's, which take the places of those of the generators.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Overlay(BTreeMap<String, Replacement>);

/// A template of the user's.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Replacement {
    /// The file as the user knows it, for errors.
    shown: String,
    text: String,
}

impl Overlay {
    /// Adds a template by its path below the folder of all languages, such as `python/object.hbs`.
    /// `shown` is its file as the user knows it.
    pub fn add(&mut self, path: impl Into<String>, shown: impl Into<String>, text: String) {
        let shown = shown.into();
        self.0.insert(path.into(), Replacement { shown, text });
    }

    /// The SHA-256 of each template by its path, in hexadecimal digits.
    #[must_use]
    pub fn digests(&self) -> BTreeMap<String, String> {
        let templates = self.0.iter();
        templates
            .map(|(path, replacement)| (path.clone(), digest(&replacement.text)))
            .collect()
    }

    /// The templates of one language, each by its path below the folder of that language.
    fn of<'o>(&'o self, language: &'o str) -> impl Iterator<Item = (&'o str, &'o Replacement)> {
        self.0.iter().filter_map(move |(path, replacement)| {
            let path = path.strip_prefix(language)?.strip_prefix('/')?;
            Some((path, replacement))
        })
    }
}

/// A file, or a part of one, and what is printed into it. Views of one path that follow each other are
/// the parts of that file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct View {
    /// The path of the file.
    pub path: String,
    /// The template that prints it, by its path without the ending.
    pub template: &'static str,
    /// What the template has.
    pub data: Value,
}

impl View {
    /// The view of a file or of a part of one.
    ///
    /// # Errors
    ///
    /// When the data is not plain: it has a key that is no text, say.
    pub fn new(
        path: impl Into<String>,
        template: &'static str,
        data: &impl Serialize,
    ) -> Result<Self, CodegenError> {
        let path = path.into();
        let data = serde_json::to_value(data).map_err(|error| CodegenError::Invalid {
            path: path.clone(),
            fault: format!("its view is not plain data: {error}"),
        })?;
        Ok(Self {
            path,
            template,
            data,
        })
    }
}

/// The templates of one language, read.
#[derive(Debug)]
pub struct Templates {
    registry: Handlebars<'static>,
}

impl Templates {
    /// The templates of a language by their paths, such as `object.hbs`, with those of the overlay in
    /// the places of some. A template is called by its path without the ending.
    ///
    /// # Errors
    ///
    /// When a template cannot be read, or the overlay has one that takes the place of none.
    pub fn new(language: &str, files: &Files, overlay: &Overlay) -> Result<Self, CodegenError> {
        let mut templates = Self::empty();
        for (path, text) in files.iter() {
            templates.add(&format!("{language}/{path}"), path, text)?;
        }
        for (path, Replacement { shown, text }) in overlay.of(language) {
            if files.get(path).is_none() {
                let known = files.iter().map(|(path, _)| path).collect();
                return Err(no_such_template(shown, path, &known));
            }
            templates.add(shown, path, text)?;
        }
        Ok(templates)
    }

    fn empty() -> Self {
        let mut registry = Handlebars::new();
        registry.set_strict_mode(true);
        registry.register_escape_fn(no_escape);
        registry.register_helper("if", Box::new(ConditionHelper { wanted: true }));
        registry.register_helper("unless", Box::new(ConditionHelper { wanted: false }));
        Self { registry }
    }

    /// Adds a helper that spells a text in the language, such as `string` for its literals:
    /// `{{string name}}`, or `{{#string}}...{{/string}}` for what is printed in it.
    #[must_use]
    pub fn with_spelling(mut self, name: &str, spell: fn(&str) -> String) -> Self {
        self.registry
            .register_helper(name, Box::new(SpellingHelper { spell }));
        self
    }

    /// Reads a template. `shown` names it in errors.
    fn add(&mut self, shown: &str, path: &str, text: &str) -> Result<(), CodegenError> {
        let mut template = Template::compile(text).map_err(|error| unreadable(shown, &error))?;
        template.name = Some(shown.to_owned());
        let name = path.strip_suffix(ENDING).unwrap_or(path);
        self.registry.register_template(name, template);
        Ok(())
    }

    /// The files that are printed from some views.
    ///
    /// # Errors
    ///
    /// When a template asks for something that its view does not have.
    pub fn files(&self, views: Vec<View>) -> Result<Files, CodegenError> {
        let mut files = Files::new();
        let mut views = views.into_iter().peekable();
        while let Some(View {
            path,
            template,
            data,
        }) = views.next()
        {
            let mut text = self.print(template, data)?;
            while let Some(part) = views.next_if(|next| next.path == path) {
                text += &self.print(part.template, part.data)?;
            }
            files.add(path, text)?;
        }
        Ok(files)
    }

    fn print(&self, template: &str, data: Value) -> Result<String, CodegenError> {
        let context = Context::from(data);
        let printed = self.registry.render_with_context(template, &context);
        printed.map_err(|error| {
            let known = self.registry.get_templates().keys().map(String::as_str);
            let known = known.collect::<BTreeSet<_>>();
            unprintable(template, &error, context.data(), &known)
        })
    }
}
