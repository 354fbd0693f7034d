//! JSON Lines.

use super::{Each, FramedEvents, Framing, Position, TornTail, breaks_off};
use std::ops::Range;

use chatstate_json::Rejection;
use memchr::memchr_iter;

/// Splits text into lines.
pub(super) struct Lines {
    /// The line that is not over.
    begun: String,
    /// Where that line begins.
    start: Position,
    /// Where the events of the last lines are, for its memory.
    places: Vec<Range<usize>>,
}

impl Lines {
    pub fn at(start: Position) -> Self {
        Self {
            begun: String::new(),
            start,
            places: Vec::new(),
        }
    }

    /// Where the line begins that is not over.
    pub fn rest(&self) -> Position {
        self.start
    }

    pub fn push(&mut self, text: &str, each: &mut Each<'_>) -> Result<(), Rejection> {
        let Some(end) = text.rfind('\n') else {
            self.begun.push_str(text);
            return Ok(());
        };
        let (mut whole, rest) = (&text[..=end], &text[end + 1..]);
        if !self.begun.is_empty() {
            let first = whole.find('\n').map_or(whole.len(), |newline| newline + 1);
            self.begun.push_str(&whole[..first]);
            let begun = std::mem::take(&mut self.begun);
            whole = &whole[first..];
            self.take(&begun, each)?;
            self.begun = begun;
            self.begun.clear();
        }
        self.take(whole, each)?;
        self.begun.push_str(rest);
        Ok(())
    }

    /// Takes lines that are over.
    fn take(&mut self, text: &str, each: &mut Each<'_>) -> Result<(), Rejection> {
        let start = self.start;
        let (mut lines, mut begin) = (0, 0);
        self.places.clear();
        for newline in memchr_iter(b'\n', text.as_bytes()) {
            self.places.extend(event(text, begin..newline));
            lines += 1;
            begin = newline + 1;
        }
        // The last line of a log need not end with a newline.
        self.places.extend(event(text, begin..text.len()));
        self.start = start.after_lines(text, lines);
        each(&FramedEvents {
            text,
            places: &self.places,
            framing: Framing::Lines,
            start,
        })
    }

    /// The last line need not end with a newline, but if it does not, it may be torn.
    pub fn finish(
        mut self,
        is_cut: bool,
        each: &mut Each<'_>,
    ) -> Result<Option<TornTail>, Rejection> {
        if is_cut || breaks_off(&self.begun) {
            return Ok(Some(self.start.into()));
        }
        let last = std::mem::take(&mut self.begun);
        self.take(&last, each).map(|()| None)
    }
}

/// Where the event of a line is, without the blanks around it; a blank line has none.
fn event(text: &str, line: Range<usize>) -> Option<Range<usize>> {
    const BLANKS: [char; 3] = [' ', '\t', '\r'];
    let rest = text[line.clone()].trim_start_matches(BLANKS);
    let start = line.end - rest.len();
    let event = start..start + rest.trim_end_matches(BLANKS).len();
    (!rest.trim().is_empty()).then_some(event)
}
