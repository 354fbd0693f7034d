//! Exact JSON: a value tree that loses nothing, one tokenizer, the canonical form, and typed reading.

mod alternatives;
mod basic;
mod block;
mod canonical;
#[cfg(feature = "cbor")]
pub mod cbor;
mod condition;
pub mod constraint;
mod document;
mod names;
mod number;
mod object;
pub mod pointer;
mod rejection;
mod span;
mod split_text;
mod string;
mod tape;
mod tokenizer;
mod typed;
mod value;
mod visible;
#[cfg(feature = "serde")]
pub mod with_serde;
mod writer;

pub use alternatives::{ReadAlternative, first_of};
pub use basic::unpaired;
pub use canonical::{canonical, canonical_text, digest, equals};
pub use condition::{AskedCondition, LazyCondition};
pub use document::{
    Surrogates, byte_order_mark, check, is_cut_off, not_utf8, parse, parse_with, text_of,
};
pub use number::Number;
pub use object::{MemberName, Object};
pub use rejection::{Class, Rejection};
pub use span::span;
pub use split_text::{SplitText, UnpairedSurrogate};
pub use tape::{Raw, Tape, TapedDocument};
pub use tokenizer::{MAX_DEPTH, Tokenizer};
pub use typed::{
    Constant, Kind, Members, Presence, ReadJson, WriteJson, from_text, missing, read_and_write,
    rest_is_in_doubt, to_text, to_valid_text, validate, wrong_kind,
};
pub use value::Value;
pub use visible::{visible, visible_lines};
pub use writer::{ObjectWriter, write_string};
