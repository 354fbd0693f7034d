//! Folding the state of one run.

mod apply;
mod operation;
#[cfg(test)]
mod tests;
mod tree;

use std::ops::Range;

use super::metadata::FoldedMetadata;
use super::span::Slot;
use super::writing::EventWriter;
use crate::head::Head;
use chatstate_json::Rejection;
use chatstate_json::range_within;
use operation::operations;
use tree::Tree;

/// The state events of the run in progress, as far as they matter for folding.
#[derive(Default)]
pub(super) struct StateFold {
    /// The events that stay where they are, unless a later snapshot makes them vanish.
    pub standing: Vec<Slot>,
    folded: Option<Folded>,
    /// Where the folded snapshot stands when an event behind it stays; else at the end of the run.
    pub place: Option<Slot>,
    /// Whether nothing more can be folded into the snapshot.
    stopped: bool,
}

/// What becomes of a state event.
pub(super) enum Fate {
    /// It stays; its slot is to be noted.
    Stays,
    /// It is part of the folded snapshot.
    Folded,
}

/// The last snapshot with the patches after it.
struct Folded {
    /// The event of the snapshot.
    event: String,
    /// Where the state stands in it.
    snapshot: Range<usize>,
    subagent_run_id: Option<String>,
    timestamp: Option<String>,
    metadata: Option<FoldedMetadata>,
    /// The state, once a patch was folded into it.
    tree: Option<Tree>,
}

impl StateFold {
    /// A snapshot makes all state events before it vanish; their slots are given.
    pub fn snapshot(
        &mut self,
        event: &str,
        head: &Head<'_>,
        is_kept: bool,
    ) -> Result<(Vec<Slot>, Fate), Rejection> {
        let vanished = std::mem::take(self).standing;
        if is_kept || head.has_unknown_members {
            self.stopped = true;
            return Ok((vanished, Fate::Stays));
        }
        let snapshot = head.values.snapshot;
        let snapshot = snapshot.and_then(|snapshot| range_within(event, snapshot));
        let mut metadata = None;
        FoldedMetadata::fold_into(&mut metadata, head.values.metadata)?;
        self.folded = Some(Folded {
            event: event.to_owned(),
            snapshot: snapshot.unwrap_or_default(),
            subagent_run_id: head.subagent_run_id().map(str::to_owned),
            timestamp: head.values.timestamp.map(str::to_owned),
            metadata,
            tree: None,
        });
        Ok((vanished, Fate::Folded))
    }

    /// A patch is folded into the snapshot before it, when there is one of the same owner. One that
    /// does not apply is skipped whole, as a replay does.
    pub fn delta(&mut self, head: &Head<'_>, is_kept: bool) -> Result<Fate, Rejection> {
        let operations = operations(head.values.delta.unwrap_or_default())?;
        let folded = match &mut self.folded {
            Some(folded) if !self.stopped => folded,
            _ => return Ok(Fate::Stays),
        };
        let owner = folded.subagent_run_id.as_deref();
        if is_kept || head.has_unknown_members || head.subagent_run_id() != owner {
            self.stopped = true;
            return Ok(Fate::Stays);
        }
        let state = &folded.event[folded.snapshot.clone()];
        let tree = folded
            .tree
            .get_or_insert_with(|| Tree::of(state.to_owned()));
        apply::apply(tree, &operations)?;
        FoldedMetadata::fold_into(&mut folded.metadata, head.values.metadata)?;
        Ok(Fate::Folded)
    }

    /// Whether the folded snapshot still needs a place in front of an event that stays.
    pub fn needs_place(&self) -> bool {
        self.folded.is_some() && self.place.is_none()
    }

    /// Appends the folded snapshot to the texts of the run, and gives its place there.
    pub fn write(&self, out: &mut String) -> Option<Range<usize>> {
        let folded = self.folded.as_ref()?;
        let start = out.len();
        match &folded.tree {
            None => out.push_str(&folded.event),
            Some(tree) => EventWriter::new(out, "STATE_SNAPSHOT")
                .by("snapshot", |out| tree.write(out))
                .raw("timestamp", folded.timestamp.as_deref())
                .metadata(folded.metadata.as_ref())
                .text("subagentRunId", folded.subagent_run_id.as_deref())
                .end(),
        }
        Some(start..out.len())
    }
}
