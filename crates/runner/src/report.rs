//! What a run found. `report::json` and `report::text` write it down.

pub mod json;
pub mod text;

use std::collections::BTreeMap;

use chatstate_adapter::ImplementationName;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;

use crate::canary::CanaryFailure;
use crate::expectations::StaleExpectation;
use crate::judgement::{Detail, Verdict};

/// The result of a run; its JSON Schema is `schema/kit/report.schema.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Report")]
pub struct RunReport {
    /// The SDK under test, as its adapter introduced it.
    pub implementation: ImplementationName,
    /// The cases it was tested against.
    pub corpus: CorpusName,
    /// How many cases have each verdict.
    pub summary: BTreeMap<Verdict, usize>,
    /// Every judged case, in the order of the ids.
    pub cases: Vec<CaseReport>,
    /// Why nothing was scored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub canary: Option<CanaryFailure>,
    /// Why not everything was judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub incomplete: Option<Incomplete>,
    /// Selected cases that were not judged, in the order of the ids.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_judged: Vec<String>,
    /// Expected failures that are out of date.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stale: Vec<StaleExpectation>,
    /// Declared capabilities that this kit does not know.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unknown_capabilities: Vec<String>,
}

/// The version and digest of a corpus.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CorpusName {
    /// The version of the corpus.
    pub version: String,
    /// Lower-case hex SHA-256 over the ids and bytes of its cases.
    pub digest: String,
}

/// Why a run did not judge all that it should have. Exit code 3.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
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
}

/// One case with its verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CaseReport {
    /// The id of the case.
    pub id: String,
    /// What the runner concludes.
    pub verdict: Verdict,
    /// The requirements that the case tests.
    pub requirements: Vec<String>,
    /// The evidence, unless the case simply passes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<Detail>,
    /// Members of a replay that the adapter left out and that were not compared.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub uncompared: Vec<String>,
    /// What must be true, for the text report.
    #[serde(skip)]
    pub title: String,
    /// Why it matters, for the text report.
    #[serde(skip)]
    pub why: String,
}

impl RunReport {
    /// How many cases have this verdict.
    #[must_use]
    pub fn count(&self, verdict: Verdict) -> usize {
        self.summary.get(&verdict).copied().unwrap_or(0)
    }

    /// The exit code: 0 as expected, 1 an unexpected result or a failed canary, 3 incomplete, 4 only
    /// expected failures that are out of date. What was not judged weighs more than what failed.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        if self.canary.is_some() {
            1
        } else if self.incomplete.is_some() {
            3
        } else if self.count(Verdict::Fail) + self.count(Verdict::Error) > 0 {
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
