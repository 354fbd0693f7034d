//! How the items of two arrays belong together.

use chatstate_json::{Value, canonical};

/// One step through two arrays.
pub(super) enum Edit {
    /// The items at these indices belong together.
    Both(usize, usize),
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

/// Pairs items: equal beginnings and ends first; what is between, index by index when the arrays
/// are equally long, else by the items that look most alike in order.
pub(super) fn align(before: &[Value], after: &[Value]) -> Vec<Edit> {
    let shortest = before.len().min(after.len());
    if before.len() == after.len() {
        return (0..shortest)
            .map(|index| Edit::Both(index, index))
            .collect();
    }
    let same = |(left, right): &(&Value, &Value)| left == right;
    let head = before.iter().zip(after).take_while(same).count();
    let tail = before
        .iter()
        .rev()
        .zip(after.iter().rev())
        .take(shortest - head)
        .take_while(same)
        .count();
    let (left_end, right_end) = (before.len() - tail, after.len() - tail);
    let (mut left, mut right) = (head, head);
    let mut steps = Vec::new();
    while left < left_end || right < right_end {
        let surplus = (left_end - left).cmp(&(right_end - right));
        let alike =
            left < left_end && right < right_end && look_alike(&before[left], &after[right]);
        match surplus {
            _ if alike => {
                steps.push(Edit::Both(left, right));
                left += 1;
                right += 1;
            }
            std::cmp::Ordering::Greater => {
                steps.push(Edit::Dropped(left));
                left += 1;
            }
            std::cmp::Ordering::Less => {
                steps.push(Edit::Added(right));
                right += 1;
            }
            std::cmp::Ordering::Equal => {
                steps.push(Edit::Both(left, right));
                left += 1;
                right += 1;
            }
        }
    }
    steps
}

/// Whether two items are meant to be the same one: equal, or with the same `id` and discriminator.
fn look_alike(left: &Value, right: &Value) -> bool {
    if left == right {
        return true;
    }
    let mut named = false;
    let same = ["id", "type", "role", "op", "messageId", "toolCallId"]
        .iter()
        .all(|name| {
            let (left, right) = (left.get(name), right.get(name));
            named |= left.is_some();
            left == right
        });
    named && same
}
