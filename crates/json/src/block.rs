//! Sixteen bytes of text at once.
//!
//! Most of a document is the text of its strings. To look for their ends byte by byte makes reading
//! a log onto a tape take 1.4 to 1.6 times as long.

use std::ops::BitOr;

use wide::u8x16;

/// The bytes of a block.
#[derive(Clone, Copy)]
pub(super) struct Block(u8x16);

/// Which bytes of a block are of some kind.
#[derive(Clone, Copy)]
pub(super) struct Marks(u8x16);

impl Block {
    const LENGTH: usize = 16;

    fn last(rest: &[u8]) -> Self {
        let mut block = [0; Self::LENGTH];
        block[..rest.len()].copy_from_slice(rest);
        Self(u8x16::new(block))
    }

    /// The bytes that are this one.
    #[inline]
    pub fn are(self, byte: u8) -> Marks {
        Marks(self.0.simd_eq(u8x16::splat(byte)))
    }

    /// The bytes that are this one or less.
    #[inline]
    pub fn are_at_most(self, byte: u8) -> Marks {
        Marks(self.0.min(u8x16::splat(byte)).simd_eq(self.0))
    }
}

impl Marks {
    /// The marks as bits, the first byte's the lowest.
    #[inline]
    fn bits(self) -> u32 {
        self.0.to_bitmask()
    }
}

impl BitOr for Marks {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// The place of the first byte from here on that is marked, or the end.
#[inline]
pub(super) fn find(bytes: &[u8], start: usize, mark: impl Fn(Block) -> Marks) -> usize {
    let mut at = start;
    while let Some(block) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        let marks = mark(Block(u8x16::new(*block))).bits();
        if marks != 0 {
            return at + marks.trailing_zeros() as usize;
        }
        at += Block::LENGTH;
    }
    let rest = bytes.get(at..).unwrap_or_default();
    let marks = match bytes.last_chunk() {
        // The last whole block ends with what is left, and begins with what was looked at.
        Some(block) => {
            let looked_at = Block::LENGTH - rest.len();
            mark(Block(u8x16::new(*block))).bits() >> looked_at
        }
        None => mark(Block::last(rest)).bits(),
    };
    at + rest.len().min(marks.trailing_zeros() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_marked_byte_is_found_wherever_a_text_begins_and_ends() {
        for length in 0..3 * Block::LENGTH {
            for place in 0..=length {
                let mut bytes = vec![b'a'; length];
                // What follows is marked too.
                bytes[place..].fill(b'"');
                for start in 0..=length {
                    let found = find(&bytes, start, |block| block.are(b'"'));
                    assert_eq!(found, place.max(start), "{length} {place} {start}");
                }
            }
        }
    }

    #[test]
    fn each_byte_is_marked_as_what_it_is() {
        for byte in u8::MIN..=u8::MAX {
            let bytes = [byte; Block::LENGTH + 1];
            let is_marked = |mark: fn(Block) -> Marks| find(&bytes, 0, mark) == 0;
            assert_eq!(is_marked(|block| block.are(b'"')), byte == b'"');
            assert_eq!(is_marked(|block| block.are_at_most(0x1f)), byte < 0x20);
            let either = is_marked(|block| block.are(b'a') | block.are(b'b'));
            assert_eq!(either, matches!(byte, b'a' | b'b'));
        }
    }
}
