//! Exact JSON: a value tree that loses nothing, one tokenizer, the canonical form, and typed reading.

mod alternatives;
mod basic;
mod block;
mod canonical;
#[cfg(feature = "cbor")]
pub mod cbor;
pub mod constraint;
mod document;
mod names;
mod number;
mod object;
mod parts;
pub mod pointer;
mod rejection;
mod scan;
mod span;
mod split_text;
mod string;
mod tape;
mod tokenizer;
mod typed;
mod value;
mod writer;

pub use alternatives::{ReadAlternative, first_of};
pub use basic::unpaired;
pub use canonical::{canonical, canonical_of_text, digest, is_canonical_string};
pub use document::{
    Surrogates, byte_order_mark, check, is_cut_off, not_utf8, parse, parse_with, text_of,
};
pub use number::Number;
pub use object::Object;
pub use parts::{compact_length, each_item, each_member, members_of, split_text_of};
pub use rejection::{Class, Rejection};
pub use span::{range_within, span};
pub use split_text::{SplitText, UnpairedSurrogate};
pub use string::StringSpelling;
pub use tape::{Raw, Tape};
pub use tokenizer::MAX_DEPTH;
pub use tokenizer::Tokenizer as Scanner;
pub use typed::{
    Constant, Kind, Members, Presence, ReadJson, WriteJson, from_text, missing, wrong_kind,
};
pub use value::Value;
pub use writer::{ObjectWriter, write_string};
