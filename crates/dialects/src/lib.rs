//! Documents in other formats than the canonical one.
//!
//! Every dialect is a set of tables ([`table`]): which member of theirs is which member of ours,
//! how the value changes, and what becomes of the rest. One engine reads and writes by them, so
//! that the two directions cannot drift apart. A conversion reads the document of one dialect as a
//! canonical one and writes that in another; what only one dialect understands stays in `ext` under
//! its name, so that going back loses nothing, and whatever another dialect cannot express is
//! reported ([`Loss`]).
//!
//! # How to write a table
//!
//! A dialect is a file with one `pub static DIALECT: Dialect`, listed in [`DIALECTS`].
//!
//! 1. List its kinds of documents ([`table::Document`]): how to recognise one, which canonical type
//!    it is (`ChatState`, `ChatMessage`, `AgentSession`, `SessionList`), and its shape. A list that
//!    is a history is `Shape::Whole(&TABLE)`, where a row calls the list itself `@`.
//! 2. Write a [`table::Table`] for each object, its rows in the order in which the SDK writes:
//!    - `row("ai_model_id", "model", Shape::Text)`: their member, our member, the shape. Ours may be a
//!      path (`ref/file`). Absent and null say the same, unless the row is `.nullable()`.
//!      `.required()` rejects a document without it, `.or_written("{}")` is what the SDK writes for
//!      nothing, `.or_default("false")` is what it means by nothing and need not write,
//!      `.or_means("\"citation\"")` is what an absent member says in the canonical form, and
//!      `.instead("\"\"")` is written (as a loss) where the canonical value cannot be said.
//!      `.or_reads("[]")` is what an absent member says where the SDK writes it all the same. Several
//!      rows may have the same member of theirs; the kind of the value decides.
//!    - `constant("content_type", "\"message\"")`: always this, on their side.
//!    - `implied("channels", "[]")`: always this, on our side.
//!    - `derived("name", function)`: follows from their other members; another value goes to `ext`.
//!    - `lost("participants", "why")`: what has no place there.
//! 3. Objects distinguished by a tag are a [`table::Union`]; one of an unknown type is kept whole.
//! 4. What a row cannot say is a named [`table::Rewrite`], which takes a member apart before the rows
//!    read it and puts it together after they wrote it: `data_uri@mime` is the part `mime` of
//!    `data_uri`.
//!
//! A variant may have a tag on our side that the schema does not name (such as `usage`): it is
//! canonical content of an unknown type, and two dialects that use the same tag and members
//! understand each other.

mod adaptation;
mod ag_ui;
pub mod ag_ui_draft;
pub mod ag_ui_former;
mod agent_framework;
mod agent_framework_dotnet;
mod agent_framework_python;
mod canonical;
mod checks;
mod doc_page;
mod equality;
mod loss;
mod media;
mod path;
mod reading;
mod recognition;
mod results;
mod semantic_kernel_dotnet;
mod semantic_kernel_python;
pub mod table;
mod writing;

use std::fmt;

pub use canonical::HISTORY_ENTRY;
pub use doc_page::page;
pub use equality::same;
pub use loss::{ConversionLoss, Loss};
pub use recognition::recognise;

use adaptation::Adapted;
use chatstate_json::{Class, Rejection};
use chatstate_json::{ObjectWriter, Value, WriteJson, parse, text_of};
use path::Origins;
use reading::Reading;
use table::{Dialect, DialectDocument};
use writing::Writing;

/// The name of the canonical form among the dialects.
pub const CANONICAL: &str = "canonical";

/// Every dialect that tables describe.
pub static DIALECTS: [&Dialect; 5] = [
    &ag_ui::DIALECT,
    &agent_framework_dotnet::DIALECT,
    &agent_framework_python::DIALECT,
    &semantic_kernel_dotnet::DIALECT,
    &semantic_kernel_python::DIALECT,
];

/// A converted document.
#[derive(Debug, Clone, PartialEq)]
pub struct Conversion {
    /// The document in the dialect that was asked for.
    pub document: Value,
    /// What it does not say any more, in the order of the places.
    pub losses: Vec<Loss>,
}

impl WriteJson for Conversion {
    fn write(&self, out: &mut String) {
        ObjectWriter::new(out)
            .member("document", &self.document)
            .member("losses", &self.losses)
            .end();
    }
}

/// Reads a document of the dialect `from` and writes it in the dialect `to`. Either may be
/// [`CANONICAL`]. `None` if there is no such dialect.
///
/// Rejected are a document that is none of `from` (class `schema`; rule `convert.dialect`) and one
/// that `to` has no kind of document for (class `semantic`, rule `convert.document`). Requirements
/// `convert.*`.
///
/// ```
/// use chatstate_dialects::CANONICAL;
/// use chatstate_dialects::convert;
/// use chatstate_json::parse;
///
/// let history = r#"{"messages":[{"content_type":"message","role":"user",
///     "items":[{"content_type":"text","text":"hi"}]}]}"#;
/// let converted = convert(parse(history)?, "semantic-kernel-python", CANONICAL).unwrap()?;
/// assert_eq!(
///     converted.document.to_json(),
///     r#"{"history":[{"role":"user","items":[{"type":"text","text":"hi"}]}],"channels":[]}"#
/// );
/// # Ok::<(), chatstate_json::Rejection>(())
/// ```
#[must_use]
pub fn convert(document: Value, from: &str, to: &str) -> Option<Result<Conversion, Rejection>> {
    let (source, target) = sides(from, to)?;
    Some(converted(document, source, target, None))
}

/// Reads the bytes of a document of the dialect `from` and writes it in the dialect `to`, as a
/// document of `kind` where one is asked for. `None` if there is no such dialect.
///
/// A byte order mark is passed over where the dialect's own readers do so, and JSON Lines are a list
/// where the SDK saves one so. Rejected are, beside what
/// [`convert`] rejects, what is not JSON (class `syntax`) and a kind of document that `to` does not
/// have (class `semantic`, rule `convert.document`).
#[must_use]
pub fn convert_bytes(
    bytes: &[u8],
    from: &str,
    to: &str,
    kind: Option<&str>,
) -> Option<Result<Conversion, Rejection>> {
    let (source, target) = sides(from, to)?;
    let bytes = match source {
        Some(source) if source.allows_byte_order_mark => {
            bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes)
        }
        _ => bytes,
    };
    let document = text_of(bytes).and_then(|text| match source {
        Some(source) if source.allows_lines => parse_lines(text),
        _ => parse(text),
    });
    Some(document.and_then(|document| converted(document, source, target, kind)))
}

/// A document, or a list that has a line for each of its items. What is neither is rejected as a
/// document.
fn parse_lines(text: &str) -> Result<Value, Rejection> {
    let rejected = match parse(text) {
        Err(rejection) if rejection.class == Class::Syntax => rejection,
        whole => return whole,
    };
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let items: Result<Vec<_>, _> = lines.map(parse).collect();
    match items {
        Ok(items) if !items.is_empty() => Ok(Value::Array(items)),
        _ => Err(rejected),
    }
}

/// Reads a document of the dialect `from` as a canonical one of a type, where it can be read as
/// several: an empty list is a chat without messages, or no session. `None` if there is no such
/// dialect. Rejected as by [`convert`].
#[must_use]
pub fn read_as(document: Value, from: &str, type_name: &str) -> Option<Result<Value, Rejection>> {
    let source = dialect(from)?;
    let mut kinds = source.documents.iter();
    let kind = kinds.find(|kind| kind.canonical == type_name && (kind.matches)(&document));
    let read = match kind {
        Some(kind) => read_kind(document, source, kind),
        None => read(document, Some(source)),
    };
    Some(read.map(|read| read.canonical))
}

/// The two sides of a conversion; a side without a dialect is the canonical form.
type Sides = (Option<&'static Dialect>, Option<&'static Dialect>);

/// The sides by their names, if there are such.
fn sides(from: &str, to: &str) -> Option<Sides> {
    let is_known = |name| name == CANONICAL || dialect(name).is_some();
    (is_known(from) && is_known(to)).then(|| (dialect(from), dialect(to)))
}

/// A dialect by its name.
#[must_use]
pub fn dialect(name: &str) -> Option<&'static Dialect> {
    DIALECTS.iter().copied().find(|known| known.name == name)
}

/// The names of all dialects, [`CANONICAL`] first.
pub fn names() -> impl Iterator<Item = &'static str> {
    std::iter::once(CANONICAL).chain(DIALECTS.iter().map(|dialect| dialect.name))
}

fn converted(
    document: Value,
    source: Option<&'static Dialect>,
    target: Option<&'static Dialect>,
    kind: Option<&str>,
) -> Result<Conversion, Rejection> {
    let ReadDocument {
        type_name,
        mut canonical,
        losses: read_losses,
        origin,
    } = read(document, source)?;
    let Some(target) = target else {
        if let Some(kind) = kind {
            let message = format!("`{CANONICAL}` has no kinds of documents, and no `{kind}`");
            return Err(Rejection::new(Class::Semantic, "convert.document", message));
        }
        return Ok(Conversion {
            document: canonical,
            losses: read_losses,
        });
    };
    results::settle(&mut canonical, target);
    let mut conversion = write(canonical, type_name, target, kind)?;
    if let Some((source, kind, document)) = origin
        && !conversion.losses.is_empty()
    {
        let origins = origins(source, kind, document.clone())?;
        for loss in &mut conversion.losses {
            loss.at = path::nearest(&document, &origins.of(&loss.at));
        }
    }
    // What was lost on reading matters where the value around it is written.
    let is_lost = |loss: &Loss| conversion.losses.iter().any(|it| loss.is_within(&it.at));
    let mut losses = read_losses;
    losses.retain(|loss| !is_lost(loss));
    conversion.losses.extend(losses);
    conversion.losses.sort_by_cached_key(Loss::place);
    Ok(conversion)
}

/// A document that was read as a canonical one.
struct ReadDocument {
    /// Its canonical type.
    type_name: &'static str,
    canonical: Value,
    /// What the canonical form does not say, at places in what was read.
    losses: Vec<Loss>,
    /// What it was read from, so that places can be looked up.
    origin: Option<(&'static Dialect, &'static DialectDocument, Value)>,
}

/// Reads a document as a canonical one, and says its type.
fn read(document: Value, source: Option<&'static Dialect>) -> Result<ReadDocument, Rejection> {
    let Some(source) = source else {
        let type_name = canonical::type_of(&document)
            .map_err(|rejection| recognition::explained(rejection, &document, CANONICAL))?;
        return Ok(ReadDocument {
            type_name,
            canonical: document,
            losses: Vec::new(),
            origin: None,
        });
    };
    let Some(kind) = source
        .documents
        .iter()
        .find(|kind| (kind.matches)(&document))
    else {
        return Err(recognition::rejected(&document, source));
    };
    read_kind(document, source, kind)
}

/// Reads a document as one of a kind.
fn read_kind(
    document: Value,
    source: &'static Dialect,
    kind: &'static DialectDocument,
) -> Result<ReadDocument, Rejection> {
    let original = document.clone();
    let mut reading = Reading::new(source.name, None);
    let read = reading.value(&kind.shape, document);
    let mut losses = reading.losses;
    losses.sort_by_cached_key(Loss::place);
    let read = read.map_err(|rejection| Rejection {
        at: path::nearest(&original, &rejection.at),
        ..rejection
    })?;
    if let Err(mut rejection) = canonical::check(kind.canonical, &read) {
        rejection.at = origins(source, kind, original)?.of(&rejection.at);
        return Err(rejection);
    }
    Ok(ReadDocument {
        type_name: kind.canonical,
        canonical: read,
        losses,
        origin: Some((source, kind, original)),
    })
}

/// Reads a document once more, to see where everything was.
fn origins(
    source: &'static Dialect,
    kind: &'static DialectDocument,
    document: Value,
) -> Result<Origins, Rejection> {
    let mut origins = Origins::default();
    Reading::new(source.name, Some(&mut origins)).value(&kind.shape, document)?;
    Ok(origins)
}

/// Writes a canonical document, as one of another type where the dialect has none of its own.
fn write(
    canonical: Value,
    type_name: &str,
    target: &'static Dialect,
    kind: Option<&str>,
) -> Result<Conversion, Rejection> {
    let asked = |document: &&DialectDocument| kind.is_none_or(|kind| kind == document.name);
    let kinds = || target.documents.iter().filter(asked);
    let same = kinds()
        .find(|it| it.canonical == type_name && (kind.is_some() || (it.accepts)(&canonical)));
    if let Some(document) = same {
        return written(canonical, document, target);
    }
    for document in kinds() {
        let adapted = adaptation::adapt(&canonical, type_name, document.canonical);
        let fits = |it: &Adapted| kind.is_some() || (document.accepts)(&it.document);
        if let Some(mut adapted) = adapted.filter(fits) {
            let new = std::mem::take(&mut adapted.document);
            let conversion = written(new, document, target).map_err(|rejection| Rejection {
                at: adapted.before(&rejection.at),
                ..rejection
            })?;
            let mut losses = std::mem::take(&mut adapted.losses);
            losses.extend(conversion.losses.into_iter().map(|loss| Loss {
                at: adapted.before(&loss.at),
                ..loss
            }));
            return Ok(Conversion {
                losses,
                ..conversion
            });
        }
    }
    Err(no_kind(type_name, target, kind))
}

fn no_kind(type_name: &str, target: &Dialect, kind: Option<&str>) -> Rejection {
    let wanted = kind.map(|kind| format!(" `{kind}`")).unwrap_or_default();
    let known: Vec<_> = target
        .documents
        .iter()
        .map(|kind| format!("`{}`", kind.name))
        .collect();
    let message = format!(
        "`{}` has no kind of document{wanted} that can hold this {type_name}; it has {}",
        target.name,
        known.join(", ")
    );
    Rejection::new(Class::Semantic, "convert.document", message)
}

fn written(
    canonical: Value,
    kind: &DialectDocument,
    target: &'static Dialect,
) -> Result<Conversion, Rejection> {
    let mut writing = Writing::new(target.name);
    match writing.value(&kind.shape, canonical) {
        Ok(document) => {
            check_depth(&document, target)?;
            Ok(Conversion {
                document,
                losses: writing.losses,
            })
        }
        Err(it) => Err(Rejection {
            at: it.at,
            ..Rejection::new(Class::Semantic, "convert.unsayable", it.why)
        }),
    }
}

/// Whether the readers of a dialect take so deep a document.
fn check_depth(document: &Value, target: &Dialect) -> Result<(), Rejection> {
    let is_deeper = |max: &usize| depth(document) > *max;
    match target.max_depth.filter(is_deeper) {
        None => Ok(()),
        Some(max) => {
            let message = format!(
                "the document would be deeper than {max} levels, and no reader of `{}` takes it; \
                 make a value less deep",
                target.name
            );
            Err(Rejection::new(
                Class::Semantic,
                "convert.unsayable",
                message,
            ))
        }
    }
}

/// How many lists and objects are within each other.
fn depth(value: &Value) -> usize {
    let deepest = |depth: Option<usize>| depth.unwrap_or_default() + 1;
    match value {
        Value::Array(items) => deepest(items.iter().map(depth).max()),
        Value::Object(members) => deepest(members.iter().map(|(_, it)| depth(it)).max()),
        _ => 0,
    }
}

/// Something that a conversion made up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invention {
    /// A JSON pointer to the place in the document that did not say it.
    pub at: String,
    /// What was made up, for people.
    pub message: String,
}

impl fmt::Display for Invention {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}, at `{}`", self.message, self.at)
    }
}

impl WriteJson for Invention {
    fn write(&self, out: &mut String) {
        ObjectWriter::new(out)
            .text("at", &self.at)
            .text("message", &self.message)
            .end();
    }
}
