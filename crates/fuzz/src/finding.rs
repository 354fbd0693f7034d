//! What was found, written as a case that can be kept.

use std::collections::BTreeMap;

use chatstate_arbitrary::mutations::size;
use chatstate_corpus::{Case, Expect, Law, Requirement};
use chatstate_json::{Value, digest};
use chatstate_protocol::ImplementationName;
use chatstate_runner::{CaseReport, Judgement};
use serde_json::{Map, Value as Json, json};

use crate::kind::law_of;
use crate::oracle::AnsweredQuestion;
use crate::search::SearchGoal;

/// An input that an implementation gets wrong.
#[derive(Debug, Clone)]
pub struct FuzzFinding {
    /// The kinds of failures that it shows, first the one that it was found by.
    pub kinds: Vec<String>,
    /// How many questions showed that one.
    pub count: u64,
    /// How large the input was that it was found by, and how large it is now: in events where the
    /// document is a list, else in values.
    pub size: (usize, usize),
    /// Whether it happened again when it was asked once more. What does not is reported as it was.
    pub happens_again: bool,
    /// The case with what the answer was.
    pub report: CaseReport,
    /// The case as the text of a file of the corpus.
    pub case: String,
}

/// How something was found.
pub(crate) struct Circumstances<'a> {
    pub(crate) number: u64,
    pub(crate) goal: SearchGoal,
    pub(crate) implementation: &'a ImplementationName,
    pub(crate) requirements: &'a [Requirement],
    pub(crate) happens_again: bool,
    pub(crate) exact: bool,
    pub(crate) before: &'a Value,
}

impl FuzzFinding {
    pub(crate) fn new(
        how: &Circumstances<'_>,
        asked: AnsweredQuestion,
        judgement: Judgement,
        kinds: Vec<String>,
    ) -> Self {
        let kind = kinds.first().cloned().unwrap_or_default();
        let document = &asked.question.document;
        let mark: String = digest(document).chars().take(8).collect();
        let words = words_of(&kind);
        let name = format!("{} {}", how.implementation.name, how.implementation.version);
        let mut requirements = asked.case.requirements.clone();
        if requirements.is_empty() {
            requirements = vec![requirement(&kind, &asked, how.requirements)];
        }
        let case = Case {
            id: format!("{}/found-{words}-{mark}", suite(&asked.case.op)),
            title: format!(
                "{} is right where a search found {kind} ({mark})",
                asked.case.op
            ),
            requirements,
            why: format!("{name} gets this wrong, as a search has found"),
            aliases: Vec::new(),
            kills: Vec::new(),
            source: Some(source(how, &asked.case.op, &name)),
            ..asked.case
        };
        Self {
            kinds,
            count: 0,
            size: (extent(how.before), extent(document)),
            happens_again: how.happens_again,
            case: text(&case, how.exact),
            report: CaseReport {
                id: case.id,
                file: None,
                verdict: judgement.verdict,
                again: None,
                requirements: case.requirements,
                input: None,
                detail: judgement.detail,
                uncompared: judgement.uncompared,
                title: case.title,
                why: case.why,
            },
        }
    }

    /// Takes over how often its kind was seen.
    pub(crate) fn count(&mut self, seen: &BTreeMap<String, u64>) {
        let kind = self.kinds.first();
        self.count = kind.and_then(|kind| seen.get(kind)).copied().unwrap_or(0);
    }

    /// Where the case belongs inside the folder of a corpus.
    #[must_use]
    pub fn path(&self) -> String {
        format!("{}.json", self.report.id)
    }
}

fn extent(document: &Value) -> usize {
    document
        .as_array()
        .map_or_else(|| size(document), <[_]>::len)
}

fn suite(op: &str) -> &str {
    match op {
        "canonicalize" => "json",
        op => op,
    }
}

/// A kind as a part of a file name.
fn words_of(kind: &str) -> String {
    let plain = |it: char| {
        if it.is_ascii_alphanumeric() {
            it.to_ascii_lowercase()
        } else {
            '-'
        }
    };
    let dashed: String = kind.chars().map(plain).collect();
    let words: Vec<&str> = dashed.split('-').filter(|word| !word.is_empty()).collect();
    words.into_iter().take(6).collect::<Vec<_>>().join("-")
}

fn source(how: &Circumstances<'_>, op: &str, name: &str) -> String {
    match how.goal {
        SearchGoal::Random { seed, .. } => {
            format!(
                "found by fuzzing {op} of {name}, seed {seed}, input {}",
                how.number
            )
        }
        SearchGoal::Variants => format!("found by a variant of a case of {op}, against {name}"),
    }
}

/// The requirement that a kind of failure is about, as far as that follows from it.
fn requirement(kind: &str, asked: &AnsweredQuestion, known: &[Requirement]) -> String {
    let op = asked.case.op.as_str();
    if let Some(law) = law_of(kind) {
        return match law {
            Law::Attach => "attach.meaning".to_owned(),
            Law::Effective => "compact.effective-deltas".to_owned(),
            law => format!("compact.{}", law.as_str()),
        };
    }
    // The rule that the reference names is in the requirement.
    let rule = asked.rejection.as_ref().and_then(|it| it.rule.as_deref());
    let named = rule.and_then(|rule| {
        let (rule, area) = (format!("`{rule}`"), format!("{op}."));
        let fits = |it: &&Requirement| it.text.contains(&rule) && it.id.starts_with(&area);
        known.iter().find(fits)
    });
    if let Some(named) = named {
        return named.id.clone();
    }
    let rows = REQUIREMENTS.iter();
    let mut rows = rows.filter(|(of, sign, _)| (of.is_empty() || *of == op) && kind.contains(sign));
    rows.next().map_or("", |(_, _, id)| id).to_owned()
}

/// Which requirement a failure is about: the operation (any where empty), what the kind has in it, and
/// the id. The first row that fits counts.
const REQUIREMENTS: &[(&str, &str, &str)] = &[
    ("", "number-", "json.integers"),
    ("round-trip", "unknown-variant", "round-trip.unknown-event"),
    ("round-trip", "unknown-dropped", "round-trip.unknown-member"),
    ("round-trip", "default-injected", "round-trip.default"),
    ("round-trip", "null-for-absent", "round-trip.absent"),
    ("round-trip", "absent-for-null", "round-trip.null"),
    ("round-trip", "text-changed", "json.text"),
    ("round-trip", "array-reordered", "round-trip.array-order"),
    ("round-trip", "accepted:syntax", "json.unpaired-surrogate"),
    ("round-trip", "accepted", "validate.malformed-known"),
    ("round-trip", " for ", "validate.class"),
    ("round-trip", "", "round-trip.known-members"),
    ("validate", "accepted:version", "version.unknown"),
    ("validate", "accepted:syntax", "json.unpaired-surrogate"),
    ("validate", "accepted:schema:required", "validate.required"),
    ("validate", "accepted:schema:const", "validate.constant"),
    ("validate", "accepted:schema:enum", "validate.closed-word"),
    ("validate", "accepted", "validate.type"),
    ("validate", "written", "round-trip.known-members"),
    ("validate", "", "validate.class"),
    ("verify", "accepted:schema", "verify.invalid"),
    ("verify", "", "verify.interleaved"),
    ("replay", "@/state", "replay.state-delta"),
    ("replay", "@/runs", "replay.runs"),
    ("replay", "@/open", "replay.open"),
    ("replay", "@/interrupts", "replay.interrupts"),
    ("replay", "accepted:schema", "replay.invalid"),
    ("replay", "accepted", "replay.sequence"),
    ("replay", "", "replay.text"),
    ("lineage", "@/tips", "lineage.tips"),
    ("lineage", "", "lineage.before"),
    ("canonicalize", "", "canonical.strings"),
    ("channel-key", "", "channel-key.hash"),
    ("encode", "", "encode.states"),
    ("decode", "", "decode.value"),
    ("seal", "", "seal.code"),
    ("unseal", "", "seal.verify"),
    ("to-cbor", "", "cbor.deterministic"),
    ("from-cbor", "", "cbor.value"),
    ("restore", "", "restore.equivalent"),
    ("session", "", "session.unread"),
    ("convert", "", "convert.members"),
    ("compact", "repeats", "compact.idempotent"),
    ("compact", "", "compact.replay"),
    ("attach", "", "attach.meaning"),
];

/// The text of a case, with a line for each event.
fn text(case: &Case, exact: bool) -> String {
    let mut members = vec![
        ("title", json!(case.title).to_string()),
        ("requirements", json!(case.requirements).to_string()),
        ("needs", json!(case.needs).to_string()),
        ("why", json!(case.why).to_string()),
        ("op", json!(case.op).to_string()),
    ];
    if let Some(name) = &case.document_type {
        members.push(("type", json!(name).to_string()));
    }
    if !case.args.is_empty() {
        members.push(("args", Json::Object(case.args.clone()).to_string()));
    }
    members.push(("input", lines(case)));
    if let Some(expect) = case.expect.as_ref().and_then(|it| expected(&case.op, it)) {
        members.push(("expect", expect));
    }
    members.push(("since", json!(case.since).to_string()));
    if exact && matches!(case.op.as_str(), "compact" | "attach") {
        members.push(("profile", json!("reference").to_string()));
    }
    if let Some(source) = &case.source {
        members.push(("source", json!(source).to_string()));
    }
    let members = members
        .iter()
        .map(|(name, value)| format!("  \"{name}\": {value}"));
    format!("{{\n{}\n}}\n", members.collect::<Vec<_>>().join(",\n"))
}

/// The document as it was sent, in which lists of events have a line for each.
fn lines(case: &Case) -> String {
    let text = case.input.as_ref().map_or("null", |input| input.get());
    let items: Result<Vec<&serde_json::value::RawValue>, _> = serde_json::from_str(text);
    match items {
        Ok(items) if !items.is_empty() => {
            let items: Vec<_> = items
                .iter()
                .map(|item| format!("    {}", item.get()))
                .collect();
            format!("[\n{}\n  ]", items.join(",\n"))
        }
        _ => text.to_owned(),
    }
}

fn expected(op: &str, expect: &Expect) -> Option<String> {
    match expect {
        Expect::Ok(value) => Some(format!("{{ \"ok\": {} }}", value.get())),
        Expect::Rejected(rejection) => {
            let mut members = Map::new();
            members.insert("class".to_owned(), json!(rejection.class));
            members.extend(rejection.at.iter().map(|at| ("at".to_owned(), json!(at))));
            members.extend(
                rejection
                    .rule
                    .iter()
                    .map(|rule| ("rule".to_owned(), json!(rule))),
            );
            Some(json!({ "rejected": members }).to_string())
        }
        Expect::Laws(laws) => {
            let laws: Vec<&str> = laws.iter().map(|law| law.as_str()).collect();
            Some(json!({ "laws": laws }).to_string())
        }
        // A law was broken where the reference says nothing that binds everybody. A round trip without an
        // expectation gives its document back.
        Expect::Either(reason) if op != "round-trip" => {
            Some(json!({ "either": reason }).to_string())
        }
        // Questions that are made up have one answer.
        Expect::AnyOf(_) | Expect::Either(_) | Expect::Contains(_) | Expect::Delivers(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use chatstate_corpus::specification::embedded;

    use super::REQUIREMENTS;

    #[test]
    fn requirements_exist() {
        let known = embedded().expect("SPEC.md is well formed");
        for (operation, sign, id) in REQUIREMENTS {
            let exists = known.iter().any(|requirement| requirement.id == *id);
            assert!(exists, "`{id}` for {operation} {sign}");
        }
    }
}
