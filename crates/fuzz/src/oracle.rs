//! What the right answer to a question is: the reference's, or any that keeps the laws.

use chatstate_corpus::{Case, Expect, Law, RejectedExpectation};
use chatstate_json::{Object, Value};
use chatstate_protocol::{Rejected, Reply, RunRequest};
use chatstate_streams::replay::is_removed;
use chatstate_types::generated::EventStream;
use serde_json::value::RawValue;

use crate::question::{Question, takes_events};

/// Longer texts, of documents and of answers, are not asked for: they would keep both sides busy for
/// long and show nothing that shorter ones do not.
const MOST_BYTES: usize = 1 << 20;

/// Why any answer is right, where adapters are held to their own answers.
pub(crate) const BY_LAWS: &str = "the answer is held to other answers of the same SDK";

/// Gives right answers.
pub(crate) struct Oracle<'a> {
    /// Answers a request as the reference does.
    pub(crate) reference: &'a dyn Fn(&RunRequest) -> Reply,
    /// Whether the reference's own answer is asked for where others are right, too.
    pub(crate) exact: bool,
    /// Whether any answer is right that agrees with the others of the adapter.
    pub(crate) laws: bool,
}

/// A question with its answer.
#[derive(Debug, Clone)]
pub(crate) struct AnsweredQuestion {
    pub(crate) question: Question,
    pub(crate) case: Case,
    /// The reference's rejection, with all that a case may leave open.
    pub(crate) rejection: Option<Rejected>,
}

impl Oracle<'_> {
    /// The question as a case, or nothing where no answer is known that binds everybody.
    pub(crate) fn asked(&self, question: Question) -> Option<AnsweredQuestion> {
        if self.laws {
            if question.input().len() > MOST_BYTES {
                return None;
            }
            // No verdict: what is made small stays valid if it was.
            let rejection = self.answered(question.clone()).and_then(|it| it.rejection);
            let expect = Expect::Either(BY_LAWS.to_owned());
            return case_of(question, expect, rejection);
        }
        self.answered(question)
    }

    /// The question with the reference's answer, or nothing where that does not bind everybody.
    pub(crate) fn answered(&self, question: Question) -> Option<AnsweredQuestion> {
        let (expect, rejection) = match (self.reference)(&question.request()) {
            Reply::Ok(text) if text.len() > MOST_BYTES => return None,
            Reply::Ok(text) => (self.accepted(&question, text)?, None),
            Reply::Rejected(rejected) => (self.rejected(&question, &rejected)?, Some(rejected)),
            Reply::Unsupported(_) | Reply::Fault(_) => return None,
        };
        case_of(question, expect, rejection)
    }

    fn accepted(&self, question: &Question, text: String) -> Option<Expect> {
        let op = question.op.as_str();
        if op == "replay" && !self.exact && !self.verifies(question) {
            return None;
        }
        // The law looks at every beginning of a log, and that of a removed run cannot be replayed before
        // the snapshot after it.
        if op == "attach" && !self.exact && has_removed_runs(question) {
            return None;
        }
        let laws = match op {
            "compact" if !self.exact => &question.laws,
            "attach" if !self.exact => &vec![Law::Attach],
            "canonicalize" => {
                let text = serde_json::to_string(&text).ok()?;
                return RawValue::from_string(text).ok().map(Expect::Ok);
            }
            _ => return RawValue::from_string(text).ok().map(Expect::Ok),
        };
        // Laws are about logs that verify, whatever else an operation takes.
        self.verifies(question).then(|| Expect::Laws(laws.clone()))
    }

    /// A rejection that binds everybody: by a MUST, and where it is, only if that is one thing.
    fn rejected(&self, question: &Question, rejected: &Rejected) -> Option<Expect> {
        let class = rejected.class.clone()?;
        let binding = match (question.op.as_str(), class.as_str()) {
            _ if self.exact => true,
            ("compact" | "attach" | "restore" | "session" | "convert", _) => false,
            ("replay", "semantic") | (_, "schema" | "syntax" | "version" | "sequence") => true,
            _ => false,
        };
        if class == "syntax" && !self.exact && !self.is_right_when_whole(question) {
            return None;
        }
        // The first event that breaks the order is one; of several faults in a document, any is first.
        let at = self.exact || class == "sequence" && question.op == "verify";
        binding.then(|| {
            Expect::Rejected(RejectedExpectation {
                class,
                at: rejected.at.clone().filter(|_| at),
                rule: rejected.rule.clone().filter(|_| self.exact),
            })
        })
    }

    /// Whether an unpaired surrogate is all that is wrong with a document: of two faults, any may
    /// be first, and this one and another are of two classes.
    fn is_right_when_whole(&self, question: &Question) -> bool {
        let request = question.about(whole(&question.document)).request();
        matches!((self.reference)(&request), Reply::Ok(_))
    }

    fn verifies(&self, question: &Question) -> bool {
        if !takes_events(&question.op) {
            return true;
        }
        let request = RunRequest {
            op: "verify".to_owned(),
            arguments: serde_json::Map::new(),
            ..question.request()
        };
        matches!((self.reference)(&request), Reply::Ok(_))
    }
}

/// A question as a case.
fn case_of(
    question: Question,
    expect: Expect,
    rejection: Option<Rejected>,
) -> Option<AnsweredQuestion> {
    let case = Case {
        id: format!("{}/found", question.op),
        title: String::new(),
        requirements: Vec::new(),
        needs: question.needs(),
        why: String::new(),
        op: question.op.clone(),
        document_type: question.document_type.clone(),
        args: question.args.clone(),
        input: Some(RawValue::from_string(question.input()).ok()?),
        input_text: None,
        input_base64: None,
        expect: Some(expect),
        kills: Vec::new(),
        since: chatstate_corpus::VERSION.to_owned(),
        aliases: Vec::new(),
        source: None,
        profile: None,
    };
    Some(AnsweredQuestion {
        question,
        case,
        rejection,
    })
}

/// Whether a log has a run of which compaction kept only the frame.
fn has_removed_runs(question: &Question) -> bool {
    let stream = EventStream::from_json(&question.input());
    stream.is_ok_and(|stream| stream.0.iter().any(is_removed))
}

/// The document with whole characters in the place of unpaired surrogates.
fn whole(document: &Value) -> Value {
    match document {
        Value::Split(text) => {
            let whole = |half: Option<u16>| half.map_or("", |_| "\u{fffd}");
            let (before, behind) = (whole(text.leading()), whole(text.trailing()));
            format!("{before}{}{behind}", text.body()).into()
        }
        Value::Array(items) => items.iter().map(whole).collect::<Vec<_>>().into(),
        Value::Object(members) => {
            let members = members.iter();
            let members = members.map(|(name, value)| (name.clone(), whole(value)));
            members.collect::<Object>().into()
        }
        other => other.clone(),
    }
}
