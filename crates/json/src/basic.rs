//! How the basic types are read and written.

use std::borrow::Cow;
use std::fmt::Write;

use indexmap::IndexMap;

use super::typed::{expect_kind, wrong_kind};
use super::writer::{write_array, write_split_text};
use super::{
    Kind, MAX_DEPTH, Number, Object, ObjectWriter, Raw, ReadJson, SplitText, Value, WriteJson,
    constraint, parse, write_string,
};
use crate::rejection::{Class, Rejection};

impl ReadJson for Value {
    fn read(raw: Raw<'_>) -> Result<Self, Rejection> {
        if raw.has_unpaired_surrogate() {
            return parse(raw.get());
        }
        Ok(raw.tree())
    }

    /// Only a string `delta` is read with an unpaired surrogate.
    fn is_in_doubt(&self, level: usize) -> bool {
        match self {
            Self::Split(_) => true,
            Self::Array(items) => items.is_in_doubt(level),
            Self::Object(object) => object.is_in_doubt(level),
            Self::Null | Self::Bool(_) | Self::Number(_) | Self::String(_) => false,
        }
    }
}

impl ReadJson for Object {
    fn read(raw: Raw<'_>) -> Result<Self, Rejection> {
        expect_kind(raw, Kind::Object)?;
        match Value::read(raw)? {
            Value::Object(object) => Ok(object),
            other => Err(wrong_kind("object", other.kind())),
        }
    }

    fn is_in_doubt(&self, level: usize) -> bool {
        is_any_in_doubt(self.values(), level)
    }
}

impl ReadJson for SplitText {
    fn read(raw: Raw<'_>) -> Result<Self, Rejection> {
        let text = raw.decoded();
        text.ok_or_else(|| wrong_kind("string", raw.kind().as_str()))
    }

    fn is_in_doubt(&self, _level: usize) -> bool {
        false
    }
}

impl ReadJson for String {
    fn read(raw: Raw<'_>) -> Result<Self, Rejection> {
        match raw.text() {
            Some(text) => Ok(text.into_owned()),
            None => SplitText::read(raw)?.into_string().map_err(|_| unpaired()),
        }
    }

    fn is_in_doubt(&self, _level: usize) -> bool {
        false
    }
}

impl ReadJson for bool {
    fn read(raw: Raw<'_>) -> Result<Self, Rejection> {
        expect_kind(raw, Kind::Boolean)?;
        Ok(raw.get() == "true")
    }

    fn is_in_doubt(&self, _level: usize) -> bool {
        false
    }
}

impl ReadJson for Number {
    fn read(raw: Raw<'_>) -> Result<Self, Rejection> {
        expect_kind(raw, Kind::Number)?;
        Ok(Number::from_grammatical(raw.get()))
    }

    fn is_in_doubt(&self, _level: usize) -> bool {
        false
    }
}

impl ReadJson for i64 {
    fn read(raw: Raw<'_>) -> Result<Self, Rejection> {
        expect_kind(raw, Kind::Number)?;
        match raw.get().parse() {
            Ok(value) => Ok(value),
            Err(_) => constraint::int64(&Number::from_grammatical(raw.get())),
        }
    }

    fn is_in_doubt(&self, _level: usize) -> bool {
        false
    }
}

impl<T: ReadJson> ReadJson for Option<T> {
    fn read(raw: Raw<'_>) -> Result<Self, Rejection> {
        if raw.kind() == Kind::Null {
            Ok(None)
        } else {
            T::read(raw).map(Some)
        }
    }

    fn is_in_doubt(&self, level: usize) -> bool {
        self.as_ref().is_some_and(|value| value.is_in_doubt(level))
    }
}

impl<T: ReadJson> ReadJson for Box<T> {
    fn read(raw: Raw<'_>) -> Result<Self, Rejection> {
        T::read(raw).map(Box::new)
    }

    fn is_in_doubt(&self, level: usize) -> bool {
        self.as_ref().is_in_doubt(level)
    }
}

/// A plain loop: the frames of iterator adapters would cost a deep document its stack.
impl<T: ReadJson> ReadJson for Vec<T> {
    fn read(raw: Raw<'_>) -> Result<Self, Rejection> {
        expect_kind(raw, Kind::Array)?;
        let mut read = Vec::with_capacity(raw.length());
        for (index, raw) in raw.elements().enumerate() {
            read.push(T::read(raw).map_err(|rejection| rejection.within(index))?);
        }
        Ok(read)
    }

    fn is_in_doubt(&self, level: usize) -> bool {
        is_any_in_doubt(self.iter(), level)
    }
}

impl<T: ReadJson> ReadJson for IndexMap<String, T> {
    fn read(raw: Raw<'_>) -> Result<Self, Rejection> {
        expect_kind(raw, Kind::Object)?;
        let read = |(name, raw): (Cow<'_, str>, Raw<'_>)| {
            let value = T::read(raw).map_err(|rejection| rejection.within(&name))?;
            Ok((name.into_owned(), value))
        };
        raw.members().map(read).collect()
    }

    fn is_in_doubt(&self, level: usize) -> bool {
        is_any_in_doubt(self.values(), level)
    }
}

/// Whether a container at this level is too deep, or any value in it is in doubt.
fn is_any_in_doubt<'a, T: ReadJson + 'a>(
    mut values: impl Iterator<Item = &'a T>,
    level: usize,
) -> bool {
    level >= MAX_DEPTH || values.any(|value| value.is_in_doubt(level + 1))
}

/// Tuples are arrays of exactly so many items, each of a type of its own.
macro_rules! tuple {
    ($length:literal: $($item:ident $index:tt),+) => {
        impl<$($item: ReadJson),+> ReadJson for ($($item,)+) {
            fn read(raw: Raw<'_>) -> Result<Self, Rejection> {
                let items = exactly::<$length>(raw)?;
                Ok(($(read_item::<$item>(&items, $index)?,)+))
            }

            fn is_in_doubt(&self, level: usize) -> bool {
                level >= MAX_DEPTH $(|| self.$index.is_in_doubt(level + 1))+
            }
        }

        impl<$($item: WriteJson),+> WriteJson for ($($item,)+) {
            fn write(&self, out: &mut String) {
                out.push('[');
                $(
                    if $index > 0 {
                        out.push(',');
                    }
                    self.$index.write(out);
                )+
                out.push(']');
            }
        }
    };
}

tuple!(1: A 0);
tuple!(2: A 0, B 1);
tuple!(3: A 0, B 1, C 2);
tuple!(4: A 0, B 1, C 2, D 3);
tuple!(5: A 0, B 1, C 2, D 3, E 4);
tuple!(6: A 0, B 1, C 2, D 3, E 4, F 5);
tuple!(7: A 0, B 1, C 2, D 3, E 4, F 5, G 6);
tuple!(8: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
tuple!(9: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8);
tuple!(10: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9);
tuple!(11: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10);
tuple!(12: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11);

/// The items of an array that has exactly `N`.
fn exactly<const N: usize>(raw: Raw<'_>) -> Result<[Raw<'_>; N], Rejection> {
    expect_kind(raw, Kind::Array)?;
    let items: Vec<_> = raw.elements().collect();
    constraint::min_items(items.len(), N)?;
    constraint::max_items(items.len(), N)?;
    items
        .try_into()
        .map_err(|_| wrong_kind("array", "another one"))
}

fn read_item<T: ReadJson>(items: &[Raw<'_>], index: usize) -> Result<T, Rejection> {
    let raw = items.get(index).copied();
    let raw = raw.ok_or_else(|| wrong_kind("array", "a shorter one"))?;
    T::read(raw).map_err(|rejection| rejection.within(index))
}

impl WriteJson for Value {
    fn write(&self, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(value) => value.write(out),
            Self::Number(number) => number.write(out),
            Self::String(text) => text.write(out),
            Self::Split(text) => text.write(out),
            Self::Array(items) => items.write(out),
            Self::Object(object) => object.write(out),
        }
    }
}

impl WriteJson for Object {
    fn write(&self, out: &mut String) {
        ObjectWriter::new(out).rest(self).end();
    }
}

impl WriteJson for SplitText {
    fn write(&self, out: &mut String) {
        write_split_text(out, self);
    }
}

impl WriteJson for String {
    fn write(&self, out: &mut String) {
        write_string(out, self);
    }
}

impl WriteJson for bool {
    fn write(&self, out: &mut String) {
        out.push_str(if *self { "true" } else { "false" });
    }
}

impl WriteJson for Number {
    fn write(&self, out: &mut String) {
        out.push_str(self.as_str());
    }
}

impl WriteJson for i64 {
    fn write(&self, out: &mut String) {
        // Writing to a string cannot fail.
        let _ = write!(out, "{self}");
    }
}

impl<T: WriteJson> WriteJson for Option<T> {
    fn write(&self, out: &mut String) {
        match self {
            None => out.push_str("null"),
            Some(value) => value.write(out),
        }
    }
}

impl<T: WriteJson> WriteJson for Box<T> {
    fn write(&self, out: &mut String) {
        self.as_ref().write(out);
    }
}

impl<T: WriteJson> WriteJson for Vec<T> {
    fn write(&self, out: &mut String) {
        write_array(out, self, |out, element| element.write(out));
    }
}

impl<T: WriteJson> WriteJson for IndexMap<String, T> {
    fn write(&self, out: &mut String) {
        ObjectWriter::new(out).each(self).end();
    }
}

/// The rejection of text with an unpaired surrogate where the schema allows none.
#[must_use]
pub fn unpaired() -> Rejection {
    let message =
        "text holds an unpaired surrogate; only a string `delta` may begin or end with one";
    Rejection::new(Class::Syntax, "unpaired-surrogate", message)
}
