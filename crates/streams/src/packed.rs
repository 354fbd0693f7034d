//! Text that is rarely needed again, compressed.

use std::sync::Arc;

/// A text in less memory. Copies share it.
#[derive(Clone)]
pub(crate) enum PackedText {
    Packed(Arc<[u8]>),
    /// A text of more than 4 GiB, whose size cannot be noted.
    Long(Arc<str>),
}

impl PackedText {
    pub fn of(text: &str) -> Self {
        if u32::try_from(text.len()).is_err() {
            return Self::Long(text.into());
        }
        Self::Packed(lz4_flex::compress_prepend_size(text.as_bytes()).into())
    }

    /// The text again.
    pub fn text(&self) -> String {
        let packed = match self {
            Self::Packed(packed) => packed,
            Self::Long(text) => return text.to_string(),
        };
        let bytes = lz4_flex::decompress_size_prepended(packed).ok();
        match bytes.and_then(|bytes| String::from_utf8(bytes).ok()) {
            Some(text) => text,
            None => unreachable!("this text was packed here"),
        }
    }
}
