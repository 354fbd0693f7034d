//! JSON Patch (RFC 6902) on exact values: all operations or none.

use chatstate_json::{Class, Rejection};
use chatstate_json::{MAX_DEPTH, Object, Value, pointer};
use chatstate_types::generated::{JsonPatch, PatchOperation};

/// The longest compact text, in bytes, that a document may have after a `copy`, and that the `copy`
/// operations of a run may copy (`limit.patch-copy`). All other operations bring what they add with
/// them.
const MAX_COPY: usize = 64 * 1024 * 1024;

/// How deep a patched document may be nested: an activity stands three levels down in a
/// `MESSAGES_SNAPSHOT`, which has to be read again (`limit.too-deep`).
const MAX_PATCHED_DEPTH: usize = MAX_DEPTH - 3;

/// Why a patch does not apply. The document is as it was before.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("operation {index} of the patch does not apply: {reason}")]
pub struct PatchFailure {
    /// The position of the operation that failed, from 0.
    pub index: usize,
    /// Why it failed.
    pub reason: String,
    /// Whether it is a `copy` beyond a limit, which is no matter of chance: the document would be
    /// longer than 64 MiB, or the run has copied more than that.
    pub is_limit: bool,
}

impl PatchFailure {
    /// The rejection of the event, if the patch is beyond a limit.
    pub(crate) fn limit(&self) -> Option<Rejection> {
        self.is_limit
            .then(|| Rejection::new(Class::Limit, "patch-copy", self.reason.clone()))
    }
}

/// How much the patches of a document may copy.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct CopyLimits {
    /// An upper bound of the length of the document's compact text. Unknown until a `copy` makes it
    /// matter.
    bound: Option<usize>,
    /// How much was copied, whether the patch applied or not.
    copied: usize,
}

impl CopyLimits {
    /// The same document in the next run.
    pub fn in_next_run(self) -> Self {
        Self { copied: 0, ..self }
    }

    /// Another document in the same run.
    pub fn of_other_document(self) -> Self {
        Self {
            bound: None,
            ..self
        }
    }

    /// Notes what an operation copies and may add to the document. The reason, if it copies too much.
    fn expect(&mut self, document: &Value, operation: &PatchOperation) -> Result<(), String> {
        let (path, added) = match operation {
            PatchOperation::Add(add) => (&add.path, self.length_if_bound(&add.value)),
            PatchOperation::Replace(replace) => {
                (&replace.path, self.length_if_bound(&replace.value))
            }
            PatchOperation::Copy(copy) => {
                let value = pointer::find(document, &copy.from.0);
                (&copy.path, self.copy(value)?)
            }
            PatchOperation::Move(moving) => (&moving.path, 0),
            PatchOperation::Remove(_) | PatchOperation::Test(_) | PatchOperation::Unknown(_) => {
                return Ok(());
            }
        };
        if let Some(bound) = &mut self.bound {
            // In text, a character of a name takes six bytes at most; quotes, colon and comma.
            *bound += added + 6 * path.0.len() + 4;
        }
        Ok(())
    }

    /// The length of a value, which only a bound needs.
    fn length_if_bound(self, value: &Value) -> usize {
        self.bound.map_or(0, |_| value.to_json().len())
    }

    /// Notes a copy, and gives its length. Beyond the limit nothing is measured any more: a log may
    /// go on with as many copies as it likes.
    fn copy(&mut self, value: Option<&Value>) -> Result<usize, String> {
        let mut length = 0;
        if self.copied <= MAX_COPY {
            length = value.map_or(0, |value| value.to_json().len());
            self.copied += length;
        }
        if self.copied > MAX_COPY {
            return Err(too_long("the patches of this run copy more"));
        }
        Ok(length)
    }

    /// The reason, if a document is too long after a copy. It is only looked at if it may be.
    fn check(&mut self, document: &Value) -> Result<(), String> {
        if self.bound.is_none_or(|bound| bound > MAX_COPY) {
            self.bound = Some(document.to_json().len());
        }
        if self.bound.is_some_and(|bound| bound > MAX_COPY) {
            return Err(too_long("a `copy` makes the document longer"));
        }
        Ok(())
    }
}

fn too_long(what: &str) -> String {
    let mebibytes = MAX_COPY / (1024 * 1024);
    format!("{what} than {mebibytes} MiB; send the value with `add` instead")
}

/// Applies a patch. If one operation fails, those before it are taken back, last one first, so that
/// a patch costs what it changes and copies, and not what the document holds.
pub fn apply(document: &mut Value, patch: &JsonPatch) -> Result<(), PatchFailure> {
    apply_within(document, patch, &mut CopyLimits::default())
}

/// The same, of a document whose limits are kept.
pub(crate) fn apply_within(
    document: &mut Value,
    patch: &JsonPatch,
    limits: &mut CopyLimits,
) -> Result<(), PatchFailure> {
    let mut undo = Vec::new();
    for (index, operation) in patch.0.iter().enumerate() {
        let Err((reason, is_limit)) = step_within(document, operation, &mut undo, limits) else {
            continue;
        };
        for change in undo.into_iter().rev() {
            change.take_back(document);
        }
        return Err(PatchFailure {
            index,
            reason,
            is_limit,
        });
    }
    Ok(())
}

/// Applies one operation. If it fails, the reason, and whether that is a limit.
fn step_within(
    document: &mut Value,
    operation: &PatchOperation,
    undo: &mut Vec<Change>,
    limits: &mut CopyLimits,
) -> Result<(), (String, bool)> {
    let limit = |reason| (reason, true);
    limits.expect(document, operation).map_err(limit)?;
    step(document, operation, undo).map_err(|reason| (reason, false))?;
    if let PatchOperation::Copy(_) = operation {
        limits.check(document).map_err(limit)?;
    }
    Ok(())
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
    /// A value was removed from this place and put where the other change was made.
    Moved(Vec<String>, usize, Box<Change>),
}

impl Change {
    /// Undoes the change, and gives the value that it put there. The places exist, because later
    /// changes are undone before.
    fn take_back(self, document: &mut Value) -> Option<Value> {
        match self {
            Self::Root(before) => Some(std::mem::replace(document, before)),
            Self::Inserted(path) => detach(document, &path).map(|(_, value)| value),
            Self::Removed(path, position, value) => {
                put_back(document, &path, position, value);
                None
            }
            Self::Replaced(path, before) => {
                let place = find_mut(document, &path)?;
                Some(std::mem::replace(place, before))
            }
            Self::Moved(from, position, change) => {
                let value = change.take_back(document)?;
                put_back(document, &from, position, value);
                None
            }
        }
    }
}

/// Puts a value where it was removed from.
fn put_back(document: &mut Value, path: &[String], position: usize, value: Value) {
    let Some((name, parent)) = path.split_last() else {
        return;
    };
    match find_mut(document, parent) {
        Some(Value::Object(object)) => object.swap_insert(position, name.clone(), value),
        Some(Value::Array(items)) => items.insert(position.min(items.len()), value),
        _ => {}
    }
}

/// Why a value was put nowhere, with the value.
struct Unplaced {
    reason: String,
    value: Value,
}

fn step(
    document: &mut Value,
    operation: &PatchOperation,
    undo: &mut Vec<Change>,
) -> Result<(), String> {
    match operation {
        PatchOperation::Add(add) => add_value(document, &add.path.0, add.value.clone(), undo),
        PatchOperation::Remove(remove) => {
            let (path, position, value) = take(document, &remove.path.0)?;
            undo.push(Change::Removed(path, position, value));
            Ok(())
        }
        PatchOperation::Replace(replace) => {
            put(document, &replace.path.0, replace.value.clone(), undo)
        }
        PatchOperation::Move(moving) => move_value(document, &moving.from.0, &moving.path.0, undo),
        PatchOperation::Copy(copy) => {
            let value = existing(document, &copy.from.0)?.clone();
            add_value(document, &copy.path.0, value, undo)
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

/// `add`, and the second half of `copy`.
fn add_value(
    document: &mut Value,
    pointer: &str,
    value: Value,
    undo: &mut Vec<Change>,
) -> Result<(), String> {
    let change = insert(document, pointer, value).map_err(|unplaced| unplaced.reason)?;
    undo.push(change);
    Ok(())
}

/// `move`: the value itself moves, however large it is.
fn move_value(
    document: &mut Value,
    from: &str,
    pointer: &str,
    undo: &mut Vec<Change>,
) -> Result<(), String> {
    if is_inside(pointer, from) {
        return Err(format!("`{from}` cannot move into itself"));
    }
    let (path, position, value) = take(document, from)?;
    match insert(document, pointer, value) {
        Ok(change) => {
            undo.push(Change::Moved(path, position, Box::new(change)));
            Ok(())
        }
        Err(Unplaced { reason, value }) => {
            put_back(document, &path, position, value);
            Err(reason)
        }
    }
}

/// A new member or item, or another value for a member that exists.
fn insert(document: &mut Value, pointer: &str, value: Value) -> Result<Change, Unplaced> {
    let mut path = match path_for(pointer, &value) {
        Ok(path) => path,
        Err(reason) => return Err(Unplaced { reason, value }),
    };
    let Some((name, parent)) = path.split_last_mut() else {
        return Ok(Change::Root(std::mem::replace(document, value)));
    };
    let reason = match find_mut(document, parent) {
        Some(Value::Object(object)) => {
            let before = object.insert(name.clone(), value);
            return Ok(match before {
                Some(before) => Change::Replaced(path, before),
                None => Change::Inserted(path),
            });
        }
        Some(Value::Array(items)) => {
            if let Some(index) = insertion_index(name, items.len()) {
                items.insert(index, value);
                *name = index.to_string();
                return Ok(Change::Inserted(path));
            }
            let length = items.len();
            format!("`{pointer}` is no place in an array of {length} item(s)")
        }
        Some(_) => format!("the value that holds `{pointer}` is neither an object nor an array"),
        None => format!("there is nothing that could hold `{pointer}`"),
    };
    Err(Unplaced { reason, value })
}

/// The path of a pointer, if the value is not nested too deeply there.
fn path_for(pointer: &str, value: &Value) -> Result<Vec<String>, String> {
    let path = path_of(pointer)?;
    if path.len() + value.depth() > MAX_PATCHED_DEPTH {
        return Err(format!(
            "the document would be nested deeper than {MAX_PATCHED_DEPTH} levels"
        ));
    }
    Ok(path)
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
    let path = path_for(pointer, &value)?;
    let place = find_mut(document, &path).ok_or_else(|| nothing_at(pointer))?;
    let before = std::mem::replace(place, value);
    undo.push(Change::Replaced(path, before));
    Ok(())
}

/// `remove`, and the first half of `move`: the place, the position there, and the value.
fn take(document: &mut Value, pointer: &str) -> Result<(Vec<String>, usize, Value), String> {
    let path = path_of(pointer)?;
    if path.is_empty() {
        return Err("the whole document cannot be removed".to_owned());
    }
    let (position, value) = detach(document, &path).ok_or_else(|| nothing_at(pointer))?;
    Ok((path, position, value))
}

/// Takes a value out and gives the position it had.
fn detach(document: &mut Value, path: &[String]) -> Option<(usize, Value)> {
    let (name, parent) = path.split_last()?;
    match find_mut(document, parent)? {
        Value::Object(object) => Object::swap_remove(object, name),
        Value::Array(items) => {
            let index = pointer::index(name).filter(|index| *index < items.len())?;
            Some((index, items.remove(index)))
        }
        _ => None,
    }
}
