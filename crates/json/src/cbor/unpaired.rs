//! Text with an unpaired surrogate at an end, as the bytes of WTF-8: UTF-8 that encodes an unpaired
//! surrogate as a code point of its own.

use crate::SplitText;

/// The bytes of a text.
pub(super) fn bytes_of(text: &SplitText) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.body().len() + 6);
    bytes.extend(text.leading().into_iter().flat_map(encoded));
    bytes.extend_from_slice(text.body().as_bytes());
    bytes.extend(text.trailing().into_iter().flat_map(encoded));
    bytes
}

/// The text of bytes; none if they are no such text, or one without unpaired surrogates.
pub(super) fn text_of(bytes: &[u8]) -> Option<SplitText> {
    let (leading, rest) = match bytes.split_first_chunk() {
        Some((first, rest)) if unit(*first).is_some_and(|unit| unit >= LOW) => (unit(*first), rest),
        _ => (None, bytes),
    };
    let (body, trailing) = match rest.split_last_chunk() {
        Some((body, last)) if unit(*last).is_some_and(|unit| unit < LOW) => (body, unit(*last)),
        _ => (rest, None),
    };
    if leading.is_none() && trailing.is_none() {
        return None;
    }
    let body = std::str::from_utf8(body).ok()?.to_owned();
    SplitText::new(leading, body, trailing).ok()
}

/// The first low surrogate; the high ones are before it.
const LOW: u16 = 0xdc00;

/// The three bytes of a surrogate.
fn encoded(unit: u16) -> [u8; 3] {
    let [high, low] = unit.to_be_bytes();
    let middle = ((high & 0x0f) << 2) | (low >> 6);
    [0xe0 | (high >> 4), 0x80 | middle, 0x80 | (low & 0x3f)]
}

/// The surrogate that three bytes are.
fn unit([first, middle, last]: [u8; 3]) -> Option<u16> {
    let is_surrogate = first == 0xed && (0xa0..=0xbf).contains(&middle) && last & 0xc0 == 0x80;
    is_surrogate.then(|| 0xd000 | (u16::from(middle & 0x3f) << 6) | u16::from(last & 0x3f))
}
