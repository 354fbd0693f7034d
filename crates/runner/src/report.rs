//! What a run found. The modules below write it, each in one format; `lines` and `json` can be read
//! again.

mod badge;
mod causes;
mod compare;
mod evidence;
mod github;
mod html;
pub mod json;
mod junit;
pub mod lines;
mod markdown;
mod merge;
pub(crate) mod messages;
mod sarif;
mod status;
mod tap;
pub mod text;
mod verify;

pub use badge::render as badge;
pub use compare::{CaseChange, CaseState, Compared, Direction, RunComparison, compare};
pub use github::render as github;
pub use html::render as html;
pub use junit::render as junit;
pub use lines::{ReadError, read};
pub use markdown::render as markdown;
pub use merge::{MergeError, merge};
pub use sarif::render as sarif;
pub use tap::render as tap;
pub use verify::{ReportVerification, verify};

use std::collections::BTreeMap;

use chatstate_corpus::Fixtures;
use chatstate_protocol::ImplementationName;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::{Deserialize, Serialize};

use crate::canary::CanaryFailure;
use crate::command::quoted;
use crate::expectations::StaleExpectation;
use crate::judgement::{Detail, Verdict};

/// The result of a run; its JSON Schema is `schema/kit/report.schema.json`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Report")]
pub struct RunReport {
    /// The file that it was read from, by which people tell runs of one SDK apart. It is no part of the
    /// report.
    #[serde(skip)]
    pub file: Option<String>,
    /// The SDK under test, as its adapter introduced it.
    pub implementation: ImplementationName,
    /// What it declared, in its own order.
    pub capabilities: Vec<String>,
    /// The command that started the adapter; absent for the built-in reference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adapter: Option<String>,
    /// Whether a transcript was judged, and nothing started.
    #[serde(default, skip_serializing_if = "is_false")]
    pub replayed: bool,
    /// The operating system that it ran on.
    pub os: String,
    /// The version of this kit.
    pub kit: String,
    /// The cases it was tested against.
    pub corpus: CorpusName,
    /// Lower-case hex SHA-256 of each file of the canonical schema.
    pub schemas: BTreeMap<String, String>,
    /// Which cases were selected; absent for the whole corpus.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selection: Option<SelectionName>,
    /// How many cases have each verdict.
    pub summary: BTreeMap<Verdict, usize>,
    /// Every judged case, in the order of the ids.
    pub cases: Vec<CaseReport>,
    /// Why nothing was scored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canary: Option<CanaryFailure>,
    /// Why not everything was judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub incomplete: Option<Incomplete>,
    /// Selected cases that were not judged, in the order of the ids.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_judged: Vec<String>,
    /// Expected failures that are out of date.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stale: Vec<StaleExpectation>,
    /// Declared capabilities that this kit does not know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown_capabilities: Vec<String>,
}

/// Which part of a corpus was selected.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SelectionName {
    /// The files of fixtures that the cases were made of, where they are none of the corpus.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fixtures: Vec<String>,
    /// The folders with cases of one's own that were run beside those of the corpus.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub corpora: Vec<String>,
    /// The patterns that ids had to match.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<String>,
    /// The suites.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suites: Vec<String>,
    /// Which share of these was taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
}

impl SelectionName {
    /// Whether it is a part of the cases that there were.
    #[must_use]
    pub fn is_part(&self) -> bool {
        !self.only.is_empty() || !self.suites.is_empty() || self.shard.is_some()
    }
}

/// One of several equal shares of a selection, which machines work off side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Shard {
    /// Which one, from 1.
    pub index: usize,
    /// How many there are.
    pub of: usize,
}

/// The version and digest of a corpus.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CorpusName {
    /// The version of the corpus.
    pub version: String,
    /// Lower-case hex SHA-256 over the ids and bytes of its cases.
    pub digest: String,
}

/// Why a run did not judge all that it should have. Exit code 3.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Incomplete {
    /// No case was selected.
    NothingSelected,
    /// Every selected case needs a capability that is not declared.
    EverythingSkipped,
    /// So many cases crashed the adapter, hung it or broke the protocol.
    CrashBudgetSpent(usize),
    /// The adapter did not start again, in these words.
    CouldNotRestart(String),
    /// The transcript that was judged does not hold so many of the requests.
    NotInTranscript(usize),
    /// The run was to stop at the first failure that no list names, and did. Exit code 1.
    FirstFailure,
}

/// One case with its verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CaseReport {
    /// The id of the case.
    pub id: String,
    /// The file of a case of the user's own, which lies beside the corpus.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// What the runner concludes.
    pub verdict: Verdict,
    /// What the runner concluded when it asked once more, where that is something else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<Verdict>,
    /// The requirements that the case tests.
    pub requirements: Vec<String>,
    /// The document or the events that were sent, where there is evidence; the beginning of a long one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// The evidence, unless the case simply passes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<Detail>,
    /// Members of a replay that the adapter left out and that were not compared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uncompared: Vec<String>,
    /// What must be true.
    pub title: String,
    /// Why it matters.
    pub why: String,
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands over references"
)]
fn is_false(value: &bool) -> bool {
    !value
}

impl RunReport {
    /// How many cases have this verdict.
    #[must_use]
    pub fn count(&self, verdict: Verdict) -> usize {
        self.summary.get(&verdict).copied().unwrap_or(0)
    }

    /// How many cases failed although no list says so.
    #[must_use]
    pub fn unexpected(&self) -> usize {
        let verdicts = [Verdict::Fail, Verdict::Error, Verdict::Flaky];
        verdicts.into_iter().map(|it| self.count(it)).sum()
    }

    /// The command that runs one case again, as a user would type it.
    #[must_use]
    pub fn command(&self, case: &str) -> String {
        let adapter = self.adapter.as_ref();
        let adapter = adapter.map_or(String::new(), |adapter| format!(" -- {adapter}"));
        format!(
            "chatstate test{}{} --only {case}{adapter}",
            self.fixtures(case),
            self.corpora()
        )
    }

    /// The argument that names the files of the fixture that a case was made of.
    fn fixtures(&self, case: &str) -> String {
        let files = self.selection.iter().flat_map(|it| &it.fixtures);
        let suite = case.split_once('/').map(|(suite, _)| suite);
        let own = files.filter(|file| Some(Fixtures::suite(file).as_str()) == suite);
        let own: Vec<_> = own.map(|file| quoted(file)).collect();
        if own.is_empty() {
            return String::new();
        }
        format!(" --fixtures {}", own.join(" "))
    }

    /// The arguments that name the folders with own cases.
    fn corpora(&self) -> String {
        let folders = self.selection.iter().flat_map(|it| &it.corpora);
        let words: Vec<String> = folders
            .flat_map(|it| [" --corpus ".to_owned(), quoted(it)])
            .collect();
        words.concat()
    }

    /// The exit code: 0 as expected, 1 an unexpected result or a failed canary, 3 incomplete, 4 only
    /// expected failures that are out of date. What was not judged weighs more than what failed.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        let stopped = self.incomplete == Some(Incomplete::FirstFailure);
        if self.canary.is_some() || stopped {
            1
        } else if self.incomplete.is_some() {
            3
        } else if self.unexpected() > 0 {
            1
        } else if self.count(Verdict::UnexpectedPass) > 0 || !self.stale.is_empty() {
            4
        } else {
            0
        }
    }
}

/// Counts the verdicts; each one is there, also when no case has it.
pub(crate) fn summary(cases: &[CaseReport]) -> BTreeMap<Verdict, usize> {
    let mut summary = BTreeMap::from(Verdict::ALL.map(|verdict| (verdict, 0)));
    for case in cases {
        *summary.entry(case.verdict).or_default() += 1;
    }
    summary
}

/// Gives the JSON Schema of the report, as `schema/kit/report.schema.json` holds it.
#[must_use]
pub fn schema() -> serde_json::Value {
    // The report is only written here, so a member that may be left out is not required.
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let generator = settings.into_generator();
    generator.into_root_schema_for::<RunReport>().to_value()
}
