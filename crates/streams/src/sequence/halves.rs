//! Halves of surrogate pairs at the end of texts that are still open.

use super::{ItemKind, Violation};
use crate::header::Delta;

/// A text that ends in half a character: a message's content or a tool call's arguments. A text
/// and a reasoning message of one id write to the same message.
#[derive(Debug, Clone)]
struct Half {
    is_call: bool,
    id: String,
    index: usize,
}

/// The open texts that end in half a character. Hardly ever is there one, so they are a list.
#[derive(Debug, Clone, Default)]
pub(super) struct Halves(Vec<Half>);

impl Halves {
    /// Takes what is appended to a text; two halves must meet or not be there at all.
    pub fn append(
        &mut self,
        index: usize,
        kind: ItemKind,
        id: &str,
        delta: Delta,
    ) -> Result<(), Violation> {
        let is_whole = !delta.has_leading_half && !delta.has_trailing_half;
        if delta.is_empty || (is_whole && self.0.is_empty()) {
            return Ok(());
        }
        let before = self.take(kind, id);
        if before.is_some() != delta.has_leading_half {
            return Err(unpaired(before));
        }
        if delta.has_trailing_half {
            self.0.push(Half {
                is_call: kind == ItemKind::ToolCall,
                id: id.to_owned(),
                index,
            });
        }
        Ok(())
    }

    /// Refuses to end a text that ends in half a character.
    pub fn end(&mut self, kind: ItemKind, id: &str) -> Result<(), Violation> {
        match self.take(kind, id) {
            None => Ok(()),
            half => Err(unpaired(half)),
        }
    }

    /// Forgets all, as the end of a run and a restated conversation do.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Whether both wait for the same halves.
    pub fn stand_like(&self, other: &Self) -> bool {
        let holds = |half: &Half| {
            let same = |open: &Half| (open.is_call, &open.id) == (half.is_call, &half.id);
            other.0.iter().any(same)
        };
        self.0.len() == other.0.len() && self.0.iter().all(holds)
    }

    fn take(&mut self, kind: ItemKind, id: &str) -> Option<usize> {
        let is_call = kind == ItemKind::ToolCall;
        let is_it = |half: &Half| half.is_call == is_call && half.id == id;
        let place = self.0.iter().position(is_it)?;
        Some(self.0.swap_remove(place).index)
    }
}

fn unpaired(other: Option<usize>) -> Violation {
    let message = "the text holds half a surrogate pair that nothing completes";
    Violation {
        other,
        ..Violation::new("text.unpaired-surrogate", message)
    }
}
