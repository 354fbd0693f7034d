//! JSON Lines.

use super::{Each, Framing, TornTail, breaks_off};
use chatstate_json::Rejection;

/// Splits text into lines.
pub(super) struct Lines {
    /// The line that is not over.
    begun: String,
    /// Where that line begins.
    offset: u64,
}

impl Lines {
    pub fn at(offset: u64) -> Self {
        Self {
            begun: String::new(),
            offset,
        }
    }

    pub fn push(&mut self, text: &str, each: &mut Each<'_>) -> Result<(), Rejection> {
        let Some(end) = text.rfind('\n') else {
            self.begun.push_str(text);
            return Ok(());
        };
        let (mut whole, rest) = (&text[..end], &text[end + 1..]);
        self.offset += (self.begun.len() + end + 1) as u64;
        if !self.begun.is_empty() {
            let (first, others) = whole.split_once('\n').unwrap_or((whole, ""));
            self.begun.push_str(first);
            let begun = line(&self.begun);
            each(begun.as_slice(), Framing::Lines)?;
            self.begun.clear();
            whole = others;
        }
        each(&lines_of(whole), Framing::Lines)?;
        self.begun.push_str(rest);
        Ok(())
    }

    /// The last line need not end with a newline, but if it does not, it may be torn. A text of one
    /// line that breaks off is no log.
    pub fn finish(self, is_cut: bool, each: &mut Each<'_>) -> Result<Option<TornTail>, Rejection> {
        if is_cut || (self.offset > 0 && breaks_off(&self.begun)) {
            let offset = self.offset;
            return Ok(Some(TornTail { offset }));
        }
        let last = line(&self.begun);
        each(last.as_slice(), Framing::Lines).map(|()| None)
    }
}

/// The lines of a text that are not blank.
fn lines_of(text: &str) -> Vec<&str> {
    text.split('\n').filter_map(line).collect()
}

/// A line without the blanks around it; a blank line is none.
fn line(text: &str) -> Option<&str> {
    (!text.trim().is_empty()).then(|| text.trim_matches([' ', '\t', '\r']))
}
