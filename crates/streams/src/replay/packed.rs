//! Text that is rarely needed again, compressed.

use std::sync::Arc;

/// A text in less memory. Copies share it.
#[derive(Clone)]
pub(super) struct PackedText(Arc<[u8]>);

impl PackedText {
    /// None if the text is longer than its size can be noted, which is 4 GiB.
    pub fn of(text: &str) -> Option<Self> {
        u32::try_from(text.len()).ok()?;
        Some(Self(
            lz4_flex::compress_prepend_size(text.as_bytes()).into(),
        ))
    }

    /// The text again.
    pub fn text(&self) -> String {
        let bytes = lz4_flex::decompress_size_prepended(&self.0).ok();
        match bytes.and_then(|bytes| String::from_utf8(bytes).ok()) {
            Some(text) => text,
            None => unreachable!("this text was packed here"),
        }
    }
}
