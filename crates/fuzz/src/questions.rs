//! Makes questions up: about fresh documents and streams, about those of the corpus, and about both with
//! something changed.

use chatstate_arbitrary::documents::grow;
use chatstate_arbitrary::mutations::mutate;
use chatstate_arbitrary::streams::{FEATURES, Feature, generate_with};
use chatstate_arbitrary::{Choose, Source};
use chatstate_corpus::{Corpus, Expect, Law};
use chatstate_json::{Surrogates, Value, parse, parse_with, to_text};
use chatstate_protocol::vocabulary;
use chatstate_types::generated::{EventStream, definitions::ROOTS};
use serde_json::Map;

use crate::question::{Question, takes_events};

/// The most changes that are made of one document.
const MOST_CHANGES: usize = 3;

/// One compaction in so many is also made in steps, which takes many requests.
const IN_STEPS: usize = 4;

/// What questions are made from.
pub(crate) struct Questions<'a> {
    pub(crate) seed: u64,
    /// The operations, which take turns.
    pub(crate) operations: Vec<&'a str>,
    /// What the adapter declares.
    pub(crate) capabilities: &'a [String],
    features: Vec<Feature>,
    known: Vec<CorpusDocument<'a>>,
}

/// A document of the corpus.
struct CorpusDocument<'a> {
    op: &'a str,
    document_type: Option<&'a str>,
    args: &'a Map<String, serde_json::Value>,
    document: Value,
}

impl<'a> Questions<'a> {
    pub(crate) fn new(
        seed: u64,
        operations: Vec<&'a str>,
        capabilities: &'a [String],
        corpus: &'a Corpus,
    ) -> Self {
        let known = corpus.cases().iter().filter_map(|case| {
            // What reaches for the limits of an implementation keeps it busy for long, changed or not.
            if matches!(&case.expect, Some(Expect::Rejected(it)) if it.class == "limit") {
                return None;
            }
            let text = std::str::from_utf8(case.input.as_ref()?.get().as_bytes()).ok()?;
            Some(CorpusDocument {
                op: &case.op,
                document_type: case.document_type.as_deref(),
                args: &case.args,
                document: parse_with(text, Surrogates::AllowUnpairedAtEnds).ok()?,
            })
        });
        let declared = |need: &str| capabilities.iter().any(|it| it == need);
        let allowed = |feature: &&Feature| need_of(**feature).is_none_or(declared);
        Self {
            seed,
            operations,
            capabilities,
            features: FEATURES.iter().filter(allowed).copied().collect(),
            known: known.collect(),
        }
    }

    /// The question of this number, which is the same whatever was asked before.
    pub(crate) fn question(&self, number: u64) -> Option<Question> {
        let turns = u64::try_from(self.operations.len()).unwrap_or(1).max(1);
        let turn = usize::try_from(number % turns).unwrap_or(0);
        let op = *self.operations.get(turn)?;
        let mut source = Source::new(self.seed, number);
        if takes_events(op) {
            Some(self.of_events(op, &mut source))
        } else {
            self.of_document(op, &mut source)
        }
    }

    fn of_events(&self, op: &str, source: &mut Source) -> Question {
        let fresh = source.chance(75);
        let document = if fresh {
            self.stream(source)
        } else {
            let known = self.known.iter().filter(|known| takes_events(known.op));
            let known: Vec<&Value> = known.map(|known| &known.document).collect();
            source.of(&known).copied().cloned().unwrap_or_default()
        };
        let mut question = Question::new(op, document);
        // Valid streams show what is done with valid ones; other streams show what is rejected.
        let changes = match op {
            "verify" | "lineage" | "replay" => source.chance(50),
            _ => !fresh,
        };
        if changes {
            self.change(&mut question.document, source, 1);
        }
        if op == "compact" {
            question.args = self.level(source);
            question.laws = laws(source);
        }
        if op == "replay" && source.chance(25) {
            let run = run_of(&question.document, source);
            question.args = run.into_iter().map(|run| ("run".to_owned(), run)).collect();
        }
        question
    }

    fn stream(&self, source: &mut Source) -> Value {
        let number = u64::try_from(source.below(usize::MAX)).unwrap_or(0);
        let stream = generate_with(Source::new(self.seed, number), &self.features);
        let text = to_text(&EventStream(stream.events));
        parse_with(&text, Surrogates::AllowUnpairedAtEnds).expect("it was written as JSON")
    }

    fn of_document(&self, op: &str, source: &mut Source) -> Option<Question> {
        let document_type = if vocabulary::takes_type(op) {
            let types = vocabulary::TYPES
                .iter()
                .filter(|(_, area)| self.declares(area));
            let types: Vec<&str> = types.map(|(name, _)| *name).collect();
            Some(*source.of(&types)?)
        } else {
            None
        };
        let grown = match op {
            "round-trip" | "validate" => document_type,
            "canonicalize" => source.of(&TYPES_OF_ANY).copied(),
            "encode" => Some("ChatState"),
            _ => None,
        };
        let mut question = match grown.filter(|_| source.chance(60)) {
            Some(name) => Question::new(op, grown_document(name, source)),
            None => self.known_question(op, document_type, source)?,
        };
        question.document_type = document_type.map(str::to_owned);
        if source.chance(70) {
            let changes = 1 + source.below(MOST_CHANGES);
            self.change(&mut question.document, source, changes);
        }
        Some(question)
    }

    /// The question of a case.
    fn known_question(
        &self,
        op: &str,
        document_type: Option<&str>,
        source: &mut Source,
    ) -> Option<Question> {
        let fits = |known: &&CorpusDocument<'_>| match document_type {
            Some(_) => known.document_type == document_type,
            None => known.op == op,
        };
        let known: Vec<&CorpusDocument<'_>> = self.known.iter().filter(fits).collect();
        let known = source.of(&known)?;
        Some(Question {
            args: known.args.clone(),
            ..Question::new(op, known.document.clone())
        })
    }

    fn change(&self, document: &mut Value, source: &mut Source, times: usize) {
        let others: Vec<&Value> = (0..MOST_CHANGES)
            .filter_map(|_| source.of(&self.known))
            .map(|known| &known.document)
            .collect();
        for _ in 0..times {
            mutate(document, source, &others);
        }
    }

    fn level(&self, source: &mut Source) -> Map<String, serde_json::Value> {
        let levels: &[&[(&str, &str)]] = &[
            &[("level", "stream")],
            &[("level", "snapshot"), ("retain", "tips")],
            &[("level", "snapshot"), ("retain", "runs")],
        ];
        let count = if self.declares("snapshots") {
            levels.len()
        } else {
            1
        };
        let level = source.of(&levels[..count]).copied().unwrap_or_default();
        level
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).into()))
            .collect()
    }

    fn declares(&self, capability: &str) -> bool {
        self.capabilities.iter().any(|it| it == capability)
    }
}

/// The types of documents that an operation on any document is asked about.
const TYPES_OF_ANY: [&str; 4] = ["ChatState", "AgentSession", "Event", "RunAgentInput"];

/// A document that the schema accepts, nearly always of the supported version.
fn grown_document(name: &str, source: &mut Source) -> Value {
    let Some(definition) = ROOTS.iter().find(|root| root.name == name) else {
        return Value::Null;
    };
    let text = grow(definition, source).to_string();
    let mut document = parse(&text).expect("it was written as JSON");
    if !source.chance(5) {
        speak(&mut document);
    }
    document
}

/// Gives a document the supported version, where it says one.
fn speak(document: &mut Value) {
    match document {
        Value::Array(items) => items.iter_mut().for_each(speak),
        Value::Object(members) => {
            if let Some(version) = members.get_mut("schemaVersion") {
                *version = "1".into();
            }
        }
        _ => {}
    }
}

/// The laws that an answer to `compact` is judged by.
fn laws(source: &mut Source) -> Vec<Law> {
    let in_steps = source.below(IN_STEPS) == 0;
    let laws = Law::ALL
        .into_iter()
        .filter(|law| law.operation() == "compact");
    laws.filter(|law| *law != Law::Incremental || in_steps)
        .collect()
}

/// The id of one of the runs, or nothing where there is none.
fn run_of(events: &Value, source: &mut Source) -> Option<serde_json::Value> {
    let events = events.as_array().unwrap_or_default();
    let starts = events
        .iter()
        .filter(|event| event.get("type").and_then(Value::as_str) == Some("RUN_STARTED"));
    let runs: Vec<&str> = starts.filter_map(|it| it.get("runId")?.as_str()).collect();
    source.of(&runs).map(|run| (*run).into())
}

/// What an adapter must declare to be asked about a stream with this in it.
fn need_of(feature: Feature) -> Option<&'static str> {
    match feature {
        Feature::Chunks | Feature::ChunkLanes | Feature::DeltaAcrossLanes => Some("chunks"),
        Feature::Branches => Some("branches"),
        Feature::SplitSurrogatePair => Some("split-surrogates"),
        Feature::UnknownEvent => Some("unknown-variants"),
        Feature::UnknownMember => Some("unknown-members"),
        _ => None,
    }
}
