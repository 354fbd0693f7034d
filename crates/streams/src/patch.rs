//! JSON Patch (RFC 6902) on exact values: all operations or none.

use chatstate_json::{Class, Rejection};
use chatstate_json::{MAX_DEPTH, Object, Value, pointer};
use chatstate_types::generated::{JsonPatch, PatchOperation};

/// The longest compact text, in bytes, that a document may have after a `copy`. All other
/// operations bring what they add with them.
pub(crate) const MAX_COPY: usize = 64 * 1024 * 1024;

/// The rejection of a `copy` that makes too much of a document.
pub(crate) fn too_large() -> Rejection {
    let message = format!(
        "a `copy` makes the document longer than {} MiB; send the value with `add` instead",
        MAX_COPY / (1024 * 1024)
    );
    Rejection::new(Class::Limit, "patch-copy", message)
}

/// Why a patch does not apply. The document is as it was before.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("operation {index} of the patch does not apply: {reason}")]
pub struct PatchFailure {
    /// The position of the operation that failed, from 0.
    pub index: usize,
    /// Why it failed.
    pub reason: String,
    /// Whether it would have made too much of the document, which is no matter of chance: a `copy`
    /// after which the document's compact text is longer than 64 MiB.
    pub is_limit: bool,
}

/// An upper bound of the length of the compact text of a document that is patched many times.
/// Unknown until a `copy` makes it matter.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SizeBound(Option<usize>);

impl SizeBound {
    /// Notes what an operation may add to the document.
    fn expect(&mut self, document: &Value, operation: &PatchOperation) {
        let Some(bound) = &mut self.0 else {
            return;
        };
        let (path, value) = match operation {
            PatchOperation::Add(add) => (&add.path, Some(&add.value)),
            PatchOperation::Replace(replace) => (&replace.path, Some(&replace.value)),
            PatchOperation::Copy(copy) => (&copy.path, pointer::find(document, &copy.from.0)),
            PatchOperation::Move(moving) => (&moving.path, None),
            PatchOperation::Remove(_) | PatchOperation::Test(_) | PatchOperation::Unknown(_) => {
                return;
            }
        };
        // In text, a character of a name takes six bytes at most; quotes, colon and comma.
        *bound += value.map_or(0, |value| value.to_json().len()) + 6 * path.0.len() + 4;
    }

    /// Whether a document is too long after a copy. It is only looked at if it may be.
    fn is_passed(&mut self, document: &Value) -> bool {
        if self.0.is_none_or(|bound| bound > MAX_COPY) {
            self.0 = Some(document.to_json().len());
        }
        self.0.is_some_and(|bound| bound > MAX_COPY)
    }
}

/// Applies a patch. If one operation fails, those before it are taken back, last one first, so that
/// a patch costs what it changes and not what the document holds.
pub fn apply(document: &mut Value, patch: &JsonPatch) -> Result<(), PatchFailure> {
    apply_within(document, patch, &mut SizeBound::default())
}

/// The same, of a document of which the bound is kept.
pub(crate) fn apply_within(
    document: &mut Value,
    patch: &JsonPatch,
    bound: &mut SizeBound,
) -> Result<(), PatchFailure> {
    let mut undo = Vec::new();
    for (index, operation) in patch.0.iter().enumerate() {
        bound.expect(document, operation);
        let failure = match step(document, operation, &mut undo) {
            Ok(()) if is_copy(operation) && bound.is_passed(document) => {
                (too_large().message, true)
            }
            Ok(()) => continue,
            Err(reason) => (reason, false),
        };
        for change in undo.into_iter().rev() {
            change.take_back(document);
        }
        let (reason, is_limit) = failure;
        return Err(PatchFailure {
            index,
            reason,
            is_limit,
        });
    }
    Ok(())
}

fn is_copy(operation: &PatchOperation) -> bool {
    matches!(operation, PatchOperation::Copy(_))
}

/// A change that was made, with what it takes to undo it.
enum Change {
    /// The whole document was another value.
    Root(Value),
    /// A value was inserted at this place, where there was none.
    Inserted(Vec<String>),
    /// A value was removed from this place; object members remember their position.
    Removed(Vec<String>, usize, Value),
    /// This place held another value.
    Replaced(Vec<String>, Value),
}

impl Change {
    /// Undoes the change; the places exist, because later changes are undone before.
    fn take_back(self, document: &mut Value) {
        match self {
            Self::Root(value) => *document = value,
            Self::Inserted(path) => {
                let _ = detach(document, &path);
            }
            Self::Removed(path, position, value) => {
                let Some((name, parent)) = path.split_last() else {
                    return;
                };
                match find_mut(document, parent) {
                    Some(Value::Object(object)) => object.insert_at(position, name.clone(), value),
                    Some(Value::Array(items)) => items.insert(position.min(items.len()), value),
                    _ => {}
                }
            }
            Self::Replaced(path, value) => {
                if let Some(place) = find_mut(document, &path) {
                    *place = value;
                }
            }
        }
    }
}

fn step(
    document: &mut Value,
    operation: &PatchOperation,
    undo: &mut Vec<Change>,
) -> Result<(), String> {
    match operation {
        PatchOperation::Add(add) => insert(document, &add.path.0, add.value.clone(), undo),
        PatchOperation::Remove(remove) => take(document, &remove.path.0, undo).map(drop),
        PatchOperation::Replace(replace) => {
            put(document, &replace.path.0, replace.value.clone(), undo)
        }
        PatchOperation::Move(moving) => {
            if is_inside(&moving.path.0, &moving.from.0) {
                return Err(format!("`{}` cannot move into itself", moving.from.0));
            }
            let value = take(document, &moving.from.0, undo)?;
            insert(document, &moving.path.0, value, undo)
        }
        PatchOperation::Copy(copy) => {
            let value = existing(document, &copy.from.0)?.clone();
            insert(document, &copy.path.0, value, undo)
        }
        PatchOperation::Test(test) => {
            let found = existing(document, &test.path.0)?;
            if *found == test.value {
                return Ok(());
            }
            Err(format!(
                "the value at `{}` is not the tested one",
                test.path.0
            ))
        }
        // What a newer version means by it is not known here; the rest of the patch holds all the same.
        PatchOperation::Unknown(_) => Ok(()),
    }
}

/// The segments of a pointer; the schema has checked its form.
fn path_of(pointer: &str) -> Result<Vec<String>, String> {
    pointer::segments(pointer).ok_or_else(|| format!("`{pointer}` is not a JSON pointer"))
}

fn existing<'a>(document: &'a Value, pointer: &str) -> Result<&'a Value, String> {
    pointer::find(document, pointer).ok_or_else(|| nothing_at(pointer))
}

fn nothing_at(pointer: &str) -> String {
    format!("there is nothing at `{pointer}`")
}

/// Whether `path` is a place strictly inside `from`.
fn is_inside(path: &str, from: &str) -> bool {
    path.strip_prefix(from)
        .is_some_and(|rest| rest.starts_with('/'))
}

fn find_mut<'a>(document: &'a mut Value, path: &[String]) -> Option<&'a mut Value> {
    let mut value = document;
    for segment in path {
        value = match value {
            Value::Object(object) => object.get_mut(segment)?,
            Value::Array(items) => items.get_mut(pointer::index(segment)?)?,
            _ => return None,
        };
    }
    Some(value)
}

/// `add`: a new member or item, or another value for a member that exists.
fn insert(
    document: &mut Value,
    pointer: &str,
    value: Value,
    undo: &mut Vec<Change>,
) -> Result<(), String> {
    let mut path = path_of(pointer)?;
    if path.len() + value.depth() > MAX_DEPTH {
        return Err(format!(
            "the document would be nested deeper than {MAX_DEPTH} levels"
        ));
    }
    let Some((name, parent)) = path.split_last() else {
        undo.push(Change::Root(std::mem::replace(document, value)));
        return Ok(());
    };
    match find_mut(document, parent) {
        Some(Value::Object(object)) => {
            let before = object.insert(name.clone(), value);
            undo.push(match before {
                Some(before) => Change::Replaced(path, before),
                None => Change::Inserted(path),
            });
            Ok(())
        }
        Some(Value::Array(items)) => {
            let index = insertion_index(name, items.len()).ok_or_else(|| {
                format!(
                    "`{pointer}` is no place in an array of {} item(s)",
                    items.len()
                )
            })?;
            items.insert(index, value);
            if let Some(last) = path.last_mut() {
                *last = index.to_string();
            }
            undo.push(Change::Inserted(path));
            Ok(())
        }
        Some(_) => Err(format!(
            "the value that holds `{pointer}` is neither an object nor an array"
        )),
        None => Err(format!("there is nothing that could hold `{pointer}`")),
    }
}

/// Where a new item goes: an index up to the length, or `-` for the end.
fn insertion_index(segment: &str, length: usize) -> Option<usize> {
    if segment == "-" {
        return Some(length);
    }
    pointer::index(segment).filter(|index| *index <= length)
}

/// `replace`: another value for a place that exists.
fn put(
    document: &mut Value,
    pointer: &str,
    value: Value,
    undo: &mut Vec<Change>,
) -> Result<(), String> {
    let path = path_of(pointer)?;
    if path.len() + value.depth() > MAX_DEPTH {
        return Err(format!(
            "the document would be nested deeper than {MAX_DEPTH} levels"
        ));
    }
    let place = find_mut(document, &path).ok_or_else(|| nothing_at(pointer))?;
    let before = std::mem::replace(place, value);
    undo.push(Change::Replaced(path, before));
    Ok(())
}

/// `remove`, and the first half of `move`.
fn take(document: &mut Value, pointer: &str, undo: &mut Vec<Change>) -> Result<Value, String> {
    let path = path_of(pointer)?;
    if path.is_empty() {
        return Err("the whole document cannot be removed".to_owned());
    }
    let (position, value) = detach(document, &path).ok_or_else(|| nothing_at(pointer))?;
    undo.push(Change::Removed(path, position, value.clone()));
    Ok(value)
}

/// Takes a value out and gives the position it had.
fn detach(document: &mut Value, path: &[String]) -> Option<(usize, Value)> {
    let (name, parent) = path.split_last()?;
    match find_mut(document, parent)? {
        Value::Object(object) => Object::remove(object, name),
        Value::Array(items) => {
            let index = pointer::index(name).filter(|index| *index < items.len())?;
            Some((index, items.remove(index)))
        }
        _ => None,
    }
}
