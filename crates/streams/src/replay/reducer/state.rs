//! The state of a path of runs.
//!
//! A run takes the state of its predecessor along and changes it in place. The predecessor keeps
//! what its events did to the state, so that a second run that continues it finds it again.

use std::sync::Arc;

use crate::packed::PackedText;
use crate::patch::{self, CopyLimits, PatchFailure};
use chatstate_json::Rejection;
use chatstate_json::{self as json, Object, Value, WriteJson};

use chatstate_types::generated::{JsonPatch, PatchOperation};

/// The state, and how it came about since the run began.
#[derive(Clone)]
pub(super) struct SharedState {
    value: StateValue,
    changes: Changes,
    /// What patches have copied since the run began or said the state whole.
    limits: CopyLimits,
    /// Whether an operation was left out since the state was last said whole.
    has_unknown_operations: bool,
}

#[derive(Clone)]
enum StateValue {
    Here(Arc<Value>),
    /// A later run has it.
    MovedOn,
    /// It is not asked for.
    LeftOut,
}

/// What the events of a run did to the state: the last value that was said whole, if there is one, and
/// the patches since then, each as a line of compact JSON. Without such a value the state continues
/// that of the predecessor.
#[derive(Clone, Default)]
struct Changes {
    says_whole: bool,
    /// The lines of a run that is over. Only a second run that continues it needs them.
    packed: Option<PackedText>,
    /// The lines after those.
    lines: String,
}

impl Changes {
    fn whole(value: &Value) -> Self {
        let mut changes = Self {
            says_whole: true,
            ..Self::default()
        };
        changes.add(value);
        changes
    }

    fn add(&mut self, line: &impl WriteJson) {
        line.write(&mut self.lines);
        self.lines.push('\n');
    }

    fn text(&self) -> String {
        let packed = self.packed.as_ref().map(PackedText::text);
        packed.unwrap_or_default() + &self.lines
    }

    fn pack(&mut self) {
        if self.lines.is_empty() {
            return;
        }
        self.packed = Some(PackedText::of(&self.text()));
        self.lines = String::new();
    }
}

impl Default for SharedState {
    fn default() -> Self {
        Self::here(Arc::new(Value::from(Object::new())))
    }
}

impl SharedState {
    fn here(value: Arc<Value>) -> Self {
        Self {
            value: StateValue::Here(value),
            changes: Changes::default(),
            limits: CopyLimits::default(),
            has_unknown_operations: false,
        }
    }

    /// A state that is not asked for.
    pub fn left_out() -> Self {
        Self {
            value: StateValue::LeftOut,
            ..Self::default()
        }
    }

    pub fn is_left_out(&self) -> bool {
        matches!(self.value, StateValue::LeftOut)
    }

    pub fn has_moved_on(&self) -> bool {
        matches!(self.value, StateValue::MovedOn)
    }

    pub fn is_known(&self) -> bool {
        !self.has_unknown_operations
    }

    pub fn get(&self) -> &Value {
        match &self.value {
            StateValue::Here(value) => value,
            StateValue::MovedOn | StateValue::LeftOut => &Value::Null,
        }
    }

    /// A run begins, which may copy as much as any.
    pub fn begin_run(&mut self) {
        self.limits = self.limits.in_next_run();
    }

    /// The state is another value from now on.
    pub fn set(&mut self, value: Value) {
        self.has_unknown_operations = false;
        if self.is_left_out() {
            return;
        }
        self.changes = Changes::whole(&value);
        self.value = StateValue::Here(Arc::new(value));
        self.limits = CopyLimits::default();
    }

    pub fn patch(&mut self, patch: &JsonPatch) -> Result<(), PatchFailure> {
        self.has_unknown_operations |= unknown_operations(patch);
        let StateValue::Here(value) = &mut self.value else {
            return Ok(());
        };
        self.changes.add(patch);
        patch::apply_within(Arc::make_mut(value), patch, &mut self.limits)
    }

    /// Gives the state away to the first run that continues here.
    pub fn move_on(&mut self) -> Self {
        let value = match &self.value {
            StateValue::Here(_) => std::mem::replace(&mut self.value, StateValue::MovedOn),
            other => other.clone(),
        };
        Self {
            value,
            changes: Changes::default(),
            limits: self.limits,
            has_unknown_operations: self.has_unknown_operations,
        }
    }

    /// Makes what is kept of a run that is over small.
    pub fn pack(&mut self) {
        self.changes.pack();
    }

    /// Works the state out again that was given away.
    pub fn recall(&mut self, before: Option<&Self>) -> Result<(), Rejection> {
        let text = self.changes.text();
        let mut lines = text.lines().peekable();
        let whole = lines.next_if(|_| self.changes.says_whole);
        let mut value = match (whole, before) {
            (Some(whole), _) => json::parse(whole)?,
            (None, Some(before)) => before.get().clone(),
            (None, None) => Value::from(Object::new()),
        };
        let mut limits = CopyLimits::default();
        for patch in lines {
            // A patch that did not apply then does not apply now.
            let _ = patch::apply_within(&mut value, &JsonPatch::from_json(patch)?, &mut limits);
        }
        self.value = StateValue::Here(Arc::new(value));
        Ok(())
    }

    /// Whether the events of the run said the state whole.
    pub fn says_whole(&self) -> bool {
        self.changes.says_whole
    }
}

/// Whether a patch has an operation of an unknown kind.
pub(crate) fn unknown_operations(patch: &JsonPatch) -> bool {
    let mut operations = patch.0.iter();
    operations.any(|operation| matches!(operation, PatchOperation::Unknown(_)))
}
