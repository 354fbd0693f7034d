//! The same values in CBOR (RFC 8949): a second format of one model (requirements `cbor.*`).
//!
//! Every value can be written: numbers of any size and precision, text with an unpaired surrogate
//! at an end, members of any name. Writing is deterministic (RFC 8949, section 4.2.1), so encodings
//! can be compared and signed. A double is read by its shortest spelling, so `0.1` is a float of
//! nine bytes and comes back as `0.1`. Reading accepts every definite encoding of what JSON has,
//! since most encoders are not deterministic. The order of members is not kept: to keep the exact
//! bytes of a document, keep the JSON.
//!
//! ```
//! use chatstate_json::cbor::{from_cbor, to_cbor};
//! use chatstate_json::parse;
//! let value = parse(r#"{"price":0.10000000000000000000001,"id":123456789012345678901234567890}"#)?;
//! assert_eq!(from_cbor(&to_cbor(&value)?)?, value);
//! # Ok::<(), chatstate_json::Rejection>(())
//! ```

mod read;
mod unpaired;
mod write;

pub use read::from_cbor;
pub use write::to_cbor;

use crate::rejection::{Class, Rejection};

/// The tag of an integer from 2^64 on.
const POSITIVE: u64 = 2;
/// The tag of an integer below -2^64.
const NEGATIVE: u64 = 3;
/// The tag of a decimal: an exponent of ten and an integer.
const DECIMAL: u64 = 4;
/// The tag of bytes that are text but for unpaired surrogates (WTF-8).
const SPLIT_TEXT: u64 = 273;

/// The most digits of a number that is not a double. To turn digits into the bytes of an integer
/// takes time that grows with their square.
const MAX_DIGITS: usize = 100_000;

/// The rejection of a number with more digits than are turned into bytes or back.
fn too_many_digits() -> Rejection {
    let message = format!("a number has more than {MAX_DIGITS} digits, which CBOR is not used for");
    Rejection::new(Class::Limit, "number-digits", message)
}
