//! Messages that inputs repeat.

use super::digest::Digest;
use super::messages::{MessageHead, Messages};
use chatstate_json::Scanner;

/// The messages of an earlier input. The next one repeats most of them byte by byte, and those need
/// not be read again. Messages of inputs stand deeper than all others, so that what was read there
/// may stand anywhere.
#[derive(Debug, Default)]
pub(super) struct EarlierMessages<'a>(Vec<WithDigest<'a>>);

/// A message, with its digest if that is known.
pub(super) type WithDigest<'a> = (MessageHead<'a>, Option<Digest>);

/// How many messages an input may leave out before one that it repeats.
const MOST_LEFT_OUT: usize = 32;

impl<'a> EarlierMessages<'a> {
    /// The messages of an event that may be repeated.
    pub fn of(messages: &Messages<'a>) -> Self {
        let messages = messages.with_digests();
        Self(
            messages
                .map(|(message, digest)| (message.clone(), digest))
                .collect(),
        )
    }

    /// Reads the message that is next. Where there were messages before it, it is new, and somebody
    /// will want its digest.
    pub fn new_message(&self, scanner: &mut Scanner<'a>) -> Option<WithDigest<'a>> {
        let message = MessageHead::read(scanner)?;
        let is_wanted = !self.0.is_empty();
        let digest = is_wanted.then(|| Digest::of(message.value)).flatten();
        Some((message, digest))
    }

    /// Steps over the message that is next if it is one of those from a place on; the place of the
    /// one behind it is next.
    pub fn repeated(&self, scanner: &mut Scanner<'a>, next: &mut usize) -> Option<WithDigest<'a>> {
        let mut rest = self.0.get(*next..)?.iter().take(MOST_LEFT_OUT);
        scanner.peek()?;
        let text = scanner.rest();
        let left_out = rest.position(|(message, _)| text.starts_with(message.value))?;
        let (message, digest) = self.0.get(*next + left_out)?;
        *next += left_out + 1;
        let message = MessageHead {
            value: scanner.pass(message.value.len())?,
            ..message.clone()
        };
        Some((message, *digest))
    }
}
