//! The runs of a stream.

use chatstate_json::{ObjectWriter, Value, WriteJson};
use chatstate_types::generated::RunFinishedOutcome;

/// The status of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunStatus {
    /// It has no terminal event yet.
    Running,
    /// It finished.
    Finished,
    /// It ended in an error.
    Failed,
    /// It finished and waits for answers.
    Interrupted,
    /// It was cancelled.
    Cancelled,
}

impl RunStatus {
    /// The status as results spell it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Finished => "finished",
            Self::Failed => "failed",
            Self::Interrupted => "interrupted",
            Self::Cancelled => "cancelled",
        }
    }

    /// The status that an outcome means; absent means success.
    pub(crate) fn of_outcome(outcome: Option<&RunFinishedOutcome>) -> Self {
        match outcome {
            Some(RunFinishedOutcome::Interrupt(_)) => Self::Interrupted,
            Some(RunFinishedOutcome::Cancelled(_)) => Self::Cancelled,
            _ => Self::Finished,
        }
    }
}

/// One run.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Its id; `None` for an error before any run.
    pub run_id: Option<String>,
    /// The run it names as its parent.
    pub parent_run_id: Option<String>,
    /// Its status.
    pub status: RunStatus,
    /// The outcome it finished with, as it was sent.
    pub outcome: Option<Value>,
    /// The result it finished with.
    pub result: Option<Value>,
    /// Why it failed.
    pub error: Option<RunFailure>,
    /// The tokens that it used, as the last event that ended it gave them.
    pub usage: Option<Vec<Value>>,
}

/// Why a run failed, as its `RUN_ERROR` says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunFailure {
    /// The reason, for people.
    pub message: String,
    /// The reason, for programs.
    pub code: Option<String>,
}

impl WriteJson for RunFailure {
    fn write(&self, out: &mut String) {
        ObjectWriter::new(out)
            .text("message", &self.message)
            .optional("code", &self.code)
            .end();
    }
}

impl Run {
    pub(super) fn new(
        run_id: Option<String>,
        parent_run_id: Option<String>,
        status: RunStatus,
    ) -> Self {
        Self {
            run_id,
            parent_run_id,
            status,
            outcome: None,
            result: None,
            error: None,
            usage: None,
        }
    }
}

impl WriteJson for Run {
    fn write(&self, out: &mut String) {
        let mut object = ObjectWriter::new(out);
        object
            .member("runId", &self.run_id)
            .optional("parentRunId", &self.parent_run_id)
            .text("status", self.status.as_str())
            .optional("outcome", &self.outcome)
            .optional("result", &self.result)
            .optional("error", &self.error)
            .optional("usage", &self.usage)
            .end();
    }
}
