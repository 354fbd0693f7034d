//! Whether the order of the events of a stream is valid (requirements `verify.*`).
//!
//! [`Verifier`] takes the events as they come and remembers only what is open, the owners within
//! the run in progress and the ids of the runs. [`verify`] also says which patches do not apply,
//! which takes the values: it is a replay whose answer is not asked for.

mod lifecycle;
mod owners;
mod unknown;

use std::borrow::Cow;

use crate::header::{EventKind, Header};
use crate::lineage::{Problem, Runs, Severity};
use crate::replay::{Carried, Remark, VerifiedReplay, is_removed};
use crate::sequence::{Step, Tracker, Violation};
use chatstate_json::{Class, Rejection};
use chatstate_json::{ObjectWriter, Raw, Tape, WriteJson, to_text};
use chatstate_types::generated::Event;
use chatstate_types::generated::roles::Action;
use lifecycle::Lifecycle;
use owners::Owners;

/// Something that is wrong with a stream, or suspicious.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The rule's name, such as `text.not-open`.
    pub rule: Cow<'static, str>,
    /// The class of the rejection that it means, if it is no warning.
    pub class: Class,
    /// The index of the event.
    pub at: usize,
    /// JSON pointer from the event to what this is about; empty for the whole event.
    pub place: String,
    /// The index of the other event involved, if there is one.
    pub other: Option<usize>,
    /// What is wrong, for people.
    pub message: String,
}

impl Finding {
    /// JSON pointer from the log to what this is about.
    #[must_use]
    pub fn pointer(&self) -> String {
        format!("/{}{}", self.at, self.place)
    }

    fn of(at: usize, violation: Violation) -> Self {
        Self {
            rule: violation.rule,
            class: Class::Sequence,
            at,
            place: violation.place,
            other: violation.other,
            message: violation.message,
        }
    }
}

impl From<Remark> for Finding {
    fn from(remark: Remark) -> Self {
        Self {
            rule: remark.rule.into(),
            class: Class::Sequence,
            at: remark.index,
            place: remark.place,
            other: None,
            message: remark.message,
        }
    }
}

impl From<&Finding> for Rejection {
    fn from(finding: &Finding) -> Self {
        let (rule, message) = (finding.rule.clone(), finding.message.clone());
        let at = finding.place.clone();
        let rejection = Self::new(finding.class, rule, message);
        Self { at, ..rejection }.within(finding.at)
    }
}

impl WriteJson for Finding {
    fn write(&self, out: &mut String) {
        let other = self.other.map(|index| format!("/{index}"));
        ObjectWriter::new(out)
            .text("rule", &self.rule)
            .text("at", &self.pointer())
            .optional("other", &other)
            .text("message", &self.message)
            .end();
    }
}

/// What verification found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Verification {
    /// What makes the stream invalid.
    pub errors: Vec<Finding>,
    /// What does not.
    pub warnings: Vec<Finding>,
}

impl Verification {
    /// Whether the stream is valid.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.errors.is_empty()
    }

    fn error(&mut self, at: usize, violation: Violation) {
        self.errors.push(Finding::of(at, violation));
    }

    fn problem(&mut self, problem: Problem) {
        let finding = Finding {
            rule: problem.rule.into(),
            class: Class::Sequence,
            at: problem.index,
            place: String::new(),
            other: problem.other,
            message: problem.message,
        };
        match problem.severity {
            Severity::Error => self.errors.push(finding),
            Severity::Warning => self.warnings.push(Finding {
                place: problem.place,
                ..finding
            }),
        }
    }

    pub(crate) fn remark(&mut self, remark: Remark) {
        self.warnings.push(remark.into());
    }

    /// Notes an event that is rejected for another reason than its order.
    pub(crate) fn reject(&mut self, at: usize, rejection: Rejection) {
        self.errors.push(Finding {
            rule: rejection.rule,
            class: rejection.class,
            at,
            place: String::new(),
            other: None,
            message: rejection.message,
        });
    }

    /// Brings the findings into the order of the events.
    pub(crate) fn sort(&mut self) {
        self.errors.sort_by_key(|finding| finding.at);
        self.warnings.sort_by_key(|finding| finding.at);
    }

    pub(crate) fn extend(&mut self, more: Self) {
        self.errors.extend(more.errors);
        self.warnings.extend(more.warnings);
    }
}

impl WriteJson for Verification {
    fn write(&self, out: &mut String) {
        ObjectWriter::new(out)
            .member("valid", &self.is_valid())
            .member("errors", &self.errors)
            .member("warnings", &self.warnings)
            .end();
    }
}

/// Verifies a whole stream. Findings are in the order of their events; after an error the
/// verification continues as well as it can.
///
/// ```
/// use chatstate_streams::replay::read_stream;
/// use chatstate_streams::verify::verify;
///
/// let log = r#"[{"type":"RUN_STARTED","threadId":"t","runId":"r1"},
///               {"type":"TEXT_MESSAGE_END","messageId":"m1"}]"#;
/// let found = verify(&read_stream(log)?);
/// assert_eq!((found.errors[0].rule.as_ref(), found.errors[0].at), ("text.not-open", 1));
/// # Ok::<(), chatstate_json::Rejection>(())
/// ```
#[must_use]
pub fn verify(events: &[Event]) -> Verification {
    verify_with(events, VerifyOptions::default())
}

/// Verifies a whole stream as the options say.
#[must_use]
pub fn verify_with(events: &[Event], options: VerifyOptions) -> Verification {
    let (mut log, mut tape) = (LogVerifier::with(options), Tape::default());
    for (index, event) in events.iter().enumerate() {
        let text = to_text(event);
        match tape.read(&text) {
            Ok(raw) => log.push(index, event, Carried::of(event, raw), raw),
            Err(rejection) => log.log.reject(index, rejection),
        }
    }
    log.finish()
}

/// How a log is verified.
#[derive(Debug, Clone, Copy, Default)]
pub struct VerifyOptions {
    /// Whether the log is said to be complete, so that its last run has to be over.
    pub complete: bool,
}

/// Verifies a log as its events come, and says what is unknown in them.
#[derive(Default)]
pub(crate) struct LogVerifier {
    log: VerifiedReplay,
    found: Verification,
    is_complete: bool,
    /// The index of the run in progress, if it bears the mark that its events were removed.
    marked: Option<usize>,
}

impl LogVerifier {
    /// As the options say.
    pub fn with(options: VerifyOptions) -> Self {
        Self {
            is_complete: options.complete,
            ..Self::default()
        }
    }

    /// Takes the event of this index, with what it carries and its values.
    pub fn push(&mut self, index: usize, event: &Event, carried: Carried<'_>, raw: Raw<'_>) {
        self.log.push(index, event, carried);
        unknown::note(index, event.kind(), raw, &mut self.found);
        self.note_mark(index, event);
    }

    /// Warns of a run that says that compaction removed its events, and has some.
    fn note_mark(&mut self, index: usize, event: &Event) {
        let is_full = match event {
            Event::RunStarted(start) => {
                self.marked = is_removed(event).then_some(index);
                start
                    .input
                    .as_ref()
                    .is_some_and(|it| !it.messages.is_empty())
            }
            Event::RunFinished(_) | Event::RunError(_) => {
                self.marked = None;
                false
            }
            _ => true,
        };
        if let Some(index) = self.marked.take_if(|_| is_full) {
            let message =
                "the run says that compaction removed its events, and has some; it is not replayed";
            self.found.remark(Remark {
                rule: "verify.marked-run",
                index,
                place: "/metadata/chatstate".to_owned(),
                message: message.to_owned(),
            });
        }
    }

    /// What was found, in the order of the events.
    pub fn finish(self) -> Verification {
        let unfinished = self.log.unfinished().filter(|_| self.is_complete);
        let (_, mut found) = self.log.into_found();
        if let Some((index, violation)) = unfinished {
            found.error(index, violation);
        }
        found.extend(self.found);
        found.sort();
        found
    }
}

/// Verifies events as they come.
#[derive(Debug, Clone, Default)]
pub struct Verifier {
    tracker: Tracker,
    lifecycle: Lifecycle,
    owners: Owners,
    runs: Runs,
    /// Whether the last event belongs to a run.
    is_in_run: bool,
}

impl Verifier {
    /// Takes the event of this index, and gives what is found now. A finding may be about an
    /// earlier event: a run that named this one as its parent before it was there.
    ///
    /// Indexes grow with each event. Whether patches apply is not looked at; see [`verify`].
    pub fn push(&mut self, index: usize, event: &Event) -> Verification {
        self.push_steps(index, &Header::of(event), &mut |_| {})
    }

    /// The same with the header of the event, and passes on the steps of the event.
    pub(crate) fn push_steps(
        &mut self,
        index: usize,
        header: &Header<'_>,
        emit: &mut dyn FnMut(&Step<'_>),
    ) -> Verification {
        let mut found = Verification::default();
        if header.kind == EventKind::Unknown {
            let message = format!("`{}` is no known type of event", header.tag());
            let warning = Finding::of(index, Violation::new("verify.unknown-event", message));
            found.warnings.push(warning);
        }
        self.is_in_run = false;
        match self.lifecycle.admit(index, header) {
            Ok(true) => {}
            // What is outside of all runs is reported once and has no further meaning.
            Ok(false) => return found,
            Err(violation) => {
                found.error(index, violation);
                if header.kind != EventKind::RunStarted {
                    return found;
                }
            }
        }
        self.is_in_run = true;
        if let Action::StartRun { id, parent } = header.action {
            self.owners.clear();
            for problem in self.runs.push(index, id, parent) {
                found.problem(problem);
            }
        }
        self.take_steps(index, header, &mut found, emit);
        for violation in self.lifecycle.check(index, header) {
            found.error(index, violation);
        }
        if let Err(violation) = self.owners.event(index, header) {
            found.error(index, violation);
        }
        found
    }

    /// The stream begins inside of a run.
    pub(crate) fn begin_inside(&mut self) {
        self.lifecycle.begin_inside();
    }

    /// The run that is not over, by the index of its beginning.
    pub(crate) fn unfinished(&self) -> Option<(usize, Violation)> {
        self.lifecycle.unfinished()
    }

    /// Whether the last event belongs to a run.
    pub(crate) fn is_in_run(&self) -> bool {
        self.is_in_run
    }

    /// Whether both reject the same of what may follow within the run in progress.
    pub(crate) fn stands_like(&self, other: &Self) -> bool {
        self.tracker.stands_like(&other.tracker) && self.owners.is_equivalent(&other.owners)
    }

    /// The runs so far.
    pub(crate) fn runs(&self) -> &Runs {
        &self.runs
    }

    /// The runs that there were.
    pub(crate) fn into_runs(self) -> Runs {
        self.runs
    }

    /// The run that the run in progress continues, or the last one, by its number.
    pub(crate) fn predecessor(&self) -> Option<usize> {
        self.runs.rows().last()?.predecessor
    }

    /// What is found when there are no more events: parents that the log does not hold.
    #[must_use]
    pub fn finish(self) -> Verification {
        let mut found = Verification::default();
        for problem in self.runs.outside() {
            found.problem(problem);
        }
        found
    }

    fn take_steps(
        &mut self,
        index: usize,
        header: &Header<'_>,
        found: &mut Verification,
        emit: &mut dyn FnMut(&Step<'_>),
    ) {
        let (tracker, owners) = (&mut self.tracker, &mut self.owners);
        let must_close = header.kind == EventKind::RunFinished;
        let taken = tracker.take(index, header, &mut |step| {
            emit(&step);
            match step {
                Step::Begin(beginning) => {
                    if let Err(violation) = owners.begun(index, &beginning) {
                        found.error(index, violation);
                    }
                }
                Step::Append(part) | Step::End(part) | Step::Close(part) => {
                    if let Err(violation) = owners.continued(&part) {
                        found.error(index, violation);
                    }
                }
                Step::Left(begun, item) if must_close => {
                    let kind = item.kind.as_str();
                    let message = format!("the run finishes, but the {kind} `{}` is open", item.id);
                    found.error(index, Violation::new("run.open-item", message).with(begun));
                }
                Step::Idle(_) | Step::Left(..) => {}
            }
        });
        if let Err(violation) = taken {
            found.error(index, violation);
        }
    }
}
