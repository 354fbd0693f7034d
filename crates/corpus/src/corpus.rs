//! All cases together.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

use sha2::{Digest, Sha256};

use crate::case::Case;
use crate::exclusion::{Exclusion, Exclusions, Uncovered};
use crate::load::{LoadError, load_dir};
use crate::mutant::Mutant;
use crate::problem::{LintProblem, Problems};

/// The cases of one version, in the order of their ids.
#[derive(Debug, Clone)]
pub struct Corpus {
    version: String,
    digest: String,
    cases: Vec<Case>,
    files: Vec<(String, Vec<u8>)>,
    exclusions: Exclusions,
    mutants: Vec<Mutant>,
    by_name: HashMap<String, usize>,
}

impl Corpus {
    /// Puts together what loading has read; sorts the cases and the files.
    pub(crate) fn new(
        version: &str,
        mut cases: Vec<Case>,
        mut files: Vec<(String, Vec<u8>)>,
        exclusions: Exclusions,
        mutants: Vec<Mutant>,
    ) -> Self {
        cases.sort_by(|a, b| a.id.cmp(&b.id));
        files.sort();
        Self {
            version: version.to_owned(),
            digest: digest(&cases, &files),
            by_name: names(&cases),
            cases,
            files,
            exclusions,
            mutants,
        }
    }

    /// The version of the corpus.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Lower-case hex SHA-256 over the ids and the bytes of all cases, in the order of the ids.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// All cases, in the order of their ids.
    #[must_use]
    pub fn cases(&self) -> &[Case] {
        &self.cases
    }

    /// Finds a case by its id or by one of its aliases.
    #[must_use]
    pub fn case(&self, name: &str) -> Option<&Case> {
        self.by_name.get(name).map(|&index| &self.cases[index])
    }

    /// Every file with its path inside the corpus, in the order of the paths.
    pub fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.files
            .iter()
            .map(|(path, bytes)| (path.as_str(), bytes.as_slice()))
    }

    /// The text of a case's file.
    #[must_use]
    pub fn text(&self, case: &Case) -> &str {
        let path = case.path();
        let found = self.files.binary_search_by(|(name, _)| name.cmp(&path));
        let bytes = found.map_or(&[][..], |index| &self.files[index].1);
        std::str::from_utf8(bytes).unwrap_or("")
    }

    /// This corpus with cases of one's own beside its own, each file with its path inside of its folder.
    /// A file that is there already is passed over.
    ///
    /// # Errors
    ///
    /// When a file is malformed, or a case has the id of another one.
    pub fn with_cases(
        &self,
        files: impl IntoIterator<Item = (String, Vec<u8>)>,
    ) -> Result<Self, LoadError> {
        let (mut own, mut problems) = (BTreeMap::new(), Vec::new());
        for (path, bytes) in files {
            let known = self.files().find(|(known, _)| *known == path);
            let known = known.map(|(_, bytes)| bytes);
            let known = known.or_else(|| own.get(&path).map(Vec::as_slice));
            match known {
                None => {
                    own.insert(path, bytes);
                }
                Some(known) if known == bytes => {}
                Some(_) => {
                    let help = "give it another name; an id never changes its meaning";
                    let message = "another case has this id";
                    problems.push(LintProblem::new(&format!("corpus/{path}"), message, help));
                }
            }
        }
        if !problems.is_empty() {
            let problems = Problems(problems);
            return Err(LoadError { problems });
        }
        let read = load_dir(&self.version, own)?;
        let cases = self.cases.iter().chain(&read.cases).cloned().collect();
        let files = self.files.iter().chain(&read.files).cloned().collect();
        let (exclusions, mutants) = (self.exclusions.clone(), self.mutants.clone());
        Ok(Self::new(&self.version, cases, files, exclusions, mutants))
    }

    /// The requirements that no case tests, with the reasons.
    #[must_use]
    pub fn exclusions(&self) -> &[Exclusion] {
        &self.exclusions.excluded
    }

    /// The points of the schema that no case covers, with the reasons.
    #[must_use]
    pub fn uncovered(&self) -> &[Uncovered] {
        &self.exclusions.uncovered
    }

    /// The mutants of the reference that cases may name in `kills`, in the order of their list.
    #[must_use]
    pub fn mutants(&self) -> &[Mutant] {
        &self.mutants
    }
}

/// An id wins over an alias, and an earlier case over a later one; lint rejects both clashes.
fn names(cases: &[Case]) -> HashMap<String, usize> {
    let mut names = HashMap::new();
    for (index, case) in cases.iter().enumerate() {
        names.insert(case.id.clone(), index);
    }
    for (index, case) in cases.iter().enumerate() {
        for alias in &case.aliases {
            names.entry(alias.clone()).or_insert(index);
        }
    }
    names
}

/// The length of each file is part of what is hashed, so that no two corpora look alike by where
/// one file ends and the next begins.
fn digest(cases: &[Case], files: &[(String, Vec<u8>)]) -> String {
    let mut hasher = Sha256::new();
    for case in cases {
        let path = case.path();
        let Ok(index) = files.binary_search_by(|(name, _)| name.cmp(&path)) else {
            continue;
        };
        let bytes = &files[index].1;
        hasher.update(format!("{}\n{}\n", case.id, bytes.len()));
        hasher.update(bytes);
    }
    let mut text = String::with_capacity(64);
    for byte in hasher.finalize() {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}
