//! Values of several types that nothing tells apart: the first type that accepts one has it.

use std::cell::RefCell;
use std::collections::HashMap;

use super::Raw;
use crate::rejection::Rejection;

/// How one alternative is read.
pub type Alternative<T> = fn(Raw<'_>) -> Result<T, Rejection>;

/// Which alternative accepted the value that begins at an address, by the name of the alternatives;
/// none where all refused it.
///
/// An alternative that fails late has read all that is inside of it, and the next one reads it again.
/// Without a memory, each level of nesting would double the work. It holds for as long as the
/// outermost value is read, whose text stays where it is.
#[derive(Default)]
struct Memory {
    depth: usize,
    accepted: HashMap<(usize, &'static str), Option<usize>>,
}

thread_local! {
    static MEMORY: RefCell<Memory> = RefCell::default();
}

/// Reads a value as the first of several types that accepts it.
pub fn first_of<T>(raw: Raw<'_>, name: &'static str, alternatives: &[Alternative<T>]) -> Option<T> {
    let key = (raw.get().as_ptr().addr(), name);
    let known = MEMORY.with_borrow_mut(|memory| {
        memory.depth += 1;
        memory.accepted.get(&key).copied()
    });
    let read = |index: usize| Some((index, alternatives.get(index)?(raw).ok()?));
    let found = match known {
        Some(index) => index.and_then(read),
        None => (0..alternatives.len()).find_map(read),
    };
    MEMORY.with_borrow_mut(|memory| {
        memory.depth -= 1;
        if memory.depth == 0 {
            memory.accepted.clear();
        } else {
            let index = found.as_ref().map(|(index, _)| *index);
            memory.accepted.insert(key, index);
        }
    });
    found.map(|(_, value)| value)
}
