//! Events between bytes and text: JSON Lines or a JSON array, in blocks of any size.

mod array;
mod lines;
mod position;
mod utf8;

use std::ops::Range;

use array::Array;
use chatstate_json::{Rejection, byte_order_mark, is_cut_off};
use lines::Lines;
pub(crate) use position::Position;
use utf8::Decoder;

/// Takes the texts of some events, with the framing that they came in.
pub(crate) type Each<'e> = dyn FnMut(&FramedEvents<'_>) -> Result<(), Rejection> + 'e;

/// Some events, and the text that they are parts of.
pub(crate) struct FramedEvents<'t> {
    pub text: &'t str,
    /// Where each of the events is in the text.
    pub places: &'t [Range<usize>],
    pub framing: Framing,
    start: Position,
}

impl<'t> FramedEvents<'t> {
    /// The texts of the events.
    pub fn texts(&self) -> impl Iterator<Item = &'t str> {
        let text = self.text;
        self.places.iter().map(move |place| &text[place.clone()])
    }

    /// Where each of the events begins in the log.
    pub fn positions(&self) -> impl Iterator<Item = Position> {
        let (mut at, mut position) = (0, self.start);
        self.places.iter().map(move |place| {
            position = position.after(&self.text[at..place.start]);
            at = place.start;
            position
        })
    }
}

/// How the events of a log are kept apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framing {
    /// JSON Lines: each event is one line.
    Lines,
    /// One JSON array.
    Array,
}

impl Framing {
    /// The framing of a text of events, determined by its first character.
    #[must_use]
    pub fn of(text: &str) -> Self {
        if text.trim_start().starts_with('[') {
            Self::Array
        } else {
            Self::Lines
        }
    }
}

/// Where a log breaks off in the middle of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct TornTail {
    /// The first byte that belongs to no whole event.
    pub offset: u64,
    /// The line of that byte; the first line is 1.
    pub line: u64,
}

impl TornTail {
    /// Where the last of several JSON Lines breaks off, if it does: it has no newline, and it is the
    /// beginning of an object or of one of its characters.
    #[must_use]
    pub fn of_lines(bytes: &[u8]) -> Option<Self> {
        let start = bytes.iter().rposition(|byte| *byte == b'\n')? + 1;
        let is_torn = match std::str::from_utf8(&bytes[start..]) {
            Ok(line) => breaks_off(line),
            Err(error) => {
                error.error_len().is_none() && bytes[start..].trim_ascii_start().starts_with(b"{")
            }
        };
        let lines = bytes[..start].split(|byte| *byte == b'\n').count();
        is_torn.then_some(Self {
            offset: start as u64,
            line: lines as u64,
        })
    }
}

/// Whether a text is the beginning of an object, and no whole one. Zeros at the end are what a
/// power failure leaves of what was not written yet.
fn breaks_off(text: &str) -> bool {
    let written = text.trim_end_matches('\0');
    let has_zeros = written.len() < text.len();
    let is_begun = written.trim_start().starts_with('{');
    (is_begun && (has_zeros || is_cut_off(written))) || (has_zeros && written.trim().is_empty())
}

/// Takes blocks apart. The first byte that is not blank determines the framing.
#[derive(Default)]
pub(crate) struct Frames {
    decoder: Decoder,
    kind: Option<FrameReader>,
    /// Where the blanks end that stand before the framing is known.
    blank: Position,
}

enum FrameReader {
    Lines(Lines),
    Array(Array),
}

impl Frames {
    /// Takes the next block.
    pub fn push(&mut self, block: &[u8], each: &mut Each<'_>) -> Result<(), Rejection> {
        let Self {
            decoder,
            kind,
            blank,
        } = self;
        decoder.push(block, &mut |text| take(kind, blank, text, each))
    }

    /// Takes the end of the input.
    pub fn finish(self, each: &mut Each<'_>) -> Result<Option<TornTail>, Rejection> {
        // An unpaired surrogate at the end is the end of a torn event.
        let is_cut = self.decoder.is_within_character();
        match self.kind {
            Some(FrameReader::Lines(lines)) => lines.finish(is_cut, each),
            Some(FrameReader::Array(array)) => array.finish(each),
            None if is_cut => Ok(Some(self.blank.into())),
            // An empty file is a log before its first event.
            None => Ok(None),
        }
    }

    /// Where what is not taken apart yet begins.
    pub fn rest(&self) -> Position {
        match &self.kind {
            Some(FrameReader::Lines(lines)) => lines.rest(),
            Some(FrameReader::Array(array)) => array.rest(),
            None => self.blank,
        }
    }

    /// How the events are kept apart, once that is known.
    pub fn framing(&self) -> Option<Framing> {
        self.kind.as_ref().map(|kind| match kind {
            FrameReader::Lines(_) => Framing::Lines,
            FrameReader::Array(_) => Framing::Array,
        })
    }
}

fn take(
    kind: &mut Option<FrameReader>,
    blank: &mut Position,
    text: &str,
    each: &mut Each<'_>,
) -> Result<(), Rejection> {
    let mut text = text;
    if kind.is_none() {
        if blank.byte == 0 && text.starts_with('\u{feff}') {
            return Err(byte_order_mark());
        }
        let rest = text.trim_start();
        *blank = blank.after(&text[..text.len() - rest.len()]);
        text = rest;
        *kind = match text.as_bytes().first() {
            None => return Ok(()),
            Some(b'[') => Some(FrameReader::Array(Array::at(*blank))),
            Some(_) => Some(FrameReader::Lines(Lines::at(*blank))),
        };
    }
    match kind {
        Some(FrameReader::Lines(lines)) => lines.push(text, each),
        Some(FrameReader::Array(array)) => array.push(text, each),
        None => Ok(()),
    }
}
