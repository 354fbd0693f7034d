//! JSON Patch (RFC 6902) on a lazy tree: all operations or none, as `patch` does it on values.

use super::operation::{Operation, Path};
use super::tree::{Node, Tree, depth_of};
use crate::patch::{MAX_COPY, too_large};
use chatstate_json::Rejection;
use chatstate_json::{MAX_DEPTH, pointer};

/// Why an operation was not applied.
enum Failure {
    /// It does not apply, so the patch is skipped whole.
    DoesNotApply,
    /// The state, or what the patch makes of it, is refused.
    Refused(Rejection),
}

impl From<Rejection> for Failure {
    fn from(rejection: Rejection) -> Self {
        Self::Refused(rejection)
    }
}

use Failure::DoesNotApply;

type Outcome<T> = Result<T, Failure>;

/// A change that was made, with what it takes to undo it.
enum Change {
    /// A value was put here, where this one was, if there was one.
    Put(Path, Option<Node>),
    /// This value was removed from here.
    Removed(Path, Node),
    /// A value went from the first place to the second, where this one was, if there was one.
    Moved(Path, Path, Option<Node>),
}

/// Applies a patch, and tells whether it did. A patch that does not apply changes nothing.
pub(super) fn apply(tree: &mut Tree, operations: &[Operation<'_>]) -> Result<bool, Rejection> {
    let mut undo = Vec::new();
    for operation in operations {
        match step(tree, operation) {
            Ok(change) => undo.extend(change),
            Err(Failure::Refused(rejection)) => return Err(rejection),
            Err(DoesNotApply) => {
                for change in undo.into_iter().rev() {
                    // The places exist, because later changes are undone before.
                    let _ = take_back(tree, change);
                }
                return Ok(false);
            }
        }
    }
    tree.tidy();
    Ok(true)
}

fn step(tree: &mut Tree, operation: &Operation<'_>) -> Outcome<Option<Change>> {
    match operation {
        Operation::Add(path, value) => {
            fits(path, depth_of(value))?;
            let value = tree.keep(value);
            add(tree, path, value).map(Some)
        }
        Operation::Remove(path) => {
            let value = take(tree, path)?;
            Ok(Some(Change::Removed(path.clone(), value)))
        }
        Operation::Replace(path, value) => {
            fits(path, depth_of(value))?;
            let value = tree.keep(value);
            let place = tree.root.find(&tree.text, path)?.ok_or(DoesNotApply)?;
            let before = std::mem::replace(place, value);
            Ok(Some(Change::Put(path.clone(), Some(before))))
        }
        Operation::Move(from, path) => relocate(tree, from, path).map(Some),
        Operation::Copy(from, path) => copy(tree, from, path).map(Some),
        Operation::Test(path, value) => {
            let found = tree.root.find(&tree.text, path)?.ok_or(DoesNotApply)?;
            if found.equals(&tree.text, value)? {
                return Ok(None);
            }
            Err(DoesNotApply)
        }
        Operation::Unknown => Err(DoesNotApply),
    }
}

/// Refuses to nest deeper than documents may be.
fn fits(path: &[String], depth: usize) -> Outcome<()> {
    if path.len() + depth > MAX_DEPTH {
        return Err(DoesNotApply);
    }
    Ok(())
}

fn add(tree: &mut Tree, path: &[String], value: Node) -> Outcome<Change> {
    put(tree, path, value)
        .map(|(path, before)| Change::Put(path, before))
        .map_err(|(failure, _)| failure)
}

fn relocate(tree: &mut Tree, from: &Path, path: &Path) -> Outcome<Change> {
    if path.len() > from.len() && path.starts_with(from) {
        return Err(DoesNotApply);
    }
    let value = take(tree, from)?;
    let placed = match fits(path, value.depth(&tree.text)) {
        Ok(()) => put(tree, path, value),
        Err(failure) => Err((failure, value)),
    };
    match placed {
        Ok((path, before)) => Ok(Change::Moved(from.clone(), path, before)),
        Err((failure, value)) => {
            put_back(tree, from, value)?;
            Err(failure)
        }
    }
}

fn copy(tree: &mut Tree, from: &[String], path: &[String]) -> Outcome<Change> {
    let mut text = String::new();
    let original = tree.root.find(&tree.text, from)?.ok_or(DoesNotApply)?;
    original.write(&tree.text, &mut text);
    fits(path, depth_of(&text))?;
    let value = tree.keep(&text);
    let change = add(tree, path, value)?;
    if tree.is_longer_than(MAX_COPY)? {
        return Err(Failure::Refused(too_large()));
    }
    Ok(change)
}

type Placed = (Path, Option<Node>);

/// Puts a value where the pointer says, as a new item or member or for the member that is there.
/// Gives the place with its index, and what was there before; on failure, the value.
fn put(tree: &mut Tree, path: &[String], value: Node) -> Result<Placed, (Failure, Node)> {
    let Some((name, parent)) = path.split_last() else {
        let before = std::mem::replace(&mut tree.root, value);
        return Ok((Path::new(), Some(before)));
    };
    let container = match tree.root.find_container(&tree.text, parent) {
        Ok(container) => container,
        Err(rejection) => return Err((rejection.into(), value)),
    };
    let mut place = path.to_vec();
    match container {
        Some(Node::Object(members)) => {
            let before = match members.get_mut(name.as_str()) {
                Some(member) => member.replace(value),
                None => members.insert(name.as_str().into(), Some(value)).flatten(),
            };
            tree.note_name(name);
            Ok((place, before))
        }
        Some(Node::Array(items)) => {
            let index = match name.as_str() {
                "-" => Some(items.len()),
                name => pointer::index(name).filter(|index| *index <= items.len()),
            };
            let Some(index) = index else {
                return Err((DoesNotApply, value));
            };
            items.insert(index, value);
            if let Some(last) = place.last_mut() {
                *last = index.to_string();
            }
            Ok((place, None))
        }
        _ => Err((DoesNotApply, value)),
    }
}

/// Takes a value out.
fn take(tree: &mut Tree, path: &[String]) -> Outcome<Node> {
    let (name, parent) = path.split_last().ok_or(DoesNotApply)?;
    let container = tree.root.find_container(&tree.text, parent)?;
    let taken = match container {
        Some(Node::Object(members)) => members.get_mut(name.as_str()).and_then(Option::take),
        Some(Node::Array(items)) => pointer::index(name)
            .filter(|index| *index < items.len())
            .map(|index| items.remove(index)),
        _ => None,
    };
    taken.ok_or(DoesNotApply)
}

fn take_back(tree: &mut Tree, change: Change) -> Outcome<()> {
    match change {
        Change::Put(path, before) => withdraw(tree, &path, before).map(drop),
        Change::Removed(path, value) => put_back(tree, &path, value),
        Change::Moved(from, path, before) => {
            let value = withdraw(tree, &path, before)?;
            put_back(tree, &from, value)
        }
    }
}

/// Takes out what was put here, and puts back what was here before.
fn withdraw(tree: &mut Tree, path: &[String], before: Option<Node>) -> Outcome<Node> {
    match before {
        None => take(tree, path),
        Some(before) => {
            let place = tree.root.find(&tree.text, path)?.ok_or(DoesNotApply)?;
            Ok(std::mem::replace(place, before))
        }
    }
}

/// Puts a value back where it was taken out.
fn put_back(tree: &mut Tree, path: &[String], value: Node) -> Outcome<()> {
    put(tree, path, value)
        .map(drop)
        .map_err(|(failure, _)| failure)
}
