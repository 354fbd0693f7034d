//! The schema that types are made of: files, or chatstate's own.

use std::path::Path;

use chatstate::generated::SCHEMAS;
use chatstate::json::{text_of, visible_lines};
use chatstate_codegen::{Package, Publication, Runtime};
use chatstate_schema_model::{
    Ir, Lock, OpaquePlaces, ReadOptions, ReadSchemas, SchemaProfile, SchemaText, read_with,
};

use super::emitted::EmittedModel;
use super::templates::overlay;
use super::{ALL, obstacles};
use crate::arguments::Generate;
use crate::failure::Failure;
use crate::input::InputDocument;
use crate::output;

/// What a schema that comes from stdin is called.
const STDIN: &str = "stdin";

/// U+FEFF in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The name of the package of chatstate's own schema.
const OWN_NAME: &str = "chatstate";

/// The texts of schema files by their names.
pub struct Sources {
    texts: Vec<(String, String)>,
    /// The model that was read instead.
    model: Option<EmittedModel>,
    /// Whether they are chatstate's own.
    own: bool,
    runtime: Runtime,
}

impl Sources {
    /// Reads the files that were named; without any, chatstate's own schema is meant.
    pub fn load(arguments: &Generate) -> Result<Self, Failure> {
        let runtime = runtime(arguments)?;
        if let Some(path) = &arguments.ir {
            return Self::of_model(path, runtime);
        }
        if arguments.schema.is_empty() {
            return Ok(Self::own(runtime));
        }
        let texts = arguments.schema.iter().map(|path| load(path));
        Ok(Self {
            texts: texts.collect::<Result<_, _>>()?,
            own: false,
            model: None,
            runtime,
        })
    }

    /// Chatstate's own schema.
    fn own(runtime: Runtime) -> Self {
        let own = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
        Self {
            texts: SCHEMAS.iter().map(own).collect(),
            own: true,
            model: None,
            runtime,
        }
    }

    /// A model that was printed before.
    fn of_model(path: &Path, runtime: Runtime) -> Result<Self, Failure> {
        let (name, text) = load(path)?;
        let model = EmittedModel::read(&name, &text)?;
        let own = Self::own(runtime).read_schemas(&ReadOptions::default())?;
        Ok(Self {
            texts: Vec::new(),
            own: model.is_of(&own.lock),
            model: Some(model),
            runtime,
        })
    }

    /// The model, with the names that earlier runs gave. Each place that is read as any JSON value
    /// is told.
    pub fn read(&self, arguments: &Generate, lock: Lock) -> Result<ReadSchemas, Failure> {
        if let Some(model) = &self.model {
            return Ok(model.clone().into());
        }
        // Chatstate's own schema is held to the strict profile where it is written.
        let options = ReadOptions {
            profile: SchemaProfile::Ordinary,
            lock,
            opaque: opaque_places(&arguments.opaque),
            at: arguments.at.clone(),
            unknown: arguments.unknown.map(Into::into).unwrap_or_default(),
        };
        let reading = self.read_schemas(&options)?;
        reading.opaque.iter().for_each(obstacles::warn);
        Ok(reading)
    }

    fn read_schemas(&self, options: &ReadOptions) -> Result<ReadSchemas, Failure> {
        let texts: Vec<SchemaText<'_>> = self
            .texts
            .iter()
            .map(|(name, text)| SchemaText { name, text })
            .collect();
        Ok(read_with(&texts, options)?)
    }

    /// The package, which is called after its schema where no name is given.
    pub fn package(&self, arguments: &Generate, ir: &Ir) -> Result<Package, Failure> {
        let own = self.own.then(|| OWN_NAME.to_owned());
        let titled = || words(ir.schemas.first().map_or("", |schema| &schema.title));
        let name = arguments.name.clone().or(own).unwrap_or_else(titled);
        if words(&name) != name || !name.starts_with(|first: char| first.is_ascii_lowercase()) {
            let message = format!("`{name}` is not the name of a package");
            let help = "give one with `--name`, in lower-case words with `-` between, such as `agent-protocol`";
            return Err(Failure::usage(message, Some(help.to_owned())));
        }
        let templates = arguments.templates.as_deref();
        Ok(Package {
            name,
            behaviour: arguments.only.is_none() && self.has_behaviour(ir)?,
            publication: self.publication(arguments),
            runtime: self.runtime,
            overlay: templates.map(overlay).transpose()?.unwrap_or_default(),
        })
    }
}

impl Sources {
    /// Whether packages have what people wrote about the documents of chatstate's own schema: this
    /// schema is it or extends it. One with roles of events that does not is told why.
    fn has_behaviour(&self, ir: &Ir) -> Result<bool, Failure> {
        if self.own || ir.roles.is_none() {
            return Ok(self.own);
        }
        let own = Self::own(self.runtime).read_schemas(&ReadOptions::default())?;
        let Some(departure) = ir.departure_from(&own.ir) else {
            return Ok(true);
        };
        output::note(&visible_lines(&format!(
            "note: packages have types alone, and neither chats nor event streams: these are about \
             chatstate's own schema, and in this one {departure}"
        )));
        Ok(false)
    }

    /// What manifests say; of chatstate's own package, its licence too.
    fn publication(&self, arguments: &Generate) -> Publication {
        let license = self.own.then(|| env!("CARGO_PKG_LICENSE").to_owned());
        Publication {
            description: arguments.description.clone(),
            license: arguments.license.clone().or(license),
            repository: arguments.repository.clone(),
        }
    }
}

/// The places that `--opaque` names.
fn opaque_places(words: &[String]) -> OpaquePlaces {
    let (all, places) = words.iter().partition::<Vec<_>, _>(|word| *word == ALL);
    OpaquePlaces {
        all: !all.is_empty(),
        places: places.into_iter().cloned().collect(),
    }
}

/// How packages get their runtime. Only those for Rust have it otherwise than in themselves.
fn runtime(arguments: &Generate) -> Result<Runtime, Failure> {
    let is_for_rust = arguments.language.as_deref() == Some("rust");
    match arguments.runtime {
        None => Ok(Runtime::default()),
        Some(runtime) if is_for_rust => Ok(runtime.into()),
        Some(_) => Err(Failure::usage(
            "`--runtime` is for packages in Rust alone",
            Some("leave it out: the packages of other languages hold their runtime".to_owned()),
        )),
    }
}

fn load(path: &Path) -> Result<(String, String), Failure> {
    let input = InputDocument::read(Some(&path.to_path_buf()))?;
    // A mark of byte order is no part of the text.
    let bytes = input.bytes();
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    let text = text_of(bytes).map_err(|rejection| input.rejected(&rejection))?;
    let is_stdin = path.as_os_str() == "-";
    let file = path.file_name().unwrap_or(path.as_os_str());
    let name = if is_stdin { STDIN.as_ref() } else { file };
    Ok((name.to_string_lossy().into_owned(), text.to_owned()))
}

/// A text as lower-case words with `-` between.
fn words(text: &str) -> String {
    let parts = text.split(|character: char| !character.is_ascii_alphanumeric());
    let parts: Vec<String> = parts
        .filter(|part| !part.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    parts.join("-")
}
