//! Numbers as exact decimal text.

use std::borrow::Cow;
use std::fmt;

use ecow::EcoString;

use crate::rejection::Rejection;

/// The most digits an integer is written out with; longer ones use exponent form
/// (requirement `canonical.integers`).
const MAX_PLAIN_DIGITS: i64 = 1_000;

/// A JSON number of any size and precision. It keeps the spelling it was read with and compares by
/// decimal value.
#[derive(Debug, Clone)]
pub struct Number(EcoString);

impl Number {
    /// A number from text that already matches the JSON grammar; the reader guarantees it.
    pub(super) fn from_grammatical(text: &str) -> Self {
        Self(text.into())
    }

    /// The number that a finite double is, by its shortest spelling.
    #[must_use]
    pub fn of_f64(double: f64) -> Self {
        Self(ryu_js::Buffer::new().format_finite(double).into())
    }

    /// The spelling it was read with.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the value has no fractional part; `1.0` and `1e2` have none.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        self.decimal().is_integer()
    }

    /// The value, if it is an integer in range.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        if let Ok(value) = self.0.parse() {
            return Some(value);
        }
        let decimal = self.decimal();
        if !decimal.is_integer() || decimal.exponent > 18 {
            return None;
        }
        let sign = if decimal.negative { "-" } else { "" };
        format!("{sign}{}", decimal.plain()).parse().ok()
    }

    /// The nearest finite double, as a reader with double precision would see this number.
    #[must_use]
    pub fn nearest_f64(&self) -> f64 {
        let nearest = self.0.parse::<f64>().unwrap_or(0.0);
        nearest.clamp(f64::MIN, f64::MAX)
    }

    /// The one spelling of this value: JCS where a double holds it exactly, else the exact decimal.
    #[must_use]
    pub fn canonical(&self) -> String {
        let exact = self.decimal();
        let mut buffer = ryu_js::Buffer::new();
        let shortest = buffer.format_finite(self.nearest_f64());
        if Decimal::read(shortest) == exact {
            return shortest.to_owned();
        }
        exact.to_text()
    }

    /// The canonical text of what double precision makes of this number.
    #[must_use]
    pub fn canonical_of_nearest(&self) -> String {
        ryu_js::Buffer::new()
            .format_finite(self.nearest_f64())
            .to_owned()
    }

    /// Whether the value is an integer multiple of `step`, whose digits fit 64 bits.
    #[must_use]
    pub fn is_multiple_of(&self, step: &Self) -> bool {
        self.decimal().is_multiple_of(&step.decimal())
    }

    fn decimal(&self) -> Decimal<'_> {
        Decimal::read(&self.0)
    }
}

/// The spelling it was read with.
impl fmt::Display for Number {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0 || self.decimal() == other.decimal()
    }
}

impl Eq for Number {}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.decimal().compare(&other.decimal())
    }
}

macro_rules! from_integers {
    ($($integer:ty)*) => {$(
        impl From<$integer> for Number {
            fn from(value: $integer) -> Self {
                Self(value.to_string().into())
            }
        }
    )*};
}

from_integers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

/// A double by its shortest spelling; JSON has neither an infinity nor what is not a number.
impl TryFrom<f64> for Number {
    type Error = Rejection;

    fn try_from(double: f64) -> Result<Self, Rejection> {
        if double.is_finite() {
            return Ok(Self::of_f64(double));
        }
        let message = format!("`{double}` is no number of JSON; use `null` or a text for it");
        Err(Rejection::schema("type", message))
    }
}

/// A decimal value in normal form: `d.ddd` times ten to the `exponent`, without zeros at either end
/// of the digits. Zero has no digits, no sign and exponent 0.
#[derive(PartialEq)]
struct Decimal<'a> {
    negative: bool,
    digits: Cow<'a, str>,
    exponent: i64,
}

impl<'a> Decimal<'a> {
    /// Reads text that matches the JSON number grammar with an exponent that fits (the reader
    /// rejects others).
    fn read(text: &'a str) -> Self {
        let (negative, text) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = if fraction.is_empty() {
            Cow::Borrowed(whole)
        } else {
            Cow::Owned([whole, fraction].concat())
        };
        let leading = digits.len() - digits.trim_start_matches('0').len();
        if leading == digits.len() {
            return Self {
                negative: false,
                digits: Cow::Borrowed(""),
                exponent: 0,
            };
        }
        let exponent =
            exponent.parse::<i64>().unwrap_or(0) + length(whole) - length(&digits[..leading]) - 1;
        Self {
            negative,
            digits: trimmed(digits),
            exponent,
        }
    }

    fn is_integer(&self) -> bool {
        self.digits.is_empty() || self.exponent >= length(&self.digits) - 1
    }

    /// Both are digits without zeros at the end times a power of ten. With the smaller power the
    /// digits themselves cannot make up for the difference.
    fn is_multiple_of(&self, step: &Self) -> bool {
        let power = |decimal: &Self| decimal.exponent - length(&decimal.digits);
        let Ok(divisor) = step.digits.parse::<u64>() else {
            return false;
        };
        if self.digits.is_empty() {
            return true;
        }
        let Ok(tens) = u64::try_from(power(self) - power(step)) else {
            return false;
        };
        let divisor = u128::from(divisor);
        let digits = self.digits.bytes().map(|digit| u128::from(digit - b'0'));
        let remainder = digits.fold(0, |rest, digit| (rest * 10 + digit) % divisor);
        (remainder * power_of_ten(tens, divisor)).is_multiple_of(divisor)
    }

    /// The digits of an integer, written out.
    fn plain(&self) -> String {
        if self.digits.is_empty() {
            return "0".to_owned();
        }
        let zeros = usize::try_from(self.exponent + 1 - length(&self.digits)).unwrap_or(0);
        format!("{}{}", self.digits, "0".repeat(zeros))
    }

    fn to_text(&self) -> String {
        let sign = if self.negative { "-" } else { "" };
        if self.is_integer() && self.exponent < MAX_PLAIN_DIGITS {
            return format!("{sign}{}", self.plain());
        }
        let (first, rest) = self.digits.split_at(1);
        let point = if rest.is_empty() { "" } else { "." };
        format!("{sign}{first}{point}{rest}e{:+}", self.exponent)
    }

    fn compare(&self, other: &Self) -> std::cmp::Ordering {
        let sign = |decimal: &Self| match (decimal.digits.is_empty(), decimal.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        };
        let magnitude = self
            .exponent
            .cmp(&other.exponent)
            .then_with(|| self.digits.cmp(&other.digits));
        sign(self).cmp(&sign(other)).then(match sign(self) {
            1 => magnitude,
            -1 => magnitude.reverse(),
            _ => std::cmp::Ordering::Equal,
        })
    }
}

/// The digits without zeros at either end.
fn trimmed(digits: Cow<'_, str>) -> Cow<'_, str> {
    match digits {
        Cow::Borrowed(digits) => Cow::Borrowed(digits.trim_matches('0')),
        Cow::Owned(digits) => Cow::Owned(digits.trim_matches('0').to_owned()),
    }
}

/// Ten to a power, of which only the remainder counts.
fn power_of_ten(mut power: u64, divisor: u128) -> u128 {
    let (mut result, mut square) = (1 % divisor, 10 % divisor);
    while power > 0 {
        if power % 2 == 1 {
            result = result * square % divisor;
        }
        square = square * square % divisor;
        power /= 2;
    }
    result
}

/// A text's length as a signed number; texts are far shorter than the range.
fn length(text: &str) -> i64 {
    i64::try_from(text.len()).unwrap_or(i64::MAX)
}
