//! Places in a log.

use super::TornTail;

/// A place in a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Position {
    /// The bytes before it.
    pub byte: u64,
    /// Its line; the first is 1.
    pub line: u64,
    /// The bytes before that line.
    pub line_start: u64,
}

impl Default for Position {
    fn default() -> Self {
        Self {
            byte: 0,
            line: 1,
            line_start: 0,
        }
    }
}

impl Position {
    /// The place after a text of so many lines that begins here and ends with a newline.
    pub fn after_lines(self, text: &str, lines: usize) -> Self {
        let byte = self.byte + text.len() as u64;
        Self {
            byte,
            line: self.line + lines as u64,
            line_start: byte,
        }
    }

    /// The place behind a text that begins here.
    pub fn after(self, text: &str) -> Self {
        let newlines = text.bytes().filter(|byte| *byte == b'\n').count();
        let line_start = match text.rfind('\n') {
            Some(newline) => self.byte + newline as u64 + 1,
            None => self.line_start,
        };
        Self {
            byte: self.byte + text.len() as u64,
            line: self.line + newlines as u64,
            line_start,
        }
    }
}

impl From<Position> for TornTail {
    fn from(position: Position) -> Self {
        Self {
            offset: position.byte,
            line: position.line,
        }
    }
}
