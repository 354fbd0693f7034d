//! Judges answers to `compact` and `attach` by laws. Pure: what else has to be asked is planned
//! here, and asked elsewhere.
//!
//! The questions of a case come in rounds, each of which may need the answers before it: the case's
//! own, then what compacting again and compacting beginnings gives, then what compacting a compacted
//! beginning together with the rest gives. The first outcomes of a case always have the same
//! questions, so that a list of outcomes is all that there is to know.

use chatstate_corpus::{Case, Expect, Law};
use chatstate_json::Rejection;
use chatstate_laws::{self as laws, Broken};
use chatstate_protocol::Rejected;
use chatstate_streams::compact::{Level, Retain};
use chatstate_types::generated::{Event, EventStream};
use serde_json::value::RawValue;

use crate::call::Call;
use crate::judge::difference_report;
use crate::judgement::BrokenLaw;
use crate::outcome::Outcome;

/// An input of up to so many events is cut everywhere, a longer one in this many places at most.
const MOST_CUTS: usize = 24;

/// What is asked of an adapter about a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LawQuestion {
    /// The operation on the input.
    Whole,
    /// Compacting what compaction gave.
    Again,
    /// The operation on so many of the first events.
    Beginning(usize),
    /// Compacting what compaction made of so many of the first events, and all others.
    Joined(usize),
}

/// The calls that are missing to judge a case by its laws, after these outcomes of the calls before.
pub(crate) fn further_calls<'a>(case: &'a Case, outcomes: &[Outcome]) -> Vec<Call<'a>> {
    let Some(evidence) = Evidence::of(case, outcomes) else {
        return Vec::new();
    };
    let missing = evidence.questions.get(outcomes.len()..).unwrap_or_default();
    let call = |question: &LawQuestion| Call {
        input: evidence.input(*question).into_bytes().into(),
        ..Call::of_case(case)
    };
    missing.iter().map(call).collect()
}

/// The laws that the answers break; the first outcome is one that succeeded.
pub(crate) fn broken_laws(case: &Case, outcomes: &[Outcome]) -> Vec<BrokenLaw> {
    let Some(evidence) = Evidence::of(case, outcomes) else {
        return Vec::new();
    };
    let laws = evidence.laws.iter();
    let broken = laws.filter_map(|law| {
        let (question, broken) = evidence.judge(*law).err()?;
        Some(evidence.told(*law, question, broken))
    });
    broken.collect()
}

/// A case with what was answered, as far as it goes.
struct Evidence<'a> {
    case: &'a Case,
    laws: &'a [Law],
    input: Vec<Box<RawValue>>,
    outcomes: &'a [Outcome],
    /// What is asked, as far as the answers say.
    questions: Vec<LawQuestion>,
}

impl<'a> Evidence<'a> {
    fn of(case: &'a Case, outcomes: &'a [Outcome]) -> Option<Self> {
        let Some(Expect::Laws(laws)) = &case.expect else {
            return None;
        };
        // The lint of the corpus rejects an input that is not an array.
        let input = serde_json::from_slice(&case.input_bytes().bytes).ok()?;
        let mut evidence = Self {
            case,
            laws,
            input,
            outcomes,
            questions: vec![LawQuestion::Whole],
        };
        if matches!(outcomes.first(), Some(Outcome::Ok(_))) {
            evidence.questions.extend(evidence.about_whole());
            evidence.questions.extend(evidence.about_beginnings());
        }
        Some(evidence)
    }

    /// What is asked when the answer to the whole input is there.
    fn about_whole(&self) -> Vec<LawQuestion> {
        let mut questions = Vec::new();
        for law in self.laws {
            match law {
                Law::Idempotent => questions.push(LawQuestion::Again),
                Law::Incremental => {
                    questions.extend(self.cuts(1).into_iter().map(LawQuestion::Beginning));
                }
                Law::Attach => {
                    questions.extend(self.cuts(0).into_iter().map(LawQuestion::Beginning));
                }
                _ => {}
            }
        }
        questions
    }

    /// What is asked when the answers to the beginnings are there.
    fn about_beginnings(&self) -> Vec<LawQuestion> {
        if self.outcomes.len() < self.questions.len() || !self.laws.contains(&Law::Incremental) {
            return Vec::new();
        }
        let beginnings = self.questions.iter().zip(self.outcomes);
        let joined = beginnings.filter_map(|(question, outcome)| match question {
            LawQuestion::Beginning(cut) if self.can_go_on(*cut, outcome) => {
                Some(LawQuestion::Joined(*cut))
            }
            _ => None,
        });
        joined.collect()
    }

    /// Where the input is cut: everywhere, or evenly if it is long.
    fn cuts(&self, first: usize) -> Vec<usize> {
        let count = self.input.len();
        let places = first..count;
        let step = places.len().div_ceil(MOST_CUTS).max(1);
        places.step_by(step).collect()
    }

    /// Whether a compacted beginning can be compacted together with the rest: not when a run of the
    /// rest continues one that was removed.
    fn can_go_on(&self, cut: usize, outcome: &Outcome) -> bool {
        let Outcome::Ok(text) = outcome else {
            return false;
        };
        let Ok(beginning) = EventStream::from_json(text) else {
            return false;
        };
        let parents = self.events(cut..self.input.len()).unwrap_or_default();
        let parents = parents.iter().filter_map(|event| match event {
            Event::RunStarted(start) => start.parent_run_id.clone(),
            _ => None,
        });
        let mut removed = parents.filter(|run| laws::removes(&beginning.0, run));
        removed.next().is_none()
    }

    /// The document of a question.
    fn input(&self, question: LawQuestion) -> String {
        match question {
            LawQuestion::Whole => self.text(0..self.input.len()),
            LawQuestion::Again => self.answer(LawQuestion::Whole).to_owned(),
            LawQuestion::Beginning(cut) => self.text(0..cut),
            LawQuestion::Joined(cut) => {
                let beginning: Vec<Box<RawValue>> =
                    serde_json::from_str(self.answer(LawQuestion::Beginning(cut)))
                        .unwrap_or_default();
                array(beginning.iter().chain(&self.input[cut..]))
            }
        }
    }

    fn text(&self, range: std::ops::Range<usize>) -> String {
        array(&self.input[range])
    }

    fn events(&self, range: std::ops::Range<usize>) -> Result<Vec<Event>, Rejection> {
        EventStream::from_json(&self.text(range)).map(|stream| stream.0)
    }

    fn outcome(&self, question: LawQuestion) -> Option<&'a Outcome> {
        let place = self.questions.iter().position(|it| *it == question)?;
        self.outcomes.get(place)
    }

    /// The text that answers a question; empty where there is none.
    fn answer(&self, question: LawQuestion) -> &'a str {
        match self.outcome(question) {
            Some(Outcome::Ok(text)) => text,
            _ => "",
        }
    }

    fn judge(&self, law: Law) -> Judged<()> {
        let whole = LawQuestion::Whole;
        let compacted = self.answered(whole)?;
        let level = level(self.case);
        let finding = match law {
            Law::Idempotent => {
                let again = self.answered(LawQuestion::Again)?;
                let finding = laws::idempotent(&compacted, &again);
                return finding.map_err(|broken| (LawQuestion::Again, broken));
            }
            Law::Incremental => return self.incremental(&compacted),
            Law::Attach => return self.attach(),
            Law::Replay => laws::replay(&self.log()?, &compacted, level),
            Law::Closed => laws::closed(&compacted),
            Law::Contained => laws::contained(&self.log()?, &compacted, level),
            Law::NeverLarger => laws::never_larger(&self.log()?, &compacted, level),
            Law::MinimalInput => laws::minimal_input(&self.log()?, &compacted),
            Law::Effective => laws::effective(&compacted),
        };
        finding.map_err(|broken| (whole, broken))
    }

    fn incremental(&self, at_once: &[Event]) -> Judged<()> {
        for cut in self.cuts(1) {
            self.answered(LawQuestion::Beginning(cut))?;
            let question = LawQuestion::Joined(cut);
            if self.outcome(question).is_some() {
                let joined = EventStream::from_json(&self.input(question));
                let joined = joined.map(|stream| stream.0).unwrap_or_default();
                laws::appended(&joined).map_err(|broken| (question, broken))?;
                let in_steps = self.answered(question)?;
                let finding = laws::incremental(at_once, &in_steps);
                finding.map_err(|broken| (question, broken))?;
            }
        }
        Ok(())
    }

    fn attach(&self) -> Judged<()> {
        let log = self.log()?;
        let beginnings = self.cuts(0).into_iter();
        let beginnings = beginnings.map(|cut| (LawQuestion::Beginning(cut), cut));
        for (question, cut) in beginnings.chain([(LawQuestion::Whole, log.len())]) {
            let prelude = self.answered(question)?;
            let finding = laws::attached(&log, cut, &prelude);
            finding.map_err(|broken| (question, broken))?;
        }
        Ok(())
    }

    /// The events of the case.
    fn log(&self) -> Judged<Vec<Event>> {
        let events = self.events(0..self.input.len());
        events.map_err(|rejection| {
            let broken = Broken::rejected("the case is no valid event stream", &rejection);
            (LawQuestion::Whole, broken)
        })
    }

    /// The events that answer a question; a law is broken without them.
    fn answered(&self, question: LawQuestion) -> Judged<Vec<Event>> {
        let broken = match self.outcome(question) {
            Some(Outcome::Ok(text)) => match EventStream::from_json(text) {
                Ok(events) => return Ok(events.0),
                Err(rejection) => {
                    Broken::rejected("the answer is no valid event stream", &rejection)
                }
            },
            Some(Outcome::Rejected(rejected)) => rejection(rejected),
            // Whatever else there is was judged before the laws are.
            _ => Broken::new("there is no answer"),
        };
        Err((question, broken))
    }

    fn told(&self, law: Law, question: LawQuestion, broken: Broken) -> BrokenLaw {
        let own = question == LawQuestion::Whole;
        let broken = match question {
            LawQuestion::Whole => broken,
            LawQuestion::Again => broken.when("when its answer is compacted again"),
            LawQuestion::Beginning(cut) => broken.when(format!("cut off before event {cut}")),
            LawQuestion::Joined(cut) => broken.when(format!(
                "compacted up to event {cut} and then with the rest"
            )),
        };
        let differences = broken.differences.into_iter();
        BrokenLaw {
            law,
            problem: broken.problem,
            rule: broken.rule,
            differences: differences.map(difference_report).collect(),
            asked: (!own).then(|| self.input(question)),
            got: self.outcome(question).filter(|_| !own).cloned(),
        }
    }
}

/// What a judgement needs, or the question whose answer breaks the law, and how.
type Judged<T> = Result<T, (LawQuestion, Broken)>;

fn array<'a>(items: impl IntoIterator<Item = &'a Box<RawValue>>) -> String {
    let items: Vec<&str> = items.into_iter().map(|item| item.get()).collect();
    format!("[{}]", items.join(","))
}

/// The adapter rejects what the law asks it to take.
fn rejection(rejected: &Rejected) -> Broken {
    let said = |member: &Option<String>| member.clone().unwrap_or_default();
    let message = rejected.message.as_deref().unwrap_or("no reason is given");
    Broken {
        rule: Some(format!("{}@{}", said(&rejected.rule), said(&rejected.at))),
        ..Broken::new(format!("the document is rejected: {message}"))
    }
}

/// The level that a case asks for.
fn level(case: &Case) -> Level {
    let said = |name: &str| case.args.get(name).and_then(serde_json::Value::as_str);
    match (said("level"), said("retain")) {
        (Some("snapshot"), Some("runs")) => Level::Snapshot(Retain::Runs),
        (Some("snapshot"), _) => Level::Snapshot(Retain::Tips),
        _ => Level::Stream,
    }
}
