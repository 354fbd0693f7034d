//! CBOR to values: every encoding of definite length of what JSON has, and nothing else.

use minicbor::Decoder;
use minicbor::data::Type;
use num_bigint::{BigInt, Sign};

use super::unpaired::text_of;
use super::{DECIMAL, MAX_DIGITS, NEGATIVE, POSITIVE, SPLIT_TEXT, too_many_digits};
use crate::rejection::{Class, Rejection};
use crate::{MAX_DEPTH, Number, Object, Value, parse};

/// The value that CBOR bytes are.
///
/// Integers and floats of any width are read, and maps in any order: other encoders need not be
/// deterministic. What JSON does not have is rejected, by class, rule and the byte that it begins
/// with (requirement `cbor.refused`).
pub fn from_cbor(bytes: &[u8]) -> Result<Value, Rejection> {
    let mut reader = CborReader(Decoder::new(bytes));
    let value = reader.value(0)?;
    let end = reader.0.position();
    if end < bytes.len() {
        return Err(reject("cbor", end, "there are bytes after the value"));
    }
    Ok(value)
}

struct CborReader<'a>(Decoder<'a>);

impl<'a> CborReader<'a> {
    fn value(&mut self, depth: usize) -> Result<Value, Rejection> {
        let at = self.0.position();
        Ok(match self.kind()? {
            Type::Null => read(at, self.0.null()).map(|()| Value::Null)?,
            Type::Bool => read(at, self.0.bool())?.into(),
            Type::F16 => float(f64::from(read(at, self.0.f16())?), at)?,
            Type::F32 => float(f64::from(read(at, self.0.f32())?), at)?,
            Type::F64 => float(read(at, self.0.f64())?, at)?,
            Type::String => self.text()?.into(),
            Type::Array => self.items(depth)?,
            Type::Map => self.members(depth)?,
            Type::Tag => self.tagged(at)?,
            kind if is_integer(kind) => number(&self.int(at)?.to_string())?,
            Type::ArrayIndef | Type::MapIndef | Type::StringIndef | Type::BytesIndef => {
                let message = "a length is left open; write it with definite lengths";
                return Err(reject("cbor.indefinite", at, message));
            }
            Type::Break | Type::Unknown(_) => {
                return Err(reject("cbor", at, "this byte begins no value"));
            }
            kind => {
                let message = format!("this is {}, which JSON does not have", word(kind));
                return Err(reject("cbor.value", at, message));
            }
        })
    }

    fn kind(&mut self) -> Result<Type, Rejection> {
        let at = self.0.position();
        read(at, self.0.datatype())
    }

    fn int(&mut self, at: usize) -> Result<i128, Rejection> {
        read(at, self.0.int()).map(i128::from)
    }

    /// A text; the decoder tells bytes that are no UTF-8 from an early end.
    fn text(&mut self) -> Result<&'a str, Rejection> {
        let at = self.0.position();
        self.0.str().map_err(|error| {
            if error.is_end_of_input() {
                return cut_off(at);
            }
            reject("utf-8", at, "a text is not UTF-8")
        })
    }

    fn items(&mut self, depth: usize) -> Result<Value, Rejection> {
        let at = self.0.position();
        let length = length(read(at, self.0.array())?, at)?;
        let depth = below(depth, at)?;
        // The length is a claim, for which no memory is set aside.
        let mut items = Vec::new();
        for index in 0..length {
            items.push(self.value(depth).map_err(|it| it.within(index))?);
        }
        Ok(items.into())
    }

    fn members(&mut self, depth: usize) -> Result<Value, Rejection> {
        let at = self.0.position();
        let length = length(read(at, self.0.map())?, at)?;
        let depth = below(depth, at)?;
        let mut members = Object::new();
        for _ in 0..length {
            let at = self.0.position();
            let name = self.name()?;
            if members.contains_key(name) {
                let message = format!("the member `{name}` appears more than once");
                return Err(reject("duplicate-member", at, message).within(name));
            }
            let value = self.value(depth).map_err(|it| it.within(name))?;
            members.insert_at(usize::MAX, name, value);
        }
        Ok(members.into())
    }

    fn name(&mut self) -> Result<&'a str, Rejection> {
        let at = self.0.position();
        match self.kind()? {
            Type::String => self.text(),
            Type::StringIndef => {
                let message = "a length is left open; write it with definite lengths";
                Err(reject("cbor.indefinite", at, message))
            }
            kind => {
                let message = format!("a key is {}, and JSON has keys of text only", word(kind));
                Err(reject("cbor.key", at, message))
            }
        }
    }

    fn tagged(&mut self, at: usize) -> Result<Value, Rejection> {
        let tag = read(at, self.0.tag())?.as_u64();
        match tag {
            POSITIVE | NEGATIVE => number(&self.big(tag)?.to_string()),
            DECIMAL => self.decimal(at),
            SPLIT_TEXT => match text_of(self.bytes()?) {
                Some(text) => Ok(text.into()),
                None => Err(reject("utf-8", at, "no unpaired surrogate is at an end")),
            },
            other => {
                let message = format!("the tag {other} has no meaning in JSON; convert it before");
                Err(reject("cbor.tag", at, message))
            }
        }
    }

    /// The bytes after a tag.
    fn bytes(&mut self) -> Result<&'a [u8], Rejection> {
        let at = self.0.position();
        match self.kind()? {
            Type::Bytes => read(at, self.0.bytes()),
            _ => Err(reject("cbor.tag", at, "the tag is not followed by bytes")),
        }
    }

    /// The integer after one of the tags of big integers.
    fn big(&mut self, tag: u64) -> Result<BigInt, Rejection> {
        let bytes = self.bytes()?;
        // Five bytes have twelve digits.
        if bytes.len() / 5 * 12 > MAX_DIGITS {
            return Err(too_many_digits());
        }
        let magnitude = BigInt::from_bytes_be(Sign::Plus, bytes);
        Ok(if tag == NEGATIVE {
            -magnitude - 1
        } else {
            magnitude
        })
    }

    fn decimal(&mut self, at: usize) -> Result<Value, Rejection> {
        let no_pair = |at| reject("cbor.tag", at, "a decimal is a pair of two integers");
        if self.kind()? != Type::Array || read(at, self.0.array())? != Some(2) {
            return Err(no_pair(at));
        }
        let at = self.0.position();
        if !is_integer(self.kind()?) {
            return Err(no_pair(at));
        }
        let exponent = self.int(at)?;
        let at = self.0.position();
        let mantissa = match self.kind()? {
            kind if is_integer(kind) => self.int(at)?.to_string(),
            Type::Tag => match read(at, self.0.tag())?.as_u64() {
                tag @ (POSITIVE | NEGATIVE) => self.big(tag)?.to_string(),
                _ => return Err(no_pair(at)),
            },
            _ => return Err(no_pair(at)),
        };
        number(&format!("{mantissa}e{exponent}"))
    }
}

fn is_integer(kind: Type) -> bool {
    matches!(
        kind,
        Type::U8
            | Type::U16
            | Type::U32
            | Type::U64
            | Type::I8
            | Type::I16
            | Type::I32
            | Type::I64
            | Type::Int
    )
}

/// What people call a kind of value.
fn word(kind: Type) -> &'static str {
    match kind {
        Type::Null => "null",
        Type::Bool => "a boolean",
        Type::F16 | Type::F32 | Type::F64 => "a float",
        Type::Bytes | Type::BytesIndef => "a byte string",
        Type::String | Type::StringIndef => "text",
        Type::Array | Type::ArrayIndef => "an array",
        Type::Map | Type::MapIndef => "a map",
        Type::Tag => "a tagged value",
        Type::Undefined | Type::Simple => "a simple value",
        Type::Break | Type::Unknown(_) => "no value",
        _ => "an integer",
    }
}

/// A number from the text of one, which the reader of JSON judges: its exponent has a limit.
fn number(text: &str) -> Result<Value, Rejection> {
    parse(text)
}

fn float(double: f64, at: usize) -> Result<Value, Rejection> {
    if !double.is_finite() {
        return Err(reject("cbor.value", at, "JSON has no such number"));
    }
    Ok(Number::of_f64(double).into())
}

fn length(claimed: Option<u64>, at: usize) -> Result<u64, Rejection> {
    claimed.ok_or_else(|| reject("cbor.indefinite", at, "a length is left open"))
}

fn below(depth: usize, at: usize) -> Result<usize, Rejection> {
    if depth < MAX_DEPTH {
        return Ok(depth + 1);
    }
    let message = format!("the document nests deeper than {MAX_DEPTH} levels (byte {at})");
    Err(Rejection::new(Class::Limit, "depth", message))
}

/// What the decoder read, or its rejection of what begins at a byte.
fn read<T>(at: usize, result: Result<T, minicbor::decode::Error>) -> Result<T, Rejection> {
    result.map_err(|error| {
        if error.is_end_of_input() {
            return cut_off(at);
        }
        reject("cbor", at, "this byte begins no value")
    })
}

fn cut_off(at: usize) -> Rejection {
    reject("cbor", at, "the value that begins here is cut off")
}

fn reject(rule: &'static str, at: usize, message: impl std::fmt::Display) -> Rejection {
    Rejection::new(Class::Syntax, rule, format!("{message} (byte {at})"))
}
