//! What all code generators share: the [`Generator`] trait, the [`Files`] it returns, the comparison
//! with what is on disk, names and wrapped descriptions.
//!
//! Nothing here reads or writes a file; a program that has a file system does that with
//! [`Files::iter`] and [`compare`].

mod condition;
mod drift;
mod embedded;
mod error;
mod event_table;
mod events_page;
mod files;
mod known_members;
pub mod names;
mod present;
mod printing;
mod templates;
mod view_schema;
mod wrapping;
mod written;

use chatstate_schema_model::Ir;
use schemars::JsonSchema;
use serde::Serialize;

pub use condition::ConditionView;
pub use drift::{Drift, FileChange, compare};
pub use embedded::embedded;
pub use error::CodegenError;
pub use event_table::{Cell, EventRow, event_rows, item_rows};
pub use events_page::events_page;
pub use files::Files;
pub use known_members::{KnownDefinition, KnownName, known_members};
pub use present::{DependentView, PresentView};
pub use printing::{body, direction_marks_named, double_quoted, is_direction_mark, is_plain};
pub use templates::{Overlay, Templates, View};
pub use view_schema::{VIEW_SCHEMA, ViewSchema, view_schema};
pub use wrapping::wrapped;
pub use written::{TemplateHelper, Written};

/// A generator for one language.
pub trait Generator {
    /// The name of the language on the command line, such as `rust`.
    fn name(&self) -> &'static str;

    /// A whole package: the generated types, the runtime they need, and what a package manager of
    /// the language asks for. Two calls with one model give equal files.
    fn package(&self, ir: &Ir, package: &Package) -> Result<Files, CodegenError> {
        let mut files = self.runtime(package)?;
        files.add_all("", self.generated(ir, package)?)?;
        Ok(files)
    }

    /// The files of a package that are there before its schema is read: people wrote them.
    fn runtime(&self, package: &Package) -> Result<Files, CodegenError>;

    /// The files of a package that its schema decides about.
    fn generated(&self, ir: &Ir, package: &Package) -> Result<Files, CodegenError> {
        self.printed(ir, package)
    }

    /// The files that the templates print.
    fn printed(&self, ir: &Ir, package: &Package) -> Result<Files, CodegenError> {
        let templates = self.written().templates(self.name(), package)?;
        templates.files(self.views(ir, package)?)
    }

    /// The types alone, as plain declarations: neither readers, writers and checks nor a manifest.
    fn declarations(&self, ir: &Ir, package: &Package) -> Result<Files, CodegenError> {
        let templates = self.written().templates(self.name(), package)?;
        templates.files(self.declaration_views(ir, package)?)
    }

    /// What people wrote for the language.
    fn written(&self) -> Written;

    /// The templates of the language by their paths, such as `object.hbs`, for those who want to
    /// change some of them.
    fn templates(&self) -> Result<Files, CodegenError> {
        embedded(self.written().templates)
    }

    /// What the templates print, by the files that are printed from it.
    fn views(&self, ir: &Ir, package: &Package) -> Result<Vec<View>, CodegenError>;

    /// What the templates print of plain declarations.
    fn declaration_views(&self, ir: &Ir, package: &Package) -> Result<Vec<View>, CodegenError>;

    /// The schema of these views.
    fn view_schema(&self) -> ViewSchema;

    /// What people should know of the types of a schema in this language, in sentences.
    fn warnings(&self, _ir: &Ir) -> Vec<String> {
        Vec::new()
    }

    /// The skeleton of an adapter for an SDK in this language: it runs as it is, and has
    /// one obvious place for the SDK's own reader and writer.
    fn adapter_skeleton(&self) -> Result<Files, CodegenError> {
        embedded(self.written().skeleton)
    }
}

/// What a package is called and what it holds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Package {
    /// Its name in lower-case words with `-` between, such as `agent-protocol`; a language spells it
    /// its own way.
    pub name: String,
    /// Whether it has what people wrote about documents beside their types: chats, sessions, storage,
    /// event streams and testing. The schema has to have the definitions that these are about.
    pub behaviour: bool,
    /// What its manifest says of it beside its name.
    pub publication: Publication,
    /// How it gets the code that its types need, where its language has it either way.
    pub runtime: Runtime,
    /// Templates of the user's in the places of the generator's.
    pub overlay: Overlay,
}

/// What the manifest of a package says of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Publication {
    /// What it is; the generator has a sentence of its own for a package without it.
    pub description: Option<String>,
    /// Its licence, as an SPDX expression.
    pub license: Option<String>,
    /// The address of its sources.
    pub repository: Option<String>,
}

/// The same as the templates of manifests print it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize)]
pub struct PublicationView<'p> {
    /// What the package is.
    pub description: &'p str,
    /// Its licence, as an SPDX expression.
    pub license: Option<&'p str>,
    /// The address of its sources.
    pub repository: Option<&'p str>,
}

impl Publication {
    /// What templates print; a package that nothing is said of is described by `otherwise`.
    #[must_use]
    pub fn view<'p>(&'p self, otherwise: &'p str) -> PublicationView<'p> {
        PublicationView {
            description: self.description.as_deref().unwrap_or(otherwise),
            license: self.license.as_deref(),
            repository: self.repository.as_deref(),
        }
    }
}

/// How a package gets the code that its types need. Packages for Rust have it either way; those of
/// other languages hold it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Runtime {
    /// The package holds it.
    #[default]
    Vendored,
    /// The package depends on the published crate.
    Dependency,
}
