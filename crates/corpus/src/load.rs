//! Reads the files of a corpus.

use include_dir::{Dir, include_dir};

use crate::case::Case;
use crate::corpus::Corpus;
use crate::exclusion::{self, Exclusions};
use crate::mutant::{self, Mutant};
use crate::problem::{LintProblem, Problems};

/// The version of the embedded corpus; `since` of a case names the one that brought it.
pub const VERSION: &str = "1";

pub(crate) static EMBEDDED: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../../corpus");

/// Some files of a corpus cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the corpus cannot be read:\n{problems}")]
pub struct LoadError {
    /// What is wrong, at least one thing.
    pub problems: Problems,
}

impl Corpus {
    /// Reads the corpus that is compiled in.
    ///
    /// # Errors
    ///
    /// When a file of it is malformed, which is a fault of the build and not of its user.
    pub fn embedded() -> Result<Self, LoadError> {
        let mut files = Vec::new();
        collect(&EMBEDDED, &mut files);
        load_dir(VERSION, files)
    }
}

fn collect(folder: &Dir<'_>, files: &mut Vec<(String, Vec<u8>)>) {
    for file in folder.files() {
        let parts: Vec<_> = file
            .path()
            .iter()
            .map(|part| part.to_string_lossy())
            .collect();
        files.push((parts.join("/"), file.contents().to_vec()));
    }
    for inner in folder.dirs() {
        collect(inner, files);
    }
}

/// Reads a corpus from its files, each with its path inside the corpus folder (`/` between parts).
///
/// Cases are `<suite>/<slug>.json`; `excluded.toml`, `mutants.toml` and Markdown pages may lie beside
/// them.
///
/// # Errors
///
/// When a path or the content of a file is malformed; every such file is named.
pub fn load_dir(
    version: &str,
    files: impl IntoIterator<Item = (String, Vec<u8>)>,
) -> Result<Corpus, LoadError> {
    let files: Vec<_> = files.into_iter().collect();
    let (mut cases, mut problems) = (Vec::new(), Vec::new());
    let (mut exclusions, mut mutants) = (Exclusions::default(), Vec::new());
    for (path, bytes) in &files {
        match read_file(path, bytes) {
            Ok(FolderContent::Case(case)) => cases.push(*case),
            Ok(FolderContent::Exclusions(rows)) => exclusions = rows,
            Ok(FolderContent::Mutants(rows)) => mutants.extend(rows),
            Ok(FolderContent::Page) => {}
            Err(problem) => problems.push(problem),
        }
    }
    if problems.is_empty() {
        Ok(Corpus::new(version, cases, files, exclusions, mutants))
    } else {
        problems.sort();
        let problems = Problems(problems);
        Err(LoadError { problems })
    }
}

enum FolderContent {
    Case(Box<Case>),
    Exclusions(Exclusions),
    Mutants(Vec<Mutant>),
    Page,
}

fn read_file(path: &str, bytes: &[u8]) -> Result<FolderContent, LintProblem> {
    let file = format!("corpus/{path}");
    let text = std::str::from_utf8(bytes).map_err(|_| {
        let help = "save it as UTF-8; bytes that are not text go into `inputBase64`";
        LintProblem::new(&file, "the file is not UTF-8", help)
    })?;
    if path == exclusion::PATH {
        return exclusion::parse(&file, text).map(FolderContent::Exclusions);
    }
    if path == mutant::PATH {
        return mutant::parse(&file, text).map(FolderContent::Mutants);
    }
    if std::path::Path::new(path)
        .extension()
        .is_some_and(|ending| ending == "md")
    {
        return Ok(FolderContent::Page);
    }
    let id = id_of_path(path).ok_or_else(|| {
        let help = "a case lies at `<suite>/<slug>.json`, in lower-case letters, digits and `-`";
        LintProblem::new(&file, "this is not a place for a file of the corpus", help)
    })?;
    read_case(&file, id, text).map(|case| FolderContent::Case(Box::new(case)))
}

fn id_of_path(path: &str) -> Option<&str> {
    let id = path.strip_suffix(".json")?;
    let (suite, slug) = id.split_once('/')?;
    (is_slug(suite) && is_slug(slug)).then_some(id)
}

/// Lower-case letters and digits in words joined with `-`.
pub(crate) fn is_slug(text: &str) -> bool {
    let word = |word: &str| {
        !word.is_empty()
            && word
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    text.split('-').all(word)
}

fn read_case(file: &str, id: &str, text: &str) -> Result<Case, LintProblem> {
    let help = "`schema/kit/case.schema.json` describes every member of a case";
    let mut case: Case = serde_json::from_str(text)
        .map_err(|error| LintProblem::new(file, error.to_string(), help).at_line(error.line()))?;
    id.clone_into(&mut case.id);
    let inputs = usize::from(case.input.is_some())
        + usize::from(case.input_text.is_some())
        + usize::from(case.input_base64.is_some());
    if inputs == 1 {
        Ok(case)
    } else {
        let message = format!("the case has {inputs} of `input`, `inputText`, `inputBase64`");
        Err(LintProblem::new(file, message, "give exactly one of them"))
    }
}
