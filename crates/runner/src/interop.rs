//! What one implementation writes, another reads and writes again: every pair, and what is lost.
//!
//! A reader is compared with what the writer wrote, not with the document of the corpus. So each loss
//! is attributed to the implementation that caused it. A pair of an implementation with itself counts
//! too.

mod speaker;
pub mod text;

use std::thread;
use std::time::Duration;

use chatstate_corpus::{Case, Corpus, Expect};
use chatstate_json::{self as json, Surrogates};
use chatstate_protocol::ImplementationName;
use serde::Serialize;

use crate::call::Call;
use crate::canary::CanaryFailure;
use crate::command::AdapterCommand;
use crate::judge::differences;
use crate::judgement::{DifferenceReport, signs};
use crate::outcome::Outcome;
use crate::report::{CorpusName, Incomplete};
use crate::session::StartError;
use speaker::Speaker;

/// The operation that reads a document and writes it again.
const ROUND_TRIP: &str = "round-trip";

/// Who is to understand whom, and about which documents.
#[derive(Debug, Clone)]
pub struct InteropWork<'a> {
    /// The adapters, two or more.
    pub commands: &'a [AdapterCommand],
    /// The corpus that the documents are from.
    pub corpus: &'a Corpus,
    /// The cases whose documents are passed; of these, those that are to be accepted.
    pub cases: Vec<&'a Case>,
    /// How long an adapter may go without an answer.
    pub timeout: Duration,
    /// How long an adapter may take to answer `start`.
    pub start_timeout: Duration,
    /// After so many documents that crash an adapter, hang it or break the protocol, it is asked no more.
    pub crash_budget: usize,
}

/// What every pair kept and lost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InteropReport {
    /// The version of this kit.
    pub kit: String,
    /// The corpus that the documents are from.
    pub corpus: CorpusName,
    /// How many documents there are.
    pub documents: usize,
    /// Who took part, in the order of the adapters.
    pub implementations: Vec<Party>,
    /// Every pair, by writer and then by reader; each is also its own reader.
    pub pairs: Vec<InteropPair>,
}

/// One implementation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Party {
    /// As its adapter introduced it.
    pub implementation: ImplementationName,
    /// The command that started the adapter.
    pub adapter: String,
    /// How many documents it declares to be able to read and write.
    pub documents: usize,
    /// Those of them that it did not write.
    pub unwritten: Vec<InteropLoss>,
    /// Why it was asked nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub canary: Option<CanaryFailure>,
    /// Why it was asked no more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<Incomplete>,
}

/// A writer and a reader.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InteropPair {
    /// The place of the writer among the implementations.
    pub from: usize,
    /// The place of the reader.
    pub to: usize,
    /// How many documents were passed: those that both declare and the writer wrote.
    pub documents: usize,
    /// Those of them that came out otherwise than they were written, or did not come out.
    pub losses: Vec<InteropLoss>,
}

/// A document that did not come through.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InteropLoss {
    /// The case that it is from.
    pub case: String,
    /// What shows the loss: kinds of losses with their places, or the name of the outcome.
    pub signs: Vec<String>,
    /// How the two documents differ, where both are there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<DifferenceReport>,
    /// What was answered, where that is no document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub got: Option<Outcome>,
}

impl InteropPair {
    /// How many documents came through.
    #[must_use]
    pub fn kept(&self) -> usize {
        self.documents - self.losses.len()
    }
}

impl InteropReport {
    /// The exit code: 0 nothing is lost, 1 something is, or an adapter failed a canary, 3 an adapter could
    /// not be asked to the end, or no two have a document in common.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        let parties = &self.implementations;
        let lonely = self.pairs.iter().filter(|pair| pair.from != pair.to);
        let lonely = lonely.map(|pair| pair.documents).sum::<usize>() == 0;
        if parties.iter().any(|it| it.canary.is_some()) {
            1
        } else if lonely || parties.iter().any(|it| it.stopped.is_some()) {
            3
        } else {
            u8::from(self.lost() > 0)
        }
    }

    /// How many documents did not come through, at the first writer or at a reader.
    #[must_use]
    pub fn lost(&self) -> usize {
        let unwritten = self.implementations.iter().map(|it| it.unwritten.len());
        let losses = self.pairs.iter().map(|it| it.losses.len());
        unwritten.chain(losses).sum()
    }
}

/// A document of the corpus on its way.
struct InteropDocument<'a> {
    case: &'a Case,
    call: Call<'a>,
}

/// A document as one implementation wrote it.
struct Letter<'a> {
    from: usize,
    case: &'a Case,
    call: Call<'a>,
}

/// Has every implementation write what it can, and every one read and write what each has written.
///
/// # Errors
///
/// When an adapter does not start or does not shake hands.
pub fn interop(work: &InteropWork<'_>) -> Result<InteropReport, StartError> {
    let documents: Vec<_> = work
        .cases
        .iter()
        .filter_map(|case| document(case))
        .collect();
    let mut speakers = start_all(work)?;
    let written = at_once(&mut speakers, |speaker| write(speaker, &documents));
    let mut letters = Vec::new();
    let mut implementations = Vec::new();
    for (from, (speaker, written)) in speakers.iter().zip(written).enumerate() {
        let (own, unwritten) = sorted(from, written);
        implementations.push(Party {
            implementation: speaker.introduction.implementation.clone(),
            adapter: speaker.command.to_string(),
            documents: own.len() + unwritten.len(),
            unwritten,
            canary: speaker.canary.clone(),
            stopped: None,
        });
        letters.extend(own);
    }
    let read = at_once(&mut speakers, |speaker| read(speaker, &letters));
    let mut pairs: Vec<InteropPair> = read
        .into_iter()
        .enumerate()
        .flat_map(pairs_of_reader)
        .collect();
    pairs.sort_by_key(|pair| (pair.from, pair.to));
    for (party, speaker) in implementations.iter_mut().zip(speakers) {
        party.stopped = speaker.finish();
    }
    Ok(InteropReport {
        kit: env!("CARGO_PKG_VERSION").to_owned(),
        corpus: CorpusName {
            version: work.corpus.version().to_owned(),
            digest: work.corpus.digest().to_owned(),
        },
        documents: documents.len(),
        implementations,
        pairs,
    })
}

/// The document of a case, if it is one that everybody who knows its type has to accept.
fn document(case: &Case) -> Option<InteropDocument<'_>> {
    let accepted = matches!(
        (case.op.as_str(), &case.expect),
        (ROUND_TRIP, None) | (ROUND_TRIP | "validate", Some(Expect::Ok(_)))
    );
    let call = Call {
        op: ROUND_TRIP.to_owned(),
        arguments: serde_json::Map::new(),
        ..Call::of_case(case)
    };
    (accepted && !case.reference_only()).then_some(InteropDocument { case, call })
}

fn start_all<'a>(work: &'a InteropWork<'a>) -> Result<Vec<Speaker<'a>>, StartError> {
    let mut commands: Vec<&'a AdapterCommand> = work.commands.iter().collect();
    let started = at_once(&mut commands, |command| Speaker::start(command, work));
    started.into_iter().collect()
}

/// Does something with each at the same time, and gives the results in their order.
fn at_once<T: Send, R: Send>(all: &mut [T], act: impl Fn(&mut T) -> R + Sync) -> Vec<R> {
    thread::scope(|scope| {
        let act = &act;
        let threads: Vec<_> = all
            .iter_mut()
            .map(|one| scope.spawn(move || act(one)))
            .collect();
        // A thread that panicked is a bug of ours, and not an adapter's failure.
        let joined = threads.into_iter().map(thread::ScopedJoinHandle::join);
        joined
            .map(|end| end.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}

/// What a speaker makes of each document that it knows the kind of.
fn write<'a>(
    speaker: &mut Speaker<'_>,
    documents: &'a [InteropDocument<'a>],
) -> Vec<(&'a InteropDocument<'a>, Outcome)> {
    let known = documents.iter().filter(|it| speaker.knows(it.case));
    let known: Vec<_> = known.collect();
    let calls: Vec<_> = known.iter().map(|it| it.call.clone()).collect();
    let outcomes = speaker.answer(&calls);
    let pairs = known.into_iter().zip(outcomes);
    pairs
        .filter_map(|(it, outcome)| Some((it, outcome?)))
        .collect()
}

/// The letters that a writer wrote, and what it did not write.
fn sorted<'a>(
    from: usize,
    written: Vec<(&'a InteropDocument<'a>, Outcome)>,
) -> (Vec<Letter<'a>>, Vec<InteropLoss>) {
    let (mut letters, mut unwritten) = (Vec::new(), Vec::new());
    for (document, outcome) in written {
        let InteropDocument { case, call } = document;
        match outcome {
            Outcome::Ok(text)
                if json::parse_with(&text, Surrogates::AllowUnpairedAtEnds).is_ok() =>
            {
                let input = text.into_bytes().into();
                let call = Call {
                    input,
                    ..call.clone()
                };
                letters.push(Letter {
                    from,
                    case: document.case,
                    call,
                });
            }
            outcome => unwritten.push(no_document(case, outcome)),
        }
    }
    (letters, unwritten)
}

/// What a reader makes of each letter of which it knows the kind.
fn read<'a>(
    speaker: &mut Speaker<'_>,
    letters: &'a [Letter<'a>],
) -> Vec<(&'a Letter<'a>, Option<InteropLoss>)> {
    let known = letters.iter().filter(|it| speaker.knows(it.case));
    let known: Vec<_> = known.collect();
    let calls: Vec<_> = known.iter().map(|it| it.call.clone()).collect();
    let outcomes = speaker.answer(&calls);
    let pairs = known.into_iter().zip(outcomes);
    pairs
        .filter_map(|(letter, outcome)| Some((letter, loss(letter, outcome?))))
        .collect()
}

fn loss(letter: &Letter<'_>, outcome: Outcome) -> Option<InteropLoss> {
    let Outcome::Ok(text) = &outcome else {
        return Some(no_document(letter.case, outcome));
    };
    let sent = String::from_utf8_lossy(&letter.call.input);
    let sent = json::parse_with(&sent, Surrogates::AllowUnpairedAtEnds).ok()?;
    let Ok(got) = json::parse_with(text, Surrogates::AllowUnpairedAtEnds) else {
        return Some(no_document(letter.case, outcome));
    };
    if json::canonical(&sent) == json::canonical(&got) {
        return None;
    }
    let differences = differences(letter.call.document_type.as_deref(), &sent, &got);
    Some(InteropLoss {
        case: letter.case.id.clone(),
        signs: signs(&outcome, &differences, &[]),
        differences,
        got: None,
    })
}

/// A document that was rejected, or something that is no document.
fn no_document(case: &Case, got: Outcome) -> InteropLoss {
    let signs = match &got {
        Outcome::Ok(_) => vec!["not-json".to_owned()],
        other => signs(other, &[], &[]),
    };
    InteropLoss {
        case: case.id.clone(),
        signs,
        differences: Vec::new(),
        got: Some(got),
    }
}

/// The pairs of one reader with each writer that handed it anything.
fn pairs_of_reader(
    (to, read): (usize, Vec<(&Letter<'_>, Option<InteropLoss>)>),
) -> Vec<InteropPair> {
    let mut pairs: Vec<InteropPair> = Vec::new();
    for (letter, loss) in read {
        let place = pairs.iter().position(|pair| pair.from == letter.from);
        let place = place.unwrap_or_else(|| {
            let (from, documents, losses) = (letter.from, 0, Vec::new());
            pairs.push(InteropPair {
                from,
                to,
                documents,
                losses,
            });
            pairs.len() - 1
        });
        pairs[place].documents += 1;
        pairs[place].losses.extend(loss);
    }
    pairs
}
