//! The deltas of an item between two barriers, merged into one.

use std::sync::LazyLock;

use super::plain_delta::PlainDelta;
use crate::sequence::Id;
use chatstate_json::{Class, Rejection};
use chatstate_json::{Object, SplitText};
use chatstate_types::generated::{Event, Metadata, OriginalEvent, TextDelta, Timestamp};

static NO_MEMBERS: LazyLock<Object> = LazyLock::new(Object::new);

/// The members of a delta event or a chunk, without what names the item.
pub(super) struct DeltaFields<'e> {
    pub text: Option<&'e TextDelta>,
    pub timestamp: Option<Timestamp>,
    pub raw_event: Option<&'e OriginalEvent>,
    pub metadata: Option<&'e Metadata>,
    pub subagent_run_id: Option<&'e str>,
    /// Members that the schema does not name.
    pub extra: &'e Object,
    /// Whether it is of a chunk and not of a delta event.
    pub is_chunk: bool,
}

impl<'e> DeltaFields<'e> {
    /// What an event carries that appends to an item; nothing of other events.
    pub fn of(event: &'e Event) -> Option<Self> {
        macro_rules! fields {
            ($event:ident, $text:expr, $is_chunk:literal) => {
                Some(Self {
                    text: $text,
                    timestamp: $event.timestamp,
                    raw_event: $event.raw_event.as_ref(),
                    metadata: $event.metadata.as_ref(),
                    subagent_run_id: $event.subagent_run_id.as_deref(),
                    extra: &$event.extra,
                    is_chunk: $is_chunk,
                })
            };
        }
        match event {
            Event::TextMessageContent(event) => fields!(event, Some(&event.delta), false),
            Event::ReasoningMessageContent(event) => fields!(event, Some(&event.delta), false),
            Event::ToolCallArgs(event) => fields!(event, Some(&event.delta), false),
            Event::TextMessageChunk(event) => fields!(event, event.delta.as_ref(), true),
            Event::ReasoningMessageChunk(event) => fields!(event, event.delta.as_ref(), true),
            Event::ToolCallChunk(event) => fields!(event, event.delta.as_ref(), true),
            _ => None,
        }
    }

    /// What a delta carries that is plain to see.
    pub fn of_plain(delta: &'e PlainDelta<'e>) -> Self {
        Self {
            text: Some(delta.delta),
            timestamp: delta.timestamp,
            raw_event: None,
            metadata: None,
            subagent_run_id: delta.subagent_run_id,
            extra: &NO_MEMBERS,
            is_chunk: false,
        }
    }

    /// Whether a chunk that continues an item becomes a delta; one that does not is a sign of life,
    /// and leaves nothing.
    pub fn is_delta(&self) -> bool {
        self.opens_with_delta() || self.metadata.is_some()
    }

    /// Whether a chunk that opens an item becomes a delta, too: its metadata belongs to the
    /// start of the item, and so are members that the schema does not name.
    pub fn opens_with_delta(&self) -> bool {
        self.text.is_some() || self.raw_event.is_some()
    }
}

/// Where something was: before which slot, and the number of its event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub slot: usize,
    pub arrival: usize,
}

/// Deltas as one. The first timestamp and the last value of each metadata member stay, and of
/// several deltas the providers' original events go.
#[derive(Debug, Clone)]
pub(super) struct PendingDelta {
    pub text: SplitText,
    pub timestamp: Option<Timestamp>,
    pub raw_event: Option<OriginalEvent>,
    pub metadata: Option<Metadata>,
    pub subagent_run_id: Option<Id>,
    pub extra: Object,
    /// Where the last of them was; if one names a subagent, the last that does.
    pub place: Place,
    /// How many there are; none where a chunk only opened the item.
    pub count: usize,
    /// Whether one of them is of a chunk.
    pub has_chunks: bool,
}

impl PendingDelta {
    /// Begins with a delta, or with a chunk that continues an item.
    pub fn of(fields: &DeltaFields<'_>, place: Place) -> Self {
        Self {
            text: fields.text.cloned().unwrap_or_default(),
            timestamp: fields.timestamp,
            raw_event: fields.raw_event.cloned(),
            metadata: fields.metadata.cloned(),
            subagent_run_id: fields.subagent_run_id.map(Id::from),
            extra: fields.extra.clone(),
            place,
            count: 1,
            has_chunks: fields.is_chunk,
        }
    }

    /// Begins with the chunk that opens the item.
    pub fn of_opener(fields: &DeltaFields<'_>, place: Place) -> Self {
        let count = usize::from(fields.opens_with_delta());
        let mut delta = Self::of(fields, place);
        (delta.count, delta.has_chunks) = (count, count > 0);
        if count == 0 {
            // Delta events alone close no lane but that of the parent agent.
            delta.subagent_run_id = None;
        }
        delta
    }

    /// Joins a further delta.
    pub fn join(&mut self, next: &DeltaFields<'_>, place: Place) -> Result<(), Rejection> {
        if let Some(text) = next.text {
            self.text.push(text).map_err(|_| unpaired())?;
        }
        // What is merged closes the lane that it names, so it may be only where that was closed.
        if next.subagent_run_id.is_some() || self.subagent_run_id.is_none() {
            self.place = place;
        }
        if next.is_delta() {
            self.count += 1;
            self.has_chunks |= next.is_chunk;
            let is_only = self.count == 1;
            self.raw_event = next.raw_event.filter(|_| is_only).cloned();
            if self.subagent_run_id.is_none() {
                self.subagent_run_id = next.subagent_run_id.map(Id::from);
            }
        }
        if self.timestamp.is_none() {
            self.timestamp = next.timestamp;
        }
        fold(&mut self.metadata, next.metadata);
        Ok(())
    }
}

/// Folds metadata in, name by name; the last value wins.
pub(super) fn fold(folded: &mut Option<Metadata>, metadata: Option<&Metadata>) {
    if let Some(metadata) = metadata {
        let members = metadata.iter();
        let members = members.map(|(name, value)| (name.clone(), value.clone()));
        folded.get_or_insert_default().extend(members);
    }
}

/// The verifier rejects such text before anything is merged.
fn unpaired() -> Rejection {
    let message = "the text holds an unpaired surrogate that nothing completes";
    Rejection::new(Class::Sequence, "text.unpaired-surrogate", message)
}
