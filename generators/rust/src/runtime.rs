//! The files of the reference that a package needs beside its types. They have one home, the
//! reference itself; a package gets copies.

/// A file: its path in the sources of a package, which is that in the reference, and its text.
pub(crate) type RuntimeFile = (&'static str, &'static str);

/// A file of the reference.
macro_rules! reference {
    ($path:literal) => {
        (
            $path,
            include_str!(concat!("../../../crates/chatstate/src/", $path)),
        )
    };
}

/// What every package needs: exact JSON, its canonical form, and refusals.
pub(crate) const RUNTIME: &[RuntimeFile] = &[
    reference!("json/alternatives.rs"),
    reference!("json/basic.rs"),
    reference!("json/block.rs"),
    reference!("json/canonical.rs"),
    reference!("json/constraint.rs"),
    reference!("json/known.rs"),
    reference!("json/mod.rs"),
    reference!("json/number.rs"),
    reference!("json/object.rs"),
    reference!("json/pointer.rs"),
    reference!("json/reader.rs"),
    reference!("json/scan.rs"),
    reference!("json/span.rs"),
    reference!("json/split_text.rs"),
    reference!("json/tape.rs"),
    reference!("json/typed.rs"),
    reference!("json/value.rs"),
    reference!("json/writer.rs"),
    reference!("rejection.rs"),
];

/// What is about saved chats.
pub(crate) const SAVED_CHATS: &[RuntimeFile] = &[
    reference!("channel_key.rs"),
    reference!("encoding.rs"),
    reference!("version.rs"),
];
