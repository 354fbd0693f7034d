//! The state of a path of runs.
//!
//! A run takes the state of its predecessor along and changes it in place. The predecessor keeps
//! what its events did to the state, so that a second run that continues it finds it again.

use std::sync::Arc;

use crate::patch::{self, PatchFailure, SizeBound};
use chatstate_json::Rejection;
use chatstate_json::{self as json, Object, Value};
use chatstate_types::generated::{JsonPatch, PatchOperation};

/// The state, and how it came about since the run began.
#[derive(Clone)]
pub(super) struct SharedState {
    value: StateValue,
    changes: Changes,
    /// How large patches may have made the state.
    bound: SizeBound,
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

/// What the events of a run did to the state.
#[derive(Clone, Default)]
struct Changes {
    /// The text of the last value that was said whole; without one, the state continues that of
    /// the predecessor.
    whole: Option<Arc<str>>,
    /// The patches since then, as text.
    patches: Vec<Arc<str>>,
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
            bound: SizeBound::default(),
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

    /// The state is another value from now on.
    pub fn set(&mut self, value: &Value) {
        self.has_unknown_operations = false;
        if self.is_left_out() {
            return;
        }
        self.changes = Changes {
            whole: Some(value.to_json().into()),
            patches: Vec::new(),
        };
        self.value = StateValue::Here(Arc::new(value.clone()));
        self.bound = SizeBound::default();
    }

    pub fn patch(&mut self, patch: &JsonPatch) -> Result<(), PatchFailure> {
        self.has_unknown_operations |= unknown_operations(patch);
        let StateValue::Here(value) = &mut self.value else {
            return Ok(());
        };
        self.changes.patches.push(patch.to_json().into());
        patch::apply_within(Arc::make_mut(value), patch, &mut self.bound)
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
            bound: self.bound,
            has_unknown_operations: self.has_unknown_operations,
        }
    }

    /// Works the state out again that was given away.
    pub fn recall(&mut self, before: Option<&Self>) -> Result<(), Rejection> {
        let mut value = match (&self.changes.whole, before) {
            (Some(whole), _) => json::parse(whole)?,
            (None, Some(before)) => before.get().clone(),
            (None, None) => Value::from(Object::new()),
        };
        let mut bound = SizeBound::default();
        for patch in &self.changes.patches {
            // A patch that did not apply then does not apply now.
            let _ = patch::apply_within(&mut value, &JsonPatch::from_json(patch)?, &mut bound);
        }
        self.value = StateValue::Here(Arc::new(value));
        Ok(())
    }

    /// Whether the events of the run said the state whole.
    pub fn says_whole(&self) -> bool {
        self.changes.whole.is_some()
    }
}

/// Whether a patch has an operation of an unknown kind.
pub(crate) fn unknown_operations(patch: &JsonPatch) -> bool {
    let mut operations = patch.0.iter();
    operations.any(|operation| matches!(operation, PatchOperation::Unknown(_)))
}
