//! Exact JSON: a value tree that loses nothing, its reader, its canonical form, and typed reading.

mod alternatives;
mod basic;
mod block;
mod canonical;
pub mod constraint;
mod known;
mod number;
mod object;
pub mod pointer;
mod reader;
mod scan;
mod span;
mod split_text;
mod tape;
mod typed;
mod value;
mod writer;

pub use alternatives::{Alternative, first_of};
pub(crate) use basic::unpaired;
pub use canonical::{canonical, digest};
pub(crate) use canonical::{canonical_of_text, is_canonical_string};
pub(crate) use known::{each_item, each_member, members_of};
pub use number::Number;
pub use object::Object;
pub use reader::{Halves, MAX_DEPTH, check, parse, parse_with, text_of};
pub(crate) use reader::{byte_order_mark, compact_length, not_utf8, string as split_text_of};
pub(crate) use scan::{Scanner, Spelling};
pub(crate) use span::range_within;
pub use span::span;
pub use split_text::{SplitText, UnpairedSurrogate};
pub use tape::{Raw, Tape};
pub use typed::{Constant, Kind, Members, ObjectWriter, Presence, ReadJson, WriteJson, from_text};
pub(crate) use typed::{missing, wrong_kind};
pub use value::Value;
pub use writer::write_string;
