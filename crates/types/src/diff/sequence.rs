//! How the items of two arrays belong together.

use std::collections::{HashMap, HashSet};

use chatstate_json::{Value, canonical};
use similar::{Algorithm, DiffOp, capture_diff_slices};

/// One step through two arrays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edit {
    /// The items at these indices belong together, in the same order.
    Both(usize, usize),
    /// The items at these indices belong together, and others passed between them.
    Moved(usize, usize),
    /// The item at this index of the first array is gone.
    Dropped(usize),
    /// The item at this index of the second array is new.
    Added(usize),
}

/// Whether the second array holds the same items in another order.
pub(super) fn is_reordering(before: &[Value], after: &[Value]) -> bool {
    if before.len() != after.len() || before == after {
        return false;
    }
    let sorted = |items: &[Value]| {
        let mut texts: Vec<String> = items.iter().map(canonical).collect();
        texts.sort_unstable();
        texts
    };
    sorted(before) == sorted(after)
}

/// Pairs items, in the order of the first array: one by one when both arrays are equally long and that
/// leaves no more to report, else those that belong together.
pub(super) fn align(before: &[Value], after: &[Value]) -> Vec<Edit> {
    let aligned = aligned(before, after);
    if before.len() != after.len() {
        return aligned;
    }
    let one_by_one: Vec<Edit> = (0..before.len())
        .map(|index| Edit::Both(index, index))
        .collect();
    let unequal = |edits: &[Edit]| {
        let equal = |edit: &&Edit| matches!(edit, Edit::Both(left, right) if before[*left] == after[*right]);
        edits.len() - edits.iter().filter(equal).count()
    };
    if unequal(&one_by_one) <= unequal(&aligned) {
        one_by_one
    } else {
        aligned
    }
}

/// Pairs those items that are the same one (see [`keys`]) by a longest common subsequence; of what is
/// left, those that moved; and in each gap, what looks alike.
fn aligned(before: &[Value], after: &[Value]) -> Vec<Edit> {
    let (left, right) = keys(before, after);
    let gaps = capture_diff_slices(Algorithm::Myers, &left, &right);
    let moves = moves(&left, &right, &gaps);
    let arrived: HashSet<usize> = moves.values().copied().collect();
    let mut edits = Vec::new();
    for gap in gaps {
        if let DiffOp::Equal {
            old_index,
            new_index,
            len,
        } = gap
        {
            edits.extend((0..len).map(|index| Edit::Both(old_index + index, new_index + index)));
            continue;
        }
        let stays = |index: &usize| !moves.contains_key(index);
        let left: Vec<usize> = gap.old_range().filter(stays).collect();
        let right = gap.new_range().filter(|index| !arrived.contains(index));
        let from_here = gap.old_range().filter_map(|index| {
            let to = moves.get(&index)?;
            Some(Edit::Moved(index, *to))
        });
        edits.extend(from_here);
        edits.extend(pair(before, after, &left, &right.collect::<Vec<_>>()));
    }
    edits
}

/// What makes an item known again.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Key<'a> {
    /// The text of a member that names the item, and its `type`, if it has one.
    Named(&'a str, &'a str, Option<&'a str>),
    /// The canonical text of its value.
    Value(String),
}

/// The members that name an item of an array, the first of which counts.
const NAMES: [&str; 6] = [
    "id",
    "channelkey",
    "toolCallId",
    "messageId",
    "runId",
    "name",
];

/// The same number for items that are the same one: which have a name that nothing else in their
/// array has, or else the same value.
fn keys(before: &[Value], after: &[Value]) -> (Vec<usize>, Vec<usize>) {
    let [left, right] = [before, after].map(names_that_occur_twice);
    let mut numbers = HashMap::new();
    let mut number = |item| {
        let key = match named(item) {
            Some(key) if !left.contains(&key) && !right.contains(&key) => key,
            _ => Key::Value(canonical(item)),
        };
        let next = numbers.len();
        *numbers.entry(key).or_insert(next)
    };
    let left_keys = before.iter().map(&mut number).collect();
    (left_keys, after.iter().map(&mut number).collect())
}

fn names_that_occur_twice(items: &[Value]) -> HashSet<Key<'_>> {
    let mut seen = HashSet::new();
    let names = items.iter().filter_map(named);
    names
        .filter_map(|name| (!seen.insert(name.clone())).then_some(name))
        .collect()
}

fn named(item: &Value) -> Option<Key<'_>> {
    let text = |name| item.get(name).and_then(Value::as_str);
    let named = |name| Some(Key::Named(name, text(name)?, text("type")));
    NAMES.into_iter().find_map(named)
}

/// Where items that are in no common order went: those that each array has once, by their index in
/// the first one.
fn moves(left: &[usize], right: &[usize], gaps: &[DiffOp]) -> HashMap<usize, usize> {
    let [left_once, right_once] = [left, right].map(indices_of_single);
    let unequal = gaps
        .iter()
        .filter(|gap| !matches!(gap, DiffOp::Equal { .. }));
    let gone = unequal.flat_map(DiffOp::old_range);
    let moved = gone.filter_map(|index| {
        left_once.get(&left[index])?;
        Some((index, *right_once.get(&left[index])?))
    });
    moved.collect()
}

fn indices_of_single(keys: &[usize]) -> HashMap<usize, usize> {
    let mut counts: HashMap<usize, usize> = HashMap::new();
    for key in keys {
        *counts.entry(*key).or_default() += 1;
    }
    let single = keys.iter().enumerate().filter(|(_, key)| counts[key] == 1);
    single.map(|(index, key)| (*key, index)).collect()
}

/// Pairs what stands in one gap: one by one when both sides are equally long, else what looks alike.
fn pair(before: &[Value], after: &[Value], left: &[usize], right: &[usize]) -> Vec<Edit> {
    let (mut left, mut right) = (left, right);
    let mut edits = Vec::new();
    while let ([one, lefts @ ..], [other, rights @ ..]) = (left, right) {
        if left.len() == right.len() || look_alike(&before[*one], &after[*other]) {
            edits.push(Edit::Both(*one, *other));
            (left, right) = (lefts, rights);
        } else if left.len() > right.len() {
            edits.push(Edit::Dropped(*one));
            left = lefts;
        } else {
            edits.push(Edit::Added(*other));
            right = rights;
        }
    }
    edits.extend(left.iter().map(|index| Edit::Dropped(*index)));
    edits.extend(right.iter().map(|index| Edit::Added(*index)));
    edits
}

/// Whether two items of other values are meant to be the same one: they have the same discriminator
/// and name.
fn look_alike(left: &Value, right: &Value) -> bool {
    let mut known = false;
    let same = ["id", "type", "role", "op", "messageId", "toolCallId"]
        .iter()
        .all(|name| {
            let (left, right) = (left.get(name), right.get(name));
            known |= left.is_some();
            left == right
        });
    known && same
}

/// Where the items of an array went that hold no common order with the others, by their indices.
pub(super) fn moved(before: &[Value], after: &[Value]) -> Vec<(usize, usize)> {
    let moved = |edit| match edit {
        Edit::Moved(from, to) => Some((from, to)),
        _ => None,
    };
    aligned(before, after)
        .into_iter()
        .filter_map(moved)
        .collect()
}
