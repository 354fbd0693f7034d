//! The operations of a patch, with values that stay text.

use std::borrow::Cow;

use chatstate_json::{Class, Rejection};
use chatstate_json::{Scanner, pointer};
use chatstate_types::generated::JsonPatch;

/// One operation.
pub(super) enum Operation<'a> {
    Add(Path, &'a str),
    Remove(Path),
    Replace(Path, &'a str),
    /// From where, and to where.
    Move(Path, Path),
    Copy(Path, Path),
    Test(Path, &'a str),
    /// An operation that nobody knows.
    Unknown,
}

/// The segments of a pointer, unescaped.
pub(super) type Path = Vec<String>;

/// The operations of a patch. What is refused is refused as the reader of whole events says it.
pub(super) fn operations(patch: &str) -> Result<Vec<Operation<'_>>, Rejection> {
    read(patch).ok_or_else(|| match JsonPatch::from_json(patch) {
        Err(rejection) => rejection.within("delta"),
        Ok(_) => Rejection::new(Class::Syntax, "json", "the patch cannot be read").within("delta"),
    })
}

fn read(patch: &str) -> Option<Vec<Operation<'_>>> {
    let (mut scanner, mut operations) = (Scanner::of(patch), Vec::new());
    scanner.items(|scanner| {
        operations.push(operation(scanner)?);
        Some(())
    })?;
    scanner.end()?;
    Some(operations)
}

/// Reads the operation that is next.
fn operation<'a>(scanner: &mut Scanner<'a>) -> Option<Operation<'a>> {
    let (mut op, mut path, mut from, mut value) = (None, None, None, None);
    let mut others: Vec<Cow<'_, str>> = Vec::new();
    scanner.members(|scanner, name| {
        let place = match name.as_ref() {
            "op" => &mut op,
            "path" => &mut path,
            "from" => &mut from,
            "value" => &mut value,
            _ if others.contains(&name) => return None,
            _ => {
                others.push(name);
                return scanner.value();
            }
        };
        place.replace(scanner.raw()?).is_none().then_some(())
    })?;
    let op: Cow<'_, str> = text(op?)?;
    let path_of = |raw: Option<&str>| pointer::segments(&text(raw?)?);
    Some(match op.as_ref() {
        "add" => Operation::Add(path_of(path)?, value?),
        "remove" => Operation::Remove(path_of(path)?),
        "replace" => Operation::Replace(path_of(path)?, value?),
        "move" => Operation::Move(path_of(from)?, path_of(path)?),
        "copy" => Operation::Copy(path_of(from)?, path_of(path)?),
        "test" => Operation::Test(path_of(path)?, value?),
        _ => Operation::Unknown,
    })
}

/// A string's text, borrowed unless it holds escapes.
fn text(raw: &str) -> Option<Cow<'_, str>> {
    let inner = raw.strip_prefix('"')?.strip_suffix('"')?;
    if inner.contains('\\') {
        return serde_json::from_str(raw).ok().map(Cow::Owned);
    }
    Some(Cow::Borrowed(inner))
}
