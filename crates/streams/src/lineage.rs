//! How the runs of a log continue each other (requirements `lineage.*`).

mod branch;
mod outline;
mod runs;

pub use branch::branch_of;
pub(crate) use outline::Outlines;
pub use outline::RunOutline;
pub(crate) use runs::{Problem, Runs, Severity};

use crate::replay::{Carried, Checkpoints, with_carried};
use chatstate_json::{ObjectWriter, Tape, WriteJson};
use chatstate_types::generated::Event;

/// The runs of a log, with what each continues.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lineage {
    /// The runs in the order of the log.
    pub runs: Vec<LineageRun>,
    /// The ids of the runs from which no run continues, in the order of the log.
    pub tips: Vec<String>,
    /// What is wrong, in the order of the log.
    pub problems: Vec<LineageProblem>,
}

/// One run of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineageRun {
    /// Its id.
    pub run_id: String,
    /// The run that it continues, by its place in [`Lineage::runs`]; the first run has none.
    pub predecessor: Option<usize>,
    /// The run that it names as its parent, whether or not that is in the log.
    pub parent_run_id: Option<String>,
    /// The index of its `RUN_STARTED` in the log.
    pub index: usize,
}

/// Something about the lineage that is wrong or suspicious.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineageProblem {
    /// The rule's name, such as `lineage.run-reused`.
    pub rule: &'static str,
    /// JSON pointer to what is wrong, from the log.
    pub at: String,
    /// Whether verification rejects the log for it; otherwise it is a warning.
    pub is_error: bool,
    /// What is wrong, for people.
    pub message: String,
}

/// Works out the lineage of a log. Nothing is rejected: what is wrong is among the problems, and a
/// parent that cannot be followed leaves the run just before as the predecessor.
///
/// ```
/// use chatstate_streams::lineage::lineage;
/// use chatstate_streams::replay::read_stream;
///
/// let log = r#"[{"type":"RUN_STARTED","threadId":"t","runId":"r1"},
///               {"type":"RUN_STARTED","threadId":"t","runId":"r2"},
///               {"type":"RUN_STARTED","threadId":"t","runId":"r3","parentRunId":"r1"}]"#;
/// let lineage = lineage(&read_stream(log)?);
/// assert_eq!(lineage.runs[2].predecessor, Some(0));
/// assert_eq!(lineage.tips, ["r2", "r3"]);
/// # Ok::<(), chatstate_json::Rejection>(())
/// ```
#[must_use]
pub fn lineage(events: &[Event]) -> Lineage {
    let (mut log, mut tape) = (LogLineage::default(), Tape::default());
    for (index, event) in events.iter().enumerate() {
        let taken = with_carried(&mut tape, event, |carried| {
            log.push(index, event, carried);
        });
        // The lineage of an event that cannot be written is known all the same.
        if taken.is_err() {
            log.push(index, event, Carried::default());
        }
    }
    log.finish()
}

/// The lineage of a log as its events come.
pub(crate) struct LogLineage {
    checkpoints: Checkpoints,
    problems: Vec<Problem>,
}

impl Default for LogLineage {
    fn default() -> Self {
        Self {
            // Lineage is about runs and messages.
            checkpoints: Checkpoints::with_remarks().without_state(),
            problems: Vec::new(),
        }
    }
}

impl LogLineage {
    /// Takes the event of this index, with what it carries.
    pub fn push(&mut self, index: usize, event: &Event, carried: Carried<'_>) {
        let problems = self.checkpoints.push(index, event, carried);
        self.problems.extend(problems);
    }

    /// The lineage of what has come.
    pub fn finish(self) -> Lineage {
        let mut problems = self.problems;
        problems.extend(self.checkpoints.outside());
        let (remarks, runs) = self.checkpoints.into_remarks();
        problems.extend(remarks.iter().filter_map(Problem::of_conflict));
        problems.sort_by_key(|problem| problem.index);
        let tips = runs.tips().map(|row| row.run_id.clone()).collect();
        Lineage {
            runs: runs.into_rows(),
            tips,
            problems: problems.into_iter().map(LineageProblem::from).collect(),
        }
    }
}

impl From<Problem> for LineageProblem {
    fn from(problem: Problem) -> Self {
        Self {
            rule: problem.rule,
            at: format!("/{}{}", problem.index, problem.place),
            is_error: problem.severity == Severity::Error,
            message: problem.message,
        }
    }
}

impl WriteJson for Lineage {
    fn write(&self, out: &mut String) {
        let run = |run: &LineageRun| Row {
            run_id: run.run_id.clone(),
            predecessor: run.predecessor.map(|place| self.runs[place].run_id.clone()),
            parent_run_id: run.parent_run_id.clone(),
        };
        let runs: Vec<Row> = self.runs.iter().map(run).collect();
        ObjectWriter::new(out)
            .member("runs", &runs)
            .member("tips", &self.tips)
            .member("problems", &self.problems)
            .end();
    }
}

/// A run as it is written, with the id of its predecessor.
struct Row {
    run_id: String,
    predecessor: Option<String>,
    parent_run_id: Option<String>,
}

impl WriteJson for Row {
    fn write(&self, out: &mut String) {
        ObjectWriter::new(out)
            .text("runId", &self.run_id)
            .member("predecessor", &self.predecessor)
            .optional("parentRunId", &self.parent_run_id)
            .end();
    }
}

impl WriteJson for LineageProblem {
    fn write(&self, out: &mut String) {
        ObjectWriter::new(out)
            .text("rule", self.rule)
            .text("at", &self.at)
            .end();
    }
}
