//! Blocks of bytes as text, each checked once.

use chatstate_json::Rejection;
use chatstate_json::not_utf8;

/// Decodes blocks that may begin and end within a character.
#[derive(Default)]
pub(super) struct Decoder {
    /// The beginning of a character whose end is in the next block.
    begun: Vec<u8>,
    /// The number of bytes before the next block, without those.
    offset: u64,
}

impl Decoder {
    /// Passes on the text of the next block.
    pub fn push(
        &mut self,
        block: &[u8],
        take: &mut dyn FnMut(&str) -> Result<(), Rejection>,
    ) -> Result<(), Rejection> {
        let mut block = block;
        while !self.begun.is_empty() && !block.is_empty() {
            self.begun.push(block[0]);
            block = &block[1..];
            match std::str::from_utf8(&self.begun) {
                Ok(text) => {
                    take(text)?;
                    self.offset += self.begun.len() as u64;
                    self.begun.clear();
                }
                Err(error) if error.error_len().is_none() => {}
                Err(_) => return Err(not_utf8(self.offset)),
            }
        }
        let (text, rest) = match simdutf8::compat::from_utf8(block) {
            Ok(text) => (text, &block[block.len()..]),
            Err(error) => {
                let text = block.utf8_chunks().next().map_or("", |chunk| chunk.valid());
                if error.error_len().is_some() {
                    // What is before is used.
                    take(text)?;
                    return Err(not_utf8(self.offset + text.len() as u64));
                }
                (text, &block[text.len()..])
            }
        };
        if !text.is_empty() {
            take(text)?;
        }
        self.offset += text.len() as u64;
        self.begun.extend_from_slice(rest);
        Ok(())
    }

    /// Whether the input ends within a character.
    pub fn is_within_character(&self) -> bool {
        !self.begun.is_empty()
    }
}
