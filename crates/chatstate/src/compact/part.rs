//! The deltas of an item between two barriers, as one.

use super::piece::Piece;
use crate::json::UnpairedSurrogate;

/// What the deltas of a part come to.
///
/// A part of one delta is that delta. Where several are joined, the first timestamp and the last
/// value of each metadata member stay, and the providers' original events go.
#[derive(Debug, Clone, Default)]
pub(super) struct Part {
    piece: Piece,
    /// How many pieces have something for a delta.
    joined: usize,
}

impl Part {
    /// The part that begins with a delta, or with a chunk that continues an item.
    pub fn of(piece: Piece) -> Self {
        Self { piece, joined: 1 }
    }

    /// The part that begins with the chunk that opens the item.
    pub fn of_opener(piece: Piece) -> Self {
        let joined = usize::from(piece.opener_says_something());
        Self { piece, joined }
    }

    /// Whether the part has a delta event, however empty.
    pub fn has_delta(&self) -> bool {
        self.joined > 0
    }

    /// Whether further pieces may join: one with members that nobody knows stands alone.
    pub fn is_alone(&self) -> bool {
        !self.piece.extra.is_empty()
    }

    /// Joins a piece. On error nothing has changed: half a character met what does not complete it.
    pub fn join(&mut self, next: Piece) -> Result<(), UnpairedSurrogate> {
        if let Some(delta) = &next.delta {
            self.piece.delta.get_or_insert_default().push(delta)?;
        }
        if next.says_something() {
            self.joined += 1;
            self.piece.raw_event = next.raw_event.filter(|_| self.joined == 1);
        }
        self.piece.timestamp = self.piece.timestamp.or(next.timestamp);
        if let Some(metadata) = next.metadata {
            let folded = self.piece.metadata.get_or_insert_default();
            folded.extend(metadata);
        }
        if self.piece.subagent_run_id.is_none() {
            self.piece.subagent_run_id = next.subagent_run_id;
        }
        Ok(())
    }

    /// The part as the piece of a delta event.
    pub fn into_delta(self) -> Piece {
        self.piece
    }

    /// The part as the piece of a chunk. A part that has a delta event has text, however empty,
    /// unless the original event of its only chunk says so already.
    pub fn into_chunk(mut self) -> Piece {
        if self.has_delta() && !self.piece.opener_says_something() {
            self.piece.delta = Some(crate::json::SplitText::default());
        }
        self.piece
    }

    /// The piece so far.
    pub fn piece(&self) -> &Piece {
        &self.piece
    }
}
