//! The calls that write and read documents, each as a row of the page and as what is run.

use std::panic::{AssertUnwindSafe, catch_unwind};

use chatstate::cbor;
use chatstate::json::{Surrogates, Value, canonical, parse_with};
use serde::{Deserialize, Serialize};

use crate::types::Document;

/// What a call gives, in the words of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gives {
    /// Every value in its order, and every number as it is spelled.
    Document,
    /// The same values, or an error.
    DocumentOrError,
    /// An error, always.
    Error,
}

impl Gives {
    pub fn words(self) -> &'static str {
        match self {
            Self::Document => "the document",
            Self::DocumentOrError => "the document, or an error",
            Self::Error => "an error",
        }
    }
}

/// One call on documents of one type: what it makes of a document, as JSON text.
pub struct Door {
    pub call: String,
    pub gives: Gives,
    pub remark: &'static str,
    pub run: fn(&str) -> Result<String, String>,
}

/// A document as a member of a type of a program.
#[derive(Serialize, Deserialize)]
struct Holder<T> {
    value: T,
}

/// A document whose members are those of a type of a program.
#[derive(Serialize, Deserialize)]
struct Flat<T> {
    #[serde(flatten)]
    value: T,
}

/// A document as one of several things that nothing tells apart.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Either<T> {
    Value(T),
}

/// The text of an expression as it is written.
pub fn call(code: &str) -> String {
    code.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub fn tree(text: &str) -> Value {
    parse_with(text, Surrogates::AllowUnpairedAtEnds)
        .unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[allow(clippy::needless_pass_by_value, reason = "it is for `map_err`")]
fn said(error: impl ToString) -> String {
    error.to_string()
}

fn read<T: Document>(text: &str) -> T {
    T::from_json(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn written<T: Document>(value: &T) -> Result<String, String> {
    value.to_json().map_err(said)
}

/// The only member or item of a document.
fn inside(text: &str) -> String {
    let inner = match tree(text) {
        Value::Array(items) => items.into_iter().next(),
        Value::Object(members) => members.into_iter().next().map(|(_, value)| value),
        _ => None,
    };
    inner.unwrap_or_default().to_json()
}

/// A row of what is written: the call on `value`, and the JSON text of what it gave.
macro_rules! write_door {
    ($rows:ident, $gives:ident, $remark:literal, $value:ident, $code:expr, $out:ident => $text:expr) => {
        $rows.push(Door {
            call: call(stringify!($code)),
            gives: Gives::$gives,
            remark: $remark,
            run: |text| {
                let $value = read::<T>(text);
                let $out = $code.map_err(said)?;
                $text
            },
        });
    };
}

/// Calls that write a value.
pub fn write_doors<T: Document>() -> Vec<Door> {
    let mut rows = Vec::new();
    write_door!(rows, Document, "", value, value.to_json(), out => Ok(out));
    write_door!(rows, Document, "", value, serde_json::to_string(&value), out => Ok(out));
    write_door!(rows, Document, "", value, serde_json::to_string_pretty(&value), out => Ok(out));
    write_door!(rows, Document, "also `to_writer`", value, serde_json::to_vec(&value), out => String::from_utf8(out).map_err(said));
    write_door!(rows, Document, "", value, serde_json::value::to_raw_value(&value), out => Ok(out.get().to_owned()));
    write_door!(rows, Document, "", value, serde_json::to_string(&vec![value]), out => Ok(inside(&out)));
    write_door!(rows, Document, "`Holder` is a type of a program", value, serde_json::to_string(&Holder { value }), out => Ok(inside(&out)));
    write_door!(rows, DocumentOrError, "with `#[serde(flatten)]`; what is no object is an error", value, serde_json::to_string(&Flat { value }), out => Ok(out));
    write_door!(rows, DocumentOrError, "a number that is neither an integer of 64 bits nor a double is an error", value, serde_json::to_value(&value), out => Ok(out.to_string()));
    rows.extend(other_write_doors::<T>());
    rows
}

/// Calls that write a value in other formats, which are read again by the same crate.
fn other_write_doors<T: Document>() -> Vec<Door> {
    let mut rows = Vec::new();
    rows.push(Door {
        call: "ciborium::into_writer(&value, &mut bytes)".to_owned(),
        gives: Gives::DocumentOrError,
        remark: "as above, with integers of 128 bits",
        run: |text| {
            let mut bytes = Vec::new();
            ciborium::into_writer(&read::<T>(text), &mut bytes).map_err(said)?;
            written(&ciborium::from_reader::<T, _>(&bytes[..]).map_err(said)?)
        },
    });
    write_door!(rows, DocumentOrError, "as above, and what the format does not have, such as null, is an error", value, toml::to_string(&value), out => written(&toml::from_str::<T>(&out).map_err(said)?));
    rows.push(Door {
        call: "insta::assert_json_snapshot!(value)".to_owned(),
        gives: Gives::DocumentOrError,
        remark: "the test fails where a number is neither an integer of 64 bits nor a double",
        run: |text| {
            let value = read::<T>(text);
            catch_unwind(AssertUnwindSafe(|| snapshot(&value))).map_err(|_| "it fails".to_owned())
        },
    });
    write_door!(rows, Error, "formats that do not say the types of what they hold, as `bincode` and `postcard`; what is no object or list is rejected when it is read", value, postcard::to_allocvec(&value), out => written(&postcard::from_bytes::<T>(&out).map_err(said)?));
    rows
}

/// The text of a snapshot.
pub fn snapshot(value: &impl Serialize) -> String {
    use insta::_macro_support::{SerializationFormat, serialize_value};
    serialize_value(value, SerializationFormat::Json)
}

/// A row of what is read: the call on `text`, and the value that it gave.
macro_rules! read_door {
    ($rows:ident, $gives:ident, $remark:literal, $text:ident, $code:expr, $out:ident => $value:expr) => {
        $rows.push(Door {
            call: call(stringify!($code)),
            gives: Gives::$gives,
            remark: $remark,
            run: |$text| {
                let $out = $code.map_err(said)?;
                written(&$value)
            },
        });
    };
}

/// Calls that read JSON text.
pub fn read_doors<T: Document>() -> Vec<Door> {
    let mut rows = Vec::new();
    read_door!(rows, Document, "", text, T::from_json(text), out => out);
    read_door!(rows, Document, "", text, serde_json::from_str::<T>(text), out => out);
    read_door!(rows, Document, "", text, serde_json::from_slice::<T>(text.as_bytes()), out => out);
    read_door!(rows, Document, "", text, serde_json::from_reader::<_, T>(text.as_bytes()), out => out);
    rows.push(Door {
        call: "serde_json::from_str::<Vec<T>>(&list)".to_owned(),
        gives: Gives::Document,
        remark: "",
        run: |text| {
            let list = serde_json::from_str::<Vec<T>>(&format!("[{text}]")).map_err(said)?;
            written(&list[0])
        },
    });
    rows.push(Door {
        call: "serde_json::from_str::<Holder<T>>(&holder)".to_owned(),
        gives: Gives::Document,
        remark: "",
        run: |text| {
            let holder = format!(r#"{{"value":{text}}}"#);
            let holder = serde_json::from_str::<Holder<T>>(&holder).map_err(said)?;
            written(&holder.value)
        },
    });
    read_door!(rows, DocumentOrError, "with `#[serde(flatten)]`; a number that is no integer of 64 bits is an error", text, serde_json::from_str::<Flat<T>>(text), out => out.value);
    read_door!(rows, DocumentOrError, "with `#[serde(untagged)]`; as above", text, serde_json::from_str::<Either<T>>(text), out => { let Either::Value(value) = out; value });
    rows.push(Door {
        call: "ciborium::from_reader::<T, _>(&bytes[..])".to_owned(),
        gives: Gives::DocumentOrError,
        remark: "of bytes that `cbor::to_cbor` wrote; big numbers are an error",
        run: |text| {
            let bytes = cbor::to_cbor(&tree(text)).map_err(said)?;
            written(&ciborium::from_reader::<T, _>(&bytes[..]).map_err(said)?)
        },
    });
    rows
}

/// The row about values that another reader has made.
pub fn foreign_doors<T: Document>() -> Vec<Door> {
    let mut rows = Vec::new();
    rows.push(Door {
        call: "serde_json::from_value::<T>(value)".to_owned(),
        gives: Gives::DocumentOrError,
        remark: "`serde_json` has read the value: all but the last of two equal names are gone before, and so are digits beyond a double, unless its feature `arbitrary_precision` is on",
        run: |text| {
            let value: serde_json::Value = serde_json::from_str(text).map_err(said)?;
            if canonical(&tree(&value.to_string())) != canonical(&tree(text)) {
                return Err("the value is another one".to_owned());
            }
            let by_reference = written(&T::deserialize(&value).map_err(said)?)?;
            let taken = written(&serde_json::from_value::<T>(value).map_err(said)?)?;
            assert_eq!(by_reference, taken);
            Ok(taken)
        },
    });
    rows
}
