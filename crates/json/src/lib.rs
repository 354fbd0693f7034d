//! Exact JSON: a value tree that loses nothing, its reader, its canonical form, and typed reading.

mod alternatives;
mod basic;
mod block;
mod canonical;
#[cfg(feature = "cbor")]
pub mod cbor;
pub mod constraint;
mod known;
mod number;
mod object;
pub mod pointer;
mod reader;
mod rejection;
mod scan;
mod span;
mod split_text;
mod tape;
mod typed;
mod value;
mod writer;

pub use alternatives::{Alternative, first_of};
pub use basic::unpaired;
pub use canonical::{canonical, digest};
pub use canonical::{canonical_of_text, is_canonical_string};
pub use known::{each_item, each_member, members_of};
pub use number::Number;
pub use object::Object;
pub use reader::{Halves, MAX_DEPTH, check, parse, parse_with, text_of};
pub use reader::{byte_order_mark, compact_length, not_utf8, string as split_text_of};
pub use rejection::{Class, Rejection};
pub use scan::{Scanner, Spelling};
pub use span::range_within;
pub use span::span;
pub use split_text::{SplitText, UnpairedSurrogate};
pub use tape::{Raw, Tape};
pub use typed::{Constant, Kind, Members, ObjectWriter, Presence, ReadJson, WriteJson, from_text};
pub use typed::{missing, wrong_kind};
pub use value::Value;
pub use writer::write_string;
