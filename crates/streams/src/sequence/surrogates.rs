//! Unpaired surrogates at the ends of texts that are still open.

use super::{ItemKind, Violation};
use crate::header::Delta;

/// A text that ends with an unpaired high surrogate: the content of a message or the arguments of a
/// tool call. A text message and a reasoning message with one id write to the same message.
#[derive(Debug, Clone)]
struct SplitEnd {
    is_call: bool,
    id: String,
    index: usize,
}

/// The open texts that end with an unpaired high surrogate. There is rarely more than one, so they
/// are a list.
#[derive(Debug, Clone, Default)]
pub(super) struct PendingSurrogates(Vec<SplitEnd>);

impl PendingSurrogates {
    /// Takes what is appended to a text. It must begin with an unpaired low surrogate exactly if
    /// the text ends with an unpaired high one.
    pub fn append(
        &mut self,
        index: usize,
        kind: ItemKind,
        id: &str,
        delta: Delta,
    ) -> Result<(), Violation> {
        let is_whole = !delta.begins_with_low_surrogate && !delta.ends_with_high_surrogate;
        if delta.is_empty || (is_whole && self.0.is_empty()) {
            return Ok(());
        }
        let before = self.take(kind, id);
        if before.is_some() != delta.begins_with_low_surrogate {
            return Err(unpaired(before));
        }
        if delta.ends_with_high_surrogate {
            self.0.push(SplitEnd {
                is_call: kind == ItemKind::ToolCall,
                id: id.to_owned(),
                index,
            });
        }
        Ok(())
    }

    /// Rejects the end of a text that ends with an unpaired surrogate.
    pub fn end(&mut self, kind: ItemKind, id: &str) -> Result<(), Violation> {
        match self.take(kind, id) {
            None => Ok(()),
            before => Err(unpaired(before)),
        }
    }

    /// Discards all, as the end of a run and a `MESSAGES_SNAPSHOT` do.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Whether the same texts end with an unpaired surrogate in both.
    pub fn is_equivalent(&self, other: &Self) -> bool {
        let is_there = |text: &SplitEnd| {
            let same = |open: &SplitEnd| (open.is_call, &open.id) == (text.is_call, &text.id);
            other.0.iter().any(same)
        };
        self.0.len() == other.0.len() && self.0.iter().all(is_there)
    }

    fn take(&mut self, kind: ItemKind, id: &str) -> Option<usize> {
        let is_call = kind == ItemKind::ToolCall;
        let is_it = |text: &SplitEnd| text.is_call == is_call && text.id == id;
        let place = self.0.iter().position(is_it)?;
        Some(self.0.swap_remove(place).index)
    }
}

fn unpaired(other: Option<usize>) -> Violation {
    let message = "the text has an unpaired surrogate that no other delta completes";
    Violation {
        other,
        ..Violation::new("text.unpaired-surrogate", message)
    }
}
