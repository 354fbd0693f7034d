//! Values to CBOR, in the one way that section 4.2.1 of RFC 8949 leaves.

use minicbor::Encoder;
use minicbor::data::{Int, Tag};
use num_bigint::{BigInt, Sign};

use super::unpaired::bytes_of;
use super::{DECIMAL, MAX_DIGITS, NEGATIVE, POSITIVE, SPLIT_TEXT, too_many_digits};
use crate::rejection::{Class, Rejection};
use crate::{MAX_DEPTH, Number, Object, Value};

/// The CBOR encoding of a value.
///
/// Rejected, with class `limit`, are values that nest deeper than a document may and numbers of
/// more than 100,000 digits that no double has.
pub fn to_cbor(value: &Value) -> Result<Vec<u8>, Rejection> {
    let mut writer = CborWriter(Encoder::new(Vec::new()));
    writer.value(value, 0)?;
    Ok(writer.0.into_writer())
}

struct CborWriter(Encoder<Vec<u8>>);

/// Memory takes every byte, so that writing to it does not fail.
fn written<T, E: std::fmt::Display>(result: Result<T, E>) -> Result<(), Rejection> {
    match result {
        Ok(_) => Ok(()),
        Err(error) => Err(Rejection::new(Class::Syntax, "cbor", error.to_string())),
    }
}

impl CborWriter {
    fn value(&mut self, value: &Value, depth: usize) -> Result<(), Rejection> {
        match value {
            Value::Null => written(self.0.null()),
            Value::Bool(value) => written(self.0.bool(*value)),
            Value::Number(number) => self.number(number),
            Value::String(text) => written(self.0.str(text)),
            Value::Split(text) => {
                written(self.0.tag(Tag::new(SPLIT_TEXT)))?;
                written(self.0.bytes(&bytes_of(text)))
            }
            Value::Array(items) => self.items(items, below(depth)?),
            Value::Object(members) => self.members(members, below(depth)?),
        }
    }

    fn items(&mut self, items: &[Value], depth: usize) -> Result<(), Rejection> {
        written(self.0.array(items.len() as u64))?;
        for (index, item) in items.iter().enumerate() {
            self.value(item, depth).map_err(|it| it.within(index))?;
        }
        Ok(())
    }

    /// Members in the order of their encoded names: the shorter one first.
    fn members(&mut self, members: &Object, depth: usize) -> Result<(), Rejection> {
        let mut sorted: Vec<_> = members.iter().collect();
        sorted.sort_by_key(|(name, _)| (name.len(), name.as_bytes()));
        written(self.0.map(sorted.len() as u64))?;
        for (name, value) in sorted {
            written(self.0.str(name))?;
            self.value(value, depth).map_err(|it| it.within(name))?;
        }
        Ok(())
    }

    /// A number by its canonical text, so that the spellings of one value have one encoding.
    fn number(&mut self, number: &Number) -> Result<(), Rejection> {
        let text = number.canonical();
        if let Some(int) = text
            .parse::<i128>()
            .ok()
            .and_then(|it| Int::try_from(it).ok())
        {
            return written(self.0.int(int));
        }
        if text == number.canonical_of_nearest() {
            return self.float(&text, number.nearest_f64());
        }
        if text.len() > MAX_DIGITS {
            return Err(too_many_digits());
        }
        let Some((mantissa, exponent)) = text.split_once('e') else {
            return self.integer(&text);
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let exponent: i64 = exponent.parse().map_err(|_| too_many_digits())?;
        let places = i64::try_from(fraction.len()).unwrap_or(i64::MAX);
        written(self.0.tag(Tag::new(DECIMAL)))?;
        written(self.0.array(2))?;
        written(self.0.i64(exponent - places))?;
        self.integer(&[whole, fraction].concat())
    }

    /// A double in the shortest form that has its value.
    fn float(&mut self, text: &str, double: f64) -> Result<(), Rejection> {
        let half = half::f16::from_f64(double);
        if half.to_f64().to_bits() == double.to_bits() {
            return written(self.0.f16(half.to_f32()));
        }
        match text.parse::<f32>() {
            Ok(single) if f64::from(single).to_bits() == double.to_bits() => {
                written(self.0.f32(single))
            }
            _ => written(self.0.f64(double)),
        }
    }

    /// An integer of any size, from its digits.
    fn integer(&mut self, digits: &str) -> Result<(), Rejection> {
        let integer: BigInt = digits.parse().map_err(|_| too_many_digits())?;
        if let Some(int) = i128::try_from(&integer)
            .ok()
            .and_then(|it| Int::try_from(it).ok())
        {
            return written(self.0.int(int));
        }
        let (tag, magnitude) = match integer.sign() {
            Sign::Minus => (NEGATIVE, -integer - 1),
            _ => (POSITIVE, integer),
        };
        written(self.0.tag(Tag::new(tag)))?;
        written(self.0.bytes(&magnitude.to_bytes_be().1))
    }
}

/// The depth of what is in a container.
fn below(depth: usize) -> Result<usize, Rejection> {
    if depth < MAX_DEPTH {
        return Ok(depth + 1);
    }
    let message = format!("the value nests deeper than {MAX_DEPTH} levels");
    Err(Rejection::new(Class::Limit, "depth", message))
}
