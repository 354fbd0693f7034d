//! What the runner concludes about a case, with the evidence.

use chatstate_corpus::{Law, RequirementLevel};
use chatstate_protocol::Rejected;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::outcome::Outcome;

/// Declares the verdicts: each with its meaning, which is its documentation too, and its word.
macro_rules! verdicts {
    ($($(#[doc = $meaning:literal])+ $verdict:ident = $word:literal,)+) => {
        /// What the runner concludes about a case.
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
        )]
        pub enum Verdict {
            $($(#[doc = $meaning])+ #[serde(rename = $word)] $verdict,)+
        }

        impl Verdict {
            /// All verdicts, in the order that reports count them.
            pub const ALL: [Self; [$($word),+].len()] = [$(Self::$verdict),+];

            /// The verdict's name in reports.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$verdict => $word,)+
                }
            }

            /// What the verdict means, for people.
            #[must_use]
            pub fn meaning(self) -> &'static str {
                match self {
                    $(Self::$verdict => concat!($($meaning),+).trim_ascii(),)+
                }
            }
        }
    };
}

verdicts! {
    /// The answer is right.
    Pass = "pass",
    /// The answer is wrong, or the adapter declares a capability that it does not have.
    Fail = "fail",
    /// The answer is wrong, but no more than a SHOULD says so.
    Warn = "warn",
    /// The case needs a capability that the adapter does not declare.
    Skip = "skip",
    /// The document was rejected as it should be, but without a class; it counts for no claim.
    Unclassified = "unclassified",
    /// Any answer is right; it is recorded.
    Recorded = "recorded",
    /// The case failed, and a list of expected failures says that it does.
    ExpectedFailure = "expected-failure",
    /// The case passed, and a list of expected failures says that it fails.
    UnexpectedPass = "unexpected-pass",
    /// There was no answer to judge: a crash, a time-out or a malformed line.
    Error = "error",
    /// The case failed, and did not when it was asked once more.
    Flaky = "flaky",
}

impl Verdict {
    /// Whether it is a failure that no list names.
    pub(crate) fn is_unexpected(self) -> bool {
        self.is_failure() || self == Self::Flaky
    }

    /// Whether it is a failure that no list names, and that may be asked once more.
    pub(crate) fn is_failure(self) -> bool {
        matches!(self, Self::Fail | Self::Error)
    }
}

/// Why a verdict is not a plain pass.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// The answer has another value.
    DifferentValue,
    /// The answer is another text, where the text itself is the answer.
    DifferentText,
    /// The text of the answer is not JSON, for this reason.
    NotJson(String),
    /// The document was accepted, and it should be rejected.
    Accepted,
    /// The document was rejected, and it should be accepted.
    #[serde(rename = "refused")]
    Rejected,
    /// The document was rejected for another reason.
    OtherReason,
    /// None of several right answers was given.
    NoAlternative,
    /// The rejection has no class.
    NoClass,
    /// The capability is declared, and the answer says it is not there.
    Unsupported,
    /// The format of the SDK cannot hold the document.
    Unsayable,
    /// The SDK or the adapter broke.
    Fault,
    /// There is no answer.
    NoAnswer,
    /// These capabilities are not declared.
    NotDeclared(Vec<String>),
    /// The case binds the reference alone.
    ReferenceOnly,
    /// The adapter sees its own dialect alone, and the case is about the canonical one.
    OtherDialect(String),
    /// The answer leaves out an optional member, which the case is about.
    LeftOut(String),
    /// Any answer is right, for this reason.
    Open(String),
    /// The answers break laws.
    BrokenLaws,
    /// The document was accepted, and cannot be written back.
    CannotBeWritten,
    /// The document was accepted, and is written back as another one.
    WrittenOtherwise,
    /// The document was accepted although it has a defect, and is written back as a valid one.
    DefectMadeValid,
    /// The case cannot be judged: this is wrong with it.
    MalformedCase(String),
}

/// What a case expected, in the form of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Expected {
    /// A value, as canonical text, or the text itself where that is the answer.
    Ok(String),
    /// A rejection.
    Rejected(Rejected),
    /// Any of these.
    AnyOf(Vec<Expected>),
}

/// One difference between the expected value and the answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DifferenceReport {
    /// The kind of loss.
    pub class: String,
    /// A JSON pointer to it.
    pub at: String,
    /// Where it is in the answer, as a JSON pointer, when it is the same at another place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// The expected value there, as canonical text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// The answer's value there, as canonical text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub got: Option<String>,
}

/// A law that the answers break.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BrokenLaw {
    /// The law.
    pub law: Law,
    /// How it is broken.
    pub problem: String,
    /// The rule that is broken and the place, where a document is rejected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// What differs, where two values should be one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<DifferenceReport>,
    /// What was asked beside the case, where the answer to that breaks the law.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
    /// What the adapter answered to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub got: Option<Outcome>,
}

impl BrokenLaw {
    /// What names this failure: the law, and the first thing that shows it.
    pub(crate) fn fingerprint(&self) -> String {
        let difference = self.differences.first();
        let shown = difference.map(|it| format!("{}@{}", it.class, it.at));
        match self.rule.clone().or(shown) {
            Some(shown) => format!("{}:{shown}", self.law.as_str()),
            None => self.law.as_str().to_owned(),
        }
    }
}

/// The evidence for a verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Detail {
    /// The name of the outcome; absent when nothing was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// Why the verdict is what it is.
    pub cause: Cause,
    /// What the case expected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<Expected>,
    /// What the adapter answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub got: Option<Outcome>,
    /// What the adapter gave when it was asked to write the document of the case back, where that is
    /// what is wrong.
    #[serde(
        default,
        rename = "writtenBack",
        skip_serializing_if = "Option::is_none"
    )]
    pub written_back: Option<Outcome>,
    /// How the two differ, where both are values; where a document was written back, how that differs
    /// from the document of the case.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<DifferenceReport>,
    /// The laws that are broken, in the order of the case.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub laws: Vec<BrokenLaw>,
    /// What names this failure in a list of expected failures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    /// The reason that a list of expected failures gives.
    #[serde(
        default,
        rename = "expectedBecause",
        skip_serializing_if = "Option::is_none"
    )]
    pub expected_because: Option<String>,
    /// The entry of that list.
    #[serde(
        default,
        rename = "expectedAt",
        skip_serializing_if = "Option::is_none"
    )]
    pub expected_at: Option<EntryPlace>,
}

/// Where an entry of a list of expected failures begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EntryPlace {
    /// The file of the list.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
}

/// The sign of an answer whose text is not JSON.
pub(crate) const NOT_JSON: &str = "not-json";

/// The sign of a document that was accepted and should be rejected.
pub(crate) const ACCEPTED: &str = "accepted";

/// What shows a failure: its differences, the broken laws, the reason of a rejection, or the name of the
/// outcome.
pub(crate) fn signs(
    outcome: &Outcome,
    differences: &[DifferenceReport],
    laws: &[BrokenLaw],
) -> Vec<String> {
    let signs = signs_of_values(differences, laws);
    if signs.is_empty() {
        signs_of_outcome(outcome)
    } else {
        signs
    }
}

fn signs_of_values(differences: &[DifferenceReport], laws: &[BrokenLaw]) -> Vec<String> {
    let differences = differences.iter();
    let mut signs: Vec<String> = differences
        .map(|it| format!("{}@{}", it.class, it.at))
        .collect();
    signs.extend(laws.iter().map(BrokenLaw::fingerprint));
    signs
}

fn signs_of_outcome(outcome: &Outcome) -> Vec<String> {
    match outcome {
        Outcome::Rejected(Rejected { class, at, .. }) => {
            let class = class.as_deref().unwrap_or("unclassified");
            vec![format!("rejected:{class}@{}", at.as_deref().unwrap_or(""))]
        }
        Outcome::Unsayable(lost) => {
            let lost = lost.iter().map(|it| format!("{}@{}", it.class, it.at));
            lost.collect()
        }
        Outcome::Malformed { violation, .. } => vec![format!("malformed:{}", violation.name())],
        other => vec![other.name().to_owned()],
    }
}

impl Detail {
    /// What shows the failure: the parts of its fingerprint.
    #[must_use]
    pub fn signs(&self) -> Vec<String> {
        let Some(got) = &self.got else {
            return Vec::new();
        };
        match self.sign_of_writing() {
            None => match self.sign_of_acceptance() {
                Some(sign) => vec![sign.to_owned()],
                None => signs(got, &self.differences, &self.laws),
            },
            Some(sign) => {
                let differences = signs_of_values(&self.differences, &self.laws);
                std::iter::once(sign).chain(differences).collect()
            }
        }
    }

    /// What is wrong with an answer that is no difference to another one.
    fn sign_of_acceptance(&self) -> Option<&'static str> {
        if !self.differences.is_empty() || !self.laws.is_empty() {
            return None;
        }
        match (&self.got, &self.cause) {
            (Some(Outcome::Ok(_)), Cause::NotJson(_)) => Some(NOT_JSON),
            (Some(Outcome::Ok(_)), Cause::Accepted) => Some(ACCEPTED),
            _ => None,
        }
    }

    /// What is wrong with the document that was written back.
    fn sign_of_writing(&self) -> Option<String> {
        match (&self.cause, &self.written_back) {
            (Cause::CannotBeWritten, Some(Outcome::Ok(_))) => {
                Some("cannot-be-written:not-json".to_owned())
            }
            (Cause::CannotBeWritten, Some(written)) => {
                let why = signs_of_outcome(written).join(" ");
                Some(format!("cannot-be-written:{why}"))
            }
            (Cause::WrittenOtherwise, _) => Some("written-otherwise".to_owned()),
            (Cause::DefectMadeValid, _) => Some("made-valid".to_owned()),
            _ => None,
        }
    }

    /// A detail for a case that was not asked.
    pub(crate) fn not_asked(cause: Cause) -> Self {
        Self {
            outcome: None,
            cause,
            expected: None,
            got: None,
            written_back: None,
            differences: Vec::new(),
            laws: Vec::new(),
            fingerprint: None,
            expected_because: None,
            expected_at: None,
        }
    }
}

/// The conclusion about one case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// The evidence, unless the case simply passes.
    pub detail: Option<Detail>,
    /// Members of the expected value that the answer left out and may leave out.
    pub uncompared: Vec<String>,
}

/// What the judge must know beside the case.
#[derive(Debug, Clone, Copy)]
pub struct JudgeOptions {
    /// The most binding level among the case's requirements.
    pub level: RequirementLevel,
    /// Whether the reference itself is under test, which may leave nothing out.
    pub reference: bool,
    /// Whether the adapter can be asked to write back what it accepts: it declares `round-trip`.
    pub writes_back: bool,
}
