//! Unpaired surrogates at the ends of texts that are still open.

use std::collections::HashMap;

use super::{Id, IdHasher, ItemKind, Violation};
use crate::header::Delta;

type Texts = HashMap<Id, usize, IdHasher>;

/// The open texts that end with an unpaired high surrogate, each with the index of the event that ended it so. A
/// text message and a reasoning message with one id write to the same message.
#[derive(Debug, Clone, Default)]
pub(super) struct PendingSurrogates {
    /// The contents of messages.
    contents: Texts,
    /// The arguments of tool calls.
    arguments: Texts,
}

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
        if delta.is_empty || (is_whole && self.is_empty()) {
            return Ok(());
        }
        let before = self.take(kind, id);
        if before.is_some() != delta.begins_with_low_surrogate {
            return Err(unpaired(before));
        }
        if delta.ends_with_high_surrogate {
            self.texts(kind).insert(Id::from(id), index);
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
        // To clear a map takes the time of the largest that it was.
        if !self.is_empty() {
            *self = Self::default();
        }
    }

    /// Whether the same texts end with an unpaired surrogate in both.
    pub fn is_equivalent(&self, other: &Self) -> bool {
        let same = |one: &Texts, other: &Texts| {
            one.len() == other.len() && one.keys().all(|id| other.contains_key(id))
        };
        same(&self.contents, &other.contents) && same(&self.arguments, &other.arguments)
    }

    fn is_empty(&self) -> bool {
        self.contents.is_empty() && self.arguments.is_empty()
    }

    fn take(&mut self, kind: ItemKind, id: &str) -> Option<usize> {
        self.texts(kind).remove(id)
    }

    fn texts(&mut self, kind: ItemKind) -> &mut Texts {
        match kind {
            ItemKind::ToolCall => &mut self.arguments,
            _ => &mut self.contents,
        }
    }
}

fn unpaired(other: Option<usize>) -> Violation {
    let message = "the text has an unpaired surrogate that no other delta completes";
    Violation {
        other,
        ..Violation::new("text.unpaired-surrogate", message)
    }
}
