//! A run that is compacted.

use std::ops::Range;

use chatstate_json::Rejection;
use chatstate_types::generated::Event;
use chatstate_types::generated::roles::ReplayedPart;

/// An event of the compacted run.
#[derive(Debug, Clone)]
pub(super) struct Placed {
    pub text: Range<usize>,
    /// What of a replay it changes, which says whether snapshots may replace it.
    pub changes: Option<ReplayedPart>,
    pub is_kept: bool,
}

impl Placed {
    /// Takes the event out, so that nothing is left.
    pub fn take(&mut self) -> Self {
        Self {
            text: std::mem::take(&mut self.text),
            ..*self
        }
    }
}

/// A run that is compacted: its beginning, what happened in it, and its terminal event.
#[derive(Default)]
pub(super) struct CompactedRun {
    pub texts: String,
    pub events: Vec<Placed>,
}

impl CompactedRun {
    /// Marks what the caller keeps, which may be an event that compaction has made.
    pub fn keep(&mut self, keep: &dyn Fn(&Event) -> bool) -> Result<(), Rejection> {
        for event in &mut self.events {
            event.is_kept = keep(&Event::from_json(&self.texts[event.text.clone()])?);
        }
        Ok(())
    }

    /// The texts of the events.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.events
            .iter()
            .map(|event| &self.texts[event.text.clone()])
    }
}
