//! The deltas of an item between two barriers, as one.

use std::ops::Range;

use super::metadata::FoldedMetadata;
use super::piece::Piece;
use chatstate_json::Rejection;

/// Most messages are longer than this; it spares them growing step by step.
const ROOM: usize = 256;

/// A text that more is joined to.
fn beginning_with(delta: &str) -> String {
    let mut text = String::with_capacity(delta.len() + ROOM);
    text.push_str(delta);
    text
}

/// What the deltas of a part come to.
///
/// A part of one delta is that delta. Where several are joined, the first timestamp and the last
/// value of each metadata member stay, and the providers' original events go.
#[derive(Default)]
pub(super) struct Part {
    /// The text, still escaped.
    pub delta: Option<String>,
    pub timestamp: Option<String>,
    pub raw_event: Option<String>,
    pub metadata: Option<FoldedMetadata>,
    pub subagent_run_id: Option<String>,
    /// Members that the schema does not name, each as it is spelled.
    pub extra: String,
    /// The event that is the whole part, among the texts of the run, if it is to stay as it is.
    pub event: Option<Range<usize>>,
    /// Whether all that has something for a delta is of delta events, and not of chunks.
    pub is_explicit: bool,
    /// How many pieces have something for a delta.
    joined: usize,
}

impl Part {
    /// The part that begins with a delta, or with a chunk that continues an item.
    pub fn of(piece: &Piece<'_>) -> Result<Self, Rejection> {
        let mut part = Self {
            delta: piece.delta.map(beginning_with),
            timestamp: piece.timestamp.map(str::to_owned),
            raw_event: piece.raw_event.map(str::to_owned),
            metadata: None,
            subagent_run_id: piece.subagent_run_id.map(str::to_owned),
            extra: piece.extra.clone(),
            event: None,
            is_explicit: piece.is_explicit,
            joined: 1,
        };
        FoldedMetadata::fold_into(&mut part.metadata, piece.metadata)?;
        Ok(part)
    }

    /// The part that begins with the chunk that opens the item.
    pub fn of_opener(piece: &Piece<'_>) -> Result<Self, Rejection> {
        let joined = usize::from(piece.opener_says_something());
        Ok(Self {
            joined,
            is_explicit: joined == 0,
            ..Self::of(piece)?
        })
    }

    /// Whether the part has a delta event, however empty.
    pub fn has_delta(&self) -> bool {
        self.joined > 0
    }

    /// What the chunk says that opens the item, if all deltas of the part are delta events.
    pub fn opener_alone(&self) -> Option<Self> {
        (self.is_explicit && self.has_delta()).then(|| Self {
            timestamp: self.timestamp.clone(),
            ..Self::default()
        })
    }

    /// Joins a piece.
    pub fn join(&mut self, next: &Piece<'_>) -> Result<(), Rejection> {
        self.event = None;
        if let Some(delta) = next.delta {
            self.delta.get_or_insert_default().push_str(delta);
        }
        if next.says_something() {
            self.joined += 1;
            self.is_explicit &= next.is_explicit;
            let is_only = self.joined == 1;
            self.raw_event = next.raw_event.filter(|_| is_only).map(str::to_owned);
            // A chunk that says nothing leaves no subagent behind either: a delta event with one
            // would end what the chunks of that subagent have open.
            if self.subagent_run_id.is_none() {
                self.subagent_run_id = next.subagent_run_id.map(str::to_owned);
            }
        }
        if self.timestamp.is_none() {
            self.timestamp = next.timestamp.map(str::to_owned);
        }
        FoldedMetadata::fold_into(&mut self.metadata, next.metadata)
    }

    /// The text that a chunk has for this part. A part that has a delta event has text, however
    /// empty, unless the original event of its only chunk says so already.
    pub fn chunk_delta(&self) -> Option<&str> {
        match &self.delta {
            Some(delta) => Some(delta),
            None if self.has_delta() && self.raw_event.is_none() => Some(""),
            None => None,
        }
    }
}
